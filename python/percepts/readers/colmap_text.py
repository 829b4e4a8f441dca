"""COLMAP's text models: images.txt with the points of each image, cameras.txt with the sizes.

Two images match where they see the same 3D point. A point that an image sees several times counts where it stands
first.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from percepts.readers.match_file import MatchFile
from percepts.readers.pairs import Pair, check_known, only_pair

_IMAGES, _CAMERAS = "images.txt", "cameras.txt"
_FIELDS_BEFORE_NAME = 9  # id, quaternion, translation, camera

Size = tuple[int, int]


class _Image(NamedTuple):
    name: str
    camera: str
    points: dict[str, tuple[float, float]]
    """By the 3D point, in the order of the file."""


def model_files(path: str) -> tuple[str, str] | None:
    """images.txt and cameras.txt of a model's directory, or of one of its files; None for any other path."""
    if os.path.isdir(path):
        return os.path.join(path, _IMAGES), os.path.join(path, _CAMERAS)
    for name in (_IMAGES, _CAMERAS, "points3D.txt"):
        if path.endswith(name):
            stem = path.removesuffix(name)
            return stem + _IMAGES, stem + _CAMERAS
    return None


def read(images_path: str, cameras_path: str, pair: Pair | None, path: str) -> MatchFile:
    """Read the matches of a pair of images."""
    sizes = dict(_cameras(cameras_path))
    images = list(_images(images_path))
    if pair is None:
        pair = only_pair(_pairs(images))
    check_known(pair, [image.name for image in images])
    first, second = (next(image for image in images if image.name == name) for name in pair)
    shared = [point for point in first.points if point in second.points]
    for image in (first, second):
        if image.camera not in sizes:
            raise ValueError(f"the camera {image.camera:.50} of the image {image.name!r:.100} is not in {cameras_path}")
    return MatchFile(
        points0=_array([first.points[point] for point in shared]),
        points1=_array([second.points[point] for point in shared]),
        size0=sizes[first.camera],
        size1=sizes[second.camera],
        images=pair,
        format="colmap-text",
        path=path,
    )


def _array(points: list[tuple[float, float]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array(points, np.float64).reshape(-1, 2)


def _pairs(images: list[_Image]) -> list[Pair]:
    return [
        (first.name, second.name)
        for k, first in enumerate(images)
        for second in images[k + 1 :]
        if not first.points.keys().isdisjoint(second.points)
    ]


def _lines(path: str) -> Iterator[tuple[int, str]]:
    """Numbered lines, without comments."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline=None) as file:
        for number, line in enumerate(file, start=1):
            if not line.startswith("#"):
                yield number, line.strip()


def _cameras(path: str) -> Iterator[tuple[str, Size]]:
    for number, line in _lines(path):
        if not line:
            continue
        fields = line.split()
        try:
            width, height = int(fields[2]), int(fields[3])
        except (IndexError, ValueError):
            raise _wrong(path, number, "CAMERA_ID, MODEL, WIDTH, HEIGHT", line) from None
        yield fields[0], (width, height)


def _images(path: str) -> Iterator[_Image]:
    lines = _lines(path)
    for number, line in lines:
        if not line:
            continue
        fields = line.split(maxsplit=_FIELDS_BEFORE_NAME)
        if len(fields) <= _FIELDS_BEFORE_NAME or not fields[0].isdigit():
            raise _wrong(path, number, "IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME", line)
        # The line of points follows, even if it is empty.
        number_of_points, points = next(lines, (number + 1, ""))
        yield _Image(fields[-1], fields[-2], _points(path, number_of_points, points))


def _points(path: str, number: int, line: str) -> dict[str, tuple[float, float]]:
    fields = line.split()
    points: dict[str, tuple[float, float]] = {}
    try:
        for x, y, point in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
            if point != "-1":
                at = float(x), float(y)
                if not all(map(math.isfinite, at)):
                    raise ValueError
                points.setdefault(str(int(point)), at)
    except ValueError:
        raise _wrong(path, number, "finite X, Y, POINT3D_ID of each point", line) from None
    return points


def _wrong(path: str, number: int, requirement: str, line: str) -> ValueError:
    return ValueError(f"line {number} of {os.path.basename(path)} must have {requirement}, got {line!r:.100}")
