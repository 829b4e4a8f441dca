"""Labelled points of a question."""

from __future__ import annotations

import numpy as np

from percepts._options import NoteLike, as_note, as_word
from percepts._strings import joined
from percepts.points import as_labelled_points
from percepts.reference.notes import chosen_note, points_note
from percepts.reference.placing import canonical_point, within
from percepts.reference.program import PrintedItem, Program
from percepts.reference.values import Scalar, number, quoted


def points(points: object, *, size: object, outside: str = "error", note: NoteLike = ...) -> Program:
    """Define ``percepts.points``."""
    images, several = as_labelled_points(points, size)
    if as_word(outside, "outside") not in ("error", "clip"):
        raise ValueError(f"outside must be 'error' or 'clip', got '{outside}'")
    as_note(note)
    rows = [
        (joined(of_image.image or ""), joined(label), (x, y), of_image.size)
        for of_image in images
        for label, (x, y) in zip(of_image.labels, of_image.points.tolist(), strict=True)
    ]
    rows.sort(key=lambda row: row[:2])
    items: list[PrintedItem] = []
    pixels = []
    for image, label, point, size_of_image in rows:
        where = f"the point {quoted(label)}" + (f" of {quoted(image)}" if several else "")
        placed = within(point, size_of_image, where, outside)
        pixels.append(placed)
        item: PrintedItem = {
            "c": tuple(number(value, "%d") for value in canonical_point(placed, size_of_image)),
            "b": Scalar(label),
        }
        items.append({"i": Scalar(image), **item} if several else item)
    text = chosen_note(note, points_note(several))
    arrays = {"points": np.array(pixels, np.float64).reshape(-1, 2)}
    return Program("point-detection", "pixels", tuple(items), note=text, arrays=arrays)
