"""A program for the eye: its head line by line, its items as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from percepts._columns import columns, shortened
from percepts.cli.output import one_line
from percepts.items import FIELDS, UNKNOWN

if TYPE_CHECKING:
    from percepts.items import Plain
    from percepts.program import Program

_WIDEST_CELL = 48


def summary(program: Program, place: str) -> str:
    """Describe a program that was found at `place`, ending with a line break."""
    return "".join(f"{line}\n" for line in _lines(program, place))


def _lines(program: Program, place: str) -> Iterator[str]:
    unknown = sum(item.r == UNKNOWN for item in program.items)
    yield one_line(place)
    yield f"  modality     {one_line(program.modality)}"
    yield f"  granularity  {one_line(program.granularity)}"
    if program.grid is not None:
        yield f"  grid         {program.grid[0]}x{program.grid[1]} (rows x columns)"
    yield f"  items        {len(program.items)}" + (f", {unknown} unknown" if unknown else "")
    yield f"  relations    {len(program.relations)}"
    if program.note is not None:
        yield f"  note         {one_line(program.note)}"
    if program.items:
        yield ""
        yield from _table(program)


def _table(program: Program) -> Iterator[str]:
    """Rows of the fields that some item has, in columns that are as wide as their widest cell."""
    used = [name for name in FIELDS if any(getattr(item, name) is not None for item in program.items)]
    rows = [used, *([_cell(getattr(item, name)) for name in used] for item in program.items)]
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + _row(row, widths)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - columns(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def _cell(value: Plain | None) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return shortened(f"[{', '.join(map(_plain, value))}]", _WIDEST_CELL)
    return shortened(_plain(value), _WIDEST_CELL)


def _plain(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else one_line(str(value))
