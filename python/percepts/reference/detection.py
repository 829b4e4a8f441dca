"""Object detection (paper, 3.2.5)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from percepts._detections import as_detections
from percepts._options import NoteLike, shown
from percepts._strings import joined
from percepts.detection import detection_options
from percepts.reference.notes import chosen_note, detection_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.values import Scalar, number

Box = tuple[float, float, float, float]


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
    """Define ``percepts.detection``."""
    width, height = detection_options(size, box_format, normalized, min_score, max_items, note).size
    given = as_detections(boxes, scores, labels, class_names, (width, height), box_format, normalized, min_score)
    has_scores, has_labels = given.scores is not None, given.labels is not None

    for row, box in enumerate(given.boxes.tolist()):
        _check_box(box, row, box_format)
    found = [
        _Detection(
            _corners(box, box_format, (width, height), normalized),
            float(given.scores[row]) + 0.0 if given.scores is not None else 0.0,
            given.labels.names[given.labels.of_row[row]] if given.labels is not None else "",
        )
        for row, box in enumerate(given.boxes.tolist())
    ]
    for row, each in enumerate(found):
        if not 0 <= each.score <= 1:
            raise ValueError(f"scores[{row}] must be in [0, 1], got {shown(each.score)}")

    kept = [each for each in found if each.score >= given.min_score]
    if max_items is not None:
        kept = _most_confident(kept, max_items)
    arrays = {"boxes": np.array([each.box for each in kept]).reshape(-1, 4)}
    if has_scores:
        arrays["scores"] = np.array([each.score for each in kept], np.float64)
    items = [_item(p, each, (width, height), has_scores, has_labels) for p, each in enumerate(kept, start=1)]
    text = chosen_note(note, detection_note(has_scores, has_labels))
    return Program("object-detection", "bounding-box", tuple(items), note=text, arrays=arrays)


class _Detection(NamedTuple):
    """A box in pixels within the image, how sure the detector is, and what it found; 0 and "" where not said."""

    box: Box
    score: float
    label: str


def _check_box(box: list[float], row: int, box_format: str) -> None:
    got = f"got [{', '.join(map(shown, box))}]"
    if not all(map(math.isfinite, box)):
        raise ValueError(f"boxes[{row}] must be finite, {got}")
    if box_format == "xyxy":
        if box[2] < box[0] or box[3] < box[1]:
            raise ValueError(f"boxes[{row}] must have x0 <= x1 and y0 <= y1, {got}")
    elif box[2] < 0 or box[3] < 0:
        raise ValueError(f"boxes[{row}] must have a width and a height of at least 0, {got}")


def _corners(box: list[float], box_format: str, size: tuple[int, int], normalized: bool) -> Box:
    """Both corners in pixels, clipped to the image."""
    a, b, c, d = box
    if box_format == "xywh":
        a, b, c, d = a, b, a + c, b + d
    elif box_format == "cxcywh":
        a, b, c, d = a - c / 2, b - d / 2, a + c / 2, b + d / 2
    width, height = size
    scale_x, scale_y = size if normalized else (1, 1)
    return (
        _clipped(a * scale_x, width),
        _clipped(b * scale_y, height),
        _clipped(c * scale_x, width),
        _clipped(d * scale_y, height),
    )


def _clipped(coordinate: float, length: int) -> float:
    return min(max(coordinate, 0.0), float(length)) + 0.0


def _most_confident(found: list[_Detection], count: int) -> list[_Detection]:
    """Keep so many, of equal ones the first, in the order that they have."""
    ranked = sorted(range(len(found)), key=lambda k: -found[k].score)
    return [found[k] for k in sorted(ranked[:count])]


def _item(p: int, each: _Detection, size: tuple[int, int], has_score: bool, has_label: bool) -> PrintedItem:
    width, height = size
    item: dict[str, Any] = {
        "p": number(p, "%d"),
        "c": tuple(
            number(math.floor(1000.0 * coordinate / length), "%d")
            for coordinate, length in zip(each.box, (width, height, width, height), strict=True)
        ),
    }
    if has_score:
        item["r"] = number(float(np.float32(each.score)), "%.4f")
    if has_label:
        item["b"] = Scalar(joined(each.label))
    return item
