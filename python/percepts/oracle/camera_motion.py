"""Where most of a flow field goes."""

from __future__ import annotations

from percepts.items import UNKNOWN, Item
from percepts.oracle.choice import Choice, choice_of
from percepts.oracle.read import as_program
from percepts.program import Program


def camera_motion(flow: Program | str) -> Choice:
    """Choose the direction that most patches have.

    Parameters
    ----------
    flow
        A flow program, or its text.

    Returns
    -------
    Choice
        `choice` is the word that most items read, `scores` has the number of items of each word, `evidence` the first
        of them. Patches without data do not count.

    Raises
    ------
    TypeError
        When `flow` is neither a program nor a text.
    ValueError
        When a text is not one program, the modality is another, or a reading is no word.

    Examples
    --------
    >>> import numpy as np
    >>> import percepts as pc
    >>> field = np.full((6, 6, 2), -2.0)
    >>> field[:2, :2] = 1.5
    >>> choice = camera_motion(pc.flow(field, grid=3))
    >>> choice.choice, choice.scores
    ('left', {'right': 1, 'left': 8})
    """
    scores: dict[str, float] = {}
    first: dict[str, Item] = {}
    for item in as_program(flow, "flow", "flow").items:
        if not isinstance(item.r, str):
            raise ValueError(f"flow must have a direction as r, got {item!r}")
        if item.r != UNKNOWN:
            scores[item.r] = scores.get(item.r, 0) + 1
            first.setdefault(item.r, item)
    return choice_of(scores, first)
