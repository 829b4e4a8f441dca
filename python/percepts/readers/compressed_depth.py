"""The payload of ROS's compressedDepth messages: twelve bytes, then a 16-bit PNG or RVL.

The bytes are an int32 (the compression) and two float32 A and B. Depth of the encoding 32FC1 (metres) is stored as
v = A/depth + B, with 0 for what is unknown; depth of 16UC1 (millimetres) is stored as it is. The encoding stands in
the message, not in its payload. Writers of 16UC1 leave A and B at 0, or forget to set them.
"""

from __future__ import annotations

import math
import struct

import numpy as np
from numpy.typing import NDArray

from percepts.readers import rvl
from percepts.readers.content import FORMATS
from percepts.readers.field_file import FieldFile
from percepts.readers.png import GREY, PngKind, decode_pixels, png_kind

METRES, MILLIMETRES = "32FC1", "16UC1"
_HEADER = struct.Struct("<iff")
_RVL_SIZE = struct.Struct("<II")
_MAX_RVL_PIXELS = 2**26  # four bytes may claim any number of zeros: more than this no depth camera has


def decode_depth(content: bytes, path: str, name: str | None) -> FieldFile:
    """Decode float32 metres, NaN where unknown, or uint16 millimetres."""
    _, a, b = _HEADER.unpack_from(content)
    encoding = _encoding(a, b, name)
    stored = _stored(content[_HEADER.size :])
    if encoding == MILLIMETRES:
        return FieldFile(data=stored, format="compressedDepth", units="millimetres", path=path)
    return FieldFile(data=_metres(stored, a, b), format="compressedDepth", units="metres", path=path)


def _encoding(a: float, b: float, name: str | None) -> str:
    quantises = math.isfinite(a) and math.isfinite(b) and a >= np.finfo(np.float32).tiny and b <= 1
    if name is None:
        if a == b == 0:
            return MILLIMETRES
        if quantises:
            return METRES
        raise ValueError(
            f"the compressedDepth payload's A = {a:.9g} and B = {b:.9g} do not tell its encoding, "
            f"say name='{MILLIMETRES}'"
        )
    if name not in (METRES, MILLIMETRES):
        raise ValueError(f"name must be the payload's encoding, '{MILLIMETRES}' or '{METRES}', it is {name!r}")
    if name == METRES and not quantises:
        raise ValueError(f"a payload of {METRES} has A > 0 and B <= 1, this one has A = {a:.9g} and B = {b:.9g}")
    return name


def _metres(stored: NDArray[np.uint16], a: float, b: float) -> NDArray[np.float32]:
    """Undo the quantisation in float32, as ROS does."""
    with np.errstate(divide="ignore", over="ignore"):
        depth = np.float32(a) / (stored.astype(np.float32) - np.float32(b))
    return np.where(stored == 0, np.float32(np.nan), depth)


def _stored(payload: bytes) -> NDArray[np.uint16]:
    if not payload.startswith(FORMATS["png"].signatures):
        return _stored_as_rvl(payload)
    kind = png_kind(payload)
    if kind != PngKind(GREY, 16):
        raise ValueError(f"a compressedDepth payload holds a 16-bit greyscale PNG, this one is {kind}")
    return decode_pixels(payload, kind)


def _stored_as_rvl(payload: bytes) -> NDArray[np.uint16]:
    columns, rows = _RVL_SIZE.unpack_from(payload)
    data = payload[_RVL_SIZE.size :]
    if not 0 < columns * rows <= _MAX_RVL_PIXELS:
        raise ValueError(f"RVL data has 1 to {_MAX_RVL_PIXELS} pixels, this one claims {columns}×{rows}")
    return rvl.decode(data, columns * rows).reshape(rows, columns)
