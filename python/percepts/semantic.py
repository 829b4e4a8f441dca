"""Semantic similarity of points to programs (paper, 3.2.6)."""

from __future__ import annotations

from collections.abc import Mapping

from percepts import _core
from percepts._features import as_candidates, as_features, as_scores
from percepts._options import NoteLike, as_note, as_size
from percepts._points import as_point
from percepts.program import Program


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
    """Make the program of how much candidate points of a second image are like a point of a first one.

    Source: paper, 3.2.6.

    Parameters
    ----------
    features0, features1
        Feature maps of the two images, C×h×w, or 1×C×h×w, of the same number of channels and any stride to the image.
        The same kinds of arrays as for `percepts.depth`, float16 and bfloat16 included, read in place.
    source
        ``(x, y)`` in pixels of the first image.
    candidates
        Label to ``(x, y)`` in pixels of the second image.
    size0, size1
        ``(width, height)`` of the images in pixels.
    layout
        ``"hwc"`` for maps h×w×C.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program
        Items in the order of the candidates: `p` (the label), `c` (``[x, y]`` in 0..1000) and `r` (the cosine
        similarity, as ``%.6f``; 0 for a vector of zeros, ``"unknown"`` where a feature that is needed is not finite).
        ``arrays["score"]`` has the similarities in full precision. How features are sampled says
        `percepts.kernels.feature_similarity`.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement: maps of different channels, a point beyond
        ``0 <= x <= width`` and ``0 <= y <= height``.

    Examples
    --------
    >>> import numpy as np
    >>> features = np.array([[[1, 0]], [[0, 1]]], np.float32)
    >>> program = semantic(features, features, (5, 5), {"A": (35, 5), "B": (9, 5)}, size0=(40, 20), size1=(40, 20))
    >>> program.items
    (Item(p='A', c=[875, 250], r=0.0), Item(p='B', c=[225, 250], r=1.0))
    """
    named = as_candidates(candidates)
    return Program._of(
        _core.semantic(
            as_features(features0, "features0", layout),
            as_features(features1, "features1", layout),
            as_point(source, "source"),
            list(named),
            list(named.values()),
            (as_size(size0, "size0"), as_size(size1, "size1")),
            as_note(note),
        )
    )


def semantic_scores(
    scores: Mapping[str, float],
    candidates: Mapping[str, object],
    *,
    size: tuple[int, int],
    note: NoteLike = ...,
) -> Program:
    """Make the same program from ready scores.

    Source: paper, 3.2.6.

    Parameters
    ----------
    scores
        Label to score, larger is more alike, in any unit. What is not finite is unknown.
    candidates
        Label to ``(x, y)`` in pixels; the same labels. Items are in this order.
    size
        ``(width, height)`` of the image of the candidates.
    note
        Replaces the built-in note; None leaves it out.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> semantic_scores({"A": 0.71, "B": 0.25}, {"A": (320, 240), "B": (0, 0)}, size=(640, 480)).items
    (Item(p='A', c=[500, 500], r=0.71), Item(p='B', c=[0, 0], r=0.25))
    """
    named = as_candidates(candidates)
    numbers = as_scores(scores, named)
    return Program._of(
        _core.semantic_scores(numbers, list(named), list(named.values()), as_size(size, "size"), as_note(note))
    )
