"""Object localisation: which of several boxes fits what the detector found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from percepts._options import as_number, as_word
from percepts.items import Item
from percepts.oracle.choice import Choice, choice_of
from percepts.oracle.read import as_program
from percepts.program import Program

Array = np.ndarray[Any, np.dtype[np.float64]]
Boxes = Mapping[str, Sequence[float]]


@overload
def best_box(detections: Program | str, boxes: Boxes, label: str | None = None) -> Choice: ...


@overload
def best_box(
    detections: Sequence[Program | str],
    boxes: Sequence[Boxes],
    label: str | Sequence[str | None] | None = None,
) -> list[Choice]: ...


def best_box(detections: Any, boxes: Any, label: Any = None) -> Choice | list[Choice]:
    """Choose the box with the highest intersection over union with a matching detection.

    Parameters
    ----------
    detections
        A program of `percepts.detection`, or its text; or a sequence of these, for many questions in one pass.
    boxes
        ``{"A": (x0, y0, x1, y1), …}``, canonical (0..1000); for several programs one mapping each.
    label
        What the detection must be, whatever its case and the blanks around it; None takes every detection. For
        several programs one label for all, or one each.

    Returns
    -------
    Choice or list of Choice
        ``scores``: the highest intersection over union of each box, with the item that has it as ``evidence`` (None
        where no detection overlaps). No scores and no choice without a matching detection.

    Raises
    ------
    TypeError
        When an argument is of the wrong type.
    ValueError
        When a text is not a detection program, an item has no box, or a box is not four finite numbers with x0 <= x1
        and y0 <= y1.

    Examples
    --------
    >>> import percepts as pc
    >>> program = pc.detection([[182, 330, 370, 826]], [0.72], ["tank top"], size=(640, 960))
    >>> answer = best_box(program, {"A": (346, 369, 631, 833), "B": (290, 346, 570, 859)}, label="tank top")
    >>> answer.choice, round(answer.scores["B"], 2)
    ('B', 0.95)
    """
    if isinstance(detections, (str, Program)):
        return _choices([_question(detections, boxes, label, "")])[0]
    if not isinstance(detections, Sequence) or isinstance(boxes, Mapping) or len(boxes) != len(detections):
        raise TypeError("detections must be a program or its text, or several with as many mappings of boxes")
    labels = [label] * len(detections) if label is None or isinstance(label, str) else list(label)
    if len(labels) != len(detections):
        raise ValueError(f"label must be one for each of the {len(detections)} programs, got {len(labels)}")
    questions = zip(detections, boxes, labels, strict=True)
    return _choices([_question(*question, f"[{k}]") for k, question in enumerate(questions)])


class _Question(NamedTuple):
    """Options and their boxes, K×4; the matching items and theirs, N×4."""

    options: list[str]
    boxes: Array
    items: list[Item]
    found: Array


def _question(detections: object, boxes: object, label: object, place: str) -> _Question:
    program = as_program(detections, f"detections{place}", "object-detection")
    if not isinstance(boxes, Mapping):
        raise TypeError(f"boxes{place} must be a mapping of labels to boxes, got {type(boxes).__name__}")
    if not boxes:
        raise ValueError(f"boxes{place} must have a box at least, got none")
    wanted = None if label is None else _folded(as_word(label, f"label{place}"))
    items = [item for item in program.items if wanted is None or _folded(item.b) == wanted]
    corners = [_box(box, f"boxes{place}[{option!r}]") for option, box in boxes.items()]
    found = [_box(item.c, f"c of item {item.p} of detections{place}") for item in items]
    return _Question(list(boxes), _array(corners), items, _array(found))


def _folded(label: object) -> str | None:
    return label.strip().casefold() if isinstance(label, str) else None


def _array(boxes: list[list[float]]) -> Array:
    return np.array(boxes, np.float64).reshape(-1, 4)


def _box(box: object, where: str) -> list[float]:
    if not isinstance(box, (list, tuple, np.ndarray)) or len(box) != 4:
        raise ValueError(f"{where} must be (x0, y0, x1, y1), got {box!r:.100}")
    corners = [_coordinate(corner, where) for corner in box]
    if not all(map(math.isfinite, corners)) or corners[0] > corners[2] or corners[1] > corners[3]:
        raise ValueError(f"{where} must be finite with x0 <= x1 and y0 <= y1, got {box!r:.100}")
    return corners


def _coordinate(value: object, where: str) -> float:
    # Nearly all are whole numbers of 0..1000, as programs print them.
    return value if type(value) is int and 0 <= value <= 1000 else as_number(value, where)


def _choices(questions: list[_Question]) -> list[Choice]:
    """Compare every option with every detection of its question, of all questions at once."""
    options = [np.repeat(question.boxes, len(question.items), axis=0) for question in questions]
    found = [np.tile(question.found, (len(question.options), 1)) for question in questions]
    overlap = _overlap(np.concatenate([_array([]), *options]), np.concatenate([_array([]), *found]))
    ends = np.cumsum([len(pairs) for pairs in options])
    return [_choice(*part) for part in zip(questions, np.split(overlap, ends), strict=False)]


def _overlap(a: Array, b: Array) -> Array:
    """Intersection over union, row by row; 0 where both are empty."""
    sides = np.minimum(a[:, 2:], b[:, 2:]) - np.maximum(a[:, :2], b[:, :2])
    shared = np.prod(np.maximum(sides, 0), axis=1)
    union = np.prod(a[:, 2:] - a[:, :2], axis=1) + np.prod(b[:, 2:] - b[:, :2], axis=1) - shared
    overlap: Array = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    return overlap


def _choice(question: _Question, overlap: Array) -> Choice:
    if not question.items:
        return choice_of({}, dict.fromkeys(question.options))
    of_options = overlap.reshape(len(question.options), -1)
    best = of_options.argmax(axis=1)
    scores = {option: float(of_options[k, best[k]]) for k, option in enumerate(question.options)}
    evidence = {
        option: question.items[best[k]] if scores[option] > 0 else None for k, option in enumerate(question.options)
    }
    return choice_of(scores, evidence)
