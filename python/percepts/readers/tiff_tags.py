"""The directories of tags that a TIFF file, or the Exif data of another format, consists of."""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from percepts.readers.orientation import UPRIGHT, checked

ORIENTATION = 274
_ASCII = 2
_INTEGERS = {1: "u1", 3: "u2", 4: "u4", 13: "u4", 16: "u8", 18: "u8"}
_MAX_DIRECTORIES = 65536

Directory = dict[int, list[int] | str]
"""The values of the tags that were asked for."""


class _Layout(NamedTuple):
    """Byte order, and the struct codes of a directory's length, of counts and offsets: BigTIFF has longer ones."""

    order: str
    length: str
    offset: str

    @property
    def entry(self) -> struct.Struct:
        return struct.Struct(f"{self.order}HH{self.offset}")


def exif_orientation(content: bytes) -> int:
    """Return the orientation that Exif data states, 1 where it states none."""
    directories = read_directories(content, {ORIENTATION}, most=1)
    return orientation_of(directories[0])


def orientation_of(directory: Directory) -> int:
    """Return the orientation that a directory states, 1 where it states none."""
    value = directory.get(ORIENTATION, [UPRIGHT])
    if isinstance(value, str) or len(value) != 1:
        raise ValueError(f"an image's orientation must be one number, this one states {value!r}")
    return checked(value[0])


def read_directories(content: bytes, tags: set[int], most: int = _MAX_DIRECTORIES) -> list[Directory]:
    """Read those `tags` that are text or whole numbers, of every directory in the chain, or of the first `most`."""
    try:
        layout, offset = _read_header(content)
        directories: list[Directory] = []
        visited = set()
        while offset and len(directories) < most:
            if offset in visited or len(directories) == _MAX_DIRECTORIES:
                raise ValueError("the TIFF directories form a loop")
            visited.add(offset)
            directory, offset = _read_directory(content, layout, offset, tags)
            directories.append(directory)
    except struct.error as error:
        raise ValueError(f"the TIFF directories are truncated or damaged: {error}") from error
    if not directories:
        raise ValueError("the TIFF has no directory")
    return directories


def _read_header(content: bytes) -> tuple[_Layout, int]:
    order = {b"II": "<", b"MM": ">"}.get(content[:2])
    if order is None:
        raise ValueError(f"a TIFF header starts with II or MM, this one with {content[:2]!r}")
    (magic,) = struct.unpack_from(f"{order}H", content, 2)
    if magic == 43:
        return _Layout(order, "Q", "Q"), struct.unpack_from(f"{order}Q", content, 8)[0]
    if magic != 42:
        raise ValueError(f"a TIFF header has the number 42 or 43, this one has {magic}")
    return _Layout(order, "H", "I"), struct.unpack_from(f"{order}I", content, 4)[0]


def _read_directory(content: bytes, layout: _Layout, start: int, tags: set[int]) -> tuple[Directory, int]:
    if start > len(content):
        raise ValueError(f"the TIFF is truncated: a directory starts at byte {start}, the file ends at {len(content)}")
    length = struct.Struct(layout.order + layout.length)
    entry, offset = layout.entry, struct.Struct(layout.order + layout.offset)
    (count,) = length.unpack_from(content, start)
    position = start + length.size
    entry_size = entry.size + offset.size
    if position + count * entry_size > len(content):
        raise ValueError(f"the TIFF is truncated: a directory of {count} tags starts at byte {start}")
    directory: Directory = {}
    for _ in range(count):
        tag, kind, values = entry.unpack_from(content, position)
        if tag in tags:
            directory[tag] = _read_values(content, layout, tag, kind, values, position + entry.size)
        position += entry_size
    return directory, offset.unpack_from(content, position)[0]


def _read_values(content: bytes, layout: _Layout, tag: int, kind: int, count: int, position: int) -> list[int] | str:
    if kind != _ASCII and kind not in _INTEGERS:
        raise ValueError(f"the TIFF tag {tag} must hold text or whole numbers, this one is of type {kind}")
    dtype = np.dtype("S1" if kind == _ASCII else layout.order + _INTEGERS[kind])
    offset = struct.Struct(layout.order + layout.offset)
    if count * dtype.itemsize > offset.size:
        (position,) = offset.unpack_from(content, position)
    if position + count * dtype.itemsize > len(content):
        raise ValueError(f"the TIFF is truncated: its tag {tag} has {count} values from byte {position} on")
    if kind == _ASCII:
        return content[position : position + count].split(b"\0")[0].decode("utf-8", "replace")
    return [int(value) for value in np.frombuffer(content, dtype, count, position)]
