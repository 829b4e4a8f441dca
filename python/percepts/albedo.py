"""Albedo maps to programs (released generator)."""

from __future__ import annotations

from percepts import _core
from percepts._arrays import as_fields
from percepts._labels import attach_labels
from percepts._options import GridLike, NoteLike, as_flag, as_grid, as_note, as_number
from percepts._threads import num_threads
from percepts.batch import ProgramBatch
from percepts.program import Program


def albedo(
    albedo: object,
    *,
    grid: GridLike = 10,
    tau: float = 0.08,
    invalid_value: object = None,
    mask: object = None,
    labels: object = None,
    class_names: object = None,
    relations: bool = True,
    note: NoteLike = ...,
) -> Program | ProgramBatch:
    """Make the program of an albedo map: per cell the median, and which of two neighbours is darker.

    Source: the paper's released generator.

    Parameters
    ----------
    albedo
        One map, H×W, with 0 for black and 1 for white; or a batch, B×H×W, B×1×H×W or a list of maps of any sizes. The
        same kinds of arrays as for `percepts.depth`. Unsigned integers are divided by their type's maximum, signed
        ones must read 0 or 1. NaN and infinities are holes.
    grid
        Rows and columns, one number for both. Every cell holds at least one pixel.
    tau
        Least difference of the medians of two neighbours for one to be ``is darker than`` the other.
    invalid_value, mask, labels, class_names
        As for `percepts.depth`.
    relations
        False leaves the relations out.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program or ProgramBatch
        A program for one map, a batch of programs for several. Items `p` (1, 2, … row by row), `c` (``[x, y]``, the
        centre in 0..1000) and `r` (the median, limited to [0, 1], or ``"unknown"`` for a cell without a valid pixel).
        Relations of all neighbouring cells with a reading, ``is darker than`` or ``about the same as``: for each cell
        first the right neighbour, then the lower one. The arrays are `center`, `median` (float64, limited) and `valid`.

    Raises
    ------
    TypeError
        When an argument is of the wrong type, or the array is on a device.
    ValueError
        When the shape or an option does not meet its requirement, or signed integers are not in [0, 1]. In a batch it
        names the first map.

    Examples
    --------
    >>> import numpy as np
    >>> grey = np.array([[51, 51, 60, 204, 210, 204]], np.uint8)
    >>> program = albedo(grey, grid=(1, 3))
    >>> [item.r for item in program.items]
    [0.2, 0.5176, 0.8118]
    >>> program.relations[0]
    Relation(a=1, predicate='is darker than', b=2)
    """
    options = albedo_options(grid, tau, relations, note, labels is not None)
    fields = as_fields(albedo, "albedo", mask, invalid_value)
    batched = isinstance(fields, list)
    several = fields if isinstance(fields, list) else [fields]
    if isinstance(fields, list):
        programs = _core.albedo_batch(fields, options, num_threads())
    else:
        programs = [_core.albedo(*fields, options)]
    if labels is not None:
        attach_labels(programs, labels, [field.data.shape for field in several], batched, class_names)
    return ProgramBatch(map(Program._of, programs)) if batched else Program._of(programs[0])


def albedo_options(
    grid: object, tau: object, relations: object, note: object, labelled: bool = False
) -> _core.AlbedoOptions:
    """Check the options of an albedo program, whatever the map."""
    rows, cols = as_grid(grid)
    return _core.AlbedoOptions(
        rows, cols, as_number(tau, "tau"), labelled, as_flag(relations, "relations"), as_note(note)
    )
