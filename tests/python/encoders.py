"""Files as the standards describe them, written byte by byte, for tests of the readers."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

import numpy as np

SHORT, LONG, ASCII = 3, 4, 2
_CODES = {SHORT: "H", LONG: "I"}


def exif(orientation: int, order: str = "<") -> bytes:
    """Exif data that says nothing but the orientation."""
    head = b"II" if order == "<" else b"MM"
    return head + struct.pack(f"{order}HIHHHIHHI", 42, 8, 1, 274, SHORT, 1, orientation, 0, 0)


def tiff_page(array: np.ndarray, order: str = "<", rows_per_strip: int | None = None, pack=None, planes=1, **tags):
    """Tags and strips of one page: values are numbers or text, and override what the array implies."""
    array = array.astype(array.dtype.newbyteorder(order))
    separate = array if planes > 1 else array[None]
    height, width = separate.shape[1:3]
    samples = planes if planes > 1 else (array.shape[2] if array.ndim == 3 else 1)
    rows = rows_per_strip or height
    strips = [plane[y : y + rows].tobytes() for plane in separate for y in range(0, height, rows)]
    strips = [pack(strip) if pack else strip for strip in strips]
    known: dict[int, int | str | list[int]] = {
        256: width,
        257: height,
        258: [array.dtype.itemsize * 8] * samples,
        259: 1,
        262: 1,
        277: samples,
        278: rows,
        284: 2 if planes > 1 else 1,
        339: [{"u": 1, "i": 2, "f": 3}[array.dtype.kind]] * samples,
    }
    known.update({int(name.removeprefix("tag")): value for name, value in tags.items()})
    return known, strips


def tiff_file(*pages: tuple[Mapping[int, int | str | list[int]], list[bytes]], order: str = "<") -> bytes:
    out = bytearray((b"II" if order == "<" else b"MM") + struct.pack(f"{order}HI", 42, 0))
    link = 4
    for tags, strips in pages:
        places = []
        for strip in strips:
            places.append(len(out))
            out += strip
        entries = b""
        offsets, sizes = (324, 325) if 322 in tags else (273, 279)
        everything = {**tags, offsets: places, sizes: [len(strip) for strip in strips]}
        for tag, value in sorted(everything.items()):
            if isinstance(value, str):
                kind, count, body = ASCII, len(value) + 1, value.encode() + b"\0"
            else:
                values = value if isinstance(value, list) else [value]
                kind, count = LONG if tag in (offsets, sizes) else SHORT, len(values)
                body = struct.pack(f"{order}{count}{_CODES[kind]}", *values)
            if len(body) > 4:
                out += bytes(len(out) % 2)
                place = struct.pack(f"{order}I", len(out))
                out += body
            else:
                place = body.ljust(4, b"\0")
            entries += struct.pack(f"{order}HHI", tag, kind, count) + place
        out += bytes(len(out) % 2)
        struct.pack_into(f"{order}I", out, link, len(out))
        out += struct.pack(f"{order}H", len(entries) // 12) + entries
        link = len(out)
        out += bytes(4)
    return bytes(out)


def grey_png(values: np.ndarray, extra: Mapping[bytes, bytes] | None = None) -> bytes:
    """Greyscale of 8 or 16 bits."""
    height, width = values.shape
    bits = values.dtype.itemsize * 8
    rows = b"".join(b"\0" + row.tobytes() for row in values.astype(values.dtype.newbyteorder(">")))
    header = struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)
    chunks = {b"IHDR": header, **(extra or {}), b"IDAT": zlib.compress(rows), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks.items()
    )


def rvl(pixels: list[int]) -> bytes:
    """Wilson's RVL, one number after the other."""
    nibbles: list[int] = []

    def number(value: int) -> None:
        while value > 7:
            nibbles.append(value & 7 | 8)
            value >>= 3
        nibbles.append(value)

    previous = position = 0
    while position < len(pixels):
        start = position
        while position < len(pixels) and not pixels[position]:
            position += 1
        number(position - start)
        start = position
        while position < len(pixels) and pixels[position]:
            position += 1
        number(position - start)
        for pixel in pixels[start:position]:
            delta = pixel - previous
            number(delta * 2 if delta >= 0 else -delta * 2 - 1)
            previous = pixel
    nibbles += [0] * (-len(nibbles) % 8)
    words = [int("".join(f"{nibble:x}" for nibble in nibbles[i : i + 8]), 16) for i in range(0, len(nibbles), 8)]
    return struct.pack(f"<{len(words)}I", *words)
