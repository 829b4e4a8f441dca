"""The built-in notes: what `p`, `c` and `r` mean, in one short paragraph."""

from __future__ import annotations

from percepts._options import NoteLike
from percepts._strings import joined

_PATCHES = (
    "Each item is one patch of a grid over the image. p: number of the patch, row by row from 1 at the upper left. "
    "c: [x, y], the centre of the patch, from [0, 0] at the upper left corner of the image to [1000, 1000] at the "
    "lower right. "
)


_LABELS = " b: the most frequent label in the patch."


def depth_note(normalize: bool, relations: bool, labelled: bool) -> str:
    """Note of a depth program."""
    note = _PATCHES + (
        "r: [min, max] of the depth in the patch, from 0 (farthest) to 1 (nearest); unknown without data."
        if normalize
        else "r: [min, max] of the distance in the patch, larger is farther; unknown without data."
    )
    if labelled:
        note += _LABELS
    if relations:
        note += " Relations: of two neighbouring patches, the one that is nearer on average is in_front_of the other."
    return note


def flow_note(axis: str, motion: str, labelled: bool) -> str:
    """Note of a flow program."""
    words = "left or right" if axis == "horizontal" else "up or down"
    seen = "motion" if motion == "scene" else "camera motion seen"
    note = f"{_PATCHES}r: direction of the mean {axis} {seen} in the patch, {words}; unknown without data."
    return note + _LABELS if labelled else note


SEMANTIC_NOTE = (
    "Each item is one candidate point in the second image. p: its name. c: [x, y], where it is, from [0, 0] at the "
    "upper left corner of the image to [1000, 1000] at the lower right. r: similarity of the features there to those "
    "at the reference point in the first image, larger is more alike; unknown without data."
)


def chosen_note(note: NoteLike, built_in: str) -> str | None:
    """Choose the note to print: the caller's, none, or the built-in one."""
    if note is ...:
        return built_in
    return None if note is None else joined(note)
