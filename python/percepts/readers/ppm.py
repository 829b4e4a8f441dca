"""PPM: RGB images of 8 bits, in bytes (P6) or in text (P3)."""

from __future__ import annotations

from percepts.readers import netpbm
from percepts.readers.field_file import FieldFile


def decode_image(content: bytes, path: str) -> FieldFile:
    """Decode an RGB image."""
    return FieldFile(data=netpbm.decode_image(content, netpbm.PPM), format="ppm", path=path)
