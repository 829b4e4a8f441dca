"""Readers of the files that vision tools' outputs are kept in, one file per format."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping
from typing import NamedTuple

from percepts._options import as_integer
from percepts.readers import coco, compressed_depth, exr, flo, jpeg, kitti, npy, npz, pfm, pgm, png, ppm, tiff
from percepts.readers.content import FORMATS, HEAD_SIZE, recognise
from percepts.readers.detection_file import DetectionFile
from percepts.readers.field_file import FieldFile

__all__ = ["DetectionFile", "FieldFile", "read_depth", "read_detections", "read_flow", "read_image", "read_labels"]

_Decoder = Callable[[bytes, str], FieldFile]
_NamedDecoder = Callable[[bytes, str, str | None], FieldFile]


class _Formats(NamedTuple):
    """The formats that a function reads: those of one field, and those of several, which have names."""

    single: Mapping[str, _Decoder]
    named: Mapping[str, _NamedDecoder]
    listing: str


_DEPTH = _Formats(
    {"npy": npy.decode_depth, "png": png.decode_depth, "pgm": pgm.decode_depth, "pfm": pfm.decode_depth},
    {
        "npz": npz.decode_depth,
        "tiff": tiff.decode_depth,
        "exr": exr.decode_depth,
        "compressedDepth": compressed_depth.decode_depth,
    },
    "read_depth reads .npy, .npz, greyscale PNG, PGM, PFM and TIFF, OpenEXR and ROS compressedDepth",
)
_FLOW = _Formats(
    {"npy": npy.decode_flow, "flo": flo.decode_flow, "png": kitti.decode_flow, "pfm": pfm.decode_flow},
    {"npz": npz.decode_flow, "tiff": tiff.decode_flow, "exr": exr.decode_flow},
    "read_flow reads .npy, .npz, .flo, KITTI's 16-bit RGB PNG, colour PFM, TIFF of two channels and OpenEXR",
)

_LABELS = _Formats(
    {"npy": npy.decode_labels, "png": png.decode_labels},
    {"npz": npz.decode_labels},
    "read_labels reads PNG with a palette or greyscale, .npy and .npz",
)
_IMAGE = _Formats(
    {"png": png.decode_image, "jpeg": jpeg.decode_image, "pgm": pgm.decode_image, "ppm": ppm.decode_image},
    {},
    "read_image reads PNG, JPEG, PGM and PPM, grey or RGB of 8 bits",
)


def read_depth(path: str | os.PathLike[str], name: str | None = None) -> FieldFile:
    """Read a depth map from a file.

    The format is found from the file's content, not from its name. Nothing is scaled and nothing is guessed:
    units, holes and kinds of depth are said to `percepts.depth`. Rows come from top to bottom, also from PFM;
    an orientation that PNG (eXIf) or TIFF states is applied, so that the map is upright.

    ========================  =======================================================================
    .npy, .npz                bool, integers or floating-point numbers, H×W; 1×H×W and H×W×1 lose the
                              singleton dimension
    PNG                       greyscale of 8 or 16 bits: uint8, uint16
    PGM                       P2 and P5: uint8, or uint16 where the stated maximum is above 255
    PFM                       greyscale (Pf): float32; the size of the scale is ignored
    TIFF                      one channel: integers of 8 to 64 bits, floating point of 16 to 64
    OpenEXR                   a channel: float16, float32 or uint32, of the data window
    ROS compressedDepth       a message's payload, PNG or RVL: 32FC1 as float32 with NaN where unknown,
                              16UC1 as uint16
    ========================  =======================================================================

    Parameters
    ----------
    path
        The file.
    name
        Which field of a file that can hold several: an array of .npz; a channel of OpenEXR (left out: the only
        one, ``Z``, or the only one called z, depth, disparity, disp or distance behind the last dot); a page of
        TIFF by its name or its number from ``"0"`` on; the encoding of compressedDepth, ``"16UC1"`` or
        ``"32FC1"`` (left out: 16UC1 where both parameters are 0).

    Returns
    -------
    FieldFile
        ``data`` is H×W with the values as stored, in native byte order. ``units`` is ``"millimetres"`` or
        ``"metres"`` for compressedDepth, else None: no other format states them. ``mask`` is False where a TIFF
        has the value that GDAL's tag names as missing, else None.

    Raises
    ------
    ValueError
        If the file is not a whole depth map in a supported format, or `name` does not choose one field of it;
        the message starts with the path and, where a name is missing, lists those there are.
    TypeError
        If `path` is neither a string nor an `os.PathLike` of one, or `name` is not a string.
    OSError
        If the file cannot be read: `FileNotFoundError`, `IsADirectoryError`, ….
    ImportError
        If imagecodecs, which reads PNG and TIFF, or OpenEXR is needed and not installed:
        ``pip install "percepts[readers]"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "room.npy"
    >>> np.save(path, np.array([[[800, 950], [0, 1200]]], dtype=np.uint16))
    >>> read_depth(path).data
    array([[ 800,  950],
           [   0, 1200]], dtype=uint16)

    Of a file that holds several fields one is chosen by its name:

    >>> np.savez(path.with_suffix(".npz"), near=np.eye(2), far=np.zeros((2, 2)))
    >>> read_depth(path.with_suffix(".npz"), name="near").data
    array([[1., 0.],
           [0., 1.]])
    """
    return _read(path, name, _DEPTH)


def read_flow(path: str | os.PathLike[str], name: str | None = None) -> FieldFile:
    """Read optical flow from a file.

    The format is found from the file's content, not from its name.

    ==============  =================================================================================
    .npy, .npz      H×W×2 or 2×H×W in the stored dtype; 1×H×W×2 loses the singleton dimension
    .flo            Middlebury's: float32
    PNG             KITTI's 16-bit RGB: float32
    PFM             colour (PF), as Scene Flow's data sets have it: u and v are the first two channels,
                    the third is not looked at; float32
    TIFF            two channels: integers or floating point
    OpenEXR         a pair of channels: float16, float32 or uint32, of the data window
    ==============  =================================================================================

    Parameters
    ----------
    path
        The file.
    name
        Which field of a file that can hold several: an array of .npz; a page of TIFF by its name or its number
        from ``"0"`` on; what stands before ``.u`` and ``.v`` (or ``.x`` and ``.y``) in OpenEXR's channels, such
        as ``"forward.left"`` (left out: the only pair u and v).

    Returns
    -------
    FieldFile
        ``data`` holds (u, v) in pixels, u to the right and v downwards, H×W×2 or, from .npy and .npz, 2×H×W, in
        native byte order. ``mask`` is H×W, False where .flo has its unknown-flow value (above 1e9) or a number
        that is not finite, and where KITTI's valid channel is 0; None for the others. ``units`` is ``"pixels"``
        for .flo and KITTI, which define it, else None.

    Raises
    ------
    ValueError
        If the file is not a whole flow field in a supported format, or `name` does not choose one field of it;
        the message starts with the path and, where a name is missing, lists those there are.
    TypeError
        If `path` is neither a string nor an `os.PathLike` of one, or `name` is not a string.
    OSError
        If the file cannot be read: `FileNotFoundError`, `IsADirectoryError`, ….
    ImportError
        If imagecodecs, which reads PNG and TIFF, or OpenEXR is needed and not installed:
        ``pip install "percepts[readers]"``.

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
    return _read(path, name, _FLOW)


def read_detections(path: str | os.PathLike[str], image: int | str | None = None) -> DetectionFile:
    """Read the detections of one image from a file in COCO's JSON.

    The file is a list of results, ``[{"image_id": …, "category_id": …, "bbox": [x, y, width, height], "score": …}]``,
    or a whole data set, an object with ``annotations`` and, where it has them, ``images`` and ``categories``.

    Parameters
    ----------
    path
        The file.
    image
        Id of the image, or its ``file_name`` in ``images``. A file of one image needs none.

    Returns
    -------
    DetectionFile
        What `percepts.detection` takes. Boxes are turned into corners, in pixels. ``scores`` is None where no
        annotation of the image has one. ``names`` and ``size`` are what ``categories`` and ``images`` say; a list
        of results says neither, and ``names`` of the data set's own file may be given as ``class_names``.

    Raises
    ------
    ValueError
        If the file is not in this format, or `image` does not choose one of its images; the message starts with the
        path, and names the entry or lists the images there are.
    TypeError
        If `path` is neither a string nor an `os.PathLike` of one, or `image` is neither an int nor a str.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "results.json"
    >>> path.write_text('[{"image_id": 42, "category_id": 18, "bbox": [10, 20, 30.5, 40], "score": 0.75}]')
    80
    >>> found = read_detections(path)
    >>> found.boxes, found.scores, found.labels
    (array([[10. , 20. , 40.5, 60. ]]), array([0.75]), array([18]))
    """
    location = _location(path)
    if image is not None and not isinstance(image, str):
        image = as_integer(image, "image")
    with open(location, "rb") as file:
        try:
            return coco.decode(file.read(), location, image)
        except ValueError as error:
            raise ValueError(f"{location}: {error}") from error


def read_image(path: str | os.PathLike[str]) -> FieldFile:
    """Read a grey or RGB image of 8 bits from a PNG, JPEG, PGM or PPM file, upright.

    The format is found from the file's content, not from its name. An orientation that the file states (Exif) is
    applied. Colour profiles are not. PGM and PPM are read in bytes and in text; the maximum that they state, which is
    white, becomes 255.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    FieldFile
        ``data`` is uint8, H×W or H×W×3.

    Raises
    ------
    ValueError
        If the file is not a whole image in a supported format; the message starts with the path.
    TypeError
        If `path` is neither a string nor an `os.PathLike` of one.
    OSError
        If the file cannot be read.
    ImportError
        If imagecodecs, which reads PNG, or Pillow, which reads JPEG, is needed and not installed:
        ``pip install "percepts[readers]"``.
    """
    return _read(path, None, _IMAGE)


def read_labels(path: str | os.PathLike[str], name: str | None = None) -> FieldFile:
    """Read a label map from a file.

    The format is found from the file's content, not from its name. An orientation that a PNG states (eXIf) is applied,
    so that the map is upright.

    ==============  =================================================================================
    PNG             with a palette: the index is the label, uint8; greyscale of up to 8 bits: uint8, of
                    16 bits: uint16
    .npy, .npz      bool or integers, H×W; 1×H×W and H×W×1 lose the singleton dimension
    ==============  =================================================================================

    Parameters
    ----------
    path
        The file.
    name
        Which array of a .npz that holds several.

    Returns
    -------
    FieldFile
        ``data`` is H×W with the labels as stored, in native byte order.

    Raises
    ------
    ValueError
        If the file is not a whole label map in a supported format, or `name` does not choose one; the message starts
        with the path.
    TypeError
        If `path` is neither a string nor an `os.PathLike` of one, or `name` is not a string.
    OSError
        If the file cannot be read: `FileNotFoundError`, `IsADirectoryError`, ….
    ImportError
        If imagecodecs, which reads PNG, is needed and not installed: ``pip install "percepts[readers]"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "classes.npy"
    >>> np.save(path, np.array([[7, 7, 255]], dtype=np.uint8))
    >>> read_labels(path).data
    array([[  7,   7, 255]], dtype=uint8)
    """
    return _read(path, name, _LABELS)


def read_maps(path: str) -> dict[str, FieldFile]:
    """Read all arrays of a .npz, maps by their names."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        format_name = recognise(content[:HEAD_SIZE])
        if format_name != "npz":
            raise ValueError(f"named maps are read from a .npz archive, this is {FORMATS[format_name].description}")
        return npz.decode_maps(content, path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _location(path: str | os.PathLike[str]) -> str:
    location = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(location, str):
        raise TypeError(f"path must be a str or an os.PathLike of str, it is {type(location).__name__}")
    if "\0" in location:
        raise ValueError(f"path must have no null character, got {location!r}")
    return location


def _read(path: str | os.PathLike[str], name: str | None, formats: _Formats) -> FieldFile:
    location = _location(path)
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a str or None, it is {type(name).__name__}")
    with open(location, "rb") as file:
        head = file.read(HEAD_SIZE)
        try:
            decode = _choose_decoder(head, name, formats)
            return decode(head + file.read(), location)
        except ValueError as error:
            raise ValueError(f"{location}: {error}") from error


def _choose_decoder(head: bytes, name: str | None, formats: _Formats) -> _Decoder:
    try:
        format_name = recognise(head)
    except ValueError as error:
        raise ValueError(f"{error}; {formats.listing}") from None
    if format_name in formats.named:
        decode = formats.named[format_name]
        return lambda content, path: decode(content, path, name)
    description = FORMATS[format_name].description
    if format_name not in formats.single:
        raise ValueError(f"this is {description}; {formats.listing}")
    if name is not None:
        raise ValueError(f"{description} holds one field and takes no name, {name!r} was given")
    return formats.single[format_name]


def takes_depth(head: bytes) -> bool:
    """Tell from a file's first `HEAD_SIZE` bytes whether `read_depth` is to open it."""
    return _takes(head, _DEPTH, png.DEPTH_KINDS)


def takes_detections(head: bytes) -> bool:
    """Tell from a file's first bytes whether `read_detections` is to open it: a list or an object in JSON."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"[", b"{"))


def takes_flow(head: bytes) -> bool:
    """Tell from a file's first `HEAD_SIZE` bytes whether `read_flow` is to open it."""
    return _takes(head, _FLOW, (kitti.FLOW_KIND,))


def takes_labels(head: bytes) -> bool:
    """Tell from a file's first `HEAD_SIZE` bytes whether `read_labels` is to open it."""
    return _takes(head, _LABELS, png.LABEL_KINDS)


def takes_maps(head: bytes) -> bool:
    """Tell from a file's first bytes whether `read_maps` is to open it."""
    return head.startswith(FORMATS["npz"].signatures)


def _takes(head: bytes, formats: _Formats, png_kinds: Container[png.PngKind]) -> bool:
    try:
        format_name = recognise(head)
    except ValueError:
        return False
    if format_name != "png":
        return format_name in formats.single or format_name in formats.named
    try:
        return png.png_kind(head) in png_kinds
    except ValueError:
        return True  # damaged: the reader says how
