"""What PGM and PPM share: a header of words, and whole numbers in bytes or in text."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SPACE = rb"(?:[ \t\n\v\f\r]|#[^\n\r]*[\n\r])+"
"""What separates the words of a header: white space, and comments up to the end of their line."""

_WORD = rb"(\d{1,9})"
_SIZES = SPACE + _WORD + SPACE + _WORD + SPACE + _WORD + rb"(?=[ \t\n\v\f\r#])"
_COMMENT = re.compile(rb"#[^\n\r]*")
_SAMPLES_IN_TEXT = re.compile(rb"[\d \t\n\v\f\r]*")
_MAX_VALUE = 65535


class Netpbm(NamedTuple):
    """One of the formats: its name, how it begins in text and in bytes, and its samples a pixel."""

    name: str
    in_text: bytes
    in_bytes: bytes
    channels: int


PGM = Netpbm("PGM", b"P2", b"P5", 1)
PPM = Netpbm("PPM", b"P3", b"P6", 3)


def decode_samples(content: bytes, kind: Netpbm) -> tuple[NDArray[Any], int]:
    """Decode H×W or H×W×3, uint8 or, where the maximum is above 255, uint16; return also the maximum that is stated."""
    header = re.match(rb"(" + kind.in_text + rb"|" + kind.in_bytes + rb")" + _SIZES, content)
    if header is None:
        raise ValueError(
            f"the {kind.name} header is truncated or damaged: it has the words {kind.in_text.decode()} or "
            f"{kind.in_bytes.decode()}, width, height, maximum"
        )
    width, height, maximum = map(int, header.groups()[1:])
    if not (width and height and 0 < maximum <= _MAX_VALUE):
        raise ValueError(
            f"a {kind.name} has positive sides and a maximum of 1 to {_MAX_VALUE}, this one has {width}×{height} "
            f"and {maximum}"
        )
    dtype = np.dtype(np.uint8 if maximum < 256 else np.uint16)
    shape = (height, width) if kind.channels == 1 else (height, width, kind.channels)
    body = content[header.end() :]
    is_text = header[1] == kind.in_text
    if not is_text and body.startswith(b"#"):  # where a comment ends there, the first pixel may be a line feed
        raise ValueError(
            f"the {kind.name} header must have one white space behind the maximum {maximum}, this one has a comment"
        )
    samples = _samples_in_text(body, shape, kind) if is_text else _samples(body, shape, kind, dtype)
    if samples.max() > maximum:
        raise ValueError(f"the {kind.name} states a maximum of {maximum} and holds {samples.max()}")
    return samples.astype(dtype).reshape(shape), maximum


def decode_image(content: bytes, kind: Netpbm) -> NDArray[np.uint8]:
    """Decode an image to look at: 8 bits, where the stated maximum is white and so becomes 255."""
    samples, maximum = decode_samples(content, kind)
    if maximum > 255:
        raise ValueError(f"an image must be a {kind.name} with a maximum of at most 255, this one has {maximum}")
    if maximum == 255:
        return samples
    return ((samples.astype(np.uint16) * 255 + maximum // 2) // maximum).astype(np.uint8)


def _samples(body: bytes, shape: tuple[int, ...], kind: Netpbm, dtype: np.dtype[Any]) -> NDArray[Any]:
    height, width = shape[:2]
    count = height * width * kind.channels
    size = count * dtype.itemsize
    found = len(body) - 1  # one white space ends the header
    if found < size:
        raise ValueError(
            f"the {kind.name} is truncated: {width}×{height} pixels have {size} bytes, this one has {found}"
        )
    if body[size + 1 :].strip():
        raise ValueError(f"a {kind.name} of {width}×{height} pixels has {size} bytes of them, this one has {found}")
    return np.frombuffer(body, dtype.newbyteorder(">"), count, 1)


def _samples_in_text(body: bytes, shape: tuple[int, ...], kind: Netpbm) -> NDArray[Any]:
    height, width = shape[:2]
    count = height * width * kind.channels
    words = _COMMENT.sub(b"", body)
    if not _SAMPLES_IN_TEXT.fullmatch(words):
        raise ValueError(f"a {kind.name} in text has whole numbers only, this one has others or other words")
    values = words.split()
    if len(values) != count:
        raise ValueError(f"a {kind.name} of {width}×{height} pixels has {count} values, this one has {len(values)}")
    if max(map(len, values)) > 9:
        raise ValueError(f"a {kind.name}'s values are at most {_MAX_VALUE}, this one has a word of more than 9 digits")
    return np.fromiter(map(int, values), np.int64, len(values))
