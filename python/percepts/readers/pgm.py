"""PGM: greyscale of 8 or 16 bits, in bytes (P5) or in text (P2)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percepts.readers.field_file import FieldFile

SPACE = rb"(?:[ \t\n\v\f\r]|#[^\n\r]*[\n\r])+"
"""What separates the words of a header: white space, and comments up to the end of their line."""

_WORD = rb"(\d{1,9})"
_HEADER = re.compile(rb"P([25])" + SPACE + _WORD + SPACE + _WORD + SPACE + _WORD + rb"(?=[ \t\n\v\f\r#])")
_COMMENT = re.compile(rb"#[^\n\r]*")
_SAMPLES_IN_TEXT = re.compile(rb"[\d \t\n\v\f\r]*")
_MAX_VALUE = 65535


def decode_depth(content: bytes, path: str) -> FieldFile:
    """Decode uint8, or uint16 where the maximum that the header states is above 255."""
    header = _HEADER.match(content)
    if header is None:
        raise ValueError("the PGM header is truncated or damaged: it has the words P2 or P5, width, height, maximum")
    width, height, maximum = map(int, header.groups()[1:])
    if not (width and height and 0 < maximum <= _MAX_VALUE):
        raise ValueError(
            f"a PGM has positive sides and a maximum of 1 to {_MAX_VALUE}, this one has {width}×{height} and {maximum}"
        )
    dtype = np.dtype(np.uint8 if maximum < 256 else np.uint16)
    body = content[header.end() :]
    samples = _samples_in_text(body, width, height) if header[1] == b"2" else _samples(body, width, height, dtype)
    if samples.max() > maximum:
        raise ValueError(f"the PGM states a maximum of {maximum} and holds {samples.max()}")
    return FieldFile(data=samples.astype(dtype).reshape(height, width), format="pgm", path=path)


def _samples(body: bytes, width: int, height: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    size = width * height * dtype.itemsize
    found = len(body) - 1  # one white space ends the header
    if found < size:
        raise ValueError(f"the PGM is truncated: {width}×{height} pixels have {size} bytes, this one has {found}")
    if body[size + 1 :].strip():
        raise ValueError(f"a PGM of {width}×{height} pixels has {size} bytes of them, this one has {found}")
    return np.frombuffer(body, dtype.newbyteorder(">"), width * height, 1)


def _samples_in_text(body: bytes, width: int, height: int) -> NDArray[Any]:
    words = _COMMENT.sub(b"", body)
    if not _SAMPLES_IN_TEXT.fullmatch(words):
        raise ValueError("a PGM in text has whole numbers only, this one has others or other words")
    values = words.split()
    if len(values) != width * height:
        raise ValueError(f"a PGM of {width}×{height} pixels has {width * height} values, this one has {len(values)}")
    if max(map(len, values)) > 9:
        raise ValueError(f"a PGM's values are at most {_MAX_VALUE}, this one has a word of more than 9 digits")
    return np.fromiter(map(int, values), np.int64, len(values))
