"""Similarity of the features at points (paper, 3.2.6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from percepts._arrays import as_numpy
from percepts._features import Features, as_features
from percepts._options import as_size, shown
from percepts._points import as_point, as_points

Array = np.ndarray[Any, np.dtype[Any]]
Point = tuple[float, float]
Size = tuple[int, int]


def feature_similarity(
    features0: object,
    features1: object,
    source: object,
    targets: object,
    size0: object = None,
    size1: object = None,
    layout: str = "chw",
) -> Array:
    """Define ``percepts.kernels.feature_similarity``."""
    maps = as_features(features0, "features0", layout), as_features(features1, "features1", layout)
    sizes = None if size0 is None else as_size(size0, "size0"), None if size1 is None else as_size(size1, "size1")
    points = as_points(targets, "targets").tolist()
    names = [f"targets[{k}]" for k in range(len(points))]
    return similarities(maps, as_point(source, "source"), dict(zip(names, points, strict=True)), sizes)


def similarities(
    maps: tuple[Features, Features],
    source: Point,
    targets: dict[str, Point],
    sizes: tuple[Size | None, Size | None],
) -> Array:
    """Cosine of the features at the source in the first map and at each target in the second."""
    first, second = (channels_first(features) for features in maps)
    _check_map("features0", first)
    _check_map("features1", second)
    if len(first) != len(second):
        raise ValueError(
            f"features0 and features1 must have as many channels as each other, got {len(first)} and {len(second)}"
        )
    size0, size1 = sizes[0] or first.shape[:0:-1], sizes[1] or second.shape[:0:-1]
    check_point("source", source, size0)
    for name, target in targets.items():
        check_point(name, target, size1)
    at_source = _sample(first, source, size0)
    return np.array([_cosine(at_source, _sample(second, target, size1)) for target in targets.values()], np.float64)


def channels_first(features: Features) -> Array:
    """Take a map to NumPy, C×h×w."""
    array = as_numpy(features.data)
    return np.moveaxis(array, -1, 0) if features.channels_last else array


def check_point(name: str, point: Point, size: Size) -> None:
    """Points are in the image or on its edges."""
    (x, y), (width, height) = point, size
    if not (0 <= x <= width and 0 <= y <= height):
        raise ValueError(
            f"{name} must be within 0 <= x <= {width} and 0 <= y <= {height}, got ({shown(x)}, {shown(y)})"
        )


def _check_map(name: str, features: Array) -> None:
    if 0 in features.shape:
        channels, height, width = features.shape
        raise ValueError(
            f"{name} must have at least one channel and one cell, got {channels}x{height}x{width} "
            "(channels x height x width)"
        )


def _sample(features: Array, point: Point, size: Size) -> Array:
    """Interpolate between the four cells around a point; a cell without weight is not looked at."""
    _, height, width = features.shape
    (left, right, x), (upper, lower, y) = _between(point[0], size[0], width), _between(point[1], size[1], height)
    with np.errstate(over="ignore", invalid="ignore"):
        return (
            (1 - y) * (1 - x) * features[:, upper, left].astype(np.float64)
            + (1 - y) * x * features[:, upper, right].astype(np.float64)
            + y * (1 - x) * features[:, lower, left].astype(np.float64)
            + y * x * features[:, lower, right].astype(np.float64)
        )


def _between(coordinate: float, extent: int, cells: int) -> tuple[int, int, float]:
    """Give the two cells of an axis that a coordinate is between, and the share of the second."""
    at = min(max((coordinate + 0.5) * cells / extent - 0.5, 0.0), cells - 1.0)
    low = int(at)
    return low, low + (at > low), at - low


def _cosine(a: Array, b: Array) -> float:
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return float("nan")
    a, b = _plain(a), _plain(b)
    norms = _sum(a * a) * _sum(b * b)
    return min(max(_sum(a * b) / float(np.sqrt(norms)), -1.0), 1.0) if norms else 0.0


def _plain(vector: Array) -> Array:
    """Scale a very long or very short vector by a power of two, which changes no direction."""
    with np.errstate(over="ignore"):
        norm = _sum(vector * vector)
    if 2.0**-400 <= norm <= 2.0**400:
        return vector
    scaled: Array = np.ldexp(vector, -np.frexp(np.abs(vector).max())[1])
    return scaled


def _sum(products: Array) -> float:
    """Sum one product after the other."""
    return float(np.add.accumulate(products)[-1])
