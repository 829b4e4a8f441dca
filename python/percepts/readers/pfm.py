"""PFM: float32 from the bottom row to the top one, greyscale (Pf) as depth, colour (PF) as flow.

The sign of the scale in the header is the byte order. Its size is ignored, as the readers of Middlebury's and Scene
Flow's files ignore it: writers put 1 or 1/255 there, whatever the values.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percepts.readers.field_file import FieldFile
from percepts.readers.netpbm import SPACE

_NUMBER = rb"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_HEADER = re.compile(
    rb"P([fF])" + SPACE + rb"(\d{1,9})" + SPACE + rb"(\d{1,9})" + SPACE + _NUMBER + rb"(\r\n|[ \t\n\v\f\r])"
)


def decode_depth(content: bytes, path: str) -> FieldFile:
    """Decode H×W float32 of a greyscale file."""
    return FieldFile(data=_decode(content, b"f")[..., 0], format="pfm", path=path)


def decode_flow(content: bytes, path: str) -> FieldFile:
    """Decode H×W×2 float32 of a colour file: u and v are its first two channels, the third is not looked at."""
    return FieldFile(data=_decode(content, b"F")[..., :2].copy(), format="pfm", path=path)


def _decode(content: bytes, kind: bytes) -> NDArray[np.float32]:
    header = _HEADER.match(content)
    if header is None:
        raise ValueError("the PFM header is truncated or damaged: it has the words Pf or PF, width, height, scale")
    if header[1] != kind:
        raise ValueError(
            "flow as PFM must be a colour file (PF: u, v and a third channel), this one is greyscale (Pf)"
            if kind == b"F"
            else "depth must be a greyscale PFM (Pf), this one is a colour file (PF; Scene Flow's flow is stored so: "
            "read_flow)"
        )
    width, height, scale = int(header[2]), int(header[3]), float(header[4])
    if not (width and height and scale):
        raise ValueError(f"a PFM has positive sides and a scale that is not 0, this one has {width}×{height}, {scale}")
    shape = (height, width, 3 if kind == b"F" else 1)
    return _values(content, _body_start(content, header, shape), shape, "<f4" if scale < 0 else ">f4")


def _body_start(content: bytes, header: re.Match[bytes], shape: tuple[int, int, int]) -> int:
    """Find where the values start; a line feed behind a carriage return may end the header or be one of their bytes."""
    size = 4 * shape[0] * shape[1] * shape[2]
    start = len(content) - size
    if start not in (header.start(5) + 1, header.end()):
        found = len(content) - header.end()
        raise ValueError(f"a PFM of {shape[1]}×{shape[0]} pixels has {size} bytes of them, this one has {found}")
    return start


def _values(content: bytes, start: int, shape: tuple[int, int, int], dtype: str) -> NDArray[Any]:
    bottom_up = np.frombuffer(content, dtype, offset=start).reshape(shape)
    return bottom_up[::-1].astype(np.float32)
