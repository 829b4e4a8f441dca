"""Label maps to programs (released generator)."""

from __future__ import annotations

from percepts import _core
from percepts._arrays import as_labels, of_map
from percepts._labels import Names, as_ignored, kept_names, names_in
from percepts._options import GridLike, NoteLike, as_flag, as_grid, as_note
from percepts._threads import num_threads
from percepts.batch import ProgramBatch
from percepts.program import Program


def segmentation(
    labels: object,
    *,
    grid: GridLike = 10,
    class_names: object = None,
    ignore_index: int | None = None,
    relations: bool = True,
    note: NoteLike = ...,
) -> Program | ProgramBatch:
    """Make the program of a label map: per cell the label that most pixels have, its share, and its neighbours.

    Source: the paper's released generator.

    Parameters
    ----------
    labels
        One label map, H×W, of any integer dtype or boolean; or a batch, B×H×W, B×1×H×W or a list of maps of any
        sizes. The same kinds of arrays as for `percepts.depth`, or what `read_labels` returns. Pixels that a masked
        array masks do not count.
    grid
        Rows and columns, one number for both. Every cell holds at least one pixel.
    class_names
        Names of labels: a mapping (keys ``7`` or ``"7"``) or a sequence. A label without a name is ``class_7``; names
        of labels that do not occur are passed over.
    ignore_index
        Label whose pixels count neither for a label nor in its share, such as 255.
    relations
        False leaves the relations out.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program or ProgramBatch
        A program for one map, a batch of programs for several. Items `p` (1, 2, … row by row), `c` (``[x, y]``, the
        centre in 0..1000), `r` (the share of the pixels that count) and `b` (the label's name; the lowest label of
        several). A cell of which no pixel counts has ``"unknown"`` as `r` and no `b`. `adjacent_to` relations of
        neighbouring cells with different labels: for each cell first the right neighbour, then the lower one. The
        arrays are `center`, `label` (int64; `ignore_index`, or 0, where no pixel counts) and `share`.

    Raises
    ------
    TypeError
        When an argument is of the wrong type, or the array is on a device.
    ValueError
        When a grid is finer than the map, a key of `class_names` is no label, `ignore_index` does not fit the map's
        dtype, or the label of a cell does not fit an int64. In a batch it names the first map.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.array([[7, 7, 2, 2], [7, 1, 2, 255]], np.uint8)
    >>> program = segmentation(labels, grid=(1, 2), class_names={7: "chair"}, ignore_index=255)
    >>> program.items
    (Item(p=1, c=[0, 0], r=0.75, b='chair'), Item(p=2, c=[500, 0], r=1.0, b='class_2'))
    >>> program.relations
    (Relation(a=1, predicate='adjacent_to', b=2),)
    """
    rows, cols = as_grid(grid)
    related, chosen_note = as_flag(relations, "relations"), as_note(note)
    names = kept_names(class_names)
    fields = as_labels(labels)
    several = fields if isinstance(fields, list) else [fields]
    ignored = _ignored(ignore_index, [field.data.dtype for field in several], isinstance(fields, list))
    options = _core.SegmentationOptions(rows, cols, ignored, related, chosen_note)
    if not isinstance(fields, list):
        return Program._of(_named(_core.segmentation(*fields, options), names))
    programs = _core.segmentation_batch(fields, options, num_threads())
    return ProgramBatch(Program._of(_named(program, names)) for program in programs)


def _ignored(ignore_index: object, dtypes: list[str], batched: bool) -> int | None:
    """Label to leave out, which every map's dtype must be able to hold."""
    ignored = None
    for k, dtype in enumerate(dtypes):
        if batched:
            with of_map(k):
                ignored = as_ignored(ignore_index, dtype)
        else:
            ignored = as_ignored(ignore_index, dtype)
    return ignored


def _named(program: _core.Program, names: Names) -> _core.Program:
    """Give the labels their names: the core calls each ``class_7``."""
    if names is not None:
        _core.name_labels(program, names_in(names, _core.dominant_labels(program)))
    return program
