"""Detections as callers hold them, made into the arrays that the core reads."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from percepts._arrays import as_array
from percepts._detection_results import Result, as_result, with_stated_format
from percepts._labels import names_of

Array = np.ndarray[Any, np.dtype[Any]]

_FEW_LABELS = 4096
"""Labels below this are counted rather than sorted."""


class Labels(NamedTuple):
    """The labels of all rows: names, and for each row which one."""

    names: list[str]
    of_row: Array


class Detections(NamedTuple):
    """Detections of one image.

    Attributes
    ----------
    boxes
        float64, N×4, in the caller's format.
    scores
        float64, N, or None.
    labels
        One for each row, or None.
    min_score
        The least score to keep, as the scores' own dtype has it.
    """

    boxes: Array
    scores: Array | None
    labels: Labels | None
    min_score: float


def as_detections(
    boxes: object,
    scores: object,
    labels: object,
    class_names: object,
    size: tuple[int, int],
    box_format: str,
    normalized: bool,
    min_score: float,
) -> Detections:
    """Make boxes with scores and labels, or one result that holds them, into arrays."""
    min_score = float(min_score)
    result = as_result(boxes, class_names is not None)
    if result is None:
        result = with_stated_format(Result(boxes, scores, labels, box_format=None))
    elif scores is not None or labels is not None:
        raise ValueError("scores and labels must be left out where the first argument is a result that has them")
    _check_agreement(result, size, box_format, normalized)
    corners = _boxes(result.boxes)
    confidences, threshold = None, min_score
    if result.scores is not None:
        confidences, threshold = _scores(result.scores, len(corners), min_score)
    elif min_score > 0:
        raise ValueError(f"min_score needs scores, got min_score={min_score:g} without")
    names = result.names if class_names is None else class_names
    named = None if result.labels is None else _labels(result.labels, len(corners), names, class_names is not None)
    return Detections(corners, confidences, named, threshold)


def _check_agreement(result: Result, size: tuple[int, int], box_format: str, normalized: bool) -> None:
    if result.box_format is not None and (box_format != result.box_format or normalized):
        raise ValueError(
            f"box_format must be {result.box_format!r}, and normalized False, as the boxes themselves state, "
            f"got box_format={box_format!r}, normalized={normalized}"
        )
    if result.size is not None and result.size != size:
        raise ValueError(f"size must be the (width, height) that the result states, {result.size}, got {size}")


def _boxes(value: object) -> Array:
    boxes = _numbers(value, "boxes")
    if boxes.shape == (0,):
        return np.empty((0, 4))
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ValueError(f"boxes must be N×4, got shape {boxes.shape}")
    return np.ascontiguousarray(boxes, np.float64)


def _scores(value: object, count: int, min_score: float) -> tuple[Array, float]:
    scores = _numbers(value, "scores")
    _check_rows(scores.shape, "scores", count)
    own = scores.dtype if scores.dtype.kind == "f" else np.dtype(np.float64)
    return np.ascontiguousarray(scores, np.float64), float(own.type(min_score))


def _numbers(value: object, name: str) -> Array:
    array = as_array(value, name)
    if array.dtype.kind == "b":
        raise TypeError(f"{name} must be numbers, got bool")
    return array


def _check_rows(shape: tuple[int, ...], name: str, count: int) -> None:
    if shape != (count,):
        raise ValueError(f"{name} must be one for each of the {count} boxes, got shape {shape}")


def _labels(value: object, count: int, class_names: object, is_named: bool) -> Labels:
    """Label every row, by its own name, or by the name that its number has."""
    names = _own_names(value)
    if names is not None:
        if is_named:
            raise ValueError("class_names must be left out where labels are names already")
        _check_rows((len(names),), "labels", count)
        return Labels(names, np.arange(count, dtype=np.int32))
    numbers = as_array(value, "labels")
    _check_rows(numbers.shape, "labels", count)
    if numbers.dtype.kind not in "iu" and count:
        raise TypeError(f"labels must be integers or str, got {numbers.dtype}")
    distinct, index = _distinct(numbers)
    return Labels(names_of(distinct.tolist(), class_names), index.astype(np.int32))


def _distinct(numbers: Array) -> tuple[Array, Array]:
    """Find the labels there are, in ascending order, and for each row which of them it has."""
    if not numbers.size or numbers.min() < 0 or numbers.max() >= _FEW_LABELS:
        distinct, index = np.unique(numbers, return_inverse=True)
        return distinct, index.ravel()
    numbers = numbers.astype(np.int64)
    used = np.bincount(numbers) > 0
    return np.flatnonzero(used), (np.cumsum(used) - 1)[numbers]


def _own_names(value: object) -> list[str] | None:
    """Labels that are names, from a list or an array of strings; None where they are numbers."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "OUT":
        value = value.tolist()
        if value == []:
            return value
    if not isinstance(value, (list, tuple)) or not any(isinstance(each, str) for each in value):
        return None
    for row, name in enumerate(value):
        if not isinstance(name, str):
            raise TypeError(f"labels[{row}] must be a str as the others are, got {type(name).__name__}")
    return list(value)
