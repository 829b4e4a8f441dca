"""TIFF: one channel of whole or floating-point numbers as depth, two as flow.

The tags are read here, to choose the page and to check what it claims; libtiff (imagecodecs) decodes the pixels.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from percepts.readers.extra import import_library
from percepts.readers.field_file import FieldFile
from percepts.readers.naming import listed
from percepts.readers.orientation import require_upright_flow, upright
from percepts.readers.tiff_tags import ORIENTATION, Directory, orientation_of, read_directories

_SUBFILE, _WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC = 254, 256, 257, 258, 259, 262
_STRIP_OFFSETS, _SAMPLES, _ROWS_PER_STRIP, _STRIP_SIZES, _PLANAR = 273, 277, 278, 279, 284
_PAGE_NAME, _TILE_WIDTH, _TILE_HEIGHT, _TILE_OFFSETS, _TILE_SIZES = 285, 322, 323, 324, 325
_SAMPLE_FORMAT, _GDAL_NODATA = 339, 42113
_TAGS = {
    *(_SUBFILE, _WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC, ORIENTATION),
    *(_STRIP_OFFSETS, _SAMPLES, _ROWS_PER_STRIP, _STRIP_SIZES, _PLANAR),
    *(_PAGE_NAME, _TILE_WIDTH, _TILE_HEIGHT, _TILE_OFFSETS, _TILE_SIZES, _SAMPLE_FORMAT, _GDAL_NODATA),
}
_REDUCED_OR_MASK = 1 | 4
_BLACK_IS_ZERO, _SEPARATE_PLANES = 1, 2
_KINDS = {1: "u", 2: "i", 3: "f"}
_DTYPES = {"u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "f32", "f64"}
_MAX_RATIOS = {  # how far the lossless compressions can expand: none, LZW, deflate (two numbers), PackBits, Zstandard
    1: 1,
    5: 1500,
    8: 1032,
    32946: 1032,
    32773: 64,
    50000: 2**15,
}


class _Page(NamedTuple):
    place: int
    tags: Directory

    def number(self, tag: int, default: int | None = None) -> int:
        """Return a tag's value, which must be the same for all samples."""
        values = self.tags.get(tag)
        if values is None and default is not None:
            return default
        if not isinstance(values, list) or len(set(values)) != 1:
            raise ValueError(f"the TIFF tag {tag} must hold one number, this one holds {values!r:.60}")
        return values[0]

    def numbers(self, tag: int) -> list[int]:
        values = self.tags.get(tag)
        if not isinstance(values, list):
            raise ValueError(f"the TIFF tag {tag} must hold whole numbers, this one holds {values!r:.60}")
        return values

    def text(self, tag: int) -> str:
        value = self.tags.get(tag, "")
        return value if isinstance(value, str) else ""


def decode_depth(content: bytes, path: str, name: str | None) -> FieldFile:
    """Decode a page of one channel, upright; a value that GDAL's tag names as missing is not valid."""
    page = _choose_page(content, name)
    pixels = _decode_pixels(content, page, 1, "depth must be a TIFF of one channel")
    pixels = upright(pixels, orientation_of(page.tags))
    return FieldFile(data=pixels, format="tiff", mask=_mask(pixels, page.text(_GDAL_NODATA)), path=path)


def decode_flow(content: bytes, path: str, name: str | None) -> FieldFile:
    """Decode a page of two channels, u and v, to H×W×2."""
    page = _choose_page(content, name)
    require_upright_flow(orientation_of(page.tags))
    pixels = _decode_pixels(content, page, 2, "flow must be a TIFF of two channels (u, v)")
    if page.number(_PLANAR, 1) == _SEPARATE_PLANES:
        pixels = np.moveaxis(pixels, 0, -1)
    return FieldFile(data=pixels, format="tiff", path=path)


def _choose_page(content: bytes, name: str | None) -> _Page:
    """Choose a page by its name, or by its number from 0 on; thumbnails and masks do not count."""
    directories = read_directories(content, _TAGS)
    pages = [_Page(place, tags) for place, tags in enumerate(directories)]
    pages = [page for page in pages if not page.number(_SUBFILE, 0) & _REDUCED_OR_MASK]
    names = [page.text(_PAGE_NAME) or str(number) for number, page in enumerate(pages)]
    if name is None:
        if len(pages) != 1:
            raise ValueError(f"the TIFF holds {len(pages)} pages, say name= one of {listed(names)}")
        return pages[0]
    chosen = [page for page, found in zip(pages, names, strict=True) if found == name]
    if not chosen:
        chosen = [page for number, page in enumerate(pages) if str(number) == name]
    if len(chosen) != 1:
        raise ValueError(f"the TIFF holds {len(chosen) or 'no'} pages named {name!r}, it holds {listed(names)}")
    return chosen[0]


def _decode_pixels(content: bytes, page: _Page, samples: int, requirement: str) -> NDArray[Any]:
    dtype = _dtype(page, samples, requirement)
    width, height = page.number(_WIDTH), page.number(_HEIGHT)
    _check_claimed_size(content, page, samples * dtype.itemsize)
    tiff_decode = import_library("imagecodecs", "TIFF").tiff_decode
    try:
        pixels: NDArray[Any] = tiff_decode(content, index=page.place)
    except (RuntimeError, ValueError, IndexError) as error:
        raise ValueError(f"the TIFF cannot be decoded: {error}") from error
    shape: tuple[int, ...] = (height, width)
    if samples > 1:
        is_separate = page.number(_PLANAR, 1) == _SEPARATE_PLANES
        shape = (samples, height, width) if is_separate else (height, width, samples)
    if pixels.shape != shape or pixels.dtype != dtype:
        raise ValueError(f"the TIFF decoder gave {pixels.dtype} of shape {pixels.shape} for {dtype} of shape {shape}")
    return pixels


def _dtype(page: _Page, samples: int, requirement: str) -> np.dtype[Any]:
    found, photometric = page.number(_SAMPLES, 1), page.number(_PHOTOMETRIC, _BLACK_IS_ZERO)
    if found != samples or photometric != _BLACK_IS_ZERO:
        raise ValueError(
            f"{requirement}, with black as 0 (photometric interpretation {_BLACK_IS_ZERO}), "
            f"this one has {found} with {photometric}"
        )
    name = f"{_KINDS.get(page.number(_SAMPLE_FORMAT, 1), '?')}{page.number(_BITS, 1)}"
    if name not in _DTYPES:
        raise ValueError(
            "a TIFF's values must be whole numbers of 8 to 64 bits or floating-point numbers of 16 to 64, "
            f"this one has the sample format {page.number(_SAMPLE_FORMAT, 1)} of {page.number(_BITS, 1)} bits"
        )
    return np.dtype(f"{name[0]}{int(name[1:]) // 8}")


def _check_claimed_size(content: bytes, page: _Page, bytes_per_pixel: int) -> None:
    """Refuse a truncated file, and a size that the stored bytes cannot fill, before memory is taken for it."""
    width, height = page.number(_WIDTH), page.number(_HEIGHT)
    if not (width and height):
        raise ValueError(f"a TIFF's sides must be positive, this one is {width}×{height}")
    is_tiled = _TILE_WIDTH in page.tags
    offsets = page.numbers(_TILE_OFFSETS if is_tiled else _STRIP_OFFSETS)
    sizes = page.numbers(_TILE_SIZES if is_tiled else _STRIP_SIZES)
    if is_tiled:
        columns, rows = page.number(_TILE_WIDTH), page.number(_TILE_HEIGHT)
    else:
        columns, rows = width, min(page.number(_ROWS_PER_STRIP, height), height)
    if not (columns and rows):
        raise ValueError(f"a TIFF's tiles or strips must have pixels, these are {columns}×{rows}")
    blocks = math.ceil(width / columns) * math.ceil(height / rows)
    planes = page.number(_SAMPLES, 1) if page.number(_PLANAR, 1) == _SEPARATE_PLANES else 1
    if not blocks * planes == len(offsets) == len(sizes):
        raise ValueError(f"the TIFF must have {blocks * planes} tiles or strips, it has {len(offsets)}")
    for offset, size in zip(offsets, sizes, strict=True):
        if not size or offset + size > len(content):
            raise ValueError(f"the TIFF is truncated: {size} bytes from {offset} on are not in the {len(content)}")
    compression = page.number(_COMPRESSION, 1)
    if compression not in _MAX_RATIOS:
        raise ValueError(
            f"a TIFF must be stored plainly, or by LZW, deflate, PackBits or Zstandard, this one by {compression}"
        )
    stored = min(sum(sizes), len(content))
    full_rows = math.ceil(height / rows) * rows if is_tiled else height
    if math.ceil(width / columns) * columns * full_rows * bytes_per_pixel > stored * _MAX_RATIOS[compression]:
        raise ValueError(f"the TIFF claims {width}×{height} pixels, which {stored} bytes cannot hold")


def _mask(pixels: NDArray[Any], missing: str) -> NDArray[np.bool_] | None:
    """Mark the pixels that do not have the value that GDAL names as missing, where the type can hold it."""
    try:
        value = float(missing) if pixels.dtype.kind == "f" else _whole_number(missing)
    except (ValueError, OverflowError):
        return None
    if math.isnan(value):  # NaN never counts anyway
        return None
    if isinstance(value, int) and not np.iinfo(pixels.dtype).min <= value <= np.iinfo(pixels.dtype).max:
        return None
    with np.errstate(over="ignore"):
        return np.asarray(pixels != pixels.dtype.type(value))


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        value = float(text)
        if not value.is_integer():
            raise
        return int(value)
