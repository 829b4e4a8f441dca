"""Optical flow to programs (paper, 3.2.2)."""

from __future__ import annotations

import functools

from percepts import _core
from percepts._arrays import as_flow_maps, on_host
from percepts._labels import attach_labels, labeller
from percepts._late import launch
from percepts._options import GridLike, NoteLike, as_grid, as_note, as_word
from percepts._threads import num_threads
from percepts.batch import ProgramBatch
from percepts.program import Program

_AXIS = "horizontal"
_MOTION = "scene"


@functools.lru_cache(maxsize=32)
def _default_options(grid: int) -> _core.FlowOptions:
    return flow_options(grid, _AXIS, _MOTION, ...)


def flow(
    flow: object,
    *,
    grid: GridLike = 10,
    axis: str = _AXIS,
    motion: str = _MOTION,
    layout: str | None = None,
    invalid_value: object = None,
    mask: object = None,
    labels: object = None,
    class_names: object = None,
    note: NoteLike = ...,
) -> Program | ProgramBatch:
    """Make the program of a flow field: per cell the direction of the mean motion.

    Source: paper, 3.2.2.

    Parameters
    ----------
    flow
        One field, H×W×2 or 2×H×W, of (u, v) in any unit: u to the right, v downwards; or a batch, with B in front,
        or a list of fields of any sizes. The same kinds of arrays as for `percepts.depth`, or what `read_flow`
        returns. NaN and infinities are holes.
    grid
        Rows and columns, one number for both. Every cell holds at least one pixel.
    axis
        ``"horizontal"`` reads u: ``left`` where its mean is below 0, else ``right``. ``"vertical"`` reads v: ``up``
        where its mean is below 0, else ``down``. Only the component that is read decides which pixels are valid.
    motion
        ``"scene"`` is the direction of the flow itself, the paper's equation; ``"camera"`` gives the opposite word.
    layout
        ``"hwc"`` or ``"chw"``; needed only where the shape fits both.
    invalid_value
        Value or values that are holes, compared in the array's own dtype.
    mask
        Boolean, True for the pixels to use: H×W, also for all fields of a batch, B×H×W, or a list for a list.
    labels, class_names
        As for `percepts.depth`.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program or ProgramBatch
        From a CUDA device at once, as with `percepts.depth`.
        A program for one field, a batch of programs for several. Items `p` (1, 2, … row by row), `c` (``[x, y]``,
        the centre in 0..1000) and `r` (the word, or ``"unknown"`` for a cell without a valid pixel).

    Raises
    ------
    TypeError
        When an argument is of the wrong type, or the array is on a device that is not CUDA's.
    DeviceError
        When CUDA fails, or there is none for an array on its device.
    ValueError
        When the shape or an option does not meet its requirement.

    Examples
    --------
    >>> import numpy as np
    >>> field = np.zeros((4, 8, 2), np.float32)
    >>> field[:, :4, 0] = -1.5
    >>> [item.r for item in flow(field, grid=(1, 2)).items]
    ['left', 'right']
    """
    if axis is _AXIS and motion is _MOTION and labels is None and note is ... and type(grid) is int:
        options = _default_options(grid)
    else:
        options = flow_options(grid, axis, motion, note, labels is not None)
    maps = as_flow_maps(flow, axis, layout, mask, invalid_value)
    fields = on_host(maps)
    if fields is None:
        return launch("flow", maps, options, labeller(labels, maps, grid, class_names))
    if isinstance(fields, list):
        programs = _core.flow_batch(fields, options, num_threads())
        if labels is not None:
            attach_labels(programs, labels, [field.data.shape for field in fields], True, class_names)
        return ProgramBatch(map(Program._of, programs))
    program = _core.flow(*fields, options)
    if labels is not None:
        attach_labels([program], labels, [fields.data.shape], False, class_names)
    return Program._of(program)


def flow_options(grid: object, axis: object, motion: object, note: object, labelled: bool = False) -> _core.FlowOptions:
    """Check the options of a flow program, whatever the field."""
    rows, cols = as_grid(grid)
    return _core.FlowOptions(rows, cols, as_word(axis, "axis"), as_word(motion, "motion"), labelled, as_note(note))
