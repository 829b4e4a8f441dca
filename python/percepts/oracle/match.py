"""Visual correspondence: which option in image 2 is the reference point of image 1 (paper, 9.1)."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from percepts import kernels
from percepts._options import as_number, as_word
from percepts.batch import ProgramBatch
from percepts.items import Item, Plain
from percepts.oracle.choice import Choice, choice_of
from percepts.oracle.read import as_program

Array = np.ndarray[Any, np.dtype[Any]]
Location = tuple[float, float]


class _Question(NamedTuple):
    """The reference's location in image 1, and the options of image 2."""

    reference: Location
    options: dict[str, Location]
    items: dict[str, Item]


def match(matches: object, points: object, reference: str = "REF") -> Choice | list[Choice]:
    """Choose the option nearest to where the match nearest to the reference leads: the paper's *Oracle*.

    Source: paper, 9.1.

    Parameters
    ----------
    matches
        A correspondence program, or its text; a list of them for a list of questions.
    points
        A question: the program of the points of two images, or its text. One of them holds the reference and is image
        1 of the matches; the points of the other are the options. A list of questions gives a list of choices;
        questions about the same matches are looked up together.
    reference
        Label of the reference point.

    Returns
    -------
    Choice or list of Choice
        ``scores``: for each option its distance, in canonical units, from the `r` of the match whose `c` is nearest to
        the reference (the first of several), as a negative number. ``evidence``: that match. Without matches nothing
        is chosen.

    Raises
    ------
    TypeError
        When an argument is neither a program nor its text.
    ValueError
        When a program is of another modality, points are not of two images, the reference is not in exactly one of
        them, or a location is no ``[x, y]``.

    Examples
    --------
    >>> import percepts as pc
    >>> size = (1000, 1000)
    >>> matches = pc.correspondence([(100, 100), (500, 500)], [(300, 100), (700, 500)], size0=size, size1=size)
    >>> question = {"image 1": {"REF": (490, 510)}, "image 2": {"A": (490, 510), "B": (690, 510)}}
    >>> points = pc.points(question, size={"image 1": size, "image 2": size})
    >>> choice = match(matches, points)
    >>> choice.choice, choice.evidence["B"].p
    ('B', 2)
    """
    if not _are_several(points):
        return _answers(matches, [points], reference)[0]
    if not _are_several(matches):
        return _answers(matches, points, reference)
    if len(matches) != len(points):
        raise ValueError(f"matches must be as many as points, got {len(matches)} and {len(points)}")
    return [_answers(each, [question], reference)[0] for each, question in zip(matches, points, strict=True)]


def naive_match(points: object, reference: str = "REF") -> Choice | list[Choice]:
    """Choose the option nearest to the reference itself, as if nothing had moved: the paper's *Naive*.

    Source: paper, 9.1.

    Parameters
    ----------
    points, reference
        As for `match`.

    Returns
    -------
    Choice or list of Choice
        ``scores``: for each option its distance, in canonical units, from the reference, as a negative number.
        ``evidence``: the option's own item.

    Raises
    ------
    TypeError, ValueError
        As for `match`.

    Examples
    --------
    >>> import percepts as pc
    >>> question = {"image 1": {"REF": (490, 510)}, "image 2": {"A": (490, 511), "B": (690, 510)}}
    >>> naive_match(pc.points(question, size={"image 1": (1000, 1000), "image 2": (1000, 1000)})).choice
    'A'
    """
    if _are_several(points):
        return [_naive_answer(question, reference) for question in points]
    return _naive_answer(points, reference)


def _naive_answer(points: object, reference: str) -> Choice:
    question = _question(points, reference)
    return _nearest_option(question, question.reference, question.items)


def _are_several(programs: object) -> TypeGuard[Sequence[object]]:
    return isinstance(programs, (list, tuple, ProgramBatch))


def _answers(matches: object, points: Sequence[object], reference: str) -> list[Choice]:
    items = as_program(matches, "matches", "correspondence").items
    questions = [_question(question, reference) for question in points]
    if not items or not questions:
        return [choice_of({}, {}) for _ in questions]
    from_locations = _locations([item.c for item in items], "c of a match")
    nearest, _ = kernels.nearest_match(from_locations, [question.reference for question in questions])
    return [_answer(question, items[k]) for question, k in zip(questions, np.asarray(nearest).tolist(), strict=True)]


def _answer(question: _Question, item: Item) -> Choice:
    return _nearest_option(question, _location(item.r, "r of a match"), dict.fromkeys(question.options, item))


def _nearest_option(question: _Question, to: Location, evidence: dict[str, Item]) -> Choice:
    return choice_of({label: -math.dist(to, option) for label, option in question.options.items()}, evidence)


def _question(points: object, reference: str) -> _Question:
    images: dict[str, dict[str, Item]] = {}
    for item in as_program(points, "points", "point-detection").items:
        labelled = images.setdefault(str(item.i), {})
        if str(item.b) in labelled:
            raise ValueError(f"points must have each label once in an image, got {item.b!r} again")
        labelled[str(item.b)] = item
    holding = [image for image, labelled in images.items() if as_word(reference, "reference") in labelled]
    if len(images) != 2 or len(holding) != 1:
        raise ValueError(
            f"points must be of two images, of which one holds the reference {reference!r}, "
            f"got {len(images)}, of which {len(holding)} hold it"
        )
    (options,) = (labelled for image, labelled in images.items() if image != holding[0])
    return _Question(
        _location(images[holding[0]][reference].c, "c of the reference"),
        {label: _location(item.c, "c of a point") for label, item in options.items()},
        options,
    )


def _locations(values: list[Plain | None], what: str) -> Array:
    with contextlib.suppress(ValueError):  # of lists of different lengths
        array = np.array(values)
        if array.ndim == 2 and array.shape[1] == 2 and array.dtype.kind in "if":
            return array.astype(np.float64)
    return np.array([_location(value, what) for value in values])


def _location(value: Plain | None, what: str) -> Location:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(number, (int, float)) for number in value):
        return as_number(value[0], what), as_number(value[1], what)
    raise ValueError(f"{what} must be [x, y], got {value!r:.100}")
