"""The kernels by themselves, for those who want numbers instead of text.

Results are arrays of the input's own library, on the host: torch tensors for a torch tensor, JAX arrays for a JAX
array, NumPy arrays for lists. A library that does not keep a dtype, as JAX does not keep float64 unless told to,
converts it by its own rule. There are no gradients.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from percepts import _core
from percepts._arrays import as_field, as_flow_component, as_means
from percepts._libraries import into_library_of
from percepts._options import GridLike, as_grid, as_number
from percepts.flow import flow_options


class GridStats(NamedTuple):
    """Statistics of each cell over its valid pixels, each of shape (rows, cols), in the field's array library.

    Attributes
    ----------
    min, max
        float32, or float64 for float64 and for integers over 16 bits. NaN where `count` is 0.
    mean
        float64. NaN where `count` is 0.
    count
        int32, the number of valid pixels.
    """

    min: Any
    max: Any
    mean: Any
    count: Any


def grid_stats(field: object, grid: GridLike = 10, mask: object = None, invalid_value: object = None) -> GridStats:
    """Minimum, maximum, mean and number of the valid pixels of each cell, in the field's own values.

    Parameters
    ----------
    field
        H×W; the same kinds of arrays as for `percepts.depth`.
    grid
        Rows and columns, one number for both.
    mask
        Boolean H×W, True for the pixels to use.
    invalid_value
        Value or values that are holes, compared in the array's own dtype.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> import numpy as np
    >>> stats = grid_stats(np.array([[1, 2, 3, 0]], np.uint16), grid=(1, 2), invalid_value=0)
    >>> stats.max.tolist(), stats.mean.tolist(), stats.count.tolist()
    ([[2.0, 3.0]], [[1.5, 3.0]], [[2, 1]])
    """
    rows, cols = as_grid(grid)
    data, pixels, sentinels = as_field(field, "field", mask, invalid_value)
    into_library = into_library_of(field)
    return GridStats(*map(into_library, _core.grid_stats(data, pixels, sentinels, rows, cols)))


def flow_sign(
    flow: object,
    grid: GridLike = 10,
    axis: str = "horizontal",
    layout: str | None = None,
    mask: object = None,
    invalid_value: object = None,
) -> Any:
    """Sign of each cell's mean flow along an axis.

    Parameters
    ----------
    flow
        H×W×2 or 2×H×W.
    grid, axis, layout, mask, invalid_value
        As for `percepts.flow`.

    Returns
    -------
    array of the input's library
        int8 of shape (rows, cols): -1 where the mean is below 0, else +1; 0 in a cell without a valid pixel.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> import numpy as np
    >>> flow_sign(np.full((3, 4, 2), -0.5), grid=(1, 2)).tolist()
    [[-1, -1]]
    """
    rows, cols = as_grid(grid)
    flow_options(grid, axis, "scene", None)
    data, pixels, sentinels = as_flow_component(flow, axis, layout, mask, invalid_value)
    return into_library_of(flow)(_core.flow_sign(data, pixels, sentinels, rows, cols))


def neighbor_relations(mean: object, tau: float) -> Any:
    """Which of two neighbouring cells is in front, decided on the means given (larger is nearer).

    Parameters
    ----------
    mean
        Real numbers of shape (..., rows, cols); NaN for a cell without data.
    tau
        Least difference that decides.

    Returns
    -------
    array of the input's library
        int8 of shape (..., rows, cols, 2), for the right and the lower neighbour: +1 when this cell is in front, -1
        when the neighbour is, 0 for neither, also where there is no neighbour or no data.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> neighbor_relations([[0.9, 0.2]], tau=0.15).tolist()
    [[[1, 0], [0, 0]]]
    """
    tau = as_number(tau, "tau")
    means = as_means(mean)
    relations = np.empty((*means.shape, 2), np.int8)
    for index in np.ndindex(means.shape[:-2]):
        relations[index] = _core.neighbor_relations(means[index], tau)
    return into_library_of(mean)(relations)
