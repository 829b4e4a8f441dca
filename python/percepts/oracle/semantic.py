"""Semantic correspondence: which candidate is most like the source point."""

from __future__ import annotations

from percepts.items import UNKNOWN
from percepts.oracle.choice import Choice, choice_of
from percepts.oracle.read import as_program
from percepts.program import Program


def semantic(program: Program | str) -> Choice:
    """Choose the candidate with the highest similarity.

    Parameters
    ----------
    program
        A program of `percepts.semantic` or `percepts.semantic_scores`, or its text.

    Returns
    -------
    Choice
        ``scores``: the reading of each candidate that has one, as printed; ``evidence``: its item.

    Raises
    ------
    TypeError, ValueError
        When this is no such program.

    Examples
    --------
    >>> import percepts as pc
    >>> program = pc.semantic_scores({"A": 0.71, "B": 0.25}, {"A": (320, 240), "B": (0, 0)}, size=(640, 480))
    >>> semantic(program).choice
    'A'
    """
    items = {}
    for k, item in enumerate(as_program(program, "program", "semantic").items):
        if not isinstance(item.p, (str, int, float)):
            raise ValueError(f"items[{k}] must have a label as p, got {item.p!r}")
        if item.r != UNKNOWN:
            items[str(item.p)] = item
    return choice_of({label: _score(label, item.r) for label, item in items.items()}, items)


def _score(label: str, reading: object) -> float:
    if not isinstance(reading, (int, float)):
        raise ValueError(f"the reading of {label!r} must be a number or {UNKNOWN!r}, got {reading!r}")
    return float(reading)
