"""Points of an image in pixels and in canonical coordinates (paper, 3.1)."""

from __future__ import annotations

import math

from percepts._options import shown
from percepts._points import Size

Pixel = tuple[float, float]
Location = tuple[int, int]


def within(point: Pixel, size: Size, where: str, outside: str) -> Pixel:
    """The point, which lies within its image or is moved to its edge."""
    x, y = point
    got = f"({shown(x)}, {shown(y)})"
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"{where} must be finite, got {got}")
    moved = min(max(x, 0.0), float(size[0])), min(max(y, 0.0), float(size[1]))
    if outside == "error" and moved != point:
        raise ValueError(
            f"{where} must lie within its image of {size[0]}x{size[1]} pixels (width x height), got {got}; "
            "outside='clip' moves it to the edge"
        )
    return moved


def canonical_point(point: Pixel, size: Size, rounding: str = "floor") -> Location:
    """Canonical location of a point, in 0..1000 on each axis; `round` takes half to even."""
    x, y = (1000.0 * pixel / extent for pixel, extent in zip(point, size, strict=True))
    return (math.floor(x), math.floor(y)) if rounding == "floor" else (round(x), round(y))
