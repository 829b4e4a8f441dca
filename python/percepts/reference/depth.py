"""Depth (paper, 3.2.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from percepts import _arrays
from percepts._arrays import as_fields, as_label_maps
from percepts._core import View
from percepts._depth_maps import kind_of
from percepts._options import GridLike, NoteLike, as_grid, shown
from percepts.depth import depth_options
from percepts.items import UNKNOWN
from percepts.kernels import GridStats
from percepts.reference.batch import ProgramBatch, batch_of
from percepts.reference.field import Field, plain_field
from percepts.reference.grid import Cell, cells, neighbors
from percepts.reference.kernels import in_front, stats_of, values_of
from percepts.reference.labels import label_names, with_labels
from percepts.reference.notes import chosen_note, depth_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.relations import PrintedRelation
from percepts.reference.values import Scalar, number

Array = np.ndarray[Any, np.dtype[Any]]


def depth(
    depth: object,
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
) -> Program | ProgramBatch:
    """Define ``percepts.depth``."""
    kind = kind_of(depth, kind)
    depth_options(grid, tau, kind, scale, depth_range, normalize, invalid_value, relations, max_relations, note)
    rows_cols = as_grid(grid)

    def program_of(field: _arrays.Field, label_map: View | None) -> Program:
        return _program_of(
            plain_field(field),
            None if label_map is None else label_names(label_map, rows_cols, class_names),
            rows_cols,
            tau,
            kind,
            scale,
            depth_range,
            normalize,
            invalid_value is not None,
            relations,
            max_relations,
            chosen_note(note, depth_note(normalize, relations, labels is not None)),
        )

    fields = as_fields(depth, "depth", mask, invalid_value)
    several = fields if isinstance(fields, list) else [fields]
    shapes = [field.data.shape for field in several]
    label_maps: list[View | None] = [None] * len(several)
    if labels is not None:
        label_maps = list(as_label_maps(labels, shapes, isinstance(fields, list)))
    return batch_of(several, label_maps, program_of) if isinstance(fields, list) else program_of(fields, label_maps[0])


def _program_of(
    field: Field,
    names: list[Scalar] | None,
    rows_cols: tuple[int, int],
    tau: float,
    kind: str,
    scale: float,
    depth_range: tuple[float, float] | None,
    normalize: bool,
    sentinels_named: bool,
    relations: bool,
    max_relations: int | None,
    note: str | None,
) -> Program:
    stats = stats_of(field, rows_cols)
    mapping = _mapping(field, stats, kind, scale, depth_range, normalize, sentinels_named)

    readings = [_reading(mapping, field, cell, stats) for cell in cells(rows_cols, *field.data.shape)]
    means = [reading.mean for reading in readings]
    pairs = _pairs(means, rows_cols, tau, nearer_is_larger=normalize) if relations else iter(())
    printed_relations = tuple(_printed_relation(a, b) for a, b in pairs)
    return Program(
        "depth",
        "patch",
        with_labels([_printed_item(reading) for reading in readings], names),
        printed_relations if max_relations is None else printed_relations[:max_relations],
        rows_cols,
        note,
        _arrays_of(readings, rows_cols),
    )


class Reading(NamedTuple):
    """What is read in a cell; NaN where it has no valid pixel."""

    cell: Cell
    low: float
    high: float
    mean: float
    valid: float


class Mapping(NamedTuple):
    """From stored values to readings: `unclipped` in float64, `clip` whether to cut it at 0 and 1."""

    unclipped: Callable[[Any], Any]
    clip: bool = False

    def __call__(self, values: Any) -> Any:
        """Readings of these values, in float64."""
        reading = self.unclipped(values)
        return np.clip(reading, 0.0, 1.0) if self.clip else reading

    def clips(self, value: float) -> bool:
        """Whether this value is cut."""
        return self.clip and not 0 <= self.unclipped(value) <= 1


def _mapping(
    field: Field,
    stats: GridStats,
    kind: str,
    scale: float,
    depth_range: tuple[float, float] | None,
    normalize: bool,
    sentinels_named: bool,
) -> Mapping:
    filled = stats.count > 0
    low, high = (
        (float(stats.min[filled].min()) + 0.0, float(stats.max[filled].max()) + 0.0) if filled.any() else (None, None)
    )
    if kind == "relative":
        return _relative(field.data.dtype, low, high)
    if low is None or high is None:
        return Mapping(lambda values: np.float64(values) / scale)
    if kind == "metric" and low <= 0 and not sentinels_named:
        raise ValueError(
            "kind='metric' needs values above 0 unless invalid_value is given, got a smallest value of "
            f"{shown(low)}; say invalid_value=0 if such values are holes, invalid_value=() if they are data"
        )
    with np.errstate(over="ignore"):
        scaled_low, scaled_high = np.float64(low) / scale, np.float64(high) / scale
    if not (np.isfinite(scaled_low) and np.isfinite(scaled_high)):
        raise ValueError(
            f"values divided by scale must stay finite, got values up to {shown(max(abs(low), abs(high)))} "
            f"with scale={shown(scale)}"
        )
    if not normalize:
        return Mapping(lambda values: np.float64(values) / scale)
    if depth_range is not None:
        return _affine(scale, *depth_range, clip=True)
    if kind == "metric":
        return _affine(scale, near=scaled_low, far=scaled_high)
    return _affine(scale, near=scaled_high, far=scaled_low)


def _relative(dtype: np.dtype[Any], low: float | None, high: float | None) -> Mapping:
    maximum = float(np.iinfo(dtype).max) if dtype.kind == "u" else 1.0
    if low is not None and high is not None and not 0 <= low <= high <= maximum:
        raise ValueError(
            f"kind='relative' needs values in [0, 1], got a range of [{shown(low)}, {shown(high)}]; say "
            "kind='disparity' (larger is nearer) or kind='metric' (larger is farther), and name holes with "
            "invalid_value"
        )
    return Mapping(lambda values: np.float64(values) / maximum)


def _affine(scale: float, near: float, far: float, clip: bool = False) -> Mapping:
    """Read 1 at `near` and 0 at `far`; a map of one value reads 0.5 throughout."""
    if near == far:
        return Mapping(lambda values: np.full_like(np.float64(values), 0.5))
    with np.errstate(over="ignore"):
        half = 1.0 if np.isfinite(np.float64(near) - far) else 0.5
    near, far = near * half, far * half

    def unclipped(values: Any) -> Any:
        with np.errstate(over="ignore"):
            return (np.float64(values) / scale * half - far) / (near - far)

    return Mapping(unclipped, clip)


def _reading(mapping: Mapping, field: Field, cell: Cell, stats: GridStats) -> Reading:
    at = np.unravel_index(cell.p - 1, stats.count.shape)
    pixels = (cell.rows.stop - cell.rows.start) * (cell.cols.stop - cell.cols.start)
    if not stats.count[at]:
        return Reading(cell, math.nan, math.nan, math.nan, 0.0)
    ends = [float(stats.min[at]), float(stats.max[at])]
    low, high = sorted(float(mapping(end)) for end in ends)
    if any(mapping.clips(end) for end in ends):
        mean = float(np.add.accumulate(mapping(values_of(field, field.valid, cell)))[-1]) / int(stats.count[at])
    else:
        mean = float(mapping(stats.mean[at]))
    return Reading(cell, low, high, mean, int(stats.count[at]) / pixels)


def _as_printed(reading: float) -> float:
    """Round a reading once to float32, the type that is printed."""
    with np.errstate(over="ignore"):
        printed = np.float32(reading)
    if np.isinf(printed):
        raise ValueError(f"readings must fit float32, got {shown(reading)} in scaled units; give a larger scale")
    return float(printed)


def _printed_item(reading: Reading) -> PrintedItem:
    x, y = reading.cell.center
    low, high = _as_printed(reading.low), _as_printed(reading.high)
    return {
        "p": number(reading.cell.p, "%d"),
        "c": (number(x, "%d"), number(y, "%d")),
        "r": Scalar(UNKNOWN) if math.isnan(low) else (number(low, "%.4g"), number(high, "%.4g")),
    }


def _pairs(means: list[float], grid: tuple[int, int], tau: float, nearer_is_larger: bool) -> Iterator[tuple[int, int]]:
    """Yield (front, back) for each two neighbours of which one is in front."""
    for a, b in neighbors(grid):
        mean_a, mean_b = means[a - 1], means[b - 1]
        if nearer_is_larger:
            sign = in_front(mean_a, mean_b, tau)
        else:
            sign = 1 if mean_a < mean_b - tau else -1 if mean_b < mean_a - tau else 0
        if sign:
            yield (a, b) if sign > 0 else (b, a)


def _printed_relation(a: int, b: int) -> PrintedRelation:
    return number(a, "%d"), "in_front_of", number(b, "%d")


def _arrays_of(readings: list[Reading], grid: tuple[int, int]) -> dict[str, Array]:
    return {
        "center": np.array([reading.cell.center for reading in readings], np.int32).reshape(*grid, 2),
        "min": np.array([_as_printed(reading.low) for reading in readings], np.float32).reshape(grid),
        "max": np.array([_as_printed(reading.high) for reading in readings], np.float32).reshape(grid),
        "mean": np.array([reading.mean for reading in readings]).reshape(grid),
        "valid": np.array([reading.valid for reading in readings]).reshape(grid),
    }
