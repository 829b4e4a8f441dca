"""Cells of a grid and canonical locations (paper, 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from percepts._options import MOST_CELLS


class Cell(NamedTuple):
    """One cell: its number, from 1 in row-major order, its pixels and the canonical location of its centre."""

    p: int
    rows: slice
    cols: slice
    center: tuple[int, int]


def check_grid(grid: tuple[int, int], height: int, width: int) -> None:
    """Every cell must hold at least one pixel, and numbers and counts must fit an int32."""
    rows, cols = grid
    if rows > height or cols > width:
        raise ValueError(
            f"every cell must hold a pixel: grid {rows}x{cols} (rows x columns) needs at least as many pixels, "
            f"got a map of {height}x{width} (height x width)"
        )
    cell_height, cell_width = -(-height // rows), -(-width // cols)
    if cell_height * cell_width > MOST_CELLS:
        raise ValueError(
            f"a cell may hold at most {MOST_CELLS} pixels, got cells of {cell_height}x{cell_width} (height x width)"
        )


def cells(grid: tuple[int, int], height: int, width: int) -> Iterator[Cell]:
    """Cells in row-major order: half-open, disjoint, covering the image."""
    rows, cols = grid
    for i in range(rows):
        for j in range(cols):
            y0, y1 = i * height // rows, (i + 1) * height // rows
            x0, x1 = j * width // cols, (j + 1) * width // cols
            center = canonical((x0 + x1 - 1) // 2, width), canonical((y0 + y1 - 1) // 2, height)
            yield Cell(i * cols + j + 1, slice(y0, y1), slice(x0, x1), center)


def centers_of(grid: tuple[int, int], height: int, width: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Canonical centres of all cells, rows×cols×2."""
    centers = [cell.center for cell in cells(grid, height, width)]
    return np.array(centers, np.int32).reshape(*grid, 2)


def canonical(pixel: int, extent: int) -> int:
    """Canonical location, in 0..1000, of a whole pixel on an axis of `extent` pixels."""
    return 1000 * pixel // extent


def neighbors(grid: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Numbers of neighbouring cells: for each cell first the one to its right, then the one below."""
    rows, cols = grid
    for i in range(rows):
        for j in range(cols):
            p = i * cols + j + 1
            if j + 1 < cols:
                yield p, p + 1
            if i + 1 < rows:
                yield p, p + cols
