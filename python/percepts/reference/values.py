"""Printed values: numbers as their digits, strings quoted and escaped (format.md's rules 1, 2 and 8)."""

from __future__ import annotations

import contextlib
import math
import operator
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from percepts._options import shown
from percepts._strings import joined
from percepts.items import UNKNOWN

MODALITIES = frozenset(
    [
        "depth",
        "flow",
        "segmentation",
        "albedo",
        "similarity",
        "correspondence",
        "jigsaw",
        "object-detection",
        "semantic",
        "point-detection",
    ]
)
GRANULARITIES = frozenset(["patch", "keypoint", "border", "bounding-box", "point", "pixels"])
PREDICATES = frozenset(["in_front_of", "adjacent_to", "is darker than", "about the same as"])
READINGS = frozenset([UNKNOWN, "left", "right", "up", "down"])
BORDERS = frozenset(["left", "top"])

LONGEST_NUMBER = 4300
"""Most characters of a number: what Python's int() takes unless told otherwise."""

_ESCAPED = re.compile(
    '[\\x00-\\x1f"<\\\\\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff]'
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class Scalar:
    """One printed value: a number as its digits, or a text."""

    text: str
    is_number: bool = False

    @property
    def plain(self) -> str | int | float:
        """The value that a YAML reader finds."""
        if not self.is_number:
            return self.text
        return float(self.text) if "." in self.text else int(self.text)


Value = Scalar | tuple[Scalar, ...]


def number(value: int | float, spec: str) -> Scalar:
    """Print a finite number: C's printf, but YAML 1.1 needs a fraction before an exponent, and -0 is 0."""
    text = spec % value
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")
    if text.startswith("-") and not text.strip("-0."):
        text = text[1:]
    return Scalar(text, is_number=True)


def quoted(text: str) -> str:
    """Double-quote a string so that neither YAML nor the block's end can be reached from inside it."""

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        return _SHORT.get(char) or f"\\u{ord(char):04X}"

    return f'"{_ESCAPED.sub(escape, text)}"'


def word_or_quoted(text: str, words: frozenset[str]) -> str:
    """Our own fixed words stand bare, every other string is quoted."""
    return text if text in words else quoted(text)


def printed(value: Value, words: frozenset[str]) -> str:
    """Text of a field's value."""
    if isinstance(value, tuple):
        return f"[{', '.join(printed(scalar, words) for scalar in value)}]"
    return value.text if value.is_number else word_or_quoted(value.text, words)


def plain(value: Value) -> str | int | float | list[str | int | float]:
    """Value of a field as a YAML reader finds it."""
    return [scalar.plain for scalar in value] if isinstance(value, tuple) else value.plain


def scalar_from(value: object, where: str) -> Scalar:
    """Print a plain scalar of a program made by hand: strings as they are, floats as ``%.6g``."""
    if isinstance(value, str):
        return Scalar(joined(value))
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return Scalar(_digits(value, where), is_number=True)
    if isinstance(value, (float, np.floating)):
        real = float.__float__(value) if isinstance(value, float) else float(value)
        if not math.isfinite(real):
            raise ValueError(f"{where} must be finite, got {shown(real)}")
        return number(real, "%.6g")
    raise TypeError(f"{where} must be a str, int, float or a flat list of these, got {type(value).__name__}")


def _digits(value: int | np.integer[Any], where: str) -> str:
    """All digits of an int, whatever its own class prints."""
    with contextlib.suppress(ValueError):  # Python's own limit
        digits = int.__repr__(operator.index(value))
        if len(digits) <= LONGEST_NUMBER:
            return digits
    raise ValueError(f"{where} must have at most {LONGEST_NUMBER} characters as a number")


def value_from(value: object, where: str) -> Value:
    """Print a plain value of a program made by hand."""
    if isinstance(value, (list, tuple)):
        return tuple(scalar_from(element, f"{where}[{k}]") for k, element in enumerate(value))
    return scalar_from(value, where)


def reading_from(value: object, where: str) -> Value:
    """Print a reading: what is not finite is unknown, and a list without anything finite is unknown as a whole."""

    def is_hole(element: object) -> bool:
        return isinstance(element, (float, np.floating)) and not math.isfinite(element)

    if isinstance(value, (list, tuple)):
        if value and all(map(is_hole, value)):
            return Scalar(UNKNOWN)
        return value_from([UNKNOWN if is_hole(element) else element for element in value], where)
    return value_from(UNKNOWN if is_hole(value) else value, where)
