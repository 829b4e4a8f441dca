"""JPEG: images, read by Pillow, which tells when one ends too early."""

from __future__ import annotations

import io
import struct
import warnings

import numpy as np

from percepts.readers.extra import import_library
from percepts.readers.field_file import FieldFile
from percepts.readers.orientation import UPRIGHT, upright
from percepts.readers.tiff_tags import exif_orientation

_MODES = ("L", "RGB")
_EXIF_HEAD = b"Exif\0\0"


def decode_image(content: bytes, path: str) -> FieldFile:
    """Decode a grey or RGB image, upright."""
    pillow = import_library("PIL.Image", "JPEG")
    try:
        # Pillow warns about Exif data and sizes; what matters of these is an error here.
        with warnings.catch_warnings(action="ignore"), pillow.open(io.BytesIO(content), formats=["JPEG"]) as image:
            mode, exif = image.mode, image.info.get("exif", b"")
            pixels = np.asarray(image) if mode in _MODES else None
    except (OSError, SyntaxError, ValueError, IndexError, struct.error, pillow.DecompressionBombError) as error:
        raise ValueError(f"the JPEG cannot be decoded: {error}") from error
    if pixels is None:
        raise ValueError(f"an image must be a grey or RGB JPEG, this one is {mode}")
    orientation = exif_orientation(exif.removeprefix(_EXIF_HEAD)) if exif else UPRIGHT
    return FieldFile(data=upright(pixels, orientation), format="jpeg", path=path)
