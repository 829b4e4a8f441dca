"""Segmentation (released generator)."""

from __future__ import annotations

from typing import Any

import numpy as np

from percepts import _arrays
from percepts._arrays import as_labels
from percepts._labels import MOST_LABEL, names_of
from percepts._options import GridLike, NoteLike, as_flag, as_grid, as_note
from percepts._strings import joined
from percepts.items import UNKNOWN
from percepts.reference.batch import ProgramBatch, batch_of
from percepts.reference.grid import cells, centers_of, neighbors
from percepts.reference.labels import modes_of
from percepts.reference.notes import chosen_note, segmentation_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.relations import PrintedRelation
from percepts.reference.values import Scalar, number

Array = np.ndarray[Any, np.dtype[Any]]


def segmentation(
    labels: object,
    *,
    grid: GridLike = 10,
    class_names: object = None,
    ignore_index: int | None = None,
    relations: bool = True,
    note: NoteLike = ...,
) -> Program | ProgramBatch:
    """Define ``percepts.segmentation``."""
    rows_cols = as_grid(grid)
    related = as_flag(relations, "relations")
    text = chosen_note(as_note(note), segmentation_note(related))

    def program_of(field: _arrays.Field, _: object = None) -> Program:
        return _program_of(field, rows_cols, class_names, ignore_index, related, text)

    fields = as_labels(labels)
    if isinstance(fields, list):
        return batch_of(fields, [None] * len(fields), program_of)
    return program_of(fields)


def _program_of(
    field: _arrays.Field,
    grid: tuple[int, int],
    class_names: object,
    ignore_index: int | None,
    related: bool,
    note: str | None,
) -> Program:
    label, share = modes_of(field, grid, ignore_index)
    labels = _dominant(label, share)
    items: list[PrintedItem] = []
    for cell, dominant, part in zip(cells(grid, *field.data.shape), labels, share.ravel(), strict=True):
        x, y = cell.center
        item: PrintedItem = {"p": number(cell.p, "%d"), "c": (number(x, "%d"), number(y, "%d"))}
        if dominant is None:
            items.append({**item, "r": Scalar(UNKNOWN)})
        else:
            (name,) = names_of([dominant], class_names)
            items.append({**item, "r": number(float(np.float32(part)), "%.4g"), "b": Scalar(joined(name))})
    relations: tuple[PrintedRelation, ...] = ()
    if related:
        relations = tuple(
            (number(a, "%d"), "adjacent_to", number(b, "%d"))
            for a, b in neighbors(grid)
            if None not in (labels[a - 1], labels[b - 1]) and labels[a - 1] != labels[b - 1]
        )
    arrays: dict[str, Array] = {
        "center": centers_of(grid, *field.data.shape),
        "label": label.astype(np.int64),
        "share": share,
    }
    return Program("segmentation", "patch", tuple(items), relations, grid, note, arrays)


def _dominant(label: Array, share: Array) -> list[int | None]:
    """Dominant labels; None for a cell of which no pixel counts."""
    labels = [None if np.isnan(part) else int(each) for each, part in zip(label.ravel(), share.ravel(), strict=True)]
    for each in labels:
        if each is not None and each > MOST_LABEL:
            raise ValueError(f"labels must fit an int64, got {each}")
    return labels
