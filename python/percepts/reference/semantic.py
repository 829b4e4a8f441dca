"""Semantic similarity of points (paper, 3.2.6)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from percepts._features import as_candidates, as_features, as_scores
from percepts._options import NoteLike, as_note, as_size, shown
from percepts._points import as_point
from percepts._strings import joined
from percepts.items import UNKNOWN
from percepts.reference.features import Point, Size, check_point, similarities
from percepts.reference.notes import SEMANTIC_NOTE, chosen_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.values import Scalar, number


def semantic(
    features0: object,
    features1: object,
    source: object,
    candidates: Mapping[str, object],
    *,
    size0: tuple[int, int],
    size1: tuple[int, int],
    layout: str = "chw",
    note: NoteLike = ...,
) -> Program:
    """Define ``percepts.semantic``."""
    named = as_candidates(candidates)
    maps = as_features(features0, "features0", layout), as_features(features1, "features1", layout)
    at, sizes = as_point(source, "source"), (as_size(size0, "size0"), as_size(size1, "size1"))
    as_note(note)
    check_candidates(named, sizes[1])
    return _program_of(similarities(maps, at, named, sizes).tolist(), named, sizes[1], note)


def semantic_scores(
    scores: Mapping[str, float],
    candidates: Mapping[str, object],
    *,
    size: tuple[int, int],
    note: NoteLike = ...,
) -> Program:
    """Define ``percepts.semantic_scores``."""
    named = as_candidates(candidates)
    numbers = as_scores(scores, named)
    width_height = as_size(size, "size")
    as_note(note)
    check_candidates(named, width_height)
    return _program_of(numbers, named, width_height, note)


def check_candidates(candidates: Mapping[str, Point], size: Size) -> None:
    """Candidates are in their image."""
    for label, point in candidates.items():
        check_point(f"candidates['{joined(label)}']", point, size)


def _program_of(scores: Iterable[float], candidates: Mapping[str, Point], size: Size, note: NoteLike) -> Program:
    scores = [score if math.isfinite(score) else math.nan for score in scores]
    items: list[PrintedItem] = [
        {
            "p": Scalar(joined(label)),
            "c": tuple(number(canonical(at, extent), "%d") for at, extent in zip(point, size, strict=True)),
            "r": _reading(score),
        }
        for (label, point), score in zip(candidates.items(), scores, strict=True)
    ]
    text = chosen_note(note, SEMANTIC_NOTE)
    return Program("semantic", "point", tuple(items), note=text, arrays={"score": np.array(scores, np.float64)})


def canonical(coordinate: float, extent: int) -> int:
    """Canonical location, in 0..1000, of a coordinate on an axis of `extent` pixels."""
    return math.floor(1000.0 * coordinate / extent)


def _reading(score: float) -> Scalar:
    with np.errstate(over="ignore"):
        printed = float(np.float32(score))  # rounded once to the type that is printed
    if math.isinf(printed):
        raise ValueError(f"scores must fit float32, got {shown(score)}")
    return Scalar(UNKNOWN) if math.isnan(printed) else number(printed, "%.6f")
