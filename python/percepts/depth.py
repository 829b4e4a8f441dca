"""Depth maps to programs (paper, 3.2.1)."""

from __future__ import annotations

import functools
from typing import Any

from percepts import _core
from percepts._arrays import as_maps, on_host
from percepts._core import View
from percepts._depth_maps import kind_of
from percepts._labels import attach_labels, labeller
from percepts._late import launch
from percepts._options import (
    MOST_CELLS,
    GridLike,
    NoteLike,
    as_count,
    as_flag,
    as_grid,
    as_note,
    as_number,
    as_pair,
    as_word,
)
from percepts._threads import num_threads
from percepts.batch import ProgramBatch
from percepts.program import Program

_TAU = 0.15
_KIND = "relative"
_SCALE = 1.0


def depth(
    depth: object,
    *,
    grid: GridLike = 10,
    tau: float = _TAU,
    kind: str = _KIND,
    scale: float = _SCALE,
    depth_range: tuple[float, float] | None = None,
    normalize: bool = True,
    invalid_value: object = None,
    mask: object = None,
    labels: object = None,
    class_names: object = None,
    relations: bool = True,
    max_relations: int | None = None,
    note: NoteLike = ...,
) -> Program | ProgramBatch:
    """Make the program of a depth map: per cell the range of the depth, and which of two neighbours is in front.

    Source: paper, 3.2.1.

    Parameters
    ----------
    depth
        One map, H×W; or a batch, B×H×W, B×1×H×W or a list of maps of any sizes: a NumPy array (also masked), a
        torch tensor, anything that offers ``__dlpack__``, ``__cuda_array_interface__``, ``__array__`` or the buffer
        protocol, in host memory or on a CUDA device, nested lists, what `read_depth` returns, or a ``DepthMap`` of
        supervision, which brings the pixels to use and its kind along. Boolean, integer or floating point, bfloat16
        included. It is read in place whatever its strides and never changed; only swapped bytes and torch's negative
        views are copied. Tensors that require a gradient are read as they are: nothing is recorded. NaN and infinities
        are holes.
    grid
        Rows and columns, one number for both. Every cell holds at least one pixel.
    tau
        Least difference of the means of two neighbours for one to be ``in_front_of`` the other, in units of the
        reading.
    kind
        What the numbers are. ``"relative"``: in [0, 1], 1 nearest; unsigned integers are divided by their type's
        maximum. ``"disparity"``: larger is nearer, any scale. ``"metric"``: larger is farther, any unit. The latter
        two are mapped onto [0, 1] with 1 nearest. A ``DepthMap`` of metres or of disparity is read as that, and a
        word that contradicts it is refused.
    scale
        Divides disparity and metric values first: 1000 for millimetres, 5000 for TUM RGB-D.
    depth_range
        ``(near, far)``, the values in scaled units that read 1 and 0, instead of the map's own valid range. Pixels
        beyond are clipped. It keeps the frames of a video comparable.
    normalize
        False keeps metric readings in scaled units, such as metres, where smaller is nearer.
    invalid_value
        Value or values that are holes, compared in the array's own dtype: 0 for most depth sensors. ``()`` says
        that there are none.
    mask
        Boolean, True for the pixels to use: H×W, also for all maps of a batch, B×H×W, or a list for a list.
    labels
        Label map of any integer dtype, shaped as a mask is. Items then have `b`, the name of the label that most of
        their cell's pixels have, the lowest of several.
    class_names
        Names of labels: a mapping (keys ``7`` or ``"7"``) or a sequence. A label without a name is ``class_7``.
    relations
        False leaves the relations out.
    max_relations
        Keep the first so many relations.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program or ProgramBatch
        From a CUDA device at once: the first look at the text, the items or anything else of it waits for the device.
        A program for one map, a batch of programs for several, each read by its own range. Items `p` (1, 2, … row
        by row), `c` (``[x, y]``, the centre in 0..1000), `r` (``[min, max]``, or ``"unknown"`` for a cell without a
        valid pixel), and `in_front_of` relations: for each cell first the right neighbour, then the lower one.

    Raises
    ------
    TypeError
        When an argument is of the wrong type, or the array is on a device that is not CUDA's.
    DeviceError
        When CUDA fails, or there is none for an array on its device.
    ValueError
        When the shape, an option or the values do not meet their requirement: a grid finer than the map, relative
        values outside [0, 1], metric values of 0 or below without `invalid_value`. In a batch it names the first map.
        What only the values on a CUDA device can tell is raised where the program is first looked at.

    Examples
    --------
    >>> import numpy as np
    >>> ramp = np.tile(np.linspace(0, 1, 8, dtype=np.float32), (4, 1))
    >>> program = depth(ramp, grid=(1, 2))
    >>> program.items
    (Item(p=1, c=[125, 250], r=[0.0, 0.4286]), Item(p=2, c=[625, 250], r=[0.5714, 1.0]))
    >>> program.relations
    (Relation(a=2, predicate='in_front_of', b=1),)
    """
    if (
        tau is _TAU
        and kind is _KIND
        and scale is _SCALE
        and normalize is relations is True
        and depth_range is invalid_value is mask is labels is max_relations is None
        and note is ...
        and type(grid) is int
        and grid <= MOST_CELLS
    ):
        # Checking ten options would take longer than reading a small map.
        made = _core.depth_by_default(depth, grid)
        if made is not None:
            if type(made) is _core.Program:
                return Program._of(made)
            depth = made
    options = _options(
        grid, tau, kind_of(depth, kind), scale, depth_range, normalize, None if invalid_value is None else "named",
        relations, max_relations, note, labels is not None,
    )  # fmt: skip
    zero_is_hole = type(invalid_value) is int and invalid_value == 0
    if mask is labels is None and (zero_is_hole or invalid_value is None) and type(depth) is not View:
        made = _core.depth_of_map(depth, options, zero_is_hole)
        if made is not None:
            if type(made) is _core.Program:
                return Program._of(made)
            depth = made
    maps = as_maps(depth, "depth", mask, invalid_value)
    fields = on_host(maps)
    if fields is None:
        return launch("depth", maps, options, labeller(labels, maps, grid, class_names))
    if isinstance(fields, list):
        programs = _core.depth_batch(fields, options, num_threads())
        if labels is not None:
            attach_labels(programs, labels, [field.data.shape for field in fields], True, class_names)
        return ProgramBatch(map(Program._of, programs))
    program = _core.depth(*fields, options)
    if labels is not None:
        attach_labels([program], labels, [fields.data.shape], False, class_names)
    return Program._of(program)


def _options(*given: Any) -> _core.DepthOptions:
    """Check options that were checked lately from memory, where they can be told apart by type and value."""
    if type(given[0]) is int and given[4] is None:
        try:
            return _remembered(*given)
        except TypeError:
            pass  # something cannot be hashed, or is of a wrong type: the check says which
    return depth_options(*given)


def depth_options(
    grid: object,
    tau: object,
    kind: object,
    scale: object,
    depth_range: object,
    normalize: object,
    invalid_value: object,
    relations: object,
    max_relations: Any,
    note: object,
    labelled: bool = False,
) -> _core.DepthOptions:
    """Check the options of a depth program, whatever the map."""
    rows, cols = as_grid(grid)
    near_far = None
    if depth_range is not None:
        near, far = as_pair(depth_range, "depth_range")
        near_far = as_number(near, "depth_range"), as_number(far, "depth_range")
    if max_relations is not None:
        max_relations = as_count(max_relations, "max_relations")
    return _core.DepthOptions(
        rows,
        cols,
        as_number(tau, "tau"),
        as_word(kind, "kind"),
        as_number(scale, "scale"),
        near_far,
        as_flag(normalize, "normalize"),
        invalid_value is not None,
        labelled,
        as_flag(relations, "relations"),
        max_relations,
        as_note(note),
    )


_remembered = functools.lru_cache(maxsize=64, typed=True)(depth_options)
