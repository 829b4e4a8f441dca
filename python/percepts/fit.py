"""Programs within a budget of tokens."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from percepts import _core
from percepts._options import as_count, as_style
from percepts._tokens import count_tokens
from percepts.items import Item
from percepts.program import Program

Array = np.ndarray[Any, np.dtype[Any]]

_LEAST_SHARE = 1 / 4
_FEWEST_TOKENS_OF_AN_ITEM = 2


@dataclass(frozen=True, slots=True)
class Fitted:
    """A program that fits its budget.

    Attributes
    ----------
    text
        The text that fits.
    program
        The program that it is the text of.
    style
        The style that it is written in.
    tokens
        How many tokens the text has.
    dropped
        What was done to the program, in words; empty where nothing was.
    """

    text: str
    program: Program
    style: str
    tokens: int
    dropped: tuple[str, ...]


def fit(program: Program, max_tokens: int, *, style: str = "paper", encoding: str = "o200k_base") -> Fitted:
    """Make a program's text fit a budget of tokens.

    The first of these that fits is taken:

    1. The program as it is, in the style asked for.
    2. Less of it: cells merged by whole cells (10×10 to 5×5) to the finest grid that fits, where the program still has
       what it was made from; parsed, unpickled and labelled programs keep their grid. Or matches thinned to as many as
       fit, spread over the image. At least a quarter of the cells or matches stays.
    3. The same without relations, beginning with all cells.
    4. All of this in the style ``compact``.
    5. All of this in the style ``compact`` with no limit to how few cells or matches stay.

    Parameters
    ----------
    program
        Any program. Cells are merged in programs of `percepts.depth` and `percepts.flow`, matches are thinned where
        items are keypoints.
    max_tokens
        The budget for the whole text, tags and note included.
    style
        Style to keep to while that is possible, see `Program.to_text`.
    encoding
        Encoding that tokens are counted in, see `Program.count_tokens`.

    Raises
    ------
    ImportError
        When the package behind the extra ``tokens`` is missing.
    ValueError
        When nothing fits; the message says what the least is.

    Examples
    --------
    >>> import percepts as pc
    >>> depth = np.tile(np.linspace(0, 1, 100, dtype=np.float32), (100, 1))
    >>> fitted = fit(pc.depth(depth, note=None), 1100)
    >>> fitted.dropped
    ('10x10 cells merged to 5x5',)
    >>> fitted.program == pc.depth(depth, grid=5, note=None)
    True
    """
    if not isinstance(program, Program):
        raise TypeError(f"program must be a Program, got {type(program).__name__}")
    budget = as_count(max_tokens, "max_tokens")
    rounds = [(as_style(style), _LEAST_SHARE), ("compact", _LEAST_SHARE), ("compact", 0.0)]
    count_tokens("", encoding)  # refuses what is no encoding
    attempts = _Attempts(budget, encoding)
    for chosen, share in dict.fromkeys(rounds):
        changed = () if chosen == style else (f"style {style} left for {chosen}",)
        for start in _with_and_without_relations(program):
            fitted = _fitted(start, share, budget, functools.partial(attempts.fits, chosen))
            if fitted is not None:
                text = fitted.program.to_text(chosen)
                tokens = count_tokens(text, encoding)
                return Fitted(text, fitted.program, chosen, tokens, (*fitted.dropped, *changed))
    if math.isinf(attempts.least):
        raise ValueError(f"this {program.modality} program is too long for its tokens to be counted in any form")
    raise ValueError(f"max_tokens must be at least {attempts.least} for this {program.modality} program, got {budget}")


@dataclass(frozen=True, slots=True)
class _Form:
    """A program that says less, and what it does not say."""

    program: Program
    dropped: tuple[str, ...] = ()

    def less(self, program: Program, dropped: str) -> _Form:
        return _Form(program, (*self.dropped, dropped))


class _Attempts:
    """Counts tokens, and remembers the least of all counts."""

    def __init__(self, budget: int, encoding: str) -> None:
        self._budget = budget
        self._encoding = encoding
        self.least = math.inf

    def fits(self, style: str, form: _Form) -> bool:
        text = form.program.to_text(style)
        try:
            tokens = count_tokens(text, self._encoding)
        except ValueError:  # longer than the tokenizer takes
            return False
        self.least = min(self.least, tokens)
        return tokens <= self._budget


def _with_and_without_relations(program: Program) -> Iterator[_Form]:
    whole = _Form(program)
    yield whole
    count = program._printed.relation_count
    if count:
        relations = "1 relation" if count == 1 else f"{count} relations"
        yield whole.less(Program._of(program._printed.without_relations()), f"{relations} dropped")


def _fitted(start: _Form, share: float, budget: int, fits: Callable[[_Form], bool]) -> _Form | None:
    """Find the form that says most among those that fit and keep at least this share of cells or matches."""
    for form in _merged_forms(start, share):
        if fits(form):
            return form
    if start.program.granularity == "keypoint" and not start.program._printed.relation_count:
        return _thinned(start, share, budget, fits)
    return None


def _merged_forms(start: _Form, share: float) -> Iterator[_Form]:
    """Yield the form itself and those of coarser grids, finer ones first."""
    yield start
    rows, cols = start.program.grid or (0, 0)
    # A parsed text may claim any grid; one that has items for all its cells is no larger than they are.
    if start.program._printed.item_count != rows * cols:
        return
    for factor in range(2, math.gcd(rows, cols) + 1):
        if factor**-2 < share or math.gcd(rows, cols) % factor:
            continue
        merged = start.program._printed.merged(factor)
        if merged is not None:
            yield start.less(Program._of(merged), f"{rows}x{cols} cells merged to {rows // factor}x{cols // factor}")


def _thinned(start: _Form, share: float, budget: int, fits: Callable[[_Form], bool]) -> _Form | None:
    """Keep as many items as fit, by bisection, spread over the image and in their order."""
    items = start.program.items
    fewest = max(1, math.ceil(len(items) * share))
    most = min(len(items) - 1, max(1, budget // _FEWEST_TOKENS_OF_AN_ITEM))
    if fewest > most:
        return None
    order = _spread(items, start.program.arrays.get("confidence"), most)

    def keep(count: int) -> _Form:
        part = start.program._printed.picked(sorted(order[:count]))
        return start.less(Program._of(part), f"{len(items) - count} of {len(items)} matches dropped")

    best = keep(fewest)
    if not fits(best):
        return None
    while fewest < most:
        middle = (fewest + most + 1) // 2
        form = keep(middle)
        if fits(form):
            fewest, best = middle, form
        else:
            most = middle - 1
    return best


def _spread(items: tuple[Item, ...], confidence: Array | None, count: int) -> list[int]:
    """Choose so many items, one after the other, each the farthest from all before it; the first of several.

    It begins with the most confident item, else with the first. Items that are not all at a canonical ``[x, y]`` keep
    their order.
    """
    if not all(_is_canonical(item.c) for item in items):
        return list(range(count))
    return _core.most_spread(np.array([item.c for item in items], np.int32), count, confidence)


def _is_canonical(place: object) -> bool:
    return isinstance(place, list) and len(place) == 2 and all(isinstance(at, int) and 0 <= at <= 1000 for at in place)
