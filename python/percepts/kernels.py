"""The kernels by themselves, for those who want numbers instead of text.

Results are arrays of the input's own library: torch tensors for a torch tensor, JAX arrays for a JAX array, NumPy
arrays for lists. From arrays on a CUDA device, `grid_stats`, `flow_sign`, `neighbor_relations` and `label_mode` give
arrays on that device, ready on the stream that their library uses there, without waiting; for producers of no array
library these are arrays with ``__dlpack__`` and ``__cuda_array_interface__``. The other kernels read host memory. A
library that does not keep a dtype, as JAX does not keep float64 unless told to, converts it by its own rule. There are
no gradients.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from percepts import _core, _device_kernels
from percepts._arrays import (
    as_fields,
    as_flow_maps,
    as_maps,
    as_maps_of_labels,
    as_means_anywhere,
    blank_like,
    of_map,
    on_host,
)
from percepts._core import View
from percepts._features import as_features
from percepts._images import as_strips, strip_axis
from percepts._labels import as_ignored
from percepts._libraries import into_library_of
from percepts._options import GridLike, as_grid, as_number, as_size, check_tau
from percepts._points import as_point, as_points
from percepts.flow import flow_options

__all__ = [
    "GridStats",
    "cell_median",
    "feature_similarity",
    "flow_sign",
    "grid_stats",
    "label_mode",
    "nearest_match",
    "neighbor_relations",
    "strip_similarity",
]


class GridStats(NamedTuple):
    """Statistics of each cell over its valid pixels, each of shape (rows, cols), in the field's array library.

    Attributes
    ----------
    min, max
        float32, or float64 for float64 and for integers over 16 bits. NaN where `count` is 0.
    mean
        float64: exact for integers of up to 32 bits, else within 1e-6 of the mean magnitude. NaN where `count` is 0.
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
        H×W, or a batch B×H×W or B×1×H×W; the same kinds of arrays as for `percepts.depth`. The statistics of a batch
        have the shape (B, rows, cols).
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
    maps = as_maps(field, "field", mask, invalid_value)
    fields = on_host(maps)
    if fields is None:
        return GridStats(*_device_kernels.grid_stats(field, maps, rows, cols))
    into_library = into_library_of(field)
    if not isinstance(fields, list):
        return GridStats(*(into_library(array) for array in _core.grid_stats(*fields, rows, cols)))
    if not fields:
        one = _core.grid_stats(*blank_like(field, "field", (rows, cols)), rows, cols)
        return GridStats(*(into_library(array[None][:0]) for array in one))
    several = []
    for k, each in enumerate(fields):
        with of_map(k):
            several.append(_core.grid_stats(*each, rows, cols))
    return GridStats(*(into_library(np.stack(arrays)) for arrays in zip(*several, strict=True)))


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
        H×W×2 or 2×H×W; a batch has B in front.
    grid, axis, layout, mask, invalid_value
        As for `percepts.flow`.

    Returns
    -------
    array of the input's library
        int8 of shape (rows, cols), with B in front for a batch: -1 where the mean is below 0, else +1; 0 in a
        cell without a valid pixel.

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
    maps = as_flow_maps(flow, axis, layout, mask, invalid_value)
    fields = on_host(maps)
    if fields is None:
        return _device_kernels.flow_sign(flow, maps, rows, cols)
    into_library = into_library_of(flow)
    if not isinstance(fields, list):
        return into_library(_core.flow_sign(*fields, rows, cols))
    signs = np.empty((len(fields), rows, cols), np.int8)
    for k, each in enumerate(fields):
        with of_map(k):
            signs[k] = _core.flow_sign(*each, rows, cols)
    return into_library(signs)


def label_mode(labels: object, grid: GridLike = 10, ignore_index: int | None = None) -> tuple[Any, Any]:
    """Dominant label of each cell, and its share.

    Parameters
    ----------
    labels
        H×W of any integer dtype or boolean; B×H×W or a list of maps of one dtype for a batch. Pixels that a masked
        array masks do not count.
    grid
        Rows and columns, one number for both.
    ignore_index
        Label whose pixels count neither for a label nor in the share.

    Returns
    -------
    label : array of the input's library
        (rows, cols), in the labels' dtype: the label of most pixels, the lowest of several. `ignore_index` (0 without
        one) where no pixel counts.
    share : array of the input's library
        (rows, cols), float64: that label's share of the pixels that count. NaN where none does.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> import numpy as np
    >>> label, share = label_mode(np.array([[7, 7, 2, 5]], np.uint8), grid=(1, 2))
    >>> label.tolist(), share.tolist()
    ([[7, 2]], [[1.0, 0.5]])
    """
    rows, cols = as_grid(grid)
    maps = as_maps_of_labels(labels)
    fields = on_host(maps)
    if fields is None:
        return _device_kernels.label_mode(labels, maps, rows, cols, ignore_index)
    into_library = into_library_of(labels)
    if not isinstance(fields, list):
        label, share = _core.label_mode(*fields, rows, cols, as_ignored(ignore_index, fields.data.dtype))
        return into_library(label), into_library(share)
    if not fields:
        blank = _core.label_mode(*blank_like(labels, "labels", (rows, cols)), rows, cols, None)
        label, share = (array[None][:0] for array in blank)
        return into_library(label), into_library(share)
    modes = []
    for k, field in enumerate(fields):
        with of_map(k):
            modes.append(_core.label_mode(*field, rows, cols, as_ignored(ignore_index, field.data.dtype)))
    label, share = (np.stack(arrays) for arrays in zip(*modes, strict=True))
    return into_library(label), into_library(share)


def cell_median(field: object, grid: GridLike = 10, mask: object = None, invalid_value: object = None) -> Any:
    """Median of the valid pixels of each cell, in the field's own values.

    Parameters
    ----------
    field, grid, mask, invalid_value
        As for `grid_stats`.

    Returns
    -------
    array of the input's library
        Shape (rows, cols), with B in front for a batch: float32, or float64 for float64 and for integers over 16
        bits. For an even number of pixels the mean of the two middle values in float64, rounded once. NaN in a cell
        without a valid pixel.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> import numpy as np
    >>> cell_median(np.array([[9, 1, 2, 40, 7, 0]], np.uint8), grid=(1, 2), invalid_value=0).tolist()
    [[2.0, 23.5]]
    """
    rows, cols = as_grid(grid)
    fields = as_fields(field, "field", mask, invalid_value)
    into_library = into_library_of(field)
    if not isinstance(fields, list):
        return into_library(_core.cell_median(*fields, rows, cols))
    if not fields:
        return into_library(_core.cell_median(*blank_like(field, "field", (rows, cols)), rows, cols)[None][:0])
    several = []
    for k, each in enumerate(fields):
        with of_map(k):
            several.append(_core.cell_median(*each, rows, cols))
    return into_library(np.stack(several))


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
    means = as_means_anywhere(mean)
    check_tau(tau)
    if isinstance(means, View):
        return _device_kernels.neighbor_relations(mean, means, tau)
    relations = np.empty((*means.shape, 2), np.int8)
    for index in np.ndindex(means.shape[:-2]):
        relations[index] = _core.neighbor_relations(means[index], tau)
    return into_library_of(mean)(relations)


def strip_similarity(strips0: object, strips1: object) -> tuple[Any, Any, Any]:
    """How similar the pixels on the two sides of a border are, in three respects.

    Pixels are paired by their place: of two strips along a border both have the line that touches it first, so that
    one of them is mirrored.

    ==============  =================================================================================================
    structure       (1 + SSIM) / 2: mean structural similarity of the brightness (BT.601) over all 7×7 windows inside
                    the strips, or the largest odd side that fits; K1 = 0.01, K2 = 0.03, variances over n pixels
    color           1 − ½ Σ (p − q)² / (p + q) over the joint histograms of 8 hues × 8 saturations × 8 values (for
                    grey of 32 intensities)
    edge            (1 + NCC) / 2: normalised cross-correlation, less the means, of the magnitudes of Sobel's gradient
                    of the brightness. Beyond its rim a strip goes on as it ends. Two strips without any change in
                    their gradients correlate fully, one of them with another strip not at all
    ==============  =================================================================================================

    Parameters
    ----------
    strips0, strips1
        Strips of the same shape, (…, lines, length) or (…, lines, length, 3) for RGB: three dimensions or more with 3
        as the last are colour. uint8, or floating-point numbers in [0, 1]; each may be of its own dtype.

    Returns
    -------
    tuple
        structure, color and edge: float64 in [0, 1], of the shape that stands for "…", in the array library of
        `strips0`; 1 for equal strips.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.arange(32, dtype=np.uint8).reshape(4, 8)
    >>> [float(similarity) for similarity in strip_similarity(rows, rows)]
    [1.0, 1.0, 1.0]
    >>> structure, color, edge = strip_similarity([[0.0, 0.5, 1.0]], [[1.0, 0.5, 0.0]])
    >>> float(color), float(edge)
    (1.0, 1.0)
    """
    view0, view1 = as_strips(strips0, "strips0"), as_strips(strips1, "strips1")
    if view0.shape != view1.shape:
        raise ValueError(f"strips0 and strips1 must have the same shape, got {view0.shape} and {view1.shape}")
    into_library = into_library_of(strips0)
    batch = view0.shape[: strip_axis(view0)]
    similarities = np.empty((3, *batch))
    for index in np.ndindex(batch):
        pair = view0, view1
        for k in index:
            pair = pair[0].part(0, k), pair[1].part(0, k)
        similarities[(slice(None), *index)] = _core.strip_similarity(*pair)
    structure, color, edge = (into_library(similarities[k, ...]) for k in range(3))
    return structure, color, edge


def nearest_match(points: object, queries: object) -> tuple[Any, Any]:
    """Point nearest to each query, by Euclidean distance.

    Parameters
    ----------
    points
        N×2, at least one: (x, y) in any unit, of any integer or floating-point dtype.
    queries
        Q×2.

    Returns
    -------
    index : array of the library of `points`
        (Q,), int64: the nearest point, the lowest index of several. It is the choice of exact arithmetic on the
        coordinates given, whatever their size and dtype.
    distance : array of the library of `points`
        (Q,), float64.

    Raises
    ------
    TypeError
        When an argument is no array of numbers.
    ValueError
        When a shape is another, there is no point, or a coordinate is not finite or above 1e100; in int64 and uint64
        also from 2**53 on. Coordinates below 1e-100 count as 0.

    Examples
    --------
    >>> index, distance = nearest_match([(0, 0), (3, 4), (3, 4)], [(3, 0), (5, 4)])
    >>> index.tolist(), distance.tolist()
    ([0, 1], [3.0, 2.0])
    """
    found = _core.nearest_match(as_points(points, "points"), as_points(queries, "queries"))
    into_library = into_library_of(points)
    return into_library(found[0]), into_library(found[1])


def feature_similarity(
    features0: object,
    features1: object,
    source: object,
    targets: object,
    size0: object = None,
    size1: object = None,
    layout: str = "chw",
) -> Any:
    """Cosine similarity of the features at points of a second image to those at a point of a first one.

    Parameters
    ----------
    features0, features1
        Feature maps of the two images, C×h×w, or 1×C×h×w, of the same number of channels: any real dtype, float16 and
        bfloat16 included, read in place whatever the strides. Sums are float64.
    source
        ``(x, y)`` in the first image.
    targets
        Points in the second image, (K, 2).
    size0, size1
        ``(width, height)`` of the images that the points are in pixels of. Without it they are in feature cells. Pixel
        (x, y) has its centre at (x + 0.5, y + 0.5), and so has a feature cell. Between the centres of cells features
        are interpolated bilinearly, beyond the outermost they stay what they are there.
    layout
        ``"hwc"`` for maps h×w×C.

    Returns
    -------
    array of the first map's library
        float64 of shape (K,), in [-1, 1]: 0 for a vector of zeros, NaN where a feature that is needed is not finite.

    Raises
    ------
    TypeError, ValueError
        When an argument does not meet its requirement: a point beyond ``0 <= x <= width`` and ``0 <= y <= height``.

    Examples
    --------
    >>> import numpy as np
    >>> features = np.array([[[1, 0]], [[0, 1]]], np.float32)  # two channels, two cells
    >>> feature_similarity(features, features, source=(0, 0), targets=[(0, 0), (1, 0)]).tolist()
    [1.0, 0.0]
    """
    maps = as_features(features0, "features0", layout), as_features(features1, "features1", layout)
    sizes = None if size0 is None else as_size(size0, "size0"), None if size1 is None else as_size(size1, "size1")
    points = as_points(targets, "targets")
    scores = _core.feature_similarity(*maps, as_point(source, "source"), points, sizes)
    return into_library_of(features0)(scores)
