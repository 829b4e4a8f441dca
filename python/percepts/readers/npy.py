"""NumPy's .npy: one array with its dtype and shape.

NumPy parses the header. Its `load` is not used: it takes memory for whatever shape the header claims. Bytes
behind the values are ignored, as `load` ignores them.
"""

from __future__ import annotations

import io
import math
import reprlib
import threading
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from percepts.readers.field_file import FieldFile

_HEADER_READERS = {
    (1, 0): npy_format.read_array_header_1_0,
    (2, 0): npy_format.read_array_header_2_0,
}
_HEADER_ROOM = 2**16  # above NumPy's limit of 10 000: a header that claims gigabytes is not copied
_FILTERS_LOCK = threading.Lock()  # warnings.catch_warnings in two threads can leave its filters behind


class _Header(NamedTuple):
    shape: tuple[int, ...]
    fortran_order: bool
    dtype: np.dtype[Any]
    size: int


def decode_depth(content: bytes, path: str) -> FieldFile:
    """Decode a depth map: H×W, 1×H×W or H×W×1."""
    header = _read_header(content)
    shape = _drop_outer_singletons(header.shape, 2)
    if len(shape) != 2:
        found = reprlib.repr(header.shape)
        raise ValueError(f"a depth map has the shape H×W (or 1×H×W, H×W×1), this array has {found}")
    return FieldFile(data=_pixels(content, header, shape), format="npy", path=path)


def decode_flow(content: bytes, path: str) -> FieldFile:
    """Decode a flow field: H×W×2 or 2×H×W, or either with a leading 1."""
    header = _read_header(content)
    shape = _drop_outer_singletons(header.shape, 3)
    if len(shape) != 3 or 2 not in (shape[0], shape[2]):
        found = reprlib.repr(header.shape)
        raise ValueError(f"flow has the shape H×W×2 or 2×H×W, this array has {found}")
    return FieldFile(data=_pixels(content, header, shape), format="npy", path=path)


def decode_array(content: bytes) -> NDArray[Any]:
    """Decode an array of numbers of any shape, also without elements."""
    header = _read_header(content)
    return _values(content, header, header.shape)


def _drop_outer_singletons(shape: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    while len(shape) > ndim and shape[0] == 1:
        shape = shape[1:]
    while len(shape) > ndim and shape[-1] == 1:
        shape = shape[:-1]
    return shape


def _read_header(content: bytes) -> _Header:
    stream = io.BytesIO(content[:_HEADER_ROOM])
    if len(content) < npy_format.MAGIC_LEN:
        raise ValueError(f"the .npy header is truncated: the file is {len(content)} bytes long")
    version = npy_format.read_magic(stream)
    if version not in _HEADER_READERS:
        raise ValueError(f".npy versions 1.0 and 2.0 are supported, this is {version[0]}.{version[1]}")
    try:
        with _FILTERS_LOCK, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shape, fortran_order, dtype = _HEADER_READERS[version](stream)
    except Exception as error:  # a damaged header makes the Python parser and np.dtype raise nearly anything
        raise ValueError("the .npy header is truncated, damaged or too long") from error
    if bool in map(type, shape):  # NumPy's parser lets it through, its reshape does not
        raise ValueError(f"the .npy header is damaged: the shape is {reprlib.repr(shape)}")
    _check_dtype(dtype)
    return _Header(shape, fortran_order, dtype, stream.tell())


def _check_dtype(dtype: np.dtype[Any]) -> None:
    if dtype.hasobject:
        raise ValueError("an array of numbers is required, this one holds Python objects, which are never unpickled")
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise ValueError(
            "an array of bool, of integers or of floating-point numbers up to 64 bits is required, "
            f"this one has the dtype {reprlib.repr(str(dtype))}"
        )


def _pixels(content: bytes, header: _Header, shape: tuple[int, ...]) -> NDArray[Any]:
    if min(shape) < 1:
        raise ValueError(f"the array has no pixel: its shape is {reprlib.repr(header.shape)}")
    return _values(content, header, shape)


def _values(content: bytes, header: _Header, shape: tuple[int, ...]) -> NDArray[Any]:
    count = math.prod(shape)
    if header.size + count * header.dtype.itemsize > len(content):
        raise ValueError(
            f"the file is truncated: its {len(content)} bytes cannot hold {header.dtype} "
            f"of shape {reprlib.repr(header.shape)}"
        )
    flat = np.frombuffer(content, header.dtype, count, header.size)
    if header.dtype.kind == "b":
        flat = flat.view(np.uint8) != 0  # a stored 2 is no valid bool in memory
    # Kernels rely on alignment, which a header of odd length breaks.
    flat = np.require(flat.astype(header.dtype.newbyteorder("="), copy=False), requirements="A")
    return flat.reshape(shape, order="F" if header.fortran_order else "C")
