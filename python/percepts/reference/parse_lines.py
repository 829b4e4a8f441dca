"""Lines of a block: the tags, the body between them, and its indentation."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from percepts._strings import joined
from percepts.reference.parse_value import Place

OPENING_TAG = "<perceptionprogram>"
CLOSING_TAG = "</perceptionprogram>"

_BLANK = " \t"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its line end; `number` counts from 1."""

    number: int
    raw: str

    @property
    def text(self) -> str:
        """The line without white space at its end."""
        return self.raw.rstrip(_BLANK)

    @property
    def indentation(self) -> int:
        """Number of spaces at the start."""
        return len(self.raw) - len(self.raw.lstrip(" "))

    def error(self, requirement: str) -> ValueError:
        """Say what is required of this line, and show it."""
        return Place(self.number, "a line").error(requirement, self.text)


class Body:
    """The lines between the tags, read one after another; blank ones are skipped."""

    def __init__(self, lines: list[Line], end: Line) -> None:
        self.end = end
        """The line of the closing tag."""
        self._lines = lines
        self._next = 0

    def peek(self) -> Line | None:
        """Next line that is not blank, if any."""
        while self._next < len(self._lines) and not self._lines[self._next].text:
            self._next += 1
        return self._lines[self._next] if self._next < len(self._lines) else None

    def advance(self) -> None:
        """Go past the line that `peek` showed."""
        self._next += 1

    def latest(self) -> Line:
        """Line that was read last."""
        return self._lines[self._next - 1]

    def take_before(self, endings: Collection[str]) -> list[Line] | None:
        """Read all lines, blank ones too, up to one of `endings`; None where there is no such line."""
        start = self._next
        while self._next < len(self._lines):
            if self._lines[self._next].text in endings:
                return self._lines[start : self._next]
            self._next += 1
        return None


def checked(text: object) -> str:
    """Refuse what is not a str, and join halves of surrogate pairs."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {type(text).__name__}")
    return joined(text)


@dataclass(frozen=True, slots=True)
class Block:
    """The lines that hold one program, without its tags."""

    lines: list[Line]
    end: Line
    """What follows them: the closing tag, or nothing after a bare object."""

    @property
    def start(self) -> str:
        """Text of the first line that is not blank."""
        return next((line.text.lstrip(_BLANK) for line in self.lines if line.text), "")


def block_of(text: str) -> Block:
    """Find the one block, or the bare JSON object, that the text must be."""
    lines = _lines_of(text)
    opening = next((k for k, line in enumerate(lines) if line.text), len(lines) - 1)
    start = lines[opening].text.lstrip(_BLANK)
    if start.startswith("{"):
        return Block(lines[opening:], Line(lines[-1].number, ""))
    if start != OPENING_TAG:
        raise lines[opening].error(f"must be {OPENING_TAG} at the start of a program")
    tags = (k for k, line in enumerate(lines) if k > opening and line.text.lstrip(_BLANK) == CLOSING_TAG)
    closing = next(tags, None)
    if closing is None:
        raise lines[-1].error(f"must be {CLOSING_TAG} at the end of a program")
    for line in lines[closing + 1 :]:
        if line.text:
            raise line.error("must be blank after the program")
    return Block(lines[opening + 1 : closing], lines[closing])


def body_of(block: Block) -> Body:
    """Lines of a block whose indentation counts."""
    return Body(_dedented(block.lines), block.end)


def _lines_of(text: str) -> list[Line]:
    lines = []
    *ended, last = text.split("\n")
    for number, raw in enumerate([*(raw.removesuffix("\r") for raw in ended), last], 1):
        control = _CONTROL.search(raw)
        if control:
            raise Place(number, "a line").error("must not hold control characters", control.group())
        lines.append(Line(number, raw))
    return lines


def _dedented(lines: list[Line]) -> list[Line]:
    """Take the indentation of the first line that is not blank off every line."""
    first = next((line.raw for line in lines if line.text), "")
    indentation = first[: len(first) - len(first.lstrip(_BLANK))]
    for line in lines:
        if line.text and not line.raw.startswith(indentation):
            raise line.error("must be indented at least like the first line of its program")
    return [Line(line.number, line.raw.removeprefix(indentation)) for line in lines]
