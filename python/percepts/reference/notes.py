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


def segmentation_note(relations: bool) -> str:
    """Note of a segmentation program."""
    note = (
        f"{_PATCHES}b: the most frequent label in the patch. r: the share of the patch that has it, from 0 to 1; "
        "unknown without data."
    )
    return (
        note + " Relations: neighbouring patches of different labels are adjacent_to each other." if relations else note
    )


def albedo_note(relations: bool, labelled: bool) -> str:
    """Note of an albedo program."""
    note = f"{_PATCHES}r: the median albedo of the patch, from 0 (black) to 1 (white); unknown without data."
    if labelled:
        note += _LABELS
    if relations:
        note += (
            " Relations: of two neighbouring patches, one is darker than the other, or it is about the same as the "
            "other."
        )
    return note


SIMILARITY_NOTE = (
    "Each item is one cell of a map of similarities, of which every candidate has one. c: the candidate. p: number of "
    "the item, over the candidates one after the other and in each map row by row from the upper left. r: how similar "
    "the candidate is there, larger is more similar; unknown without data."
)


def detection_note(scored: bool, labelled: bool) -> str:
    """Note of a detection program."""
    note = (
        "Each item is one object that a detector found. p: number of the object. c: [x0, y0, x1, y1], the upper left "
        "and the lower right corner of the box around it, from [0, 0] at the upper left corner of the image to "
        "[1000, 1000] at the lower right."
    )
    if scored:
        note += " r: confidence of the detector, from 0 to 1."
    if labelled:
        note += " b: what the object is."
    return note


def jigsaw_note() -> str:
    """Note of a jigsaw program."""
    return (
        "Each item is one border of a candidate piece for the missing lower right part of the image. p: the border, "
        "left or top, along which the piece meets the image. i: the candidate. c: [x0, y0, x1, y1], the strip of the "
        "piece along that border, from [0, 0] at the upper left corner of the piece to [1000, 1000] at the lower "
        "right. r: how similar that strip is to the strip of the image on the other side of the border, from 0 to 1; "
        "higher fits better."
    )


CORRESPONDENCE_NOTE = (
    "Each item is one match: the same point of the scene, seen in two images. p: number of the match. "
    "c: [x, y], where the point is in image 1. r: [x, y], where it is in image 2. "
    "Both are from [0, 0] at the upper left corner of their image to [1000, 1000] at the lower right."
)
"""Note of a correspondence program."""


def points_note(several: bool) -> str:
    """Note of a program of points, of one image or of several."""
    return (
        "Each item is one marked point. "
        + ("i: the image that it is in. " if several else "")
        + "c: [x, y], where it is, from [0, 0] at the upper left corner of the image to [1000, 1000] at the lower "
        "right. b: its label."
    )


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
