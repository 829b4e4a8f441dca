"""Plans: many maps of one shape and dtype, one after another, in buffers that are made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from percepts import _core
from percepts._arrays import Field, Maps, as_fields, as_flow_components, as_flow_maps, as_maps
from percepts._device_plan import DevicePlan, Label, mask_on, number_of
from percepts._labels import kept_names, labelling
from percepts._options import MOST_CELLS, GridLike, NoteLike, as_grid, as_integer, as_word
from percepts.batch import ProgramBatch
from percepts.depth import depth_options
from percepts.flow import flow_options
from percepts.kernels import GridStats
from percepts.program import Program

Fields = Field | list[Field]

__all__ = [
    "DevicePlan",
    "Plan",
    "depth",
    "flow",
]


class Plan:
    """Statistics of many maps of one shape and dtype, made by `percepts.plan.depth` or `percepts.plan.flow`.

    Calling a plan with an array returns the plan's own `GridStats` (raw values, as from `percepts.kernels.grid_stats`),
    which the next call overwrites. The core allocates nothing in a call while arrays are laid out in memory like the
    one before. `program` makes the program of the last array, which must not change in between. A plan is for one
    thread at a time.
    """

    def __init__(
        self,
        maps: tuple[int, ...],
        size: tuple[int, int],
        dtype: str,
        grid: tuple[int, int],
        prepare: Callable[[object], Fields],
        program_of: Callable[[_core.Plan, int, Field], _core.Program],
        label: Label | None,
    ) -> None:
        self._maps = maps
        self._size = size
        self._dtype = dtype
        self._core = _core.Plan(dtype, maps[0] if maps else 1, list(maps), *size, *grid)
        self._stats = GridStats(*self._core.arrays())
        self._prepare = prepare
        self._program_of = program_of
        self._label = label
        self._last: list[Field] | None = None

    def __call__(self, array: object) -> GridStats:
        """Statistics of an array of the plan's shape and dtype.

        Raises
        ------
        TypeError, ValueError
            When the array is not what the plan is for.
        """
        prepared = self._prepare(array)
        fields = prepared if isinstance(prepared, list) else [prepared]
        self._check(fields, (len(fields),) if isinstance(prepared, list) else ())
        for k, field in enumerate(fields):
            self._core.run(k, *field)
        self._last = fields
        return self._stats

    def _check(self, fields: list[Field], maps: tuple[int, ...]) -> None:
        sizes = {(field.data.shape, field.data.dtype) for field in fields}
        if maps == self._maps and sizes <= {(self._size, self._dtype)}:
            return
        got = " and ".join(sorted(f"{dtype} {(*maps, *shape)}" for shape, dtype in sizes)) or f"a batch of {maps[0]}"
        raise ValueError(f"this plan is for {self._dtype} maps of shape {(*self._maps, *self._size)}, got {got}")

    def program(self) -> Program | ProgramBatch:
        """Program of the array that the plan was last called with.

        Raises
        ------
        ValueError
            When the plan has not been called, or the values do not meet their requirements.
        """
        if self._last is None:
            raise ValueError("a plan has a program when it has been called, it has not been yet")
        programs = [self._program_of(self._core, k, field) for k, field in enumerate(self._last)]
        if self._label is not None:
            self._label(programs)
        made = [Program._of(program) for program in programs]
        return ProgramBatch(made) if self._maps else made[0]


def depth(
    shape: Sequence[int],
    dtype: Any,
    device: Any = "cpu",
    *,
    grid: GridLike = 10,
    tau: float = 0.15,
    kind: str = "relative",
    scale: float = 1.0,
    depth_range: tuple[float, float] | None = None,
    normalize: bool = True,
    invalid_value: object = None,
    mask: object = None,
    labels: object = None,
    class_names: object = None,
    relations: bool = True,
    max_relations: int | None = None,
    note: NoteLike = ...,
) -> Plan | DevicePlan:
    """Plan the programs of many depth maps of one shape and dtype.

    Parameters
    ----------
    shape
        Of the arrays to come: H×W, or B×H×W or B×1×H×W for batches.
    dtype
        Of the arrays to come, by NumPy's name or as a dtype of NumPy or torch.
    device
        Where the arrays are: ``"cpu"``, or ``"cuda:0"`` (also ``"cuda"``), ``"cuda:1"``, …, as a str or as a device of
        torch. A mask is there, too.
    grid, tau, kind, scale, depth_range, normalize, invalid_value, mask, labels, class_names
        As for `percepts.depth`; a mask and labels are the same for every call; labels and their
        names are looked at once, when the plan is made.
    relations, max_relations, note
        As for `percepts.depth`.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.
    DeviceError
        When CUDA fails, or there is none for the device.

    Examples
    --------
    >>> import numpy as np
    >>> plan = depth((4, 6), "float32", grid=(1, 2))
    >>> stats = plan(np.full((4, 6), 0.25, np.float32))
    >>> stats.mean.tolist()
    [[0.25, 0.25]]
    >>> plan.program().items[0].r
    [0.25, 0.25]
    """
    options = depth_options(
        grid,
        tau,
        kind,
        scale,
        depth_range,
        normalize,
        invalid_value,
        relations,
        max_relations,
        note,
        labels is not None,
    )
    if str(device) != "cpu":
        on = number_of(str(device))
        pixels = mask_on(on, mask)
        return _plan_on_device(
            "depth",
            shape,
            dtype,
            on,
            options,
            as_grid(grid),
            lambda array: as_maps(array, "depth", pixels, invalid_value),
            (labels, class_names),
        )
    return _plan(
        shape,
        dtype,
        as_grid(grid),
        lambda array: as_fields(array, "depth", mask, invalid_value),
        lambda plan, k, field: plan.depth(k, *field, options),
        (labels, class_names),
    )


def flow(
    shape: Sequence[int],
    dtype: Any,
    device: Any = "cpu",
    *,
    grid: GridLike = 10,
    axis: str = "horizontal",
    motion: str = "scene",
    layout: str | None = None,
    invalid_value: object = None,
    mask: object = None,
    labels: object = None,
    class_names: object = None,
    note: NoteLike = ...,
) -> Plan | DevicePlan:
    """Plan the programs of many flow fields of one shape and dtype; the statistics are of the component that is read.

    Parameters
    ----------
    shape
        Of the arrays to come: H×W×2 or 2×H×W, with B in front for batches.
    dtype, device
        As for `percepts.plan.depth`.
    grid, axis, motion, layout, invalid_value, mask, labels, class_names, note
        As for `percepts.flow`; a mask and labels are the same for every call; labels and their
        names are looked at once, when the plan is made.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> import numpy as np
    >>> plan = flow((4, 6, 2), "float32", grid=1)
    >>> plan(np.full((4, 6, 2), -1, np.float32)).max.tolist()
    [[-1.0]]
    >>> plan.program().items[0].r
    'left'
    """
    options = flow_options(grid, axis, motion, note, labels is not None)
    extents = _extents(shape)
    # What a field of this shape is like tells where its components are.
    one_at_least = (max(extents[0], 1), *extents[1:]) if len(extents) == 4 else extents
    like = as_flow_components(np.broadcast_to(np.float32(0), one_at_least), axis, layout, None, None)
    planned = (extents[0], *like[0].data.shape) if isinstance(like, list) else like.data.shape
    if str(device) != "cpu":
        on = number_of(str(device))
        pixels = mask_on(on, mask)
        return _plan_on_device(
            "flow",
            planned,
            dtype,
            on,
            options,
            as_grid(grid),
            lambda array: as_flow_maps(array, axis, layout, pixels, invalid_value),
            (labels, class_names),
        )
    return _plan(
        planned,
        dtype,
        as_grid(grid),
        lambda array: as_flow_components(array, axis, layout, mask, invalid_value),
        lambda plan, k, field: plan.flow(k, *field, options),
        (labels, class_names),
    )


def _plan_on_device(
    modality: str,
    shape: Sequence[int],
    dtype: Any,
    device: str,
    options: _core.DepthOptions | _core.FlowOptions,
    grid: tuple[int, int],
    prepare: Callable[[object], Maps],
    named_labels: tuple[object, object],
) -> DevicePlan:
    maps, size = _maps_and_size(shape)
    label = _label_of(named_labels, maps, size, grid)
    return DevicePlan(modality, device, maps, size, _dtype_name(dtype), options, grid, prepare, label)


def _plan(
    shape: Sequence[int],
    dtype: Any,
    grid: tuple[int, int],
    prepare: Callable[[object], Fields],
    program_of: Callable[[_core.Plan, int, Field], _core.Program],
    named_labels: tuple[object, object],
) -> Plan:
    maps, size = _maps_and_size(shape)
    label = _label_of(named_labels, maps, size, grid)
    return Plan(maps, size, _dtype_name(dtype), grid, prepare, program_of, label)


def _label_of(
    named_labels: tuple[object, object], maps: tuple[int, ...], size: tuple[int, int], grid: tuple[int, int]
) -> Label | None:
    """What gives programs their labels, which are looked at once, now."""
    labels, class_names = named_labels
    if labels is None:
        return None
    shapes: list[tuple[int, ...]] = [size] * (maps[0] if maps else 1)
    return labelling(labels, shapes, bool(maps), grid, kept_names(class_names))


def _maps_and_size(shape: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Number of maps, where it is a batch, and height and width of each."""
    extents = _extents(shape)
    if len(extents) == 4 and extents[1] == 1:
        extents = (extents[0], *extents[2:])
    if len(extents) not in (2, 3):
        raise ValueError(f"shape must be H×W, or B×H×W or B×1×H×W for a batch, got {tuple(shape)}")
    *maps, height, width = extents
    return tuple(maps), (height, width)


def _extents(shape: Sequence[int]) -> tuple[int, ...]:
    if not isinstance(shape, Iterable):
        raise TypeError(f"shape must be a sequence of ints, got {type(shape).__name__}")
    extents = tuple(as_integer(extent, "shape") for extent in shape)
    if any(extent < 0 for extent in extents):
        raise ValueError(f"shape must not be negative, got {extents}")
    if any(extent > MOST_CELLS for extent in extents):
        raise ValueError(f"shape must be of extents up to {MOST_CELLS}, got {extents}")
    return extents


def _dtype_name(dtype: Any) -> str:
    if str(dtype).startswith("torch."):
        dtype = str(dtype).removeprefix("torch.")
    if str(dtype) == "bfloat16":
        return "bfloat16"
    try:
        name = np.dtype(dtype).name
    except TypeError:
        raise TypeError(f"dtype must be one of NumPy or torch, got {dtype!r}") from None
    if np.dtype(dtype).kind not in "biuf" or np.dtype(dtype).itemsize > 8:
        raise TypeError(f"dtype must be boolean, integer or floating point of up to 64 bits, got {name}")
    return as_word(name, "dtype")
