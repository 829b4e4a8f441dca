"""Matches between two images as callers hold them: arrays, results of matchers, OpenCV's lists, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from percepts._arrays import as_integers, as_reals
from percepts._options import as_size
from percepts._points import Array, Size, as_confidence, as_points
from percepts.readers.match_file import MatchFile

_POINTS = (
    ("mkpts0_f", "mkpts1_f"),  # LoFTR
    ("mkpts0", "mkpts1"),
    ("keypoints0", "keypoints1"),  # kornia, LightGlue, SuperGlue, transformers
    ("points0", "points1"),
)
_INDICES = ("matches", "matches0")
_CONFIDENCES = ("confidence", "mconf", "matching_scores", "scores", "match_confidence", "matching_scores0")
_IMAGES_OF_BATCH = ("batch_indexes", "m_bids")
_SIZES = (("size0", "size1"), ("image_size0", "image_size1"))

RESULT_KEYS = frozenset(
    (
        *sum(_POINTS, ()),
        *_INDICES,
        *_CONFIDENCES,
        *_IMAGES_OF_BATCH,
        *sum(_SIZES, ()),
        "hw0_i",
        "hw1_i",
        "scale0",
        "scale1",
    )
)
"""What is looked at in a matcher's result."""


class Matches(NamedTuple):
    """Matches between two images: N×2 points in pixels, what is known of their confidence and of the images' sizes."""

    points0: Array
    points1: Array
    confidence: Array | None = None
    size0: Size | None = None
    size1: Size | None = None


class _Indices(NamedTuple):
    """Which keypoints are matched; `per_keypoint` when confidences go with the keypoints of image 1."""

    first: Array
    second: Array
    per_keypoint: bool


def as_matches(points0: object, points1: object, confidence: object, size0: object, size1: object) -> Matches:
    """Matches of two arrays of points or of one result; a size that both the caller and a result state must be one."""
    given = _of_arrays(points0, points1) if points1 is not None else matches_of_result(points0)
    count = len(given.points0)
    if len(given.points1) != count:
        raise ValueError(f"points0 and points1 must be as many, got {count} and {len(given.points1)}")
    return given._replace(
        confidence=given.confidence if confidence is None else as_confidence(confidence, count),
        size0=_stated(size0, given.size0, "size0"),
        size1=_stated(size1, given.size1, "size1"),
    )


def _stated(size: object, known: Size | None, name: str) -> Size:
    given = None if size is None else as_size(size, name)
    if given is None and known is None:
        raise ValueError(f"{name} must be given, as (width, height) in pixels: these matches do not state it")
    if given is not None and known is not None and given != known:
        raise ValueError(f"{name} must be the size that the matches state, {known}, got {given}")
    return given or known or (1, 1)


def _of_arrays(points0: object, points1: object) -> Matches:
    return Matches(as_points(points0, "points0"), as_points(points1, "points1"))


def matches_of_result(result: object) -> Matches:
    """Matches of what a matcher or a reader gives."""
    if isinstance(result, MatchFile):
        return Matches(result.points0, result.points1, result.confidence, result.size0, result.size1)
    if isinstance(result, Mapping):
        return _of_mapping(result)
    if isinstance(result, (tuple, list)) and len(result) == 3:
        return _of_keypoints(*result)
    raise TypeError(
        "points1 must be given, or points0 be one result: a mapping with keypoints0 and keypoints1 (or LoFTR's "
        f"mkpts0_f and mkpts1_f), (keypoints0, keypoints1, matches), or what read_matches returns; got "
        f"{type(result).__name__}"
    )


def _of_mapping(result: Mapping[Any, Any]) -> Matches:
    _check_one_pair(result)
    name0, name1 = _points_names(result)
    points0, points1 = (as_points(_only(result[name]), name) for name in (name0, name1))
    indices = _indices_of(result, len(points0), len(points1))
    size0, size1 = _sizes_of(result)
    return _chosen(points0, points1, indices, _confidence_of(result), size0, size1)


def _points_names(result: Mapping[Any, Any]) -> tuple[str, str]:
    for names in _POINTS:
        if all(name in result for name in names):
            return names
    raise ValueError(
        "a result must hold the points of both images as one of "
        f"{', '.join(' and '.join(names) for names in _POINTS)}, got the keys {_shown_keys(result)}"
    )


def _shown_keys(result: Mapping[Any, Any]) -> str:
    return ", ".join(f"{key!s:.50}" for key in list(result)[:20]) or "none"


def _check_one_pair(result: Mapping[Any, Any]) -> None:
    for name in _IMAGES_OF_BATCH:
        if name in result and len(set(as_integers(result[name], name).ravel().tolist())) > 1:
            raise ValueError(
                f"a result must be of one pair of images, got {name} of several: select the matches of one"
            )


def _chosen(
    points0: Array,
    points1: Array,
    indices: _Indices | None,
    confidence: tuple[str, object] | None,
    size0: Size | None,
    size1: Size | None,
) -> Matches:
    """The matched points, where all keypoints and indices are given."""
    values = None
    if confidence is not None:
        name, given = confidence
        count = len(points0) if indices is None or indices.per_keypoint else len(indices.first)
        values = as_confidence(_only(given), count, name)
    if indices is None:
        return Matches(points0, points1, values, size0, size1)
    if values is not None and indices.per_keypoint:
        values = values[indices.first]
    return Matches(points0[indices.first], points1[indices.second], values, size0, size1)


def _indices_of(result: Mapping[Any, Any], count0: int, count1: int) -> _Indices | None:
    for name in _INDICES:
        if name in result:
            return _as_indices(_only(result[name]), name, count0, count1)
    return None


def _as_indices(value: object, name: str, count0: int, count1: int) -> _Indices:
    """Indices as K×2, or for each keypoint of image 1 its match in image 2 with -1 for none."""
    array = as_integers(value, name)
    if array.ndim > 1 and array.shape[0] == 1 and (array.ndim == 3 or array.shape[1] != 2 or name == "matches0"):
        array = array[0]
    if array.ndim == 2 and array.shape[1] == 2:
        first, second = array[:, 0], array[:, 1]
    elif array.ndim == 1 and len(array) in (0, count0):
        (first,) = np.nonzero(array > -1)
        second = array[first]
    else:
        raise ValueError(
            f"{name} must be K×2, or one index for each of the {count0} keypoints of image 1, got shape {array.shape}"
        )
    for indices, count, image in ((first, count0, 1), (second, count1, 2)):
        if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < count:
            got = f"{indices.min()} to {indices.max()}"
            raise ValueError(f"{name} must be indices of the {count} keypoints of image {image}, got {got}")
    return _Indices(first.astype(np.intp), second.astype(np.intp), array.ndim == 1)


def _confidence_of(result: Mapping[Any, Any]) -> tuple[str, object] | None:
    return next(((name, result[name]) for name in _CONFIDENCES if result.get(name) is not None), None)


def _sizes_of(result: Mapping[Any, Any]) -> tuple[Size | None, Size | None]:
    for names in _SIZES:
        if all(name in result for name in names):
            size0, size1 = (_size_from(result[name], name) for name in names)
            return size0, size1
    # LoFTR's hw is that of the resized image; with a scale its points are in pixels of the original one.
    if "hw0_i" in result and "hw1_i" in result and "scale0" not in result and "scale1" not in result:
        size0, size1 = (_size_from(tuple(result[name])[::-1], name) for name in ("hw0_i", "hw1_i"))
        return size0, size1
    return None, None


def _size_from(value: object, name: str) -> Size:
    """A size as libraries keep it, such as a tensor of floats with a leading 1."""
    lengths = as_reals(value, name).ravel().tolist()
    if any(length != length or length % 1 for length in lengths):
        raise ValueError(f"{name} must be whole numbers of pixels, got {lengths}")
    return as_size([int(length) for length in lengths], name)


def _only(value: object) -> object:
    """The only element of a list of arrays, in which LightGlue keeps what belongs to each pair of a batch."""
    is_batch = isinstance(value, (list, tuple)) and len(value) == 1 and getattr(value[0], "ndim", 0) > 0
    return cast("Sequence[object]", value)[0] if is_batch else value


def _of_keypoints(keypoints0: object, keypoints1: object, matches: object) -> Matches:
    """Matches of (keypoints0, keypoints1, matches), as OpenCV and LightGlue give them."""
    points0, size0 = _keypoints(keypoints0, "keypoints0")
    points1, size1 = _keypoints(keypoints1, "keypoints1")
    if isinstance(matches, Mapping):
        indices = _indices_of(matches, len(points0), len(points1))
        if indices is None:
            raise ValueError(f"matches must hold matches or matches0, got the keys {_shown_keys(matches)}")
        return _chosen(points0, points1, indices, _confidence_of(matches), size0, size1)
    found = _of_opencv(matches)
    if found is None:
        indices = _as_indices(_only(matches), "matches", len(points0), len(points1))
        return _chosen(points0, points1, indices, None, size0, size1)
    pairs, distances = found
    indices = _as_indices(np.array(pairs, np.int64).reshape(-1, 2), "matches", len(points0), len(points1))
    return _chosen(points0, points1, indices, ("distance", [-distance for distance in distances]), size0, size1)


def _keypoints(keypoints: object, name: str) -> tuple[Array, Size | None]:
    if isinstance(keypoints, Mapping):
        if "keypoints" not in keypoints:
            raise ValueError(f"{name} must hold keypoints, got the keys {_shown_keys(keypoints)}")
        size = keypoints.get("image_size")
        return as_points(_only(keypoints["keypoints"]), name), None if size is None else _size_from(size, "image_size")
    if isinstance(keypoints, (list, tuple)) and keypoints and hasattr(keypoints[0], "pt"):
        return as_points([keypoint.pt for keypoint in keypoints], name), None
    return as_points(keypoints, name), None


def _of_opencv(matches: object) -> tuple[list[tuple[int, int]], list[float]] | None:
    """Indices and distances of DMatch objects, of which knnMatch gives a list for each query: the first is the best."""
    if not isinstance(matches, (list, tuple)):
        return None
    best = [each[0] if isinstance(each, (list, tuple)) and each else each for each in matches]
    best = [each for each in best if not isinstance(each, (list, tuple))]
    if not all(hasattr(each, "queryIdx") and hasattr(each, "trainIdx") for each in best):
        return None
    return [(each.queryIdx, each.trainIdx) for each in best], [float(each.distance) for each in best]
