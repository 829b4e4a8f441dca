"""Jigsaw questions to programs (paper, 3.2.4)."""

from __future__ import annotations

from collections.abc import Mapping

from percepts import _core
from percepts._images import as_image, as_pieces
from percepts._options import NoteLike, as_integer, as_note, shown_integer
from percepts.program import Program

STRIP = 8
"""Lines of pixels along a border, unless told otherwise."""

_MOST_LINES = 2**63 - 1


def jigsaw(image: object, pieces: Mapping[str, object], *, strip: int = STRIP, note: NoteLike = ...) -> Program:
    """Make the program of a jigsaw question: how well each candidate fits into the missing lower right part.

    Along the left and the top border of a piece, a strip of the piece is compared with the strip of the image on the
    other side of the border. Lines are paired by their distance from the border. The reading is the mean of three
    similarities from 0 to 1, `percepts.kernels.strip_similarity`.

    Source: paper, 3.2.4; the definitions of the three similarities are ours.

    Parameters
    ----------
    image
        The image that misses its lower right part: H×W (grey) or H×W×3 (RGB), uint8 or floating-point numbers in
        [0, 1]. What stands in the missing part is not looked at.
    pieces
        The candidates: label to image, all of one size w×h that fills the rectangle from (W−w, H−h) to (W, H). A grey
        image beside colour is taken for colour; where all are grey, intensities are compared instead of colours.
    strip
        Lines of pixels along a border. Where the piece or the image beside it has fewer, these are compared.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program
        Two items a piece, left before top: `p` (``"left"`` or ``"top"``), `i` (the label), `c`
        (``[x0, y0, x1, y1]``, the strip in the piece, in 0..1000) and `r` (the mean similarity, from 0 to 1). The
        arrays ``structure``, ``color``, ``edge`` and ``similarity``, float64 of shape (pieces, 2), hold left and top.

    Raises
    ------
    TypeError
        When an argument is of the wrong type.
    ValueError
        When a shape does not meet its requirement, a value in a strip is outside [0, 1], or `strip` is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> ridge = abs(np.arange(-4, 4) + 0.5)
    >>> image = (ridge[:, None] + ridge) / 8              # alike on both sides of the lines through its middle
    >>> pieces = {"A": image[4:, 4:], "B": 1 - image[4:, 4:]}
    >>> [(item.i, item.p, item.c, item.r) for item in jigsaw(image, pieces, strip=2).items[:2]]
    [('A', 'left', [0, 0, 500, 1000], 1.0), ('A', 'top', [0, 0, 1000, 500], 1.0)]
    """
    view, views, lines = question_of(image, pieces, strip)
    return Program._of(_core.jigsaw(view, views, lines, as_note(note)))


def question_of(image: object, pieces: object, strip: object) -> tuple[_core.View, list[tuple[str, _core.View]], int]:
    """Check the arguments of a jigsaw question."""
    lines = as_integer(strip, "strip")
    if lines < 1:
        raise ValueError(f"strip must be at least 1, got {shown_integer(lines)}")
    view = as_image(image, "image")
    return view, as_pieces(pieces, view), min(lines, _MOST_LINES)
