"""Labelled points of a question to programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from percepts import _core
from percepts._options import NoteLike, as_note, as_size, as_word
from percepts._points import Array, Size, as_point, as_points
from percepts.program import Program


class LabelledPoints(NamedTuple):
    """The points of one image; `image` is None where it is the only one."""

    image: str | None
    size: Size
    labels: list[str]
    points: Array


def points(points: object, *, size: object, outside: str = "error", note: NoteLike = ...) -> Program:
    """Make the program of the labelled points that a question is about.

    Source: the research release, whose points are those of BLINK's questions.

    Parameters
    ----------
    points
        Label to (x, y) in pixels; for several images the image's name to such a mapping.
    size
        (width, height) of the image in pixels; for several images the image's name to its size.
    outside
        ``"error"``, or ``"clip"``: points outside their image are moved to its edge.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program
        Items with `c` (``[x, y]`` in 0..1000) and `b` (the label), for several images also `i` (the image), sorted by
        image and label as strings. The array ``points`` (N×2, float64) has the points in pixels, after clipping, in
        the same order.

    Raises
    ------
    TypeError
        When an argument is of the wrong type.
    ValueError
        When an image has no size, a coordinate is not finite, or a point lies outside its image.

    Examples
    --------
    >>> program = points({"B": (320, 240), "A": (0, 479)}, size=(640, 480))
    >>> [(item.b, item.c) for item in program.items]
    [('A', [0, 997]), ('B', [500, 500])]
    >>> question = {"image 1": {"REF": (8, 8)}, "image 2": {"A": (4, 6)}}
    >>> program = points(question, size={"image 1": (16, 8), "image 2": (16, 8)})
    >>> [(item.i, item.b, item.c) for item in program.items]
    [('image 1', 'REF', [500, 1000]), ('image 2', 'A', [250, 750])]
    """
    images, several = as_labelled_points(points, size)
    return Program._of(_core.points(images, several, as_word(outside, "outside"), as_note(note)))


def as_labelled_points(points: object, size: object) -> tuple[list[LabelledPoints], bool]:
    """Points of each image, and whether there may be several."""
    given = _mapping(points, "points")
    nested = [isinstance(value, Mapping) for value in given.values()]
    if not any(nested):
        return [_of_image(None, given, as_size(size, "size"))], False
    if not all(nested):
        raise TypeError("points must be a mapping of labels, or of images to mappings of labels, got a mixture of both")
    sizes = _mapping(size, "size of several images")
    missing = [image for image in given if image not in sizes]
    if missing:
        raise ValueError(f"size must have the (width, height) of each image, got none for {missing[0]!r}")
    return [_of_image(image, given[image], as_size(sizes[image], f"size of {image!r}")) for image in given], True


def _of_image(image: str | None, labelled: Mapping[Any, Any], size: Size) -> LabelledPoints:
    of_image = "" if image is None else f" of {image!r}"
    labels = [as_word(label, f"a label{of_image}") for label in labelled]
    rows = [as_point(point, f"the point {label!r}{of_image}") for label, point in labelled.items()]
    return LabelledPoints(image, size, labels, as_points(rows, "points"))


def _mapping(value: object, name: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, got {type(value).__name__}")
    for key in value:
        as_word(key, f"each key of {name}")
    return value
