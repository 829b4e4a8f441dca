"""What an oracle answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Choice:
    """The answer that a program gives to a question, and what it rests on.

    Attributes
    ----------
    choice
        The label that won; None where nothing could be chosen: on a tie, or where no label has a score.
    tied
        Whether several labels share the best score.
    scores
        Label to number, larger is better; labels without a reading have none.
    evidence
        Label to what its score was read from: an `Item`, or None where nothing was read.

    Examples
    --------
    >>> from percepts.oracle.choice import choice_of
    >>> choice_of({"A": 0.25, "B": 0.75}, {})
    Choice(choice='B', tied=False, scores={'A': 0.25, 'B': 0.75}, evidence={})
    """

    choice: str | None
    tied: bool
    scores: Mapping[str, float] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)


def choice_of(scores: Mapping[str, float], evidence: Mapping[str, Any]) -> Choice:
    """Choose the label with the highest score, and none of several that share it."""
    best = [label for label, score in scores.items() if score == max(scores.values())]
    return Choice(best[0] if len(best) == 1 else None, len(best) > 1, dict(scores), dict(evidence))
