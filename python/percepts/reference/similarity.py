"""Maps of given similarities (released generator)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from percepts._arrays import as_named_maps
from percepts._options import NoteLike, as_note, shown
from percepts._strings import joined
from percepts.items import UNKNOWN
from percepts.reference.field import plain_field
from percepts.reference.notes import SIMILARITY_NOTE, chosen_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.values import Scalar, number


def similarity(maps: object, *, note: NoteLike = ...) -> Program:
    """Define ``percepts.similarity``."""
    text = chosen_note(as_note(note), SIMILARITY_NOTE)
    named = as_named_maps(maps)
    values = []
    for field in named.values():
        data, valid = plain_field(field)
        values.append(np.where(valid, data.astype(np.float64), np.nan) + 0.0)
    stacked = np.stack(values)
    items: list[PrintedItem] = []
    for name, one in zip(named, stacked, strict=True):
        for value in one.ravel().tolist():
            items.append({"p": number(len(items) + 1, "%d"), "c": Scalar(joined(name)), "r": _reading(value)})
    arrays: dict[str, np.ndarray[Any, Any]] = {"similarity": stacked}
    return Program("similarity", "patch", tuple(items), (), stacked.shape[1:], text, arrays)


def _reading(value: float) -> Scalar:
    if math.isnan(value):
        return Scalar(UNKNOWN)
    with np.errstate(over="ignore"):
        rounded = float(np.float32(value))
    if math.isinf(rounded):
        raise ValueError(f"readings must fit float32, got {shown(value)}")
    return number(rounded, "%.6f")
