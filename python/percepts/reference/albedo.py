"""Albedo (released generator)."""

from __future__ import annotations

from typing import Any

import numpy as np

from percepts import _arrays
from percepts._arrays import as_fields, as_label_maps
from percepts._core import View
from percepts._options import GridLike, NoteLike, as_flag, as_grid, as_note, as_number, check_tau, shown
from percepts.items import UNKNOWN
from percepts.reference.batch import ProgramBatch, batch_of
from percepts.reference.field import Field, plain_field
from percepts.reference.grid import cells, centers_of, neighbors
from percepts.reference.kernels import medians_of
from percepts.reference.labels import label_names, with_labels
from percepts.reference.notes import albedo_note, chosen_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.relations import PrintedRelation
from percepts.reference.values import Scalar, number


def albedo(
    albedo: object,
    *,
    grid: GridLike = 10,
    tau: float = 0.08,
    invalid_value: object = None,
    mask: object = None,
    labels: object = None,
    class_names: object = None,
    relations: bool = True,
    note: NoteLike = ...,
) -> Program | ProgramBatch:
    """Define ``percepts.albedo``."""
    rows_cols = as_grid(grid)
    least = as_number(tau, "tau")
    related = as_flag(relations, "relations")
    text = chosen_note(as_note(note), albedo_note(related, labels is not None))
    check_tau(least)

    def program_of(field: _arrays.Field, label_map: View | None) -> Program:
        names = None if label_map is None else label_names(label_map, rows_cols, class_names)
        return _program_of(plain_field(field), names, rows_cols, least, related, text)

    fields = as_fields(albedo, "albedo", mask, invalid_value)
    several = fields if isinstance(fields, list) else [fields]
    label_maps: list[View | None] = [None] * len(several)
    if labels is not None:
        label_maps = list(as_label_maps(labels, [field.data.shape for field in several], isinstance(fields, list)))
    return batch_of(several, label_maps, program_of) if isinstance(fields, list) else program_of(fields, label_maps[0])


def _program_of(
    field: Field, names: list[Scalar] | None, grid: tuple[int, int], tau: float, related: bool, note: str | None
) -> Program:
    stored, count = medians_of(field, grid)
    dtype = field.data.dtype
    if dtype.kind == "i":
        _check_whole_numbers(dtype.name, stored)
    median = np.clip(stored / (float(np.iinfo(dtype).max) if dtype.kind == "u" else 1.0), 0.0, 1.0)
    readings = median.ravel().tolist()
    items: list[PrintedItem] = []
    valid = []
    for cell, reading, pixels in zip(cells(grid, *field.data.shape), readings, count.ravel(), strict=True):
        x, y = cell.center
        r = number(float(np.float32(reading)), "%.4g") if pixels else Scalar(UNKNOWN)
        items.append({"p": number(cell.p, "%d"), "c": (number(x, "%d"), number(y, "%d")), "r": r})
        valid.append(int(pixels) / field.data[cell.rows, cell.cols].size)
    pairs = neighbors(grid) if related else iter(())
    relations = [_relation(a, b, readings[a - 1], readings[b - 1], tau) for a, b in pairs]
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "center": centers_of(grid, *field.data.shape),
        "median": median,
        "valid": np.array(valid).reshape(grid),
    }
    known = tuple(relation for relation in relations if relation is not None)
    return Program("albedo", "patch", with_labels(items, names), known, grid, note, arrays)


def _check_whole_numbers(dtype: str, medians: np.ndarray[Any, Any]) -> None:
    """Estimates in floating point may leave [0, 1] a little; whole numbers outside are on another scale."""
    for median in medians.ravel().tolist():
        if median < 0 or median > 1:
            raise ValueError(
                f"albedo of {dtype} must be in [0, 1], got a cell with a median of {shown(median)}; divide it, or give "
                "an unsigned type, whose maximum is white"
            )


def _relation(a: int, b: int, median_a: float, median_b: float, tau: float) -> PrintedRelation | None:
    """Which of two neighbours is darker, or that neither is; None where one has no median."""
    if np.isnan(median_a) or np.isnan(median_b):
        return None
    first, second = number(a, "%d"), number(b, "%d")
    if median_a + tau < median_b:
        return first, "is darker than", second
    if median_b + tau < median_a:
        return second, "is darker than", first
    return first, "about the same as", second
