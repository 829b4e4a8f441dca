"""PNG: greyscale of 8 or 16 bits as depth, and the decoding that KITTI flow and compressedDepth share."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from percepts.readers.content import FORMATS
from percepts.readers.extra import import_library
from percepts.readers.field_file import FieldFile
from percepts.readers.orientation import UPRIGHT, upright
from percepts.readers.tiff_tags import exif_orientation

GREY, RGB, PALETTE = 0, 2, 3
_COLOUR_TYPES = {GREY: "greyscale", RGB: "RGB", PALETTE: "palette", 4: "greyscale with alpha", 6: "RGBA"}
_CHANNELS = {GREY: 1, RGB: 3}
_SIGNATURE = FORMATS["png"].signatures[0]
_IHDR_SIZE = 13
_MAX_SIDE = 1_000_000  # libpng's own limit
_MAX_DEFLATE_RATIO = 1032  # a property of the format: no stream expands more


class PngKind(NamedTuple):
    """How a PNG stores its pixels."""

    colour_type: int
    bit_depth: int

    def __str__(self) -> str:
        colour = _COLOUR_TYPES.get(self.colour_type, f"colour type {self.colour_type}")
        return f"{self.bit_depth}-bit {colour}"


DEPTH_KINDS = (PngKind(GREY, 8), PngKind(GREY, 16))
"""The kinds that hold depth."""


def decode_depth(content: bytes, path: str) -> FieldFile:
    """Decode a greyscale PNG, upright; 16 bits stay 16 bits."""
    kind = png_kind(content)
    if kind not in DEPTH_KINDS:
        raise ValueError(f"depth must be a greyscale PNG of 8 or 16 bits, this one is {kind}{_hint(kind)}")
    pixels = upright(decode_pixels(content, kind), png_orientation(content))
    return FieldFile(data=pixels, format="png", path=path)


def _hint(kind: PngKind) -> str:
    if kind == PngKind(RGB, 16):
        return " (KITTI flow is stored so: read_flow)"
    if kind.colour_type == PALETTE:
        return ": a palette holds colours, such as a drawing of depth; store the values themselves as 16-bit greyscale"
    if kind.colour_type == GREY:
        return ": store the values as 8-bit or 16-bit greyscale"
    return ": its pixels are colours, or have an alpha channel; store the values themselves as 16-bit greyscale"


def png_kind(content: bytes) -> PngKind:
    """Return the colour type and the bit depth that the header states."""
    if len(content) < len(_SIGNATURE) + 8 + _IHDR_SIZE:
        raise ValueError(f"the PNG is truncated: it is {len(content)} bytes long")
    length, name = struct.unpack_from(">I4s", content, len(_SIGNATURE))
    if (length, name) != (_IHDR_SIZE, b"IHDR"):
        raise ValueError(f"a PNG starts with an IHDR chunk, this one with {name!r}")
    bit_depth, colour_type = content[24], content[25]
    return PngKind(colour_type, bit_depth)


def decode_pixels(content: bytes, kind: PngKind) -> NDArray[Any]:
    """Decode the pixels as stored, H×W or H×W×3, of a PNG whose `kind` the caller has accepted."""
    png_decode = import_library("imagecodecs", "PNG").png_decode
    pixel_chunks = _pixel_chunks(content)
    width, height = _image_size(content)
    _check_claimed_size(width, height, kind, sum(map(len, pixel_chunks)))
    try:
        pixels: NDArray[Any] = png_decode(b"".join([_SIGNATURE, *pixel_chunks]))
    except (RuntimeError, ValueError) as error:
        raise ValueError(f"the PNG cannot be decoded: {error}") from error
    shape = (height, width) if kind.colour_type == GREY else (height, width, 3)
    dtype = np.dtype(f"u{kind.bit_depth // 8}")
    if pixels.shape != shape or pixels.dtype != dtype:
        raise ValueError(f"the PNG decoder gave {pixels.dtype} of shape {pixels.shape} for {dtype} of shape {shape}")
    return pixels


def png_orientation(content: bytes) -> int:
    """Return the orientation that the eXIf chunk states, 1 where there is none."""
    for name, chunk in _chunks(content):
        if name == b"eXIf":
            (checksum,) = struct.unpack_from(">I", chunk, len(chunk) - 4)
            if zlib.crc32(chunk[4:-4]) != checksum:
                raise ValueError("the PNG's eXIf chunk is damaged: its checksum is wrong")
            return exif_orientation(chunk[8:-4])
    return UPRIGHT


def _pixel_chunks(content: bytes) -> list[bytes]:
    """Return the chunks that the stored values need.

    The others speak of display. Left in, a decoder would act on them (transparency becomes a channel) or
    write warnings about them.
    """
    kept = []
    for name, chunk in _chunks(content):
        if name == b"tRNS":
            raise ValueError("the PNG marks a colour as transparent (tRNS), which is not supported")
        is_critical = not name[0] & 0x20
        if is_critical and name != b"PLTE":
            kept.append(chunk)
    return kept


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name of each chunk and the whole chunk, up to IEND; what follows is not part of the image."""
    position, name = len(_SIGNATURE), b""
    while name != b"IEND":
        if position + 12 > len(content):
            raise ValueError(f"the PNG is truncated: its {len(content)} bytes have no IEND chunk")
        length, name = struct.unpack_from(">I4s", content, position)
        end = position + 12 + length
        if end > len(content):
            raise ValueError(f"the PNG is truncated: chunk {name!r} ends at byte {end}, the file at {len(content)}")
        yield name, content[position:end]
        position = end


def _image_size(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", content, 16)
    if not (0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE):
        raise ValueError(f"a PNG's sides must be 1 to {_MAX_SIDE} pixels long, this one is {width}×{height}")
    compression, filtering, interlace = content[26:29]
    if compression or filtering or interlace > 1:
        raise ValueError(
            f"the PNG header is damaged: compression {compression}, filter {filtering}, interlace {interlace}"
        )
    return width, height


def _check_claimed_size(width: int, height: int, kind: PngKind, stored: int) -> None:
    """Refuse a size that the stored bytes cannot fill, before memory is taken for it."""
    claimed = width * height * _CHANNELS[kind.colour_type] * kind.bit_depth // 8
    if claimed > stored * _MAX_DEFLATE_RATIO:
        raise ValueError(f"the PNG claims {width}×{height} pixels, which {stored} bytes cannot hold")
