"""The parser of the style ``json``, written plainly: one strict JSON object, in any layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from percepts.items import FIELDS
from percepts.reference.parse_items import LinedItem, without_lines
from percepts.reference.parse_lines import Block
from percepts.reference.parse_value import (
    JSON_ESCAPES,
    Place,
    count,
    number,
    starts_like_number,
    string,
    string_end,
)
from percepts.reference.program import PrintedItem, Program
from percepts.reference.relations import PrintedRelation
from percepts.reference.values import Scalar, Value

_BLANK = re.compile(r"[ \t]*")
_NUMBER_END = re.compile(r"[\],} \t]|$")
_STRING = "must be a double-quoted string"


def program_of_json(block: Block) -> Program:
    """Read the object that a block, or a whole text, is."""
    text = _Text(block)
    found: dict[str, Any] = {}
    for key in text.members("a program", tuple(_READERS), ("modality", "granularity", "items")):
        found[key] = _READERS[key](text, key)
    text.must_end()
    return Program(
        found["modality"],
        found["granularity"],
        without_lines(found["items"], found["modality"]),
        found.get("relations", ()),
        found.get("grid"),
        found.get("note"),
    )


class _Text:
    """An object's lines, read token by token; `name` is what an error calls the thing that is read."""

    def __init__(self, block: Block) -> None:
        self._lines = iter([*(line for line in block.lines if line.text), block.end])
        self._end = block.end
        self._line = next(self._lines)
        self._column = 0

    def peek(self) -> str:
        """First character of the next token, or nothing at the end."""
        while self._line is not self._end:
            blank = _BLANK.match(self._line.text, self._column)
            self._column = blank.end() if blank else self._column
            if self._column < len(self._line.text):
                return self._line.text[self._column]
            self._line, self._column = next(self._lines), 0
        return ""

    def line(self) -> int:
        """Line of the next token."""
        self.peek()
        return self._line.number

    def error(self, name: str, requirement: str) -> ValueError:
        """Say what is required of the next token, and show the rest of its line."""
        self.peek()
        return Place(self._line.number, name).error(requirement, self._line.text[self._column :])

    def error_behind(self, name: str, requirement: str, got: str) -> ValueError:
        """Say what was required of the tokens that were read last."""
        return Place(self._line.number, name).error(requirement, got)

    def take(self, character: str) -> bool:
        """Go past a token of one character, if it is the next one."""
        is_next = self.peek() == character
        self._column += is_next
        return is_next

    def members(self, name: str, keys: Sequence[str], required: Sequence[str] = ()) -> Iterator[str]:
        """Yield the keys of an object; the caller reads each one's value."""
        found: list[str] = []
        for _ in self._sequence(name, "{", "}"):
            key = self.string("a key")
            if key not in keys:
                raise self.error_behind(name, f"must have only the keys {', '.join(keys)}", key)
            if key in found:
                raise self.error_behind(name, "must not have a key twice", key)
            if not self.take(":"):
                raise self.error(key, "must have a : behind its key")
            found.append(key)
            yield key
        if any(key not in found for key in required):
            raise self.error_behind(name, f"must have the keys {', '.join(required)}", ", ".join(found))

    def elements(self, name: str) -> Iterator[None]:
        """Stop before each element of a list, which the caller reads."""
        return self._sequence(name, "[", "]")

    def _sequence(self, name: str, opening: str, closing: str) -> Iterator[None]:
        if not self.take(opening):
            raise self.error(name, f"must start with {opening}")
        if self.take(closing):
            return
        while True:
            yield
            if self.take(closing):
                return
            if not self.take(","):
                raise self.error(name, f"must go on with , or {closing}")

    def string(self, name: str, requirement: str = _STRING) -> str:
        """Read a string."""
        if self.peek() != '"':
            raise self.error(name, requirement)
        place = Place(self._line.number, name)
        end = string_end(self._line.text, self._column)
        if end < 0:
            raise self.error(name, "must end with a double quote on its line")
        token = self._line.text[self._column : end]
        if "\t" in token:
            raise place.error("must have its control characters escaped", token)
        self._column = end
        return string(place, token, JSON_ESCAPES)

    def number(self, name: str) -> Scalar:
        """Read a number."""
        return number(Place(self._line.number, name), self._number_token())

    def count(self, name: str) -> int:
        """Read a number of rows or columns."""
        self.peek()
        return count(Place(self._line.number, name), self._number_token())

    def _number_token(self) -> str:
        end = _NUMBER_END.search(self._line.text, self._column)
        token = self._line.text[self._column : end.start() if end else None]
        self._column += len(token)
        return token

    def must_end(self) -> None:
        """Refuse what follows the object."""
        if self.peek():
            raise self.error("a line", "must be blank after the program")


def _text(text: _Text, name: str) -> str:
    return text.string(name)


def _grid(text: _Text, name: str) -> tuple[int, int]:
    counts = {}
    for key in text.members(name, ("rows", "cols"), ("rows", "cols")):
        counts[key] = text.count(key)
    return counts["rows"], counts["cols"]


def _items(text: _Text, name: str) -> tuple[LinedItem, ...]:
    return tuple((text.line(), _item(text)) for _ in text.elements(name))


def _item(text: _Text) -> PrintedItem:
    return {key: _value(text, key) for key in text.members("an item", FIELDS)}


def _value(text: _Text, name: str) -> Value:
    if text.peek() == "[":
        return tuple(_scalar(text, name) for _ in text.elements(name))
    return _scalar(text, name)


def _scalar(text: _Text, name: str) -> Scalar:
    if starts_like_number(text.peek()):
        return text.number(name)
    return Scalar(text.string(name, "must be a double-quoted string, a number or a flat list of these"))


def _relations(text: _Text, name: str) -> tuple[PrintedRelation, ...]:
    return tuple(_relation(text) for _ in text.elements(name))


def _relation(text: _Text) -> PrintedRelation:
    parts = [text.string("a part of a relation") for _ in text.elements("a relation")]
    if len(parts) != 3:
        raise text.error_behind("a relation", 'must be a list of "p=...", a predicate and "p=..."', ", ".join(parts))
    a, predicate, b = parts
    return _endpoint(text, a), predicate, _endpoint(text, b)


def _endpoint(text: _Text, part: str) -> Scalar:
    if not part.startswith("p="):
        raise text.error_behind("an end of a relation", 'must be "p=..." in double quotes', part)
    return Scalar(part.removeprefix("p="))


_READERS = {
    "modality": _text,
    "granularity": _text,
    "grid": _grid,
    "note": _text,
    "items": _items,
    "relations": _relations,
}
