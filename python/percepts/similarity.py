"""Maps of similarities to programs (released generator)."""

from __future__ import annotations

from percepts import _core
from percepts._arrays import as_named_maps
from percepts._options import NoteLike, as_note
from percepts.program import Program


def similarity(maps: object, *, note: NoteLike = ...) -> Program:
    """Make the program of maps of similarities, one a candidate: every value is an item.

    Source: the paper's released generator.

    Parameters
    ----------
    maps
        A mapping of the candidates' labels to their maps, H×W, all of one shape: the same kinds of arrays as for
        `percepts.depth`. The values are printed as they are given. NaN, infinities and what a masked array masks read
        ``"unknown"``.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program
        Items `p` (1, 2, … over the candidates in their order, each map row by row), `c` (the candidate's label) and
        `r` (the similarity). `grid` is the shape of the maps. The array `similarity` is (candidates, H, W), float64.
        Items have no location: `Program.reading_at` does not apply.

    Raises
    ------
    TypeError
        When `maps` is not a mapping of str to arrays.
    ValueError
        When there is no map, when shapes differ, or a value does not fit float32.

    Examples
    --------
    >>> program = similarity({"A": [[0.5, 0.25]], "B": [[1, 0]]}, note=None)
    >>> [(item.p, item.c, item.r) for item in program.items]
    [(1, 'A', 0.5), (2, 'A', 0.25), (3, 'B', 1.0), (4, 'B', 0.0)]
    >>> program.grid
    (1, 2)
    """
    chosen_note = as_note(note)
    named = as_named_maps(maps)
    return Program._of(_core.similarity(list(named), list(named.values()), chosen_note))
