"""Matches between two images (paper, 3.2.3)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from percepts._matches import as_matches
from percepts._options import NoteLike, as_count, shown
from percepts._points import Size
from percepts.correspondence import correspondence_options
from percepts.reference.notes import CORRESPONDENCE_NOTE, chosen_note
from percepts.reference.placing import Location, Pixel, canonical_point, within
from percepts.reference.program import PrintedItem, Program
from percepts.reference.values import number

Array = np.ndarray[Any, np.dtype[Any]]


def correspondence(
    points0: object,
    points1: object = None,
    *,
    size0: object = None,
    size1: object = None,
    confidence: object = None,
    max_items: int | None = None,
    keep: str = "confidence",
    rounding: str = "floor",
    outside: str = "error",
    note: NoteLike = ...,
) -> Program:
    """Define ``percepts.correspondence``."""
    matches = as_matches(points0, points1, confidence, size0, size1)
    correspondence_options(matches, max_items, keep, rounding, outside, note)
    sureness = None if matches.confidence is None else _finite(matches.confidence)
    pixels, locations = [], []
    for points, size, name in (
        (matches.points0, matches.size0, "points0"),
        (matches.points1, matches.size1, "points1"),
    ):
        placed = _within(points, size or (1, 1), name, outside)
        pixels.append(placed)
        locations.append([canonical_point(point, size or (1, 1), rounding) for point in placed])
    rows = _kept(locations[0], sureness, max_items, keep)
    arrays = {f"points{k}": np.array([pixels[k][row] for row in rows], np.float64).reshape(-1, 2) for k in (0, 1)}
    if sureness is not None:
        arrays["confidence"] = np.array([sureness[row] for row in rows], np.float64)
    items: tuple[PrintedItem, ...] = tuple(
        {
            "p": number(k, "%d"),
            "c": tuple(number(value, "%d") for value in locations[0][row]),
            "r": tuple(number(value, "%d") for value in locations[1][row]),
        }
        for k, row in enumerate(rows, start=1)
    )
    text = chosen_note(note, CORRESPONDENCE_NOTE)
    return Program("correspondence", "keypoint", items, note=text, arrays=arrays)


def _finite(confidence: Array) -> list[float]:
    for row, value in enumerate(confidence.tolist()):
        if not math.isfinite(value):
            raise ValueError(f"confidence[{row}] must be finite, got {shown(value)}")
    return list(confidence.tolist())


def _within(points: Array, size: Size, name: str, outside: str) -> list[Pixel]:
    return [within((x, y), size, f"{name}[{row}]", outside) for row, (x, y) in enumerate(points.tolist())]


def _kept(locations: list[Location], confidence: list[float] | None, max_items: int | None, keep: str) -> list[int]:
    """Rows that stay, in their order. Of several that are as good `max` and `sorted` take the first."""
    everything = list(range(len(locations)))
    if max_items is None or as_count(max_items, "max_items") >= len(everything):
        return everything
    sureness = [0.0] * len(everything) if confidence is None else confidence
    if keep == "confidence":
        return sorted(sorted(everything, key=lambda row: -sureness[row])[:max_items])
    chosen: list[int] = []
    while len(chosen) < max_items:
        left = [row for row in everything if row not in chosen]
        chosen.append(
            max(left, key=lambda row: min(_squared(locations[row], locations[other]) for other in chosen))
            if chosen
            else max(left, key=lambda row: sureness[row])
        )
    return sorted(chosen)


def _squared(a: Location, b: Location) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
