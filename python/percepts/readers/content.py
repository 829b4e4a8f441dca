"""Finds a file's format by its first bytes, whatever its name."""

from __future__ import annotations

import struct
from typing import NamedTuple

HEAD_SIZE = 64
"""As many first bytes as `recognise` looks at."""


class Format(NamedTuple):
    """A format that has a reader."""

    description: str
    signatures: tuple[bytes, ...]


FORMATS = {
    "npy": Format("a .npy file", (b"\x93NUMPY",)),
    "npz": Format("a .npz archive", (b"PK\x03\x04",)),
    "png": Format("a PNG image", (b"\x89PNG\r\n\x1a\n",)),
    "jpeg": Format("a JPEG image", (b"\xff\xd8\xff",)),
    "pgm": Format("a PGM image", (b"P2", b"P5")),
    "ppm": Format("a PPM image, whose pixels are colours", (b"P3", b"P6")),
    "pfm": Format("a PFM image", (b"Pf", b"PF")),
    "tiff": Format("a TIFF image", (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")),
    "exr": Format("an OpenEXR image", (b"\x76\x2f\x31\x01",)),
    "flo": Format("a .flo file", (b"PIEH",)),
    "compressedDepth": Format("a compressedDepth payload of ROS", ()),
}
"""The formats that have a reader. The last one has no signature at its start: `_is_compressed_depth` finds it."""

OTHER_FORMATS = (
    (b"P1", "a PBM bitmap in text"),
    (b"P4", "a PBM bitmap"),
    (b"P7", "a PAM image"),
    (b"PK\x05\x06", "an empty zip archive, such as .npz"),
    (b"HEIP", "a .flo file in big-endian order"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x1f\x8b", "a gzip file"),
    (b"RIFF", "a RIFF file, such as WebP"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"\x80\x02", "a Python pickle, which is never opened"),
    (b"\x80\x03", "a Python pickle, which is never opened"),
    (b"\x80\x04", "a Python pickle, which is never opened"),
    (b"\x80\x05", "a Python pickle, which is never opened"),
    (b"version https://git-lfs", "a Git LFS pointer: the file itself was not downloaded"),
    (b"<!DOCTYPE", "an HTML page"),
    (b"<html", "an HTML page"),
)
"""Signatures of files that people have at hand and that no reader takes."""


def recognise(head: bytes) -> str:
    """Return the format (a key of `FORMATS`) of a file that starts with `head`.

    Raises
    ------
    ValueError
        If there is nothing to look at, or no reader for it; the message says what was found.
    """
    if not head:
        raise ValueError("the file is empty")
    for name, known in FORMATS.items():
        if head.startswith(known.signatures):
            return name
        if any(signature.startswith(head) for signature in known.signatures):
            raise ValueError(f"the file is truncated: it is {len(head)} bytes long")
    for signature, description in OTHER_FORMATS:
        if head.startswith(signature):
            raise ValueError(f"this is {description}, which is not supported")
    if _is_compressed_depth(head):
        return "compressedDepth"
    raise ValueError(f"the format is not known: the first bytes are {head[:8]!r}")


def _is_compressed_depth(head: bytes) -> bool:
    """Tell whether behind 12 bytes a PNG follows, or, where the first four are 0, a size that RVL may have."""
    if len(head) < 20:
        return False
    if head.startswith(FORMATS["png"].signatures, 12):
        return True
    compression, columns, rows = struct.unpack_from("<i8xII", head)
    return bool(compression == 0 and 0 < columns < 2**16 and 0 < rows < 2**16)
