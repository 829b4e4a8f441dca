"""Options as callers write them, checked for their type and put into one form."""

from __future__ import annotations

import math
import numbers
import operator
from types import EllipsisType
from typing import Any, SupportsFloat, SupportsIndex, cast

import numpy as np

GridLike = SupportsIndex | tuple[SupportsIndex, SupportsIndex]
"""A number of rows and of columns: one for both, or (rows, cols)."""

NoteLike = str | EllipsisType | None
"""A note: left out (`...`) means the built-in one, None means none."""

STYLES = ("paper", "json", "compact")
"""Styles of a program's text."""

MOST_CELLS = 2**31 - 1

_MOST_COUNT = 2**63 - 1
_SHOWN_DIGITS = 30


def shown_integer(value: int) -> str:
    """How a whole number stands in a message: its digits, unless they would fill the screen."""
    if abs(value) < 10**_SHOWN_DIGITS:
        return str(value)
    return f"~{'-' if value < 0 else ''}1e{int(value.bit_length() * math.log10(2))}"


def shown(value: float) -> str:
    """How a number stands in a message: nine digits, but more where these would show a whole number that it is not."""
    text = f"{value + 0.0:.9g}"
    return f"{value:.17g}" if not set(text) & set(".en") and float(text) != value else text


def as_integer(value: object, name: str) -> int:
    """Whole number of Python or NumPy."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    try:
        return operator.index(cast(SupportsIndex, value))
    except TypeError:
        raise TypeError(f"{name} must be an int, got {type(value).__name__}") from None


def as_count(value: object, name: str) -> int:
    """Whole number of at least 0, cut to the 64 bits that the core counts in: nothing has as many."""
    count = as_integer(value, name)
    if count < 0:
        raise ValueError(f"{name} must be at least 0, got {shown_integer(count)}")
    return min(count, _MOST_COUNT)


def as_number(value: object, name: str) -> float:
    """Real number of Python or NumPy."""
    if not isinstance(value, (numbers.Real, np.number)) or isinstance(value, (bool, np.complexfloating)):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    try:
        return float(cast(SupportsFloat, value))
    except OverflowError:
        got = shown_integer(value) if isinstance(value, int) else f"a {type(value).__name__} beyond it"
        raise ValueError(f"{name} must fit a float64, got {got}") from None


def check_tau(tau: float) -> None:
    """Refuse a tau that is no difference."""
    if not math.isfinite(tau) or tau < 0:
        raise ValueError(f"tau must be finite and at least 0, got {shown(tau)}")


def as_flag(value: object, name: str) -> bool:
    """True or False; a word such as "no" is a mistake, not a truth."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {type(value).__name__}")
    return bool(value)


def as_word(value: object, name: str) -> str:
    """Name of a choice."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, got {type(value).__name__}")
    return value


def as_style(style: object) -> str:
    """Style of a program's text."""
    word = as_word(style, "style")
    if word not in STYLES:
        raise ValueError(f"style must be 'paper', 'json' or 'compact', got {word!r}")
    return word


def as_pair(value: object, name: str) -> tuple[Any, Any]:
    """Tuple or list of two."""
    if not isinstance(value, (tuple, list, np.ndarray)) or len(value) != 2:
        raise TypeError(f"{name} must be a pair, got {value!r}")
    return value[0], value[1]


def as_size(size: object, name: str = "size") -> tuple[int, int]:
    """Width and height of an image in pixels."""
    width, height = (as_integer(side, name) for side in as_pair(size, f"{name} (width, height)"))
    if not (1 <= width <= MOST_CELLS and 1 <= height <= MOST_CELLS):
        got = f"({shown_integer(width)}, {shown_integer(height)})"
        raise ValueError(f"{name} must be (width, height) of 1 to {MOST_CELLS} pixels each, got {got}")
    return width, height


def as_rows_cols(grid: object) -> tuple[int, int]:
    """Rows and columns."""
    pair = grid if isinstance(grid, (tuple, list)) else (grid, grid)
    if len(pair) != 2:
        raise TypeError(f"grid must be an int or (rows, cols), got {grid!r}")
    rows, cols = (as_integer(count, "grid") for count in pair)
    if rows < 1 or cols < 1:
        raise ValueError(f"grid must be at least 1x1 (rows x columns), got {_shown_grid(rows, cols)}")
    if max(rows, cols) > MOST_CELLS:
        raise ValueError(_too_many(rows, cols))
    return rows, cols


def as_grid(grid: object) -> tuple[int, int]:
    """Rows and columns of a grid over a map, whose cells are numbered."""
    rows, cols = as_rows_cols(grid)
    if rows * cols > MOST_CELLS:
        raise ValueError(_too_many(rows, cols))
    return rows, cols


def _too_many(rows: int, cols: int) -> str:
    return f"grid may have at most {MOST_CELLS} cells, got {_shown_grid(rows, cols)} (rows x columns)"


def _shown_grid(rows: int, cols: int) -> str:
    return f"{shown_integer(rows)}x{shown_integer(cols)}"


def as_note(note: object) -> NoteLike:
    """Note of a program."""
    if note is None or note is ... or isinstance(note, str):
        return note
    raise TypeError(f"note must be a str or None, got {type(note).__name__}")
