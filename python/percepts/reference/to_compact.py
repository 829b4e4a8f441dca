"""The style ``compact``: the fewest tokens that lose nothing. Its grammar is in docs/compact.md."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from percepts.items import FIELDS
from percepts.reference.parse_value import is_plain_word, is_word
from percepts.reference.values import Scalar, Value, quoted

if TYPE_CHECKING:
    from percepts.reference.program import PrintedItem, Program
    from percepts.reference.relations import PrintedRelation

ABSENT = "-"
SYMBOLS = (">", "=", "~")
"""What stands between the two ends of a relation, for each predicate that a line names."""

_EQUALITY = "about the same as"


@dataclass(frozen=True, slots=True)
class Layout:
    """What the line ``items:`` says once, so that the lines below need not repeat it."""

    columns: tuple[str, ...]
    """Fields that the lines of the items have."""
    is_numbered: bool
    """Whether p is 1, 2, 3, …"""
    xs: tuple[Scalar, ...]
    """The x of each column of the grid, where c is [x, y] with one y a row; else nothing."""


def compact_lines(program: Program) -> list[str]:
    """Lines between the tags."""
    return [*_head(program), *_items(program.printed_items, program.grid), *_relations(program.printed_relations)]


def _head(program: Program) -> Iterator[str]:
    grid = "" if program.grid is None else f" {program.grid[0]}x{program.grid[1]}"
    yield f"compact {_text(program.modality)} {_text(program.granularity)}{grid}"
    if program.note is not None:
        yield f"note {quoted(program.note)}"


def _items(items: tuple[PrintedItem, ...], grid: tuple[int, int] | None) -> Iterator[str]:
    layout = _layout(items, grid)
    yield " ".join(["items:", *_columns(layout, len(items))])
    for k, item in enumerate(items):
        if layout.xs and k % len(layout.xs) == 0:
            yield f"y={_value(_pair(item)[1])}"
        yield " ".join(_value(item[name]) if name in item else ABSENT for name in layout.columns)


def _layout(items: tuple[PrintedItem, ...], grid: tuple[int, int] | None) -> Layout:
    """Leave out what the line of the columns can say, as long as something is left for each item's own line."""
    columns = tuple(name for name in FIELDS if any(name in item for item in items))
    if items and not columns:
        columns = ("p",)
    is_numbered = len(columns) > 1 and all(
        item.get("p") == Scalar(str(k), is_number=True) for k, item in enumerate(items, 1)
    )
    if is_numbered:
        columns = columns[1:]
    xs = _xs(items, grid) if "c" in columns and len(columns) > 1 else ()
    if xs:
        columns = tuple(name for name in columns if name != "c")
    return Layout(columns, is_numbered, xs)


def _xs(items: tuple[PrintedItem, ...], grid: tuple[int, int] | None) -> tuple[Scalar, ...]:
    if grid is None or grid[1] < 2 or grid[0] * grid[1] != len(items):
        return ()
    pairs = [_pair(item) for item in items]
    first_row = pairs[: grid[1]]
    on_lattice = all(
        len(pair) == 2 and pair == (first_row[k % grid[1]][0], pairs[k - k % grid[1]][1])
        for k, pair in enumerate(pairs)
    )
    return tuple(x for x, _ in first_row) if on_lattice else ()


def _pair(item: PrintedItem) -> tuple[Scalar, ...]:
    """Elements of c where it is two numbers, else nothing."""
    c = item.get("c")
    is_pair = isinstance(c, tuple) and len(c) == 2 and all(scalar.is_number for scalar in c)
    return c if is_pair and isinstance(c, tuple) else ()


def _columns(layout: Layout, count: int) -> Iterator[str]:
    if layout.is_numbered:
        yield f"p=1..{count}"
    if layout.xs:
        yield f"x={','.join(map(_value, layout.xs))}"
    yield from layout.columns


def _relations(relations: tuple[PrintedRelation, ...]) -> Iterator[str]:
    """Print relations in their order; a line ends where it has no symbol left for another predicate."""
    symbols: dict[str, str] = {}
    pairs: list[str] = []
    for a, predicate, b in relations:
        if predicate not in symbols and len(symbols) == len(SYMBOLS):
            yield _relations_line(symbols, pairs)
            symbols, pairs = {}, []
        if predicate not in symbols:
            symbols[predicate] = _symbol(predicate, list(symbols.values()))
        pairs.append(f"{_value(a)}{symbols[predicate]}{_value(b)}")
    if pairs:
        yield _relations_line(symbols, pairs)


def _symbol(predicate: str, taken: Collection[str]) -> str:
    free = [symbol for symbol in SYMBOLS if symbol not in taken]
    return "=" if predicate == _EQUALITY and "=" in free else free[0]


def _relations_line(symbols: dict[str, str], pairs: list[str]) -> str:
    predicates = (predicate if is_word(predicate) else quoted(predicate) for predicate in symbols)
    legend = ", ".join(f"{symbol} {predicate}" for symbol, predicate in zip(symbols.values(), predicates, strict=True))
    return f"{legend}: {' '.join(pairs)}"


def _text(text: str) -> str:
    return text if is_plain_word(text) else quoted(text)


def _value(value: Value) -> str:
    if isinstance(value, Scalar):
        return _number(value.text) if value.is_number else _text(value.text)
    elements = ",".join(map(_value, value))
    return elements if len(value) > 1 else f"[{elements}]"


def _number(digits: str) -> str:
    """Leave the zero before the point out."""
    return digits.replace("0.", ".", 1) if digits.startswith(("0.", "-0.")) else digits
