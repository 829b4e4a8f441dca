"""Which of several points is nearest, by the depth where they are."""

from __future__ import annotations

import dataclasses

from percepts._options import as_word
from percepts.items import UNKNOWN, Item
from percepts.oracle.choice import Choice, choice_of
from percepts.oracle.read import as_program
from percepts.program import Program


def closest_point(depth: Program | str, points: Program | str, nearer: str = "higher") -> Choice:
    """Choose the labelled point that is nearest: the one whose patch has the highest mid-range reading.

    Parameters
    ----------
    depth
        A depth program, or its text.
    points
        A program of labelled points of one image (``percepts.points``), or its text.
    nearer
        ``"higher"``: larger readings are nearer. ``"lower"``: smaller ones are, as with ``normalize=False``.

    Returns
    -------
    Choice
        `scores` has the mean of the smallest and the largest depth, as printed, of the patch whose centre is nearest to
        each point; a patch without data has none, and its point never wins. `evidence` has the patches. Points in one
        patch, or in patches that read the same, tie.

    Raises
    ------
    TypeError
        When an argument is neither a program nor a text, or `nearer` is not a str.
    ValueError
        When a text is not one program, a modality is another, a reading is no range, or a point has no label of its
        own.

    Examples
    --------
    >>> import percepts as pc
    >>> depth = pc.depth([[0.9, 0.2]], grid=(1, 2))
    >>> items = [pc.Item(c=[100, 500], b="A"), pc.Item(c=[900, 500], b="B")]
    >>> choice = closest_point(depth, pc.Program("point-detection", "pixels", items))
    >>> choice.choice, choice.scores
    ('A', {'A': 0.9, 'B': 0.2})
    """
    if as_word(nearer, "nearer") not in ("higher", "lower"):
        raise ValueError(f"nearer must be 'higher' or 'lower', got {nearer!r}")
    map_program = as_program(depth, "depth", "depth")
    patches = {
        label: map_program.reading_at(*location)
        for label, location in _labelled(as_program(points, "points", "point-detection")).items()
    }
    scores = {label: _mid_range(patch) for label, patch in patches.items() if patch is not None and patch.r != UNKNOWN}
    sign = 1 if nearer == "higher" else -1
    choice = choice_of({label: sign * score for label, score in scores.items()}, patches)
    return dataclasses.replace(choice, scores=scores)


def _labelled(points: Program) -> dict[str, tuple[float, float]]:
    """Location of each label."""
    locations: dict[str, tuple[float, float]] = {}
    items = points.items
    for item in items:
        label, location = item.b, item.c
        if not isinstance(label, str) or not isinstance(location, list) or len(location) != 2:
            raise ValueError(f"points must have [x, y] as c and a label as b, got {item!r}")
        if item.i != items[0].i:
            raise ValueError(f"points must be of one image, got {items[0].i!r} and {item.i!r}")
        if label in locations:
            raise ValueError(f"points must have a label each, got {label!r} more than once")
        x, y = location
        if isinstance(x, str) or isinstance(y, str):
            raise ValueError(f"points must have [x, y] as c and a label as b, got {item!r}")
        locations[label] = float(x), float(y)
    return locations


def _mid_range(patch: Item) -> float:
    if isinstance(patch.r, list) and len(patch.r) == 2:
        low, high = patch.r
        if isinstance(low, (int, float)) and isinstance(high, (int, float)):
            return (low + high) / 2
    raise ValueError(f"depth must have [min, max] as r, got {patch!r}")
