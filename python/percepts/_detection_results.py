"""Results of detectors, recognised by what they have, without their libraries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from percepts._arrays import as_array
from percepts.readers.detection_file import DetectionFile


class Result(NamedTuple):
    """What a result holds.

    Attributes
    ----------
    boxes, scores, labels
        Arrays of any library, or lists; scores and labels may be None.
    names
        Names of integer labels, where the result has them.
    size
        Width and height of its image, where the result says.
    box_format
        What the result says of its boxes, which are then in pixels; None where it does not say.
    """

    boxes: object
    scores: object
    labels: object
    names: object = None
    size: tuple[int, int] | None = None
    box_format: str | None = "xyxy"


def as_result(value: object, prefers_numbers: bool) -> Result | None:
    """Take apart the result of a detector; None for boxes by themselves.

    `prefers_numbers` chooses integer labels where a result has names of its own, too: the caller names them.
    """
    if isinstance(value, np.ndarray):
        return None
    if isinstance(value, (list, tuple)):
        if any(isinstance(each, Mapping) or _has(each, "xyxy") or _has(each, "boxes") for each in value[:1]):
            raise ValueError(f"boxes must be the detections of one image, got a list of {len(value)}: give one of them")
        return None
    if isinstance(value, DetectionFile):
        return Result(value.boxes, value.scores, value.labels, value.names, value.size)
    if isinstance(value, Mapping):
        return _of_mapping(value, prefers_numbers)
    if _has(value, "xyxy", "confidence", "class_id"):
        return _of_supervision(cast(Any, value), prefers_numbers)
    if _has(value, "boxes", "names", "orig_shape"):
        return _of_ultralytics(cast(Any, value))
    return None


def _has(value: object, *names: str) -> bool:
    return all(hasattr(value, name) for name in names)


def _of_mapping(value: Mapping[Any, Any], prefers_numbers: bool) -> Result:
    """Take a dict of torchvision or of transformers; text queries leave names, also as ``text_labels``."""
    if "boxes" not in value:
        raise ValueError(f"boxes must be an array, or a result with 'boxes', got a mapping with {list(value)!r:.200}")
    labels = value.get("text_labels")
    # Some dicts of transformers warn when labels are touched that go by another name now.
    if labels is None or (prefers_numbers and _are_numbers(value.get("labels"))):
        labels = value.get("labels")
    return with_stated_format(Result(value["boxes"], value.get("scores"), labels, box_format=None))


def with_stated_format(result: Result) -> Result:
    """Take format and size from boxes that state them, as torchvision's ``BoundingBoxes`` do."""
    boxes = cast(Any, result.boxes)
    stated = getattr(getattr(boxes, "format", None), "value", None)
    if not isinstance(stated, str) or not hasattr(boxes, "canvas_size"):
        return result
    height, width = boxes.canvas_size
    return result._replace(box_format=stated.lower(), size=(int(width), int(height)))


def _are_numbers(labels: object) -> bool:
    return labels is not None and not (isinstance(labels, (list, tuple)) and any(isinstance(x, str) for x in labels))


def _of_supervision(value: Any, prefers_numbers: bool) -> Result:
    names = getattr(value, "data", {}).get("class_name")
    own = names is not None and not (prefers_numbers and value.class_id is not None)
    return Result(value.xyxy, value.confidence, names if own else value.class_id)


def _of_ultralytics(value: Any) -> Result:
    """Take a ``Results``; oriented boxes are read by the upright ones around them."""
    boxes = value.boxes if value.boxes is not None else getattr(value, "obb", None)
    if boxes is None:
        raise ValueError("boxes must be detections, got a result of ultralytics without boxes")
    height, width = value.orig_shape[:2]
    labels = as_array(boxes.cls, "labels")
    if not np.array_equal(labels, np.rint(labels)):
        raise ValueError("labels must be whole numbers, as ultralytics keeps them in float32, got others")
    return Result(boxes.xyxy, boxes.conf, labels.astype(np.int64), value.names, (int(width), int(height)))
