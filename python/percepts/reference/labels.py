"""Dominant labels of cells (released generator; paper, 3.1: the optional b)."""

from __future__ import annotations

from typing import Any

import numpy as np

from percepts._arrays import as_labels, blank_like, of_map
from percepts._core import View
from percepts._labels import as_ignored, names_of
from percepts._options import GridLike, as_grid
from percepts._strings import joined
from percepts.reference.grid import cells, check_grid
from percepts.reference.program import PrintedItem
from percepts.reference.values import Scalar

Array = np.ndarray[Any, np.dtype[Any]]


def label_mode(labels: object, grid: GridLike = 10, ignore_index: int | None = None) -> tuple[Array, Array]:
    """Define ``percepts.kernels.label_mode``."""
    views = as_labels(labels)
    rows_cols = as_grid(grid)
    if not isinstance(views, list):
        return _label_mode(views, rows_cols, ignore_index)
    if not views:
        blank = _label_mode(blank_like(labels, "labels", rows_cols).data, rows_cols, None)
        return blank[0][None][:0], blank[1][None][:0]
    modes = []
    for k, view in enumerate(views):
        with of_map(k):
            modes.append(_label_mode(view, rows_cols, ignore_index))
    label, share = zip(*modes, strict=True)
    return np.stack(label), np.stack(share)


def label_names(labels: View, grid: tuple[int, int], class_names: object) -> list[Scalar]:
    """Names of the dominant labels of all pixels of each cell."""
    dominant, _ = _label_mode(labels, grid, None)
    return [Scalar(joined(name)) for name in names_of(dominant.ravel().tolist(), class_names)]


def with_labels(items: list[PrintedItem], names: list[Scalar] | None) -> tuple[PrintedItem, ...]:
    """Items of cells with the names of their labels as `b`."""
    if names is None:
        return tuple(items)
    return tuple({**item, "b": name} for item, name in zip(items, names, strict=True))


def _label_mode(view: View, grid: tuple[int, int], ignore_index: int | None) -> tuple[Array, Array]:
    as_ignored(ignore_index, view.dtype)
    labels = view.numpy()
    check_grid(grid, *labels.shape)
    label = np.zeros(grid, labels.dtype)
    share = np.full(grid, np.nan)
    for cell in cells(grid, *labels.shape):
        at = np.unravel_index(cell.p - 1, grid)
        values, counts = np.unique(labels[cell.rows, cell.cols], return_counts=True)
        if ignore_index is not None:
            counted = values != ignore_index
            values, counts = values[counted], counts[counted]
        if values.size:
            winner = int(np.argmax(counts))  # the first of several, which is the lowest label
            label[at], share[at] = values[winner], counts[winner] / counts.sum()
        else:
            label[at] = ignore_index
    return label, share
