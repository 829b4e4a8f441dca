"""A damaged file of matches is a ValueError; whatever is read makes a program."""

from __future__ import annotations

import io
import os
import sqlite3
import tempfile

import numpy as np

import percepts as pc

_DIRECTORY = tempfile.mkdtemp(prefix="percepts-fuzz-")
_PATH = os.path.join(_DIRECTORY, "input")
_IMAGES, _CAMERAS = (os.path.join(_DIRECTORY, f"{name}.txt") for name in ("images", "cameras"))
_POINTS = np.arange(6, dtype=np.float32).reshape(3, 2)


def seeds() -> list[bytes]:
    """One small file of each kind."""
    return [
        _npz(keypoints0=_POINTS, keypoints1=_POINTS, confidence=[1, 0.5, 0.25]),
        _npz(keypoints0=_POINTS, keypoints1=_POINTS[:2], matches0=[0, -1, 1], size0=[9, 9], size1=[9, 9]),
        _database(),
        b"1 1 0 0 0 0 0 0 1 a.jpg\n1 2 7 3 4 -1 5 6 9\n2 1 0 0 0 0 0 0 1 b.jpg\n3 4 9 5 5 7\n",
    ]


def dictionary() -> list[bytes]:
    """Names that readers look for, and what breaks numbers."""
    return [
        b"mkpts0_f",
        b"matches",
        b"size0",
        b"-1",
        b"nan",
        b"1e999",
        b"\n\n",
        b"# ",
        b"\xff",
        b"99999999999999999999",
    ]


def one_input(data: bytes) -> None:
    """Read the bytes as a file by its content, and as a text model."""
    for path in (_PATH, _IMAGES):
        with open(path, "wb") as file:
            file.write(data)
    with open(_CAMERAS, "w", encoding="utf-8") as file:
        file.write("1 PINHOLE 640 480\n")
    for path in (_PATH, _IMAGES):
        try:
            matches = pc.read_matches(path)
        except ValueError as error:
            if not str(error).startswith(path):
                raise
            continue
        try:
            program = pc.correspondence(matches, size0=(9, 9), size1=(9, 9), outside="clip")
        except ValueError:  # such as confidences that are not finite
            continue
        assert pc.parse(str(program)) == program


def _npz(**arrays: object) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _database() -> bytes:
    path = os.path.join(_DIRECTORY, "seed.db")
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE cameras (camera_id INTEGER PRIMARY KEY, width INTEGER, height INTEGER);"
        "CREATE TABLE images (image_id INTEGER PRIMARY KEY, name TEXT, camera_id INTEGER);"
        "CREATE TABLE keypoints (image_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER, data BLOB);"
        "CREATE TABLE matches (pair_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER, data BLOB);"
        "CREATE TABLE two_view_geometries (pair_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER, data BLOB);"
        "INSERT INTO cameras VALUES (1, 640, 480); INSERT INTO images VALUES (1, 'a', 1), (2, 'b', 1);"
    )
    for image in (1, 2):
        connection.execute("INSERT INTO keypoints VALUES (?, 3, 2, ?)", (image, _POINTS.tobytes()))
    indices = np.array([[0, 1], [2, 0]], np.uint32).tobytes()
    connection.execute("INSERT INTO matches VALUES (?, 2, 2, ?)", (2**31 + 1, indices))
    connection.commit()
    connection.close()
    with open(path, "rb") as file:
        return file.read()
