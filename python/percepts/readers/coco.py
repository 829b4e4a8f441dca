"""COCO's JSON: a list of results, or a data set with its images, categories and annotations."""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

import numpy as np

from percepts.readers.detection_file import DetectionFile
from percepts.readers.naming import listed

_Id = int | str


class _Image(NamedTuple):
    name: str | None = None
    size: tuple[int, int] | None = None


class _Contents(NamedTuple):
    """A file's entries, each with the place where it stands, and what the file says of images and categories."""

    entries: list[tuple[str, dict[str, Any], _Id]]
    images: dict[_Id, _Image]
    names: dict[int, str]


def decode(content: bytes, path: str, image: _Id | None) -> DetectionFile:
    """Decode the detections of one image; the only one where `image` is None."""
    contents = _contents(_parsed(content))
    chosen = _chosen_image(contents.images, image)
    entries = [(where, entry) for where, entry, of_image in contents.entries if of_image == chosen]
    return DetectionFile(
        boxes=np.array([_corners(entry, where) for where, entry in entries], np.float64).reshape(-1, 4),
        scores=_scores(entries),
        labels=np.array([_whole(entry, "category_id", where) for where, entry in entries], np.int64),
        names=contents.names,
        image=chosen,
        size=None if chosen is None else contents.images[chosen].size,
        path=path,
    )


def _parsed(content: bytes) -> object:
    if not content.strip():
        raise ValueError("the file is empty")
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("JSON must not be nested so deeply") from None
    except ValueError as error:
        raise ValueError(f"JSON in COCO's format is needed: {error}") from None


def _contents(value: object) -> _Contents:
    if isinstance(value, list):
        images: dict[_Id, _Image] = {}
        names: dict[int, str] = {}
        places = [(f"[{k}]", entry) for k, entry in enumerate(value)]
    elif isinstance(value, dict) and isinstance(value.get("annotations"), list):
        images = dict(_image(*placed) for placed in _dicts(value, "images"))
        names = dict(_category(*placed) for placed in _dicts(value, "categories"))
        places = [(f"annotations[{k}]", entry) for k, entry in enumerate(value["annotations"])]
    else:
        got = f"an object with {listed(list(value))}" if isinstance(value, dict) else type(value).__name__
        raise ValueError(f"a list of COCO results, or a COCO data set with annotations, is needed, got {got}")
    entries = []
    for where, entry in places:
        if not isinstance(entry, dict):
            raise ValueError(f"{where} must be an object, got {type(entry).__name__}")
        of_image = _id(entry, "image_id", where)
        images.setdefault(of_image, _Image())
        entries.append((where, entry, of_image))
    return _Contents(entries, images, names)


def _dicts(value: dict[str, Any], key: str) -> list[tuple[str, dict[str, Any]]]:
    found = value.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ValueError(f"{key} must be a list of objects")
    return [(f"{key}[{k}]", each) for k, each in enumerate(found)]


def _image(where: str, entry: dict[str, Any]) -> tuple[_Id, _Image]:
    name = entry.get("file_name")
    if name is not None and not isinstance(name, str):
        raise ValueError(f"{where}.file_name must be a string, got {name!r:.100}")
    size = None
    if entry.get("width") is not None and entry.get("height") is not None:
        size = _whole(entry, "width", where), _whole(entry, "height", where)
    return _id(entry, "id", where), _Image(name, size)


def _category(where: str, entry: dict[str, Any]) -> tuple[int, str]:
    name = entry.get("name")
    if not isinstance(name, str):
        raise ValueError(f"{where}.name must be a string, got {name!r:.100}")
    return _whole(entry, "id", where), name


def _id(entry: dict[str, Any], key: str, where: str) -> _Id:
    value = entry.get(key)
    return value if isinstance(value, str) else _whole(entry, key, where)


def _whole(entry: dict[str, Any], key: str, where: str) -> int:
    """Whole number of 64 bits; writers that go through NumPy also print ``18.0``."""
    value = entry.get(key)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not -(2**63) <= value < 2**63:
        raise ValueError(f"{where}.{key} must be a whole number, got {value!r:.100}")
    return value


def _number(value: object) -> float:
    """Finite number; NaN for anything else."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return math.nan
    try:
        return float(value) if math.isfinite(value) else math.nan
    except OverflowError:
        return math.nan


def _corners(entry: dict[str, Any], where: str) -> tuple[float, float, float, float]:
    box = entry.get("bbox")
    if not isinstance(box, list) or len(box) != 4 or any(math.isnan(_number(side)) for side in box):
        raise ValueError(f"{where}.bbox must be [x, y, width, height] of finite numbers, got {box!r:.100}")
    x, y, width, height = map(_number, box)
    if not math.isfinite(x + width) or not math.isfinite(y + height):
        raise ValueError(f"{where}.bbox must end within float64, got {box!r:.100}")
    if width < 0 or height < 0:
        raise ValueError(f"{where}.bbox must have a width and a height of at least 0, got {box!r:.100}")
    return x, y, x + width, y + height


def _scores(entries: list[tuple[str, dict[str, Any]]]) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    """Confidences of all entries, or None where no entry has one."""
    if entries and not any("score" in entry for _, entry in entries):
        return None
    for where, entry in entries:
        if not 0 <= _number(entry.get("score")) <= 1:
            raise ValueError(f"{where}.score must be in [0, 1], got {entry.get('score')!r:.100}")
    return np.array([_number(entry["score"]) for _, entry in entries], np.float64)


def _chosen_image(images: dict[_Id, _Image], image: _Id | None) -> _Id | None:
    """Id of the image that `image` names by its id or file name."""
    if image is None:
        if len(images) > 1:
            raise ValueError(f"image must name one of the {len(images)} images in this file: {_shown(images)}")
        return next(iter(images), None)
    if isinstance(image, int):
        found: list[_Id] = [key for key in images if key == image]
    else:
        found = [key for key, of_file in images.items() if image in (str(key), of_file.name)]
    if len(found) != 1:
        how = "is ambiguous" if found else "is not there"
        raise ValueError(f"image {image!r:.100} {how}; the file has {_shown(images) or 'none'}")
    return found[0]


def _shown(images: dict[_Id, _Image]) -> str:
    return listed([key if image.name is None else image.name for key, image in images.items()])
