"""PGM: greyscale of 8 or 16 bits, in bytes (P5) or in text (P2), as depth; of 8 bits as an image."""

from __future__ import annotations

from percepts.readers import netpbm
from percepts.readers.field_file import FieldFile


def decode_depth(content: bytes, path: str) -> FieldFile:
    """Decode uint8, or uint16 where the maximum that the header states is above 255."""
    samples, _ = netpbm.decode_samples(content, netpbm.PGM)
    return FieldFile(data=samples, format="pgm", path=path)


def decode_image(content: bytes, path: str) -> FieldFile:
    """Decode a grey image."""
    return FieldFile(data=netpbm.decode_image(content, netpbm.PGM), format="pgm", path=path)
