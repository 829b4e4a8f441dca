"""The parser, written plainly: one block of text, or every block in prose (format.md's rule 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from percepts.items import FIELDS
from percepts.reference.parse_compact import COMPACT, program_of_compact
from percepts.reference.parse_items import LinedItem, without_lines
from percepts.reference.parse_json import program_of_json
from percepts.reference.parse_lines import CLOSING_TAG, OPENING_TAG, Body, Line, block_of, body_of, checked
from percepts.reference.parse_value import (
    Place,
    count,
    number,
    split_list,
    string,
    string_end,
    text_value,
    value,
)
from percepts.reference.program import PrintedItem, Program
from percepts.reference.relations import PrintedRelation
from percepts.reference.values import Scalar

_REQUIRED = ("modality", "granularity", "items")
_SAME_INDENTATION = "must be indented like its list or block"


def parse(text: str) -> Program:
    """Read the program in a text that is one block with nothing but white space around it.

    Parameters
    ----------
    text
        A block as `Program.to_text` prints it in any style, or as the research release of the method does, or a bare
        JSON object.

    Returns
    -------
    Program
        The program; `program.to_text(style)` is the block in the form that this package prints.

    Raises
    ------
    TypeError
        When `text` is not a str.
    ValueError
        When `text` is anything else than one program. The message names the line, counted from 1.

    Examples
    --------
    >>> program = parse('''
    ... <perceptionprogram>
    ... modality: depth
    ... granularity: patch
    ... items:
    ...   - p: 1
    ...     c: [500, 500]
    ...     r: [0.25, 0.75]
    ... </perceptionprogram>
    ... ''')
    >>> program.items
    (Item(p=1, c=[500, 500], r=[0.25, 0.75]),)
    """
    block = block_of(checked(text))
    if block.start.startswith("{"):
        return program_of_json(block)
    body = body_of(block)
    return program_of_compact(body) if block.start.startswith(COMPACT) else _program(body)


def find_programs(text: str) -> list[Program]:
    """Read every program in prose, such as a model's answer or a whole prompt.

    Parameters
    ----------
    text
        Any text. A block starts at the last opening tag before a closing tag.

    Returns
    -------
    list of Program
        The programs in the order of the text. What only looks like a block is passed over.

    Raises
    ------
    TypeError
        When `text` is not a str.

    Examples
    --------
    >>> find_programs("The answer is (A), since nothing is nearer.")
    []
    """
    text = checked(text)
    programs = []
    start = 0
    while (closing := text.find(CLOSING_TAG, start)) >= 0:
        opening = text.rfind(OPENING_TAG, start, closing)
        start = closing + len(CLOSING_TAG)
        if opening >= 0:
            try:
                programs.append(parse(text[opening:start]))
            except ValueError:
                continue
    return programs


def _program(body: Body) -> Program:
    found: dict[str, Any] = {}
    while (line := body.peek()) is not None:
        if line.indentation:
            raise line.error(_SAME_INDENTATION)
        body.advance()
        key, rest = _key_and_value(line, line.text, _READERS)
        if key in found:
            raise line.error(f"must not give {key}: a second time")
        found[key] = _READERS[key](Place(line.number, key), rest, body)
    for key in _REQUIRED:
        if key not in found:
            raise body.end.error(f"must not end the program before {key}:")
    return Program(
        found["modality"],
        found["granularity"],
        without_lines(found["items"], found["modality"]),
        found.get("relations", ()),
        found.get("grid"),
        found.get("note"),
    )


def _key_and_value(line: Line, text: str, keys: Collection[str]) -> tuple[str, str]:
    """Split `key: value`, where the value may also be on the lines below."""
    key, colon, rest = text.partition(":")
    if key not in keys or not colon:
        raise Place(line.number, "a line").error(f"must have one of the keys {', '.join(keys)}", text)
    if rest and not rest.startswith(" "):
        raise Place(line.number, "a line").error(f"must have a space after {key}:", text)
    return key, rest.lstrip(" ")


def _text(place: Place, rest: str, body: Body) -> str:
    return text_value(place, rest)


def _grid(place: Place, rest: str, body: Body) -> tuple[int, int]:
    if rest:
        raise place.error("must have rows: and cols: on the lines below", rest)
    counts: dict[str, int] = {}
    indentation = 0
    while (line := body.peek()) is not None and line.indentation:
        indentation = indentation or line.indentation
        if line.indentation != indentation:
            raise line.error(_SAME_INDENTATION)
        body.advance()
        key, digits = _key_and_value(line, line.text[indentation:], ("rows", "cols"))
        if key in counts:
            raise line.error(f"must not give {key}: a second time")
        counts[key] = count(Place(line.number, key), digits)
    if len(counts) < 2:
        raise place.error("must have rows: and cols: on the lines below", ", ".join(counts))
    return counts["rows"], counts["cols"]


def _note(place: Place, rest: str, body: Body) -> str:
    if not rest.startswith('"'):
        raise place.error("must be a double-quoted string", rest)
    return string(place, rest) if string_end(rest) == len(rest) else _unescaped_note(place, body)


def _unescaped_note(place: Place, body: Body) -> str:
    """Read a note as the release prints it: over several lines, with quotes inside, up to the items."""
    first = body.latest()
    more = body.take_before(("items:", "items: []"))
    if more is None:
        raise place.error("must be one escaped string or be followed by items:", first.text)
    lines = [Line(first.number, first.raw[first.raw.index('"') + 1 :]), *more]
    while len(lines) > 1 and not lines[-1].text:
        lines.pop()
    last = lines.pop()
    if not last.text.endswith('"'):
        raise Place(last.number, place.name).error("must end with a double quote", last.text)
    return "\n".join([*(line.raw for line in lines), last.text[:-1]])


def _items(place: Place, rest: str, body: Body) -> tuple[LinedItem, ...]:
    return tuple((line.number, _item(line, text, body)) for line, text in _entries(place, rest, body))


def _item(line: Line, text: str, body: Body) -> PrintedItem:
    item: dict[str, Any] = {}
    if text == "{}":
        return item
    indentation = line.indentation + len("- ")
    while True:
        name, rest = _key_and_value(line, text, FIELDS)
        if name in item:
            raise line.error(f"must not give {name}: a second time")
        item[name] = value(Place(line.number, name), rest)
        following = body.peek()
        if following is None or following.indentation != indentation:
            return item
        line, text = following, following.text[indentation:]
        body.advance()


def _relations(place: Place, rest: str, body: Body) -> tuple[PrintedRelation, ...]:
    return tuple(_relation(line, text) for line, text in _entries(place, rest, body))


def _relation(line: Line, text: str) -> PrintedRelation:
    place = Place(line.number, "a relation")
    elements = split_list(place, text) if text.startswith("[") else []
    if len(elements) != 3:
        raise place.error("must be a list of p=, a predicate and p=", text)
    a, predicate, b = elements
    return (
        _endpoint(line, a),
        text_value(Place(line.number, "a predicate"), predicate),
        _endpoint(line, b),
    )


def _endpoint(line: Line, text: str) -> Scalar:
    place = Place(line.number, "an end of a relation")
    if text.startswith("p="):
        return number(place, text.removeprefix("p="))
    name = string(place, text) if text.startswith('"') else ""
    if not name.startswith("p="):
        raise place.error('must be p= and a number, or "p=..." in double quotes', text)
    return Scalar(name.removeprefix("p="))


def _entries(place: Place, rest: str, body: Body) -> Iterator[tuple[Line, str]]:
    """Lines that start an entry of a list, and what follows the dash."""
    if rest == "[]":
        return
    if rest:
        raise place.error("must be [] or have its entries on the lines below", rest)
    indentation = None
    while (line := body.peek()) is not None and line.text.lstrip(" ").startswith("- "):
        if indentation is None:
            indentation = line.indentation
        if line.indentation != indentation:
            raise line.error(_SAME_INDENTATION)
        body.advance()
        yield line, line.text[indentation + len("- ") :]
    if indentation is None:
        raise place.error("must be [] or have its entries on the lines below", rest)


_READERS = {
    "modality": _text,
    "granularity": _text,
    "grid": _grid,
    "note": _note,
    "items": _items,
    "relations": _relations,
}
