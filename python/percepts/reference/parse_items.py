"""Items as a parser finds them, each with its line."""

from __future__ import annotations

from collections.abc import Sequence

from percepts.reference.program import PrintedItem, repeated_id

LinedItem = tuple[int, PrintedItem]
"""The line on which an item starts, and the item."""


def without_lines(items: Sequence[LinedItem], modality: str) -> tuple[PrintedItem, ...]:
    """Items of a program, whose ids are unique; else say on which line one is not."""
    repeated = repeated_id(modality, (item for _, item in items))
    if repeated is not None:
        raise ValueError(f"line {items[repeated.index][0]}: {repeated.message}")
    return tuple(item for _, item in items)
