"""The point nearest to a query (paper, 9.1), in exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from percepts._options import shown
from percepts._points import as_points

Array = np.ndarray[Any, np.dtype[Any]]
Point = tuple[float, float]

_SMALLEST, _LARGEST = 1e-100, 1e100


def nearest_match(points: object, queries: object) -> tuple[Array, Array]:
    """Define ``percepts.kernels.nearest_match``."""
    from_points = _checked(as_points(points, "points"), "points")
    to_queries = _checked(as_points(queries, "queries"), "queries")
    if to_queries and not from_points:
        raise ValueError("nearest_match needs at least one point, got none")
    index = [_nearest(from_points, query) for query in to_queries]
    distance = [_distance(from_points[k], query) for k, query in zip(index, to_queries, strict=True)]
    return np.array(index, np.int64), np.array(distance, np.float64)


def _nearest(points: list[Point], query: Point) -> int:
    """Index of the nearest point; `min` returns the first of several."""
    at_x, at_y = map(Fraction, query)
    return min(
        range(len(points)), key=lambda k: (Fraction(points[k][0]) - at_x) ** 2 + (Fraction(points[k][1]) - at_y) ** 2
    )


def _distance(point: Point, query: Point) -> float:
    dx, dy = point[0] - query[0], point[1] - query[1]
    return math.sqrt(dx * dx + dy * dy)


def _checked(points: Array, name: str) -> list[Point]:
    checked = []
    for row, (x, y) in enumerate(points.tolist()):
        for value in (x, y):
            if not abs(value) <= _LARGEST:
                raise ValueError(
                    f"{name} must be finite and at most 1e100 in magnitude, got {shown(value)} in row {row}"
                )
        checked.append((x if abs(x) >= _SMALLEST else 0.0, y if abs(y) >= _SMALLEST else 0.0))
    return checked
