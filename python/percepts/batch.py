"""Programs of many maps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from percepts import _core
from percepts._options import as_style
from percepts._threads import num_threads
from percepts.program import Program

if TYPE_CHECKING:
    from percepts._late import Late


class ProgramBatch(Sequence[Program]):
    """The programs of a batch of maps, a sequence of `Program`.

    Examples
    --------
    >>> import numpy as np
    >>> import percepts as pc
    >>> batch = pc.depth(np.linspace(0, 1, 2 * 4 * 6).reshape(2, 4, 6), grid=2)
    >>> batch
    <ProgramBatch of 2 depth programs>
    >>> batch.arrays["mean"].shape
    (2, 2, 2)
    >>> batch.texts() == [str(program) for program in batch]
    True
    """

    __slots__ = ("_late", "_programs")

    _programs: tuple[Program, ...]
    _late: tuple[Late, int]

    def __init__(self, programs: Iterable[Program]) -> None:
        self._programs = tuple(programs)
        for k, program in enumerate(self._programs):
            if not isinstance(program, Program):
                raise TypeError(f"programs[{k}] must be a Program, got {type(program).__name__}")

    @classmethod
    def _later(cls, late: Late, count: int) -> ProgramBatch:
        """Make the batch of programs to come."""
        batch = cls.__new__(cls)
        batch._late = late, count
        return batch

    if not TYPE_CHECKING:  # checkers would take it for attributes of any name

        def __getattr__(self, name: str) -> Any:
            if name != "_programs":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            late, count = self._late
            self._programs = tuple(Program._later(late, k) for k in range(count))
            return self._programs

    @overload
    def __getitem__(self, index: int) -> Program: ...

    @overload
    def __getitem__(self, index: slice) -> ProgramBatch: ...

    def __getitem__(self, index: int | slice) -> Program | ProgramBatch:
        """One program, or a part of the batch."""
        if isinstance(index, slice):
            return ProgramBatch(self._programs[index])
        return self._programs[index]

    def __len__(self) -> int:
        return len(self._programs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProgramBatch) and self._programs == other._programs

    def __hash__(self) -> int:
        return hash(self._programs)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._programs,)

    def __repr__(self) -> str:
        modality = f" {self._programs[0].modality}" if self._programs else ""
        return f"<ProgramBatch of {len(self)}{modality} programs>"

    @property
    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """Arrays of the programs, stacked, by the same keys: each with a leading dimension for the maps."""
        if not self._programs:
            return {}
        if len({(program.modality, program.grid) for program in self._programs}) > 1:
            raise ValueError("arrays need programs of one modality and grid, got several")
        return {name: np.stack([program.arrays[name] for program in self._programs]) for name in self[0].arrays}

    def texts(self, style: str = "paper") -> list[str]:
        """Text of every program, formatted in one call.

        Raises
        ------
        ValueError
            When `style` is not ``"paper"``, ``"json"`` or ``"compact"``.
        """
        printed = [program._printed for program in self._programs]
        return _core.texts(printed, as_style(style), num_threads())
