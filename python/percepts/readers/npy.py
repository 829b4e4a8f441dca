"""NumPy's .npy: one array with its dtype and shape.

The header is Python source. It is matched here, never evaluated: a hostile one can neither exhaust the parser
nor claim more memory than the file holds, and one written by Python 2 gives no warning.
"""

from __future__ import annotations

import math
import re
import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from percepts.readers.field_file import FieldFile

_PREAMBLE_SIZE = 8
_LENGTH_FORMAT = {(1, 0): "<H", (2, 0): "<I", (3, 0): "<I"}
_MAX_HEADER_SIZE = 10_000  # NumPy's own limit, as the next one
_MAX_DIMENSIONS = 64

_SPACES = " \t\r\n\f"
_ENTRY = re.compile(
    r"""S* u?(?P<q>['"]) (?P<key>\w{1,20}) (?P=q) S*:S*
    (?: u?(?P<v>['"]) (?P<descr>[^'"\\]{0,40}) (?P=v) | (?P<order>True|False) | \((?P<shape>[^()]*)\) )
    S* (?:,|$) S*""".replace("S*", f"[{_SPACES}]*"),
    re.VERBOSE,
)
_VALUE_GROUP = {"descr": "descr", "fortran_order": "order", "shape": "shape"}
_EXTENT = re.compile(rf"[{_SPACES}]*(0|[1-9]\d{{0,17}})L?[{_SPACES}]*")
_REAL_DTYPE = re.compile(r"[<>=|]?(?:\?|b1|[iu][1248]|f[248])|bool|u?int(?:8|16|32|64)|float(?:16|32|64)")


class _Header(NamedTuple):
    dtype: np.dtype[Any]
    fortran_order: bool
    shape: tuple[int, ...]
    size: int


def decode_depth(content: bytes, path: str) -> FieldFile:
    """Decode a depth map: H×W, 1×H×W or H×W×1."""
    header = _parse_header(content)
    shape = _drop_outer_singletons(header.shape, 2)
    if len(shape) != 2:
        raise ValueError(f"a depth map has the shape H×W (or 1×H×W, H×W×1), this array has {header.shape}")
    return FieldFile(data=_values(content, header, shape), format="npy", path=path)


def decode_flow(content: bytes, path: str) -> FieldFile:
    """Decode a flow field: H×W×2 or 2×H×W, or either with a leading 1."""
    header = _parse_header(content)
    shape = _drop_outer_singletons(header.shape, 3)
    if len(shape) != 3 or 2 not in (shape[0], shape[2]):
        raise ValueError(f"flow has the shape H×W×2 or 2×H×W, this array has {header.shape}")
    return FieldFile(data=_values(content, header, shape), format="npy", path=path)


def _drop_outer_singletons(shape: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    while len(shape) > ndim and shape[0] == 1:
        shape = shape[1:]
    while len(shape) > ndim and shape[-1] == 1:
        shape = shape[:-1]
    return shape


def _values(content: bytes, header: _Header, shape: tuple[int, ...]) -> NDArray[Any]:
    count = math.prod(shape)
    if count == 0:
        raise ValueError(f"the array has no pixel: its shape is {header.shape}")
    expected = header.size + count * header.dtype.itemsize
    if len(content) != expected:
        raise ValueError(
            f"the file should be {expected} bytes long for {header.dtype} of shape {header.shape}, "
            f"it is {len(content)}"
        )
    flat = np.frombuffer(content, header.dtype, count, header.size)
    if header.dtype.kind == "b":
        flat = flat.view(np.uint8) != 0  # a stored 2 is no valid bool in memory
    # Kernels rely on alignment, which a header of odd length breaks.
    flat = np.require(flat.astype(header.dtype.newbyteorder("="), copy=False), requirements="A")
    return flat.reshape(shape, order="F" if header.fortran_order else "C")


def _parse_header(content: bytes) -> _Header:
    text, size = _header_text(content)
    entries = _header_entries(text)
    return _Header(
        dtype=_parse_dtype(entries["descr"]),
        fortran_order=entries["fortran_order"] == "True",
        shape=_parse_shape(entries["shape"]),
        size=size,
    )


def _header_text(content: bytes) -> tuple[str, int]:
    """Return the header and the offset of the values behind it."""
    if len(content) < _PREAMBLE_SIZE:
        raise ValueError(f"the .npy header is truncated: the file is {len(content)} bytes long")
    version = (content[6], content[7])
    if version not in _LENGTH_FORMAT:
        raise ValueError(f".npy versions 1.0, 2.0 and 3.0 are supported, this is {version[0]}.{version[1]}")
    start = _PREAMBLE_SIZE + struct.calcsize(_LENGTH_FORMAT[version])
    if len(content) < start:
        raise ValueError(f"the .npy header is truncated: the file is {len(content)} bytes long")
    (length,) = struct.unpack_from(_LENGTH_FORMAT[version], content, _PREAMBLE_SIZE)
    if length > _MAX_HEADER_SIZE:
        raise ValueError(f"the .npy header may have {_MAX_HEADER_SIZE} bytes, it claims {length}")
    if len(content) < start + length:
        raise ValueError(
            f"the .npy header is truncated: {length} bytes are claimed, {len(content) - start} are there"
        )
    return content[start : start + length].decode("latin1").strip(_SPACES), start + length


def _header_entries(text: str) -> dict[str, str]:
    if not (text.isascii() and text.startswith("{") and text.endswith("}")):
        raise ValueError(f"the .npy header is damaged: {_excerpt(text)}")
    if re.search(r"""['"]descr['"]\s*:\s*\[""", text):
        raise ValueError("an array of numbers is required, this one has a structured dtype")
    entries: dict[str, str] = {}
    position, end = 1, len(text) - 1
    while position < end:
        match = _ENTRY.match(text, position, end)
        value = match[_VALUE_GROUP.get(match["key"], "key")] if match else None
        if match is None or value is None or match["key"] in entries:
            raise ValueError(f"the .npy header is damaged: {_excerpt(text[position:])}")
        entries[match["key"]] = value
        position = match.end()
    if entries.keys() != _VALUE_GROUP.keys():
        raise ValueError(f"a .npy header has descr, fortran_order and shape, this one has {sorted(entries)}")
    return entries


def _parse_dtype(descr: str) -> np.dtype[Any]:
    if descr in ("O", "|O", "object"):
        raise ValueError(
            "an array of numbers is required, this one holds Python objects, which are never unpickled"
        )
    if not _REAL_DTYPE.fullmatch(descr):
        raise ValueError(
            "an array of bool, of integers or of floating-point numbers up to 64 bits is required, "
            f"this one has the dtype {descr!r}"
        )
    return np.dtype(descr)


def _parse_shape(text: str) -> tuple[int, ...]:
    extents = text.split(",")
    if not extents[-1].strip(_SPACES):
        extents.pop()
    if len(extents) > _MAX_DIMENSIONS:
        raise ValueError(f"an array may have {_MAX_DIMENSIONS} dimensions, this one has {len(extents)}")
    matches = [_EXTENT.fullmatch(extent) for extent in extents]
    shape = tuple(int(match[1]) for match in matches if match)
    if len(shape) != len(extents):
        raise ValueError(f"the .npy header is damaged: the shape is {_excerpt(f'({text})')}")
    return shape


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
