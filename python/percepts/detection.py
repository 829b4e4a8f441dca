"""Detections to programs (paper, 3.2.5)."""

from __future__ import annotations

import functools
from typing import Any

from percepts import _core
from percepts._detections import as_detections
from percepts._options import NoteLike, as_count, as_flag, as_note, as_number, as_size, as_word
from percepts.program import Program


def detection(
    boxes: object,
    scores: object = None,
    labels: object = None,
    *,
    size: tuple[int, int],
    box_format: str = "xyxy",
    normalized: bool = False,
    class_names: object = None,
    min_score: float = 0.0,
    max_items: int | None = None,
    note: NoteLike = ...,
) -> Program:
    """Make the program of a detector's boxes: where each object is, how sure the detector is, and what it found.

    Source: paper, 3.2.5.

    Parameters
    ----------
    boxes
        N×4, an array of any library in host memory or a list; or one result that holds boxes, scores and labels: a
        dict with ``boxes``, ``scores`` and ``labels`` or ``text_labels`` as torchvision and the post-processing of
        transformers give it, ``Detections`` of supervision, ``Results`` of ultralytics (oriented boxes are read by
        the upright ones around them), or what `read_detections` returns. No library is imported for it. Tensors that
        require a gradient are read as they are.
    scores
        N confidences in [0, 1].
    labels
        N integers of any dtype, or N strings.
    size
        ``(width, height)`` of the image in pixels. A result that states it must state the same.
    box_format
        ``"xyxy"``: corners; ``"xywh"``: upper left corner, width and height; ``"cxcywh"``: centre, width and height.
    normalized
        True for boxes whose image is 1 wide and 1 high; else they are in pixels.
    class_names
        Names of integer labels: a mapping (keys ``7`` or ``"7"``) or a sequence. A label without a name is
        ``class_7``. Given here they come before those that a result has.
    min_score
        Keep what is at least as confident, compared in the scores' own dtype.
    max_items
        Keep so many, the most confident and the first of equal ones, in the order that they have; the first ones
        where there are no scores.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program
        Items `p` (1, 2, … in the order given), `c` (``[x0, y0, x1, y1]`` in 0..1000, of the box clipped to the image),
        `r` (the confidence; absent without scores) and `b` (the label; absent without labels). ``arrays`` has
        ``boxes``, N×4 float64, clipped corners in pixels, and ``scores``, N float64, of these items.

    Raises
    ------
    TypeError
        When an argument is of the wrong type, or an array is on a device.
    ValueError
        When a shape or an option does not meet its requirement; naming the row, when a box is not finite or has
        x1 < x0 or y1 < y0 (a width or height below 0), or a score is not in [0, 1].

    Examples
    --------
    >>> program = detection([[24, 60, 96, 240]], [0.875], ["chair"], size=(640, 480))
    >>> program.items
    (Item(p=1, c=[37, 125, 150, 500], r=0.875, b='chair'),)
    """
    options = _options(size, box_format, normalized, min_score, max_items, note)
    found = as_detections(boxes, scores, labels, class_names, options.size, box_format, normalized, min_score)
    names, index = (None, None) if found.labels is None else found.labels
    return Program._of(_core.detection(found.boxes, found.scores, found.min_score, names, index, options))


def _options(*given: Any) -> _core.DetectionOptions:
    """Check options that were checked lately from memory, where they can be told apart by type and value."""
    if type(given[0]) is tuple and all(type(side) is int for side in given[0]):
        try:
            return _remembered(*given)
        except TypeError:
            pass  # something cannot be hashed, or is of a wrong type: the check says which
    return detection_options(*given)


def detection_options(
    size: object, box_format: object, normalized: object, min_score: object, max_items: Any, note: object
) -> _core.DetectionOptions:
    """Check the options of a detection program, whatever the boxes."""
    if max_items is not None:
        max_items = as_count(max_items, "max_items")
    return _core.DetectionOptions(
        *as_size(size),
        as_word(box_format, "box_format"),
        as_flag(normalized, "normalized"),
        as_number(min_score, "min_score"),
        max_items,
        as_note(note),
    )


_remembered = functools.lru_cache(maxsize=64, typed=True)(detection_options)
