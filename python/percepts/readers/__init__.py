"""Readers of the files that depth and flow are kept in, one file per format."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping

from percepts.readers import flo, kitti, npy, png
from percepts.readers.content import HEAD_SIZE, recognise
from percepts.readers.field_file import FieldFile

__all__ = ["FieldFile", "read_depth", "read_flow"]

_Decoders = Mapping[str, Callable[[bytes, str], FieldFile]]

_DEPTH: _Decoders = {"npy": npy.decode_depth, "png": png.decode_depth}
_FLOW: _Decoders = {"npy": npy.decode_flow, "flo": flo.decode_flow, "png": kitti.decode_flow}


def read_depth(path: str | os.PathLike[str], name: str | None = None) -> FieldFile:
    """Read a depth map from a .npy file or a greyscale PNG.

    The format is found from the file's content, not from its name. Nothing is scaled and nothing is guessed:
    units, holes and orientation are said to `percepts.depth`.

    Parameters
    ----------
    path
        The file.
    name
        An array or channel inside the file. No supported format holds several, so that it must be None.

    Returns
    -------
    FieldFile
        ``data`` is H×W with the values as stored, in native byte order: bool, integers or floating-point
        numbers from .npy (1×H×W and H×W×1 lose the singleton dimension), uint8 or uint16 from PNG. ``units``
        and ``mask`` are None: neither format states them.

    Raises
    ------
    ValueError
        If the file is not a whole depth map in a supported format, or `name` is given; the message starts
        with the path.
    TypeError
        If `path` is neither a string nor an `os.PathLike` of one.
    OSError
        If the file cannot be read: `FileNotFoundError`, `IsADirectoryError`, ….
    ImportError
        If imagecodecs, which reads PNG, is not installed: ``pip install "percepts[readers]"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "room.npy"
    >>> np.save(path, np.array([[[800, 950], [0, 1200]]], dtype=np.uint16))
    >>> read_depth(path).data
    array([[ 800,  950],
           [   0, 1200]], dtype=uint16)
    """
    return _read(path, name, _DEPTH, "read_depth reads .npy and greyscale PNG of 8 or 16 bits")


def read_flow(path: str | os.PathLike[str], name: str | None = None) -> FieldFile:
    """Read optical flow from a .npy file, a Middlebury .flo file or a KITTI PNG.

    The format is found from the file's content, not from its name.

    Parameters
    ----------
    path
        The file.
    name
        An array or channel inside the file. No supported format holds several, so that it must be None.

    Returns
    -------
    FieldFile
        ``data`` holds (u, v) in pixels, u to the right and v downwards: H×W×2 float32 from .flo and KITTI;
        from .npy H×W×2 or 2×H×W in the stored dtype, in native byte order (1×H×W×2 loses the singleton
        dimension). ``mask`` is H×W, False where .flo has its unknown-flow value (above 1e9) or a number that
        is not finite, and where KITTI's valid channel is 0; None for .npy. ``units`` is ``"pixels"``, or None
        for .npy.

    Raises
    ------
    ValueError
        If the file is not a whole flow field in a supported format, or `name` is given; the message starts
        with the path.
    TypeError
        If `path` is neither a string nor an `os.PathLike` of one.
    OSError
        If the file cannot be read: `FileNotFoundError`, `IsADirectoryError`, ….
    ImportError
        If imagecodecs, which reads PNG, is not installed: ``pip install "percepts[readers]"``.

    Examples
    --------
    >>> import pathlib, struct, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "step.flo"
    >>> path.write_bytes(struct.pack("<4sii4f", b"PIEH", 2, 1, -1.5, 0.25, 1e10, 1e10))
    28
    >>> flow = read_flow(path)
    >>> flow.data[0, 0], flow.mask
    (array([-1.5 ,  0.25], dtype=float32), array([[ True, False]]))
    """
    return _read(path, name, _FLOW, "read_flow reads .npy, .flo and KITTI's 16-bit RGB PNG")


def _read(path: str | os.PathLike[str], name: str | None, decoders: _Decoders, expected: str) -> FieldFile:
    location = os.fspath(path)
    if not isinstance(location, str):
        raise TypeError(f"path must be a str or an os.PathLike of str, it is {type(location).__name__}")
    with open(location, "rb") as file:
        head = file.read(HEAD_SIZE)
        try:
            decode = _choose_decoder(head, name, decoders, expected)
            return decode(head + file.read(), location)
        except ValueError as error:
            raise ValueError(f"{location}: {error}") from error


def _choose_decoder(
    head: bytes, name: str | None, decoders: _Decoders, expected: str
) -> Callable[[bytes, str], FieldFile]:
    try:
        format_name = recognise(head)
    except ValueError as error:
        raise ValueError(f"{error}; {expected}") from None
    if format_name not in decoders:
        raise ValueError(f"this is a .{format_name} file; {expected}")
    if name is not None:
        raise ValueError(f"a .{format_name} file holds one field and takes no name, {name!r} was given")
    return decoders[format_name]


def takes_depth(head: bytes) -> bool:
    """Tell from a file's first `HEAD_SIZE` bytes whether `read_depth` is to open it."""
    return _takes(head, _DEPTH, png.DEPTH_KINDS)


def takes_flow(head: bytes) -> bool:
    """Tell from a file's first `HEAD_SIZE` bytes whether `read_flow` is to open it."""
    return _takes(head, _FLOW, (kitti.FLOW_KIND,))


def _takes(head: bytes, decoders: _Decoders, png_kinds: Container[png.PngKind]) -> bool:
    try:
        format_name = recognise(head)
    except ValueError:
        return False
    if format_name != "png":
        return format_name in decoders
    try:
        return png.png_kind(head) in png_kinds
    except ValueError:
        return True  # damaged: the reader says how
