"""What an OpenEXR file's header says, checked against the file before its library takes memory for it.

The library reads on behind damage: it writes to the terminal, and may leave pixels out. So truncation is found here.
"""

from __future__ import annotations

import math
import struct
from typing import NamedTuple

import numpy as np

_VERSION = 2
_FLAGS = {0x800: "deep pixels", 0x1000: "several parts"}
_TILED = 0x200
_TILES = struct.Struct("<IIB")
_DTYPES = {0: "u4", 1: "f2", 2: "f4"}
_LINES_PER_CHUNK = (1, 1, 1, 16, 32, 16, 32, 32, 32, 256)  # none, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA, DWAB
_MAX_RATIO, _MAX_RATIO_OF_DWA = 2 * 1032, 2**17  # deflate's, with what PXR24 leaves out; DWA's, run lengths in deflate
_FIRST_DWA = 8
_LARGEST_USUAL_TILE = 4096


class Channel(NamedTuple):
    """A channel's type, and whether it has a value for every pixel."""

    dtype: np.dtype[np.generic]
    is_whole: bool


class Header(NamedTuple):
    """The size of the pixels that are stored (the data window), and the channels."""

    width: int
    height: int
    channels: dict[str, Channel]


class _Attributes(NamedTuple):
    values: dict[str, bytes]
    end: int
    is_tiled: bool

    def require(self, name: str, size: int) -> bytes:
        value = self.values.get(name, b"")
        if len(value) < size:
            raise ValueError(f"the OpenEXR header has no whole {name!r}")
        return value


def read_header(content: bytes) -> Header:
    """Read the header, and check that the file holds all that it says."""
    try:
        attributes = _read_attributes(content)
        header = _describe(attributes)
        _check_chunks(content, attributes, header)
    except (struct.error, UnicodeDecodeError) as error:
        raise ValueError(f"the OpenEXR header is truncated or damaged: {error}") from error
    return header


def _read_attributes(content: bytes) -> _Attributes:
    (version,) = struct.unpack_from("<I", content, 4)
    if version & 0xFF != _VERSION:
        raise ValueError(f"OpenEXR files of version {_VERSION} are supported, this one has {version & 0xFF}")
    for flag, description in _FLAGS.items():
        if version & flag:
            raise ValueError(f"OpenEXR files with {description} are not supported: save one flat part by itself")
    values: dict[str, bytes] = {}
    position = 8
    while True:
        name, position = _read_text(content, position)
        if not name:
            return _Attributes(values, position, bool(version & _TILED))
        _, position = _read_text(content, position)
        (size,) = struct.unpack_from("<I", content, position)
        position += 4
        if position + size > len(content):
            raise ValueError(f"the OpenEXR header is truncated: its {name!r} has {size} bytes")
        values[name] = content[position : position + size]
        position += size


def _read_text(content: bytes, start: int) -> tuple[str, int]:
    end = content.find(b"\0", start, start + 256)
    if end < 0:
        raise ValueError("the OpenEXR header is truncated or damaged: a name has no end")
    return content[start:end].decode("utf-8"), end + 1


def _describe(attributes: _Attributes) -> Header:
    left, top, right, bottom = struct.unpack_from("<4i", attributes.require("dataWindow", 16))
    width, height = right - left + 1, bottom - top + 1
    if width < 1 or height < 1:
        raise ValueError(f"an OpenEXR file's sides must be positive, this one is {width}×{height}")
    return Header(width, height, _read_channels(attributes.require("channels", 1)))


def _read_channels(listing: bytes) -> dict[str, Channel]:
    channels = {}
    name, position = _read_text(listing, 0)
    while name:
        pixel_type, x_sampling, y_sampling = struct.unpack_from("<i4xii", listing, position)
        if pixel_type not in _DTYPES or x_sampling < 1 or y_sampling < 1:
            raise ValueError(f"the OpenEXR header is damaged: channel {name!r} has the type {pixel_type}")
        channels[name] = Channel(np.dtype(_DTYPES[pixel_type]), x_sampling == y_sampling == 1)
        name, position = _read_text(listing, position + 16)
    if not channels:
        raise ValueError("the OpenEXR file has no channel")
    return channels


def _check_chunks(content: bytes, attributes: _Attributes, header: Header) -> None:
    """Find every chunk inside the file, and enough in them for the size that is claimed."""
    compression = attributes.require("compression", 1)[0]
    if compression >= len(_LINES_PER_CHUNK):
        raise ValueError(f"the OpenEXR file's compression {compression} is not supported")
    count = _chunk_count(attributes, header, _LINES_PER_CHUNK[compression])
    if attributes.end + 8 * count > len(content):
        raise ValueError(f"the OpenEXR file is truncated: its table of {count} chunks is not whole")
    leader = struct.Struct("<16xI" if attributes.is_tiled else "<4xI")
    stored = 0
    for offset in np.frombuffer(content, "<u8", count, attributes.end).tolist():
        if offset < attributes.end or offset + leader.size > len(content):
            raise ValueError(f"the OpenEXR file is truncated or incomplete: a chunk is said to start at byte {offset}")
        (size,) = leader.unpack_from(content, offset)
        if offset + leader.size + size > len(content):
            raise ValueError(f"the OpenEXR file is truncated: the chunk at byte {offset} has {size} bytes")
        stored += size
    bytes_per_pixel = sum(channel.dtype.itemsize for channel in header.channels.values() if channel.is_whole)
    ratio = _MAX_RATIO_OF_DWA if compression >= _FIRST_DWA else _MAX_RATIO
    if header.width * header.height * bytes_per_pixel > min(stored, len(content)) * ratio:
        raise ValueError(
            f"the OpenEXR file claims {header.width}×{header.height} pixels, which {stored} bytes cannot hold"
        )


def _chunk_count(attributes: _Attributes, header: Header, lines: int) -> int:
    if not attributes.is_tiled:
        return math.ceil(header.height / lines)
    tiles: tuple[int, int, int] = _TILES.unpack_from(attributes.require("tiles", _TILES.size))
    columns, rows, mode = tiles
    if mode & 0xF:
        raise ValueError("OpenEXR files of several resolutions are not supported: save one by itself")
    # A tile of the edge is cut off; one that is larger than the image would make the library take memory for it.
    if not (
        0 < columns <= max(header.width, _LARGEST_USUAL_TILE) and 0 < rows <= max(header.height, _LARGEST_USUAL_TILE)
    ):
        raise ValueError(f"the OpenEXR file is damaged: its tiles are {columns}×{rows}")
    return math.ceil(header.width / columns) * math.ceil(header.height / rows)
