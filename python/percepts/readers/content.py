"""Finds a file's format by its first bytes, whatever its name."""

from __future__ import annotations

HEAD_SIZE = 64
"""As many first bytes as `recognise` looks at."""

FORMATS = {"npy": b"\x93NUMPY", "png": b"\x89PNG\r\n\x1a\n", "flo": b"PIEH"}
"""The formats that have a reader, each with its signature."""

OTHER_FORMATS = (
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"II+\x00", "a BigTIFF image"),
    (b"MM\x00+", "a BigTIFF image"),
    (b"\x76\x2f\x31\x01", "an OpenEXR image"),
    (b"Pf", "a PFM image"),
    (b"PF", "a colour PFM image"),
    (b"P2", "a PGM image in text"),
    (b"P5", "a PGM image"),
    (b"P3", "a PPM image in text"),
    (b"P6", "a PPM image"),
    (b"P7", "a PAM image"),
    (b"PK\x03\x04", "a zip archive, such as .npz"),
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
    for name, signature in FORMATS.items():
        if head.startswith(signature):
            return name
        if signature.startswith(head):
            raise ValueError(f"the file is truncated: it is {len(head)} bytes long")
    for signature, description in OTHER_FORMATS:
        if head.startswith(signature):
            raise ValueError(f"this is {description}, which is not supported")
    raise ValueError(f"the format is not known: the first bytes are {head[:8]!r}")
