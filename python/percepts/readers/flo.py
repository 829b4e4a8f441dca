"""Middlebury's .flo: u and v as float32, with a sentinel where the flow is unknown."""

from __future__ import annotations

import struct

import numpy as np

from percepts.readers.field_file import FieldFile

_HEADER = struct.Struct("<4sii")
_BYTES_PER_PIXEL = 8
_UNKNOWN_ABOVE = np.float32(1e9)


def decode_flow(content: bytes, path: str) -> FieldFile:
    """Decode H×W×2 float32; a pixel is not valid when |u| or |v| is above 1e9 or not finite."""
    width, height = _image_size(content)
    values = np.frombuffer(content, "<f4", offset=_HEADER.size).reshape(height, width, 2)
    flow = values.astype(np.float32, copy=False)
    with np.errstate(invalid="ignore"):
        known = np.abs(flow) <= _UNKNOWN_ABOVE
    mask = known[..., 0] & known[..., 1]
    return FieldFile(data=flow, format="flo", units="pixels", mask=mask, path=path)


def _image_size(content: bytes) -> tuple[int, int]:
    if len(content) < _HEADER.size:
        raise ValueError(f"a .flo header has {_HEADER.size} bytes, the file is {len(content)} bytes long")
    _, width, height = _HEADER.unpack_from(content)
    if width <= 0 or height <= 0:
        raise ValueError(f"a .flo file's width and height must be positive, this one is {width}×{height}")
    expected = _HEADER.size + width * height * _BYTES_PER_PIXEL
    if len(content) != expected:
        raise ValueError(f"a .flo file of {width}×{height} pixels has {expected} bytes, this one has {len(content)}")
    return width, height
