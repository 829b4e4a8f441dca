"""Points, sizes and confidences as callers write them, checked and put into one form."""

from __future__ import annotations

from typing import Any

import numpy as np

from percepts._arrays import as_reals

Array = np.ndarray[Any, np.dtype[Any]]
Size = tuple[int, int]
"""Width and height of an image in pixels."""


def as_point(value: object, name: str) -> tuple[float, float]:
    """Point (x, y)."""
    point = as_reals(value, name)
    if point.shape != (2,):
        raise ValueError(f"{name} must be a point (x, y), got shape {point.shape}")
    x, y = point.tolist()
    return x, y


def as_points(value: object, name: str) -> Array:
    """Points, N×2, in float64; 1×N×2 loses its first dimension."""
    points = as_reals(value, name)
    if points.shape == (0,):
        return points.reshape(0, 2)
    rows = points[0] if points.ndim == 3 and points.shape[0] == 1 else points
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise ValueError(f"{name} must be N×2, of (x, y), got shape {points.shape}")
    return rows


def as_confidence(value: object, count: int, name: str = "confidence") -> Array:
    """Confidences of so many matches, in float64; 1×N loses its first dimension."""
    values = as_reals(value, name)
    rows = values[0] if values.ndim == 2 and values.shape[0] == 1 else values
    if rows.shape != (count,):
        raise ValueError(f"{name} must have a value for each of the {count} matches, got shape {values.shape}")
    return rows
