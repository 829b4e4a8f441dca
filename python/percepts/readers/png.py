"""PNG: greyscale as depth, also palettes as labels, and the decoding that KITTI flow and compressedDepth share."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from percepts.readers.content import FORMATS
from percepts.readers.extra import import_library
from percepts.readers.field_file import FieldFile
from percepts.readers.orientation import UPRIGHT, upright
from percepts.readers.tiff_tags import exif_orientation

Buffer = bytes | memoryview
Decoder = Callable[[bytes], NDArray[Any]]

GREY, RGB, PALETTE = 0, 2, 3
_COLOUR_TYPES = {GREY: "greyscale", RGB: "RGB", PALETTE: "palette", 4: "greyscale with alpha", 6: "RGBA"}
_CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1}
_COLOUR_TYPE = 25  # where the header has it
_SIGNATURE = FORMATS["png"].signatures[0]
_IHDR_SIZE = 13
_INTERLACE = 28  # where the header says whether the rows come in seven passes
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Of each pass: its first x and y, and the steps along both."""
_CRITICAL_CHUNKS = (b"IHDR", b"PLTE", b"IDAT", b"IEND")
_CHUNK_ROOM = 2**24  # the format has room for 2**31 - 1
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

IMAGE_KINDS = (PngKind(GREY, 8), PngKind(RGB, 8))
"""The kinds that hold an image to look at."""

LABEL_KINDS = (*(PngKind(colour, bits) for colour in (GREY, PALETTE) for bits in (1, 2, 4, 8)), PngKind(GREY, 16))
"""The kinds that hold labels."""


def decode_depth(content: bytes, path: str) -> FieldFile:
    """Decode a greyscale PNG, upright; 16 bits stay 16 bits."""
    kind = png_kind(content)
    if kind not in DEPTH_KINDS:
        raise ValueError(f"depth must be a greyscale PNG of 8 or 16 bits, this one is {kind}{_hint(kind)}")
    pixels = upright(decode_pixels(content, kind), png_orientation(content))
    return FieldFile(data=pixels, format="png", path=path)


def decode_image(content: bytes, path: str) -> FieldFile:
    """Decode a grey or RGB image of 8 bits, upright."""
    kind = png_kind(content)
    if kind not in IMAGE_KINDS:
        raise ValueError(f"an image must be a greyscale or RGB PNG of 8 bits, this one is {kind}")
    pixels = upright(decode_pixels(content, kind), png_orientation(content))
    return FieldFile(data=pixels, format="png", path=path)


def decode_labels(content: bytes, path: str) -> FieldFile:
    """Decode the values of a greyscale PNG, or the indices of one with a palette, upright."""
    kind = png_kind(content)
    if kind not in LABEL_KINDS:
        raise ValueError(
            f"labels must be a PNG with a palette or a greyscale one of up to 16 bits, this one is {kind}: its pixels "
            "are colours, or have an alpha channel"
        )
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
    bit_depth, colour_type = content[24], content[_COLOUR_TYPE]
    return PngKind(colour_type, bit_depth)


def decode_pixels(content: bytes, kind: PngKind) -> NDArray[Any]:
    """Decode the pixels as stored, H×W or H×W×3, of a PNG whose `kind` the caller has accepted; a palette's indices."""
    png_decode = import_library("imagecodecs", "PNG").png_decode
    compressed = _compressed_rows(content, kind)
    width, height = _image_size(content)
    _check_claimed_size(width, height, kind, len(compressed))
    rows = _inflated(compressed, _rows_size(width, height, kind, content[_INTERLACE]))
    if content[_INTERLACE]:
        pixels = _woven(rows, width, height, kind, png_decode)
    else:
        pixels = _decoded(rows, width, height, kind, png_decode)
    if kind.bit_depth < 8:  # the decoder has spread them over 0 to 255
        pixels //= 255 // (2**kind.bit_depth - 1)
    return pixels


def _decoded(rows: Buffer, width: int, height: int, kind: PngKind, png_decode: Decoder) -> NDArray[Any]:
    """Undo the filters of rows that come one after the other."""
    try:
        pixels = png_decode(_repacked(rows, width, height, kind))
    except (RuntimeError, ValueError) as error:
        raise ValueError(f"the PNG cannot be decoded: {error}") from error
    shape, dtype = _layout(width, height, kind)
    if pixels.shape != shape or pixels.dtype != dtype:
        raise ValueError(f"the PNG decoder gave {pixels.dtype} of shape {pixels.shape} for {dtype} of shape {shape}")
    return pixels


def _woven(rows: bytes, width: int, height: int, kind: PngKind, png_decode: Decoder) -> NDArray[Any]:
    """Decode the passes of an interlaced image, each of which is an image: libpng warns of one with passes."""
    pixels = np.empty(*_layout(width, height, kind))
    left = memoryview(rows)
    for x, y, step_x, step_y in _ADAM7:
        columns, lines = -(-(width - x) // step_x), -(-(height - y) // step_y)
        if columns <= 0 or lines <= 0:
            continue
        size = _pass_size(columns, lines, kind)
        pixels[y::step_y, x::step_x] = _decoded(left[:size], columns, lines, kind, png_decode)
        left = left[size:]
    return pixels


def _layout(width: int, height: int, kind: PngKind) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and dtype of decoded pixels."""
    shape = (height, width, 3) if kind.colour_type == RGB else (height, width)
    return shape, np.dtype(np.uint16 if kind.bit_depth == 16 else np.uint8)


def png_orientation(content: bytes) -> int:
    """Return the orientation that the eXIf chunk states, 1 where there is none."""
    for name, chunk in _chunks(content):
        if name == b"eXIf":
            (checksum,) = struct.unpack_from(">I", chunk, len(chunk) - 4)
            if zlib.crc32(chunk[4:-4]) != checksum:
                raise ValueError("the PNG's eXIf chunk is damaged: its checksum is wrong")
            return exif_orientation(chunk[8:-4])
    return UPRIGHT


def _compressed_rows(content: bytes, kind: PngKind) -> bytes:
    """Join what the IDAT chunks hold, and refuse what no decoder of the stored values may pass over."""
    parts = []
    for position, (name, chunk) in enumerate(_chunks(content)):
        if name == b"tRNS" and kind.colour_type != PALETTE:  # in a palette it changes no index
            raise ValueError("the PNG marks a colour as transparent (tRNS), which is not supported")
        is_critical = not name[0] & 0x20
        if is_critical and (name not in _CRITICAL_CHUNKS or (name == b"IHDR" and position)):
            raise ValueError(f"the PNG is damaged or not a PNG: it has the critical chunk {name!r}, which is not known")
        if is_critical and zlib.crc32(chunk[4:-4]) != int.from_bytes(chunk[-4:], "big"):
            raise ValueError(f"the PNG's {name.decode()} chunk is damaged: its checksum is wrong")
        if name == b"IDAT":
            parts.append(chunk[8:-4])
    if not parts:
        raise ValueError("the PNG has no pixels: it has no IDAT chunk")
    return b"".join(parts)


def _inflated(compressed: bytes, size: int) -> bytes:
    """Inflate the rows, which must be of this many bytes."""
    inflater = zlib.decompressobj()
    try:
        rows = inflater.decompress(compressed, size + 1)
    except zlib.error as error:
        raise ValueError(f"the PNG's pixels are damaged: {error}") from error
    if len(rows) != size or not inflater.eof:
        found = "more" if len(rows) > size else len(rows)
        raise ValueError(f"the PNG's pixels are damaged: they are {size} bytes by its header, {found} were found")
    return rows


def _repacked(rows: Buffer, width: int, height: int, kind: PngKind) -> bytes:
    """Make a PNG of a header and the rows alone.

    The other chunks speak of display: left in, a decoder would act on them (transparency becomes a channel, an index
    its colour) or write warnings about them. A palette's indices are greyscale without it. The rows are stored as they
    are, since inflating them twice takes time.
    """
    colour_type = GREY if kind.colour_type == PALETTE else kind.colour_type
    header = struct.pack(">IIBBBBB", width, height, kind.bit_depth, colour_type, 0, 0, 0)
    stream = memoryview(zlib.compress(rows, 0))
    parts = (stream[start : start + _CHUNK_ROOM] for start in range(0, len(stream), _CHUNK_ROOM))
    return b"".join(
        [_SIGNATURE, _chunk(b"IHDR", header), *(_chunk(b"IDAT", part) for part in parts), _chunk(b"IEND", b"")]
    )


def _chunk(name: bytes, body: Buffer) -> bytes:
    return b"".join([struct.pack(">I4s", len(body), name), body, struct.pack(">I", zlib.crc32(body, zlib.crc32(name)))])


def _rows_size(width: int, height: int, kind: PngKind, interlaced: int) -> int:
    """Bytes of all rows, each of which a byte for its filter precedes."""
    passes = _ADAM7 if interlaced else ((0, 0, 1, 1),)
    sizes = ((-(-(width - x) // step_x), -(-(height - y) // step_y)) for x, y, step_x, step_y in passes)
    return sum(_pass_size(columns, rows, kind) for columns, rows in sizes)


def _pass_size(columns: int, rows: int, kind: PngKind) -> int:
    pixel_bits = _CHANNELS[kind.colour_type] * kind.bit_depth
    return max(0, rows) * (1 + -(-columns * pixel_bits // 8)) if columns > 0 else 0


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
