"""Programs as notebooks show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from percepts.overlay import svg

if TYPE_CHECKING:
    from percepts.program import Program

_MOST_CELLS = 4096
_WIDTH = 960
_WIDEST_CELL = 64


def html(program: Program) -> str:
    """Draw a program of a grid, with its text to unfold; show the text alone of any other, or of a huge grid."""
    text = f"<pre>{escape(str(program))}</pre>"
    if program.grid is None or not len(program.items) == program.grid[0] * program.grid[1] <= _MOST_CELLS:
        return text
    rows, cols = program.grid
    cell_width = max(4, min(_WIDEST_CELL, _WIDTH // cols))
    width, height = cols * cell_width, rows * max(3, cell_width * 3 // 4)
    drawing = svg(program, width, height, f'<rect width="{width}" height="{height}" fill="#55606b"/>')
    return f"{drawing}\n<details><summary>{escape(repr(program))}</summary>{text}</details>"
