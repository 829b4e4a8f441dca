"""Programs of many maps: each by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from percepts._arrays import Field, of_map
from percepts._core import View
from percepts.reference.program import Program

Labels = View | None


class ProgramBatch(tuple[Program, ...]):
    """A sequence of programs."""

    __slots__ = ()

    @property
    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The programs' arrays with a leading dimension for the maps."""
        return {name: np.stack([program.arrays[name] for program in self]) for name in self[0].arrays} if self else {}

    def texts(self, style: str = "paper") -> list[str]:
        """Text of every program."""
        return [program.to_text(style) for program in self]


def batch_of(
    fields: Sequence[Field], labels: Sequence[Labels], program_of: Callable[[Field, Labels], Program]
) -> ProgramBatch:
    """Make the program of each map; an error names the first map that has one."""
    programs = []
    for k, (field, label_map) in enumerate(zip(fields, labels, strict=True)):
        with of_map(k):
            programs.append(program_of(field, label_map))
    return ProgramBatch(programs)
