"""How values are written in a program's text, and what is refused (format.md's rules 1, 2, 3 and 7)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from percepts._strings import joined
from percepts.items import UNKNOWN
from percepts.reference.values import LONGEST_NUMBER, Scalar, Value

VALUE = "must be a double-quoted string, a number, a bare word or a flat list of these"
TEXT = "must be a double-quoted string or a bare word"

_EXCERPT_LENGTH = 40
_UNPRINTABLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff]"
)

_NUMBER = re.compile(
    r"(?P<minus>-?)(?P<whole>0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?([eE](?P<sign>[-+]?)(?P<exponent>[0-9]+))?"
)
_LARGEST_COUNT = 2**31 - 1
_COUNT = re.compile(r"[1-9][0-9]{0,9}")
_HOLES = frozenset(["nan", "inf", "-inf"])

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?: [A-Za-z0-9_-]+)*")
_OTHER_TYPES = frozenset(
    form
    for word in ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
    for form in (word, word.capitalize(), word.upper())
) | {"~"}

_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


@dataclass(frozen=True, slots=True)
class Escapes:
    """What may follow a backslash in a string."""

    language: str
    kinds: str


YAML_ESCAPES = Escapes("YAML", "".join([*_ESCAPES, *_HEX_DIGITS]))
JSON_ESCAPES = Escapes("JSON", '"\\/bfnrtu')

_HEX = re.compile(r"[0-9A-Fa-f]+")
_ESCAPE_OR_END = re.compile(r'["\\]')
_ELEMENT_END = {"]": re.compile(r"[,\]]"), ")": re.compile(r"[,)]")}


def excerpt(text: str) -> str:
    """Show what was found: quoted, cut when it is long, on one line."""
    if len(text) > _EXCERPT_LENGTH:
        text = text[: _EXCERPT_LENGTH - 3] + "..."
    return "'" + _UNPRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04X}", text) + "'"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in the text: its line, counted from 1, and what it is called."""

    line: int
    name: str

    def error(self, requirement: str, got: str) -> ValueError:
        """Say what is required here and what was found."""
        return ValueError(f"line {self.line}: {self.name} {requirement}, got {excerpt(got)}")


def value(place: Place, text: str) -> Value:
    """Read the value of an item's field."""
    is_reading = place.name == "r"
    if text.startswith("["):
        elements = split_list(place, text)
        if is_reading and elements and all(map(_is_hole, elements)):
            return Scalar(UNKNOWN)
        return tuple(_scalar(place, element) for element in elements)
    if text.startswith("("):
        return _point(place, text)
    if is_reading and text.startswith("{"):
        return _similarity(place, text)
    if place.name == "c" and "," in text and starts_like_number(text):
        return tuple(number(place, element.strip(" ")) for element in text.split(","))
    return _scalar(place, text)


def split_list(place: Place, text: str, closing: str = "]") -> list[str]:
    """Split a bracketed list into its elements, each as it is written."""
    elements = []
    start = 1
    while True:
        first = _skip_spaces(text, start)
        after_string = string_end(text, first) if text.startswith('"', first) else first
        end = _ELEMENT_END[closing].search(text, after_string) if after_string >= 0 else None
        if end is None:
            raise place.error(f"must be one flat list that ends with {closing}", text)
        elements.append(text[start : end.start()].strip(" "))
        start = end.end()
        if end.group() == closing:
            break
    if start < len(text):
        raise place.error(f"must be one flat list that ends with {closing}", text)
    return [] if elements == [""] else elements


def text_value(place: Place, text: str) -> str:
    """Read a text: a double-quoted string or a bare word."""
    return string(place, text) if text.startswith('"') else word(place, text, TEXT)


def string(place: Place, text: str, escapes: Escapes = YAML_ESCAPES) -> str:
    """Read a double-quoted string with these escapes, and nothing after it."""
    pieces = []
    start = 1
    while True:
        match = _ESCAPE_OR_END.search(text, start)
        if match is None:
            raise place.error("must end with a double quote", text)
        pieces.append(text[start : match.start()])
        if match.group() == '"':
            break
        char, start = _escape(place, text, match.start(), escapes)
        pieces.append(char)
    if match.end() < len(text):
        raise place.error("must be one double-quoted string with the quotes inside it escaped", text)
    return joined("".join(pieces))


def string_end(text: str, start: int = 0) -> int:
    """Find where the string that starts at `start` has ended, whatever its escapes; -1 where it does not."""
    at = start + 1
    while (match := _ESCAPE_OR_END.search(text, at)) and match.group() == "\\":
        at = match.end() + 1
    return match.end() if match else -1


def number(place: Place, text: str) -> Scalar:
    r"""Read a number: its digits as they are, but a bare exponent gets a fraction and a sign, and -0 is 0."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise place.error("must be a number such as 12, -0.5 or 1.0e-05, or in double quotes", text)
    minus, whole, fraction, exponent = match.group("minus", "whole", "fraction", "exponent")
    if exponent is not None:
        fraction = fraction or ".0"
        exponent = f"e{match['sign'] or '+'}{exponent}"
    if not (whole + (fraction or "")).strip("0."):
        minus = ""
    digits = f"{minus}{whole}{fraction or ''}{exponent or ''}"
    if len(digits) > LONGEST_NUMBER:
        raise place.error(f"must have at most {LONGEST_NUMBER} characters as a number", text)
    if fraction and math.isinf(float(digits)):
        raise place.error("must be finite in double precision", text)
    return Scalar(digits, is_number=True)


def is_number(text: str) -> bool:
    """Whether this is a number as it is printed."""
    try:
        return number(Place(0, ""), text).text == text
    except ValueError:
        return False


def count(place: Place, text: str) -> int:
    """Read a number of rows or columns."""
    if not _COUNT.fullmatch(text) or int(text) > _LARGEST_COUNT:
        raise place.error(f"must be a whole number from 1 to {_LARGEST_COUNT}", text)
    return int(text)


def _scalar(place: Place, text: str) -> Scalar:
    if text.startswith('"'):
        return Scalar(string(place, text))
    if place.name == "r" and _is_hole(text):
        return Scalar(UNKNOWN)
    if starts_like_number(text):
        return number(place, text)
    return Scalar(word(place, text, VALUE))


def word(place: Place, text: str, requirement: str) -> str:
    """Read a bare word, or several with single spaces between them."""
    if text in _OTHER_TYPES or _is_hole(text):
        raise place.error("must be in double quotes, since YAML has another meaning for this word", text)
    if not _WORD.fullmatch(text):
        raise place.error(requirement, text)
    return text


def is_word(text: str) -> bool:
    """Whether `word` takes this text."""
    return bool(_WORD.fullmatch(text)) and text not in _OTHER_TYPES and not _is_hole(text)


def is_plain_word(text: str) -> bool:
    """Whether this is a word without spaces."""
    return is_word(text) and " " not in text


def _point(place: Place, text: str) -> Value:
    """Read `(x, y)`, as the release prints points."""
    elements = split_list(place, text, ")")
    if len(elements) != 2:
        raise place.error("must have two numbers between ( and )", text)
    return tuple(number(place, element) for element in elements)


def _similarity(place: Place, text: str) -> Scalar:
    """Read `{'similarity': 0.83}`, as the release prints a jigsaw's reading."""
    inner = text[1:-1].strip(" ")
    key_end = inner.find(inner[0], 1) if inner[:1] in ("'", '"') else -1
    after_key = inner[key_end + 1 :].lstrip(" ")
    if key_end < 0 or not text.endswith("}") or not after_key.startswith(":"):
        raise place.error("must be like {'similarity': 0.83} when it is in braces", text)
    digits = after_key[1:].lstrip(" ")
    return Scalar(UNKNOWN) if _is_hole(digits) else number(place, digits)


def _escape(place: Place, text: str, start: int, escapes: Escapes) -> tuple[str, int]:
    """Character of the escape that starts at `start`, and where the text goes on."""
    kind = text[start + 1 : start + 2]
    if kind and kind in escapes.kinds and kind in _ESCAPES:
        return _ESCAPES[kind], start + 2
    end = start + 2 + _HEX_DIGITS.get(kind, 0)
    digits = text[start + 2 : end]
    is_known = kind in _HEX_DIGITS and kind in escapes.kinds
    if not is_known or end > len(text) or not _HEX.fullmatch(digits) or int(digits, 16) > 0x10FFFF:
        raise place.error(f"must have only escapes that {escapes.language} knows", text[start:])
    return chr(int(digits, 16)), end


def _skip_spaces(text: str, start: int) -> int:
    while text.startswith(" ", start):
        start += 1
    return start


def starts_like_number(text: str) -> bool:
    """Whether what stands here is meant to be a number."""
    return text.startswith(tuple("0123456789+-."))


def _is_hole(text: str) -> bool:
    return text.lower() in _HOLES
