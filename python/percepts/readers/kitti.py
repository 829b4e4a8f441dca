"""KITTI flow: a 16-bit RGB PNG of u, v and valid."""

from __future__ import annotations

import numpy as np

from percepts.readers.field_file import FieldFile
from percepts.readers.orientation import require_upright_flow
from percepts.readers.png import RGB, PngKind, decode_pixels, png_kind, png_orientation

_ZERO = np.float32(2**15)
_STEPS_PER_PIXEL = np.float32(64)

FLOW_KIND = PngKind(RGB, 16)
"""The kind that holds flow."""


def decode_flow(content: bytes, path: str) -> FieldFile:
    """Decode u and v (exact in float32); a pixel whose third channel is 0 is not valid."""
    kind = png_kind(content)
    if kind != FLOW_KIND:
        raise ValueError(f"flow as PNG must be KITTI's 16-bit RGB (u, v, valid), this one is {kind}")
    require_upright_flow(png_orientation(content))
    pixels = decode_pixels(content, kind)
    flow = (pixels[..., :2].astype(np.float32) - _ZERO) / _STEPS_PER_PIXEL
    return FieldFile(data=flow, format="kitti", units="pixels", mask=pixels[..., 2] != 0, path=path)
