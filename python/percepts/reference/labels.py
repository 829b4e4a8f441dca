"""Dominant labels of cells (released generator; paper, 3.1: the optional b)."""

from __future__ import annotations

from typing import Any

import numpy as np

from percepts._arrays import Field, as_labels, blank_like, of_map
from percepts._core import View
from percepts._labels import as_ignored, names_of
from percepts._options import GridLike, as_grid
from percepts._strings import joined
from percepts.reference.field import plain_field
from percepts.reference.grid import cells, check_grid
from percepts.reference.program import PrintedItem
from percepts.reference.values import Scalar

Array = np.ndarray[Any, np.dtype[Any]]


def label_mode(labels: object, grid: GridLike = 10, ignore_index: int | None = None) -> tuple[Array, Array]:
    """Define ``percepts.kernels.label_mode``."""
    fields = as_labels(labels)
    rows_cols = as_grid(grid)
    if not isinstance(fields, list):
        return modes_of(fields, rows_cols, ignore_index)
    if not fields:
        blank = modes_of(blank_like(labels, "labels", rows_cols), rows_cols, None)
        return blank[0][None][:0], blank[1][None][:0]
    modes = []
    for k, field in enumerate(fields):
        with of_map(k):
            modes.append(modes_of(field, rows_cols, ignore_index))
    label, share = zip(*modes, strict=True)
    return np.stack(label), np.stack(share)


def label_names(labels: View, grid: tuple[int, int], class_names: object) -> list[Scalar]:
    """Names of the dominant labels of all pixels of each cell."""
    dominant, _ = modes_of(Field(labels, None, None), grid, None)
    return [Scalar(joined(name)) for name in names_of(dominant.ravel().tolist(), class_names)]


def with_labels(items: list[PrintedItem], names: list[Scalar] | None) -> tuple[PrintedItem, ...]:
    """Items of cells with the names of their labels as `b`."""
    if names is None:
        return tuple(items)
    return tuple({**item, "b": name} for item, name in zip(items, names, strict=True))


def modes_of(field: Field, grid: tuple[int, int], ignore_index: int | None) -> tuple[Array, Array]:
    """Find the dominant label of each cell, and its share of the pixels that count."""
    as_ignored(ignore_index, field.data.dtype)
    labels, valid = plain_field(field)
    check_grid(grid, *labels.shape)
    label = np.full(grid, 0 if ignore_index is None else ignore_index, labels.dtype)
    share = np.full(grid, np.nan)
    for cell in cells(grid, *labels.shape):
        at = np.unravel_index(cell.p - 1, grid)
        counted = valid[cell.rows, cell.cols].copy()
        if ignore_index is not None:
            counted &= labels[cell.rows, cell.cols] != ignore_index
        values, counts = np.unique(labels[cell.rows, cell.cols][counted], return_counts=True)
        if values.size:
            winner = int(np.argmax(counts))  # the first of several, which is the lowest label
            label[at], share[at] = values[winner], counts[winner] / counts.sum()
    return label, share
