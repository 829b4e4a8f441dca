"""Which piece fits best."""

from __future__ import annotations

from percepts.items import Item
from percepts.oracle.choice import Choice, choice_of
from percepts.oracle.read import as_program
from percepts.program import Program


def jigsaw(program: Program | str) -> Choice:
    """Choose the piece with the highest mean reading.

    Parameters
    ----------
    program
        A program of the modality ``jigsaw``, or its text.

    Returns
    -------
    Choice
        `choice` is the label of a piece, None on a tie. `scores` are the means of each piece's readings, as printed,
        `evidence` the piece's item with the highest reading. A piece without a reading has no score.

    Raises
    ------
    TypeError
        When `program` is neither a program nor a text.
    ValueError
        When the text is not one program, the modality is another, or an item names no piece.

    Examples
    --------
    >>> from percepts.items import Item
    >>> readings = {("A", "left"): 0.5, ("A", "top"): 0.75, ("B", "left"): 0.25, ("B", "top"): 0.5}
    >>> items = [Item(p=p, i=i, r=r) for (i, p), r in readings.items()]
    >>> choice = jigsaw(Program("jigsaw", "border", items))
    >>> choice.choice, choice.scores
    ('A', {'A': 0.625, 'B': 0.375})
    """
    items: dict[str, list[Item]] = {}
    for item in as_program(program, "program", "jigsaw").items:
        if item.i is None:
            raise ValueError(f"every item must name its piece (i), got none for p {item.p!r}")
        items.setdefault(str(item.i), []).append(item)
    scores: dict[str, float] = {}
    evidence: dict[str, Item | None] = {}
    for label, of_piece in items.items():
        readings = [(float(item.r), item) for item in of_piece if isinstance(item.r, (int, float))]
        evidence[label] = max(readings, key=lambda reading: reading[0])[1] if readings else None
        if readings:
            scores[label] = sum(reading for reading, _ in readings) / len(readings)
    return choice_of(scores, evidence)
