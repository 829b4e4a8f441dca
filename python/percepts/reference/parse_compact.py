"""The parser of the style ``compact``, written plainly. Its grammar is in docs/compact.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from percepts.items import FIELDS
from percepts.reference.parse_items import LinedItem, without_lines
from percepts.reference.parse_lines import Body, Line
from percepts.reference.parse_value import (
    Place,
    count,
    number,
    starts_like_number,
    string,
    string_end,
    text_value,
    word,
)
from percepts.reference.program import Program
from percepts.reference.relations import PrintedRelation
from percepts.reference.to_compact import ABSENT, SYMBOLS
from percepts.reference.values import Scalar, Value

COMPACT = "compact "
"""How the first line of a program in this style starts."""

_NOTE = "note "
_ITEMS = "items:"
_NUMBERED = "p=1.."
_XS = "x="
_Y = "y="

_INDENTED = "must not be indented in its program"
_FIRST = "must be compact, a modality, a granularity and, for a grid, ROWSxCOLS"
_COLUMNS = "must have only p, i, c, r, b, p=1..N for p, and x=X,X for c behind items:, none twice"
_VALUE = "must be a number, a word or a double-quoted string, or several with commas between them"
_LEGEND = "must start with a symbol (>, = or ~) and its predicate, each symbol once, and : behind the last"
_PAIR = "must be two ends with a symbol of its line between them"

_SCALAR_END = re.compile(r"[ ,\]>=~]|$")
_PREDICATE_END = re.compile(r"[,:]|$")


def program_of_compact(body: Body) -> Program:
    """Read the lines of a program."""
    modality, granularity, grid = _first(_next(body, COMPACT))
    line = _next(body, _ITEMS)
    note = None
    if line.text.startswith(_NOTE):
        note = _note(line)
        line = _next(body, _ITEMS)
    items = _items(body, _columns(line))
    relations = tuple(_relations(body))
    return Program(modality, granularity, without_lines(items, modality), relations, grid, note)


@dataclass(frozen=True, slots=True)
class _Columns:
    """What the line ``items:`` says."""

    names: list[str]
    """Fields whose values are on the lines of the items."""
    count: int | None = None
    """How many items there are, where p is 1, 2, 3, …"""
    xs: tuple[Scalar, ...] = ()
    """The x of each item of a row, where c is [x, y]."""


class _Tokens:
    """A line that is read token by token; `name` is what an error calls the thing that is read."""

    def __init__(self, line: Line, start: int = 0) -> None:
        self._line = line
        self._text = line.text
        self._at = start

    def __bool__(self) -> bool:
        return self._at < len(self._text)

    def place(self, name: str) -> Place:
        """Name what stands here."""
        return Place(self._line.number, name)

    def rest(self) -> str:
        """What is left of the line."""
        return self._text[self._at :]

    def error(self, name: str, requirement: str) -> ValueError:
        """Say what is required of the next token, and show the rest of the line."""
        return self.place(name).error(requirement, self.rest())

    def take(self, token: str) -> bool:
        """Go past a token, if it is the next one."""
        is_next = self._text.startswith(token, self._at)
        self._at += len(token) if is_next else 0
        return is_next

    def take_any(self, tokens: Iterable[str]) -> str:
        """Go past one of these, and say which; nothing where none of them is next."""
        return next(filter(self.take, tokens), "")

    def spaces(self) -> bool:
        """Go past spaces; false where something else than a space or the end is next."""
        start = self._at
        while self.take(" "):
            pass
        return self._at > start or not self

    def until(self, end: re.Pattern[str]) -> str:
        """Go up to the end of a token; a string that starts here is not searched for it."""
        start = self._at
        after_string = string_end(self._text, start) if self._text.startswith('"', start) else start
        match = end.search(self._text, after_string) if after_string >= 0 else None
        self._at = match.start() if match else len(self._text)
        return self._text[start : self._at]

    def text(self, name: str) -> str:
        """Read a word without spaces, or a string."""
        token = self.until(_SCALAR_END)
        return string(self.place(name), token) if token.startswith('"') else word(self.place(name), token, _VALUE)

    def scalar(self, name: str) -> Scalar:
        """Read a number, a word or a string."""
        if not starts_like_number(self._text[self._at : self._at + 1]):
            return Scalar(self.text(name))
        return _number(self.place(name), self.until(_SCALAR_END))

    def value(self, name: str) -> Value | None:
        """Read the value of a field, which may be absent."""
        if self.rest() == ABSENT or self._text.startswith(f"{ABSENT} ", self._at):
            self.take(ABSENT)
            return None
        in_brackets = self.take("[")
        if in_brackets and self.take("]"):
            return ()
        elements = [self.scalar(name)]
        while self.take(","):
            elements.append(self.scalar(name))
        if in_brackets and not self.take("]"):
            raise self.error(name, "must be one flat list that ends with ]")
        return tuple(elements) if in_brackets or len(elements) > 1 else elements[0]


def _next(body: Body, start: str) -> Line:
    line = body.peek()
    if line is None:
        raise body.end.error(f"must not end the program before {start.strip()}")
    if line.indentation:
        raise line.error(_INDENTED)
    body.advance()
    return line


def _first(line: Line) -> tuple[str, str, tuple[int, int] | None]:
    tokens = _Tokens(line, len(COMPACT))
    tokens.spaces()
    modality = tokens.text("modality")
    if not tokens.spaces() or not tokens:
        raise line.error(_FIRST)
    granularity = tokens.text("granularity")
    if not tokens.spaces():
        raise line.error(_FIRST)
    if not tokens:
        return modality, granularity, None
    rows, times, cols = tokens.rest().partition("x")
    if not times:
        raise line.error(_FIRST)
    return modality, granularity, (count(tokens.place("rows"), rows), count(tokens.place("cols"), cols))


def _note(line: Line) -> str:
    place = Place(line.number, "note")
    text = line.text.removeprefix(_NOTE).lstrip(" ")
    if not text.startswith('"'):
        raise place.error("must be a double-quoted string", text)
    return string(place, text)


def _columns(line: Line) -> _Columns:
    first, *tokens = line.text.split(" ")
    if first != _ITEMS:
        raise line.error("must be items: and the names of its columns")
    names: list[str] = []
    fields: list[str] = []
    numbered = None
    xs: tuple[Scalar, ...] = ()
    for token in filter(None, tokens):
        if token.startswith(_NUMBERED):
            fields.append("p")
            numbered = count(Place(line.number, "p"), token.removeprefix(_NUMBERED))
        elif token.startswith(_XS):
            fields.append("c")
            xs = tuple(_number(Place(line.number, "x"), x) for x in token.removeprefix(_XS).split(","))
        else:
            fields.append(token)
            names.append(token)
        if fields[-1] not in FIELDS or fields[-1] in fields[:-1]:
            raise Place(line.number, "a line").error(_COLUMNS, token)
    if fields and not names:
        raise line.error("must have a column with values on the lines below")
    return _Columns(names, numbered, xs)


def _items(body: Body, columns: _Columns) -> tuple[LinedItem, ...]:
    items: list[LinedItem] = []
    y: Scalar | None = None
    while (line := body.peek()) is not None and not line.text.startswith(SYMBOLS):
        _next(body, _ITEMS)
        starts_row = bool(columns.xs) and y is None
        if starts_row != line.text.startswith(_Y):
            raise line.error("must be y= and a number before the items of each row, and only there")
        if starts_row:
            y = _number(Place(line.number, "y"), line.text.removeprefix(_Y))
            continue
        item = dict(_item(line, columns))
        if columns.count is not None:
            item["p"] = Scalar(str(len(items) + 1), is_number=True)
        if y is not None:
            item["c"] = (columns.xs[len(items) % len(columns.xs)], y)
        items.append((line.number, item))
        if y is not None and len(items) % len(columns.xs) == 0:
            y = None
    following = body.peek() or body.end
    if y is not None:
        raise following.error(f"must come behind the {len(columns.xs)} items of a row")
    if columns.count is not None and len(items) != columns.count:
        raise following.error(f"must come behind {columns.count} items, not {len(items)}")
    return tuple(items)


def _item(line: Line, columns: _Columns) -> Iterator[tuple[str, Value]]:
    requirement = f"must have values for {', '.join(columns.names)}" if columns.names else "must not be an item"
    tokens = _Tokens(line)
    for name in columns.names:
        if not tokens:
            raise line.error(requirement)
        value = tokens.value(name)
        if not tokens.spaces():
            raise tokens.error(name, _VALUE)
        if value is not None:
            yield name, value
    if tokens:
        raise line.error(requirement)


def _relations(body: Body) -> Iterator[PrintedRelation]:
    while body.peek() is not None:
        tokens = _Tokens(_next(body, ""))
        predicates = _legend(tokens)
        while tokens:
            a = tokens.scalar("an end of a relation")
            symbol = tokens.take_any(predicates)
            if not symbol:
                raise tokens.error("a relation", _PAIR)
            b = tokens.scalar("an end of a relation")
            if not tokens.spaces():
                raise tokens.error("a relation", _PAIR)
            yield a, predicates[symbol], b


def _legend(tokens: _Tokens) -> dict[str, str]:
    """Read which predicate each symbol of the line stands for."""
    predicates: dict[str, str] = {}
    while True:
        symbol = tokens.take_any(symbol for symbol in SYMBOLS if symbol not in predicates)
        if not symbol:
            raise tokens.error("a line of relations", _LEGEND)
        tokens.spaces()
        predicates[symbol] = text_value(tokens.place("a predicate"), tokens.until(_PREDICATE_END))
        if not tokens.take(","):
            break
        tokens.spaces()
    if not tokens.take(":"):
        raise tokens.error("a line of relations", _LEGEND)
    tokens.spaces()
    if not tokens:
        raise tokens.error("a relation", _PAIR)
    return predicates


def _number(place: Place, token: str) -> Scalar:
    """Read a number, to which the zero before its point may be missing."""
    if token.startswith((".", "-.")):
        token = token.replace(".", "0.", 1)
    return number(place, token)
