"""Statistics of cells, cell by cell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from percepts._arrays import as_fields, as_flow_components, as_means, blank_like, of_map
from percepts._options import GridLike, as_grid, as_number, check_tau
from percepts.flow import flow_options
from percepts.kernels import GridStats
from percepts.reference.features import feature_similarity
from percepts.reference.field import Field, plain_field
from percepts.reference.grid import Cell, cells, check_grid, neighbors
from percepts.reference.labels import label_mode
from percepts.reference.nearest_match import nearest_match
from percepts.reference.strip_similarity import strip_similarity

__all__ = [
    "cell_median", "feature_similarity", "flow_sign", "grid_stats", "label_mode", "nearest_match", "neighbor_relations",
    "strip_similarity",
]  # fmt: skip

Array = np.ndarray[Any, np.dtype[Any]]


def grid_stats(field: object, grid: GridLike = 10, mask: object = None, invalid_value: object = None) -> GridStats:
    """Define ``percepts.kernels.grid_stats``."""
    fields = as_fields(field, "field", mask, invalid_value)
    rows_cols = as_grid(grid)
    if not isinstance(fields, list):
        return stats_of(plain_field(fields), rows_cols)
    if not fields:
        one = stats_of(plain_field(blank_like(field, "field", rows_cols)), rows_cols)
        return GridStats(*(array[None][:0] for array in one))
    several = []
    for k, each in enumerate(fields):
        with of_map(k):
            several.append(stats_of(plain_field(each), rows_cols))
    return GridStats(*(np.stack(arrays) for arrays in zip(*several, strict=True)))


def cell_median(field: object, grid: GridLike = 10, mask: object = None, invalid_value: object = None) -> Array:
    """Define ``percepts.kernels.cell_median``."""
    fields = as_fields(field, "field", mask, invalid_value)
    rows_cols = as_grid(grid)
    if not isinstance(fields, list):
        return _medians_as_stored(plain_field(fields), rows_cols)
    if not fields:
        return _medians_as_stored(plain_field(blank_like(field, "field", rows_cols)), rows_cols)[None][:0]
    several = []
    for k, each in enumerate(fields):
        with of_map(k):
            several.append(_medians_as_stored(plain_field(each), rows_cols))
    return np.stack(several)


def _medians_as_stored(field: Field, grid: tuple[int, int]) -> Array:
    return medians_of(field, grid)[0].astype(extreme_dtype(field.data.dtype))


def flow_sign(
    flow: object,
    grid: GridLike = 10,
    axis: str = "horizontal",
    layout: str | None = None,
    mask: object = None,
    invalid_value: object = None,
) -> Array:
    """Define ``percepts.kernels.flow_sign``."""
    flow_options(grid, axis, "scene", None)
    fields = as_flow_components(flow, axis, layout, mask, invalid_value)
    rows_cols = as_grid(grid)
    if not isinstance(fields, list):
        return _signs(stats_of(plain_field(fields), rows_cols).mean)
    signs = np.empty((len(fields), *rows_cols), np.int8)
    for k, each in enumerate(fields):
        with of_map(k):
            signs[k] = _signs(stats_of(plain_field(each), rows_cols).mean)
    return signs


def _signs(mean: Array) -> Array:
    return np.where(np.isnan(mean), 0, np.where(mean < 0, -1, 1)).astype(np.int8)


def neighbor_relations(mean: object, tau: float) -> Array:
    """Define ``percepts.kernels.neighbor_relations``."""
    tau = as_number(tau, "tau")
    check_tau(tau)
    means = as_means(mean)
    rows, cols = means.shape[-2:]
    relations = np.zeros((*means.shape[:-2], rows * cols, 2), np.int8)
    for index in np.ndindex(means.shape[:-2]):
        mu = means[index].ravel()
        for a, b in neighbors((rows, cols)):
            direction = 0 if b == a + 1 and cols > 1 else 1
            relations[index][a - 1, direction] = in_front(mu[a - 1], mu[b - 1], tau)
    return relations.reshape(*means.shape, 2)


def in_front(a: float, b: float, tau: float) -> int:
    """+1 when `a` is in front of `b`, -1 when `b` is in front of `a`, 0 for neither. Larger is nearer."""
    return 1 if a > b + tau else -1 if b > a + tau else 0


def stats_of(field: Field, grid: tuple[int, int]) -> GridStats:
    """Statistics of each cell over its valid pixels."""
    height, width = field.data.shape
    check_grid(grid, height, width)
    extreme = extreme_dtype(field.data.dtype)
    stats = GridStats(
        min=np.full(grid, np.nan, extreme),
        max=np.full(grid, np.nan, extreme),
        mean=np.full(grid, np.nan),
        count=np.zeros(grid, np.int32),
    )
    valid = field.valid
    for cell in cells(grid, height, width):
        values = values_of(field, valid, cell)
        at = np.unravel_index(cell.p - 1, grid)
        stats.count[at] = values.size
        if values.size:
            stats.min[at], stats.max[at] = values.min(), values.max()
            stats.mean[at] = mean_of(values)
    return stats


def extreme_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Give the dtype that minima, maxima and medians of a map come in."""
    wide = dtype.itemsize > 4 or (dtype.kind in "iu" and dtype.itemsize > 2)
    return np.dtype(np.float64 if wide else np.float32)


def medians_of(field: Field, grid: tuple[int, int]) -> tuple[Array, Array]:
    """Median in float64, NaN without valid pixels, and number of the valid pixels of each cell."""
    height, width = field.data.shape
    check_grid(grid, height, width)
    median, count = np.full(grid, np.nan), np.zeros(grid, np.int32)
    for cell in cells(grid, height, width):
        values = values_of(field, field.valid, cell)
        at = np.unravel_index(cell.p - 1, grid)
        count[at] = values.size
        if values.size:
            median[at] = _median(np.sort(values))
    return median, count


def _median(ordered: Array) -> float:
    """The middle value, or the mean of the two middle ones."""
    low, high = float(ordered[(ordered.size - 1) // 2]), float(ordered[ordered.size // 2])
    middle = (low + high) / 2
    return (middle if math.isfinite(middle) else low / 2 + high / 2) + 0.0


def values_of(field: Field, valid: Array, cell: Cell) -> Array:
    """Valid values of a cell, row by row."""
    return field.data[cell.rows, cell.cols][valid[cell.rows, cell.cols]]


def mean_of(values: Array) -> float:
    """Sum, one value after the other in float64 (integers of up to 32 bits exactly), divided by the count."""
    if values.dtype.kind in "biu" and values.dtype.itemsize <= 4:
        return float(int(values.sum(dtype=np.int64))) / values.size
    values = values.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(np.add.accumulate(values)[-1]) / values.size
    if math.isfinite(mean):
        return mean
    # The sum overflows where the mean does not: a power of two scales exactly.
    scaled = float(np.add.accumulate(values * 2.0**-64)[-1]) / values.size * 2.0**64
    return float(min(max(scaled, values.min()), values.max()))
