"""JPEG: images, read by Pillow, which tells when one ends too early."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np

from percepts.readers.extra import import_library
from percepts.readers.field_file import FieldFile
from percepts.readers.orientation import UPRIGHT, upright
from percepts.readers.quiet import without_warnings
from percepts.readers.tiff_tags import exif_orientation

_MODES = ("L", "RGB")
_EXIF_HEAD = b"Exif\0\0"


def decode_image(content: bytes, path: str) -> FieldFile:
    """Decode a grey or RGB image, upright."""
    pillow = import_library("PIL.Image", "JPEG")
    try:
        image = _opened(pillow, content)
        pixels = np.asarray(image)
    except (OSError, SyntaxError, ValueError, IndexError, struct.error, pillow.DecompressionBombError) as error:
        raise ValueError(f"the JPEG cannot be decoded: {error}") from error
    exif: bytes = image.info.get("exif", b"")
    orientation = exif_orientation(exif.removeprefix(_EXIF_HEAD)) if exif else UPRIGHT
    return FieldFile(data=upright(pixels, orientation), format="jpeg", path=path)


def _opened(pillow: Any, content: bytes) -> Any:
    with without_warnings():
        image = pillow.open(io.BytesIO(content), formats=["JPEG"])
    if image.mode not in _MODES:
        raise ValueError(f"an image must be a grey or RGB JPEG, this one is {image.mode}")
    return image
