"""Programs of a grid drawn over the image that they speak of, as SVG."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from percepts._columns import columns, shortened
from percepts.items import UNKNOWN, Item
from percepts.program import Program

_DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_DIRECTION_COLOURS = {"left": "#5cc8ff", "right": "#ffb454", "up": "#5cc8ff", "down": "#ffb454"}
_RELATION = "in_front_of"
_RELATION_COLOUR = "#ffd84d"
_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

_GLYPH_WIDTH = 0.61
_LINE_HEIGHT = 1.2
_LARGEST_FONT, _SMALLEST_FONT = 14.0, 3.5
_MOST_COLUMNS = 12

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(program: Program, width: int, height: int, background: str = "", scale: int = 1) -> str:
    """Draw a grid program: the cells, what was read in each, and which of two neighbours is in front.

    Directions (``left``, ``right``, ``up``, ``down``) are drawn as arrows, other readings as text. An arrow
    across an edge points from the patch in front to the one behind. Hovering over a cell shows its item.

    Parameters
    ----------
    program
        A program with one item per cell of its grid, such as depth or flow.
    width, height
        Size in pixels of the image that the program was made of, and of the drawing.
    background
        SVG elements to draw under the grid, in pixels of the drawing, such as an ``<image>``; not escaped.
    scale
        Pixels of the drawing per pixel of the image: above 1 small images get readable text.

    Returns
    -------
    str
        One ``<svg>`` element without ids, style sheets or scripts, so that several fit into one page.

    Raises
    ------
    ValueError
        When the program is not of a grid, or the image has fewer pixels than the grid has rows or columns, or
        `scale` is below 1.

    Examples
    --------
    >>> import percepts as pc
    >>> program = pc.depth([[0.0, 1.0]], grid=(1, 2))
    >>> drawing = svg(program, 640, 480)
    >>> drawing.startswith("<svg "), drawing.count("<text ")
    (True, 4)
    """
    layout = _layout(program, width, height, scale)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width}" height="{layout.height}" '
        f'viewBox="0 0 {layout.width} {layout.height}">',
        background,
        _grid_lines(layout),
        *_readings(program, layout),
        *_relations(program, layout),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def text_of(value: object) -> str:
    """Escape any text for SVG; what XML cannot hold becomes U+FFFD."""
    return escape(_NOT_XML.sub("\ufffd", str(value)))


class _Cell(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int

    @property
    def center(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top


class _Layout(NamedTuple):
    width: int
    height: int
    xs: list[int]
    ys: list[int]
    cells: list[_Cell]


def _layout(program: Program, width: int, height: int, scale: int) -> _Layout:
    width, height, scale = operator.index(width), operator.index(height), operator.index(scale)
    if program.grid is None or len(program.items) != program.grid[0] * program.grid[1]:
        raise ValueError(f"a drawing needs a program with one item per cell of its grid, got {program!r}")
    rows, cols = program.grid
    if width < cols or height < rows:
        raise ValueError(
            f"width and height must be at least {cols}x{rows} for a grid of so many columns and rows, "
            f"got {width}x{height}"
        )
    if scale < 1:
        raise ValueError(f"scale must be at least 1, got {scale}")
    xs = [scale * (j * width // cols) for j in range(cols + 1)]
    ys = [scale * (i * height // rows) for i in range(rows + 1)]
    cells = [_Cell(xs[j], ys[i], xs[j + 1], ys[i + 1]) for i in range(rows) for j in range(cols)]
    return _Layout(scale * width, scale * height, xs, ys, cells)


def _grid_lines(layout: _Layout) -> str:
    path = "".join(f"M{x} 0V{layout.height}" for x in layout.xs[1:-1])
    path += "".join(f"M0 {y}H{layout.width}" for y in layout.ys[1:-1])
    return (
        f'<path d="{path}" fill="none" stroke="#000" stroke-opacity=".3" stroke-width="2"/>\n'
        f'<path d="{path}" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width=".8"/>'
    )


def _readings(program: Program, layout: _Layout) -> Iterator[str]:
    texts = [_lines(item) for item in program.items]
    font = _font_size(texts, layout)
    yield (
        f'<g font-family="{_FONT}" font-size="{font:.1f}" text-anchor="middle" fill="#fff" stroke="#000" '
        'stroke-opacity=".75" stroke-width="2.4" stroke-linejoin="round" paint-order="stroke">'
    )
    for item, lines, cell in zip(program.items, texts, layout.cells, strict=True):
        yield "<g>" + _tooltip(item, cell) + _reading(item, lines, cell, font) + "</g>"
    yield "</g>"


def _tooltip(item: Item, cell: _Cell) -> str:
    width, height = cell.size
    return (
        f'<rect x="{cell.left}" y="{cell.top}" width="{width}" height="{height}" fill="#000" stroke="none" '
        f'fill-opacity="{0.25 if item.r == UNKNOWN else 0}"><title>{text_of(_in_full(item))}</title></rect>'
    )


def _in_full(item: Item) -> str:
    fields = ((name, getattr(item, name)) for name in "pcrbi")
    return ", ".join(f"{name}: {_plain(value)}" for name, value in fields if value is not None)


def _plain(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_plain, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _lines(item: Item) -> list[str]:
    """Lines of a cell's text: the numbers of the reading one below the other, then the label."""
    values = item.r if isinstance(item.r, (list, tuple)) else [item.r]
    shown = [value for value in (*values, item.b) if value is not None and value not in _DIRECTIONS]
    return [line for line in (shortened(_plain(value), _MOST_COLUMNS) for value in shown) if line]


def _font_size(texts: list[list[str]], layout: _Layout) -> float:
    """One size for all cells, that of the text that fits worst."""
    sizes = [_LARGEST_FONT]
    for lines, cell in zip(texts, layout.cells, strict=True):
        if lines:
            width, height = cell.size
            sizes.append(0.82 * width / (_GLYPH_WIDTH * max(map(columns, lines))))
            sizes.append(0.86 * height / (_LINE_HEIGHT * len(lines)))
    return min(sizes)


def _reading(item: Item, lines: list[str], cell: _Cell, font: float) -> str:
    if isinstance(item.r, str) and item.r in _DIRECTIONS:
        return _direction(item.r, cell) + _text(lines, cell, font, below=True)
    return _text(lines, cell, font)


def _text(lines: list[str], cell: _Cell, font: float, below: bool = False) -> str:
    if font < _SMALLEST_FONT:
        return ""
    x, y = cell.center
    first = cell.bottom - font * 0.4 - font * _LINE_HEIGHT * (len(lines) - 1)
    if not below:
        first = y + font * 0.36 - font * _LINE_HEIGHT * (len(lines) - 1) / 2
    return "".join(
        f'<text x="{x:g}" y="{first + k * font * _LINE_HEIGHT:.1f}">{text_of(line)}</text>'
        for k, line in enumerate(lines)
    )


def _direction(word: str, cell: _Cell) -> str:
    length = 0.5 * min(cell.size)
    return _arrow(cell.center, _DIRECTIONS[word], length, _DIRECTION_COLOURS[word])


def _relations(program: Program, layout: _Layout) -> Iterator[str]:
    cells = {
        item.p: cell
        for item, cell in zip(program.items, layout.cells, strict=True)
        if isinstance(item.p, (str, int, float))
    }
    for relation in program.relations:
        front, back = cells.get(relation.a), cells.get(relation.b)
        if relation.predicate == _RELATION and front is not None and back is not None and front != back:
            yield _from_front_to_back(front, back)


def _from_front_to_back(front: _Cell, back: _Cell) -> str:
    (x0, y0), (x1, y1) = front.center, back.center
    distance = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    along = (x1 - x0) / distance, (y1 - y0) / distance
    length = 0.26 * min(*front.size, *back.size)
    return _arrow(((x0 + x1) / 2, (y0 + y1) / 2), along, length, _RELATION_COLOUR)


def _arrow(middle: tuple[float, float], along: tuple[float, float], length: float, colour: str) -> str:
    """Draw a filled arrow with a dark rim: `along` is a unit vector."""
    outline = [
        (-0.5, -0.09),
        (0.02, -0.09),
        (0.02, -0.32),
        (0.5, 0),
        (0.02, 0.32),
        (0.02, 0.09),
        (-0.5, 0.09),
    ]
    points = " ".join(
        f"{middle[0] + length * (s * along[0] - t * along[1]):.1f},"
        f"{middle[1] + length * (s * along[1] + t * along[0]):.1f}"
        for s, t in outline
    )
    return f'<polygon points="{points}" fill="{colour}" stroke="#000" stroke-opacity=".7" stroke-width="1"/>'
