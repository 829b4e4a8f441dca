"""Jigsaw questions (paper, 3.2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from percepts._arrays import as_numpy
from percepts._options import NoteLike, as_note
from percepts.jigsaw import STRIP, question_of
from percepts.reference.notes import chosen_note, jigsaw_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.strip_similarity import levels_of, similarities_of
from percepts.reference.values import Scalar, number, quoted

Array = np.ndarray[Any, np.dtype[Any]]
Similarities = tuple[float, float, float]


def jigsaw(image: object, pieces: Mapping[str, object], *, strip: int = STRIP, note: NoteLike = ...) -> Program:
    """Define ``percepts.jigsaw``."""
    view, views, most_lines = question_of(image, pieces, strip)
    source = as_numpy(view)
    candidates = {label: as_numpy(piece) for label, piece in views}
    in_color = any(array.ndim == 3 for array in (source, *candidates.values()))
    items: list[PrintedItem] = []
    readings = []
    for label, piece in candidates.items():
        for border, outside, inside, c in _borders(source, piece, most_lines):
            levels0 = levels_of(outside, "image")
            levels1 = levels_of(inside, f"piece {quoted(label)}")
            structure, color, edge = similarities_of(levels0, levels1, in_color)
            similarity = ((structure + color) + edge) / 3
            readings.append((structure, color, edge, similarity))
            items.append(_item(border, label, c, similarity))
    columns = np.array(readings, np.float64).reshape(len(candidates), 2, 4)
    names = ("structure", "color", "edge", "similarity") if candidates else ()
    arrays = {name: columns[..., k].copy() for k, name in enumerate(names)}
    return Program("jigsaw", "border", tuple(items), (), None, chosen_note(as_note(note), jigsaw_note()), arrays)


def _borders(source: Array, piece: Array, most_lines: int) -> list[tuple[str, Array, Array, tuple[int, ...]]]:
    """Both borders of a piece: its name, the strips on both sides, nearest line first, and where the piece's lies."""
    height, width = piece.shape[:2]
    hole_y, hole_x = source.shape[0] - height, source.shape[1] - width
    columns = min(most_lines, width, hole_x)
    rows = min(most_lines, height, hole_y)
    beside = source[hole_y:, hole_x - columns : hole_x][:, ::-1]
    above = source[hole_y - rows : hole_y, hole_x:][::-1]
    return [
        ("left", beside.swapaxes(0, 1), piece[:, :columns].swapaxes(0, 1), (0, 0, 1000 * columns // width, 1000)),
        ("top", above, piece[:rows], (0, 0, 1000, 1000 * rows // height)),
    ]


def _item(border: str, label: str, c: tuple[int, ...], similarity: float) -> PrintedItem:
    return {
        "p": Scalar(border),
        "i": Scalar(label),
        "c": tuple(number(coordinate, "%d") for coordinate in c),
        "r": number(float(np.float32(similarity)), "%.6f"),
    }
