"""COLMAP's database: SQLite with keypoints, matches and those that geometry has verified.

Where a pair has a row of verified matches, these are taken, even if there are none; else the raw ones.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import urllib.parse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from percepts.readers.match_file import MatchFile
from percepts.readers.pairs import Pair, check_known, only_pair

_MOST_IMAGES = 2**31 - 1  # COLMAP's: a pair's id is the lower image's id times this, plus the other's
_TABLES = ("two_view_geometries", "matches")


class _Image(NamedTuple):
    id: int
    name: str
    size: tuple[int, int]


def read(location: str, pair: Pair | None) -> MatchFile:
    """Read the matches of a pair of images. The file is opened for reading only."""
    try:
        with contextlib.closing(_connected(location)) as database:
            images = list(_images(database))
            if pair is None:
                pair = only_pair(_pairs(database, images))
            check_known(pair, [image.name for image in images])
            first, second = (next(image for image in images if image.name == name) for name in pair)
            return _matches(database, first, second, location)
    except (sqlite3.Error, OverflowError) as error:
        raise ValueError(f"not a whole database of COLMAP: {error!s:.200}") from error


def _connected(location: str) -> sqlite3.Connection:
    path = urllib.parse.quote(os.fsencode(os.path.abspath(location)))
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def _images(database: sqlite3.Connection) -> Iterator[_Image]:
    query = (
        "SELECT images.image_id, images.name, cameras.width, cameras.height "
        "FROM images JOIN cameras ON images.camera_id = cameras.camera_id ORDER BY images.image_id"
    )
    for image_id, name, width, height in database.execute(query):
        if not isinstance(name, str) or not all(isinstance(value, int) for value in (image_id, width, height)):
            raise ValueError(
                f"an image must have an id, a name and a size, got {(image_id, name, width, height)!r:.100}"
            )
        yield _Image(image_id, name, (width, height))


def _pairs(database: sqlite3.Connection, images: list[_Image]) -> list[Pair]:
    """Pairs that have matches, in the order of their ids."""
    names = {image.id: image.name for image in images}
    counts: dict[int, int] = {}
    for table in reversed(_TABLES):
        counts.update(database.execute(f"SELECT pair_id, rows FROM {table}").fetchall())
    found = []
    for pair_id in sorted(pair_id for pair_id, rows in counts.items() if rows):
        first, second = divmod(pair_id, _MOST_IMAGES)
        if first in names and second in names:
            found.append((names[first], names[second]))
    return found


def _matches(database: sqlite3.Connection, first: _Image, second: _Image, location: str) -> MatchFile:
    indices = _indices(database, first, second)
    points = []
    for image, chosen in zip((first, second), indices.T, strict=True):
        keypoints = _keypoints(database, image)
        if len(chosen) and int(chosen.max()) >= len(keypoints):
            raise ValueError(
                f"a match is of keypoint {chosen.max()} of the image {image.name!r:.100}, which has {len(keypoints)}"
            )
        points.append(keypoints[chosen])
    return MatchFile(
        points0=points[0],
        points1=points[1],
        size0=first.size,
        size1=second.size,
        images=(first.name, second.name),
        format="colmap-database",
        path=location,
    )


def _indices(database: sqlite3.Connection, first: _Image, second: _Image) -> NDArray[np.uint32]:
    lower, higher = sorted((first.id, second.id))
    pair_id = lower * _MOST_IMAGES + higher
    for table in _TABLES:
        row = database.execute(f"SELECT rows, cols, data FROM {table} WHERE pair_id = ?", (pair_id,)).fetchone()
        if row is not None:
            indices = _decoded(row, "<u4", 2, f"the matches of {first.name!r:.100} and {second.name!r:.100}")
            return indices if first.id == lower else indices[:, ::-1]
    return np.empty((0, 2), np.uint32)


def _keypoints(database: sqlite3.Connection, image: _Image) -> NDArray[np.float64]:
    query = "SELECT rows, cols, data FROM keypoints WHERE image_id = ?"
    row = database.execute(query, (image.id,)).fetchone()
    if row is None:
        return np.empty((0, 2))
    return _decoded(row, "<f4", None, f"the keypoints of {image.name!r:.100}")[:, :2].astype(np.float64)


def _decoded(row: tuple[Any, Any, Any], dtype: str, cols: int | None, what: str) -> NDArray[Any]:
    """Rows and columns that a table keeps as bytes; keypoints have two columns or more, x and y first."""
    rows, columns, content = row
    if rows == 0:
        return np.empty((0, 2), dtype)
    whole = isinstance(rows, int) and isinstance(columns, int) and isinstance(content, bytes)
    size = np.dtype(dtype).itemsize
    if not whole or columns < 2 or (cols is not None and columns != cols) or len(content) != rows * columns * size:
        stored = len(content) if isinstance(content, bytes) else 0
        raise ValueError(f"{what} must be {rows!r:.20}×{columns!r:.20} values of {size} bytes, got {stored} bytes")
    return np.frombuffer(content, dtype).reshape(rows, columns)
