"""Similarity of two strips of pixels on the two sides of a border (paper, 3.2.4).

The paper names structural similarity, colour similarity (HSV histogram, chi-square) and edge similarity (normalised
cross-correlation of gradients); the definitions are here. Sums are taken in a fixed order, so that every backend gives
the same bits; for uint8 most of them are sums of whole numbers, and exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from percepts._arrays import as_numpy
from percepts._images import as_strips, strip_axis
from percepts._options import shown

Array = np.ndarray[Any, np.dtype[Any]]

WHITE = 255.0
WHITE_LUMA = 1000 * WHITE
WINDOW = 7
HSV_BINS = 8
INTENSITY_BINS = 32

_C1 = (0.01 * WHITE_LUMA) * (0.01 * WHITE_LUMA)
_C2 = (0.03 * WHITE_LUMA) * (0.03 * WHITE_LUMA)

_FLAT_SHARE = 1e-20
"""Deviations of gradients, squared, below this share of the gradients' own squares are rounding errors."""


def strip_similarity(strips0: object, strips1: object) -> tuple[Array, Array, Array]:
    """Define ``percepts.kernels.strip_similarity``."""
    view0, view1 = as_strips(strips0, "strips0"), as_strips(strips1, "strips1")
    if view0.shape != view1.shape:
        raise ValueError(f"strips0 and strips1 must have the same shape, got {view0.shape} and {view1.shape}")
    batch = view0.shape[: strip_axis(view0)]
    in_color = view0.ndim - len(batch) == 3
    similarities = np.empty((3, *batch))
    for index in np.ndindex(batch):
        levels0 = levels_of(as_numpy(view0)[index], "strips0")
        levels1 = levels_of(as_numpy(view1)[index], "strips1")
        similarities[(slice(None), *index)] = similarities_of(levels0, levels1, in_color)
    structure, color, edge = (similarities[k, ...] for k in range(3))
    return structure, color, edge


def levels_of(values: Array, name: str) -> Array:
    """Channels from 0 to 255 in float64: uint8 as it is, floating-point numbers of [0, 1] times 255."""
    levels = values.astype(np.float64)
    if values.dtype == np.uint8:
        return levels
    outside = ~((levels >= 0) & (levels <= 1))
    if outside.any():
        raise ValueError(f"{name} must have values in [0, 1], got {shown(float(levels[outside][0]))}")
    return levels * WHITE


def similarities_of(levels0: Array, levels1: Array, in_color: bool) -> tuple[float, float, float]:
    """Structure, colour and edges of two strips of levels, lines × length or lines × length × 3."""
    luma0, luma1 = luma(levels0), luma(levels1)
    counts0, counts1 = (hsv_counts(levels0), hsv_counts(levels1)) if in_color else (counts(luma0), counts(luma1))
    structure = (structural_similarity(luma0, luma1) + 1) / 2
    edge = (edge_correlation(luma0, luma1) + 1) / 2
    return structure, color_similarity(counts0, counts1), edge


def luma(levels: Array) -> Array:
    """Brightness (ITU-R BT.601) in thousandths of a level: whole numbers for whole levels."""
    if levels.ndim == 2:
        return 1000 * levels
    red, green, blue = levels[..., 0], levels[..., 1], levels[..., 2]
    result: Array = (299 * red + 587 * green) + 114 * blue
    return result


def structural_similarity(luma0: Array, luma1: Array) -> float:
    """Mean SSIM over all square windows inside the strips, of 7×7 pixels or the largest odd side that fits.

    K1 = 0.01, K2 = 0.03, variances over n pixels. Both factors of the fraction are multiplied by n², so that they
    consist of sums instead of means.
    """
    side = min(WINDOW, *luma0.shape)
    side -= 1 - side % 2
    n = float(side * side)
    c1, c2 = _C1 * (n * n), _C2 * (n * n)
    a, b = _window_sums(luma0, side), _window_sums(luma1, side)
    variance0 = n * _window_sums(luma0 * luma0, side) - a * a
    variance1 = n * _window_sums(luma1 * luma1, side) - b * b
    covariance = n * _window_sums(luma0 * luma1, side) - a * b
    luminance = (a * a + b * b) + c1
    ssim = ((2 * (a * b) + c1) * (2 * covariance + c2)) / (luminance * ((variance0 + variance1) + c2))
    return total(ssim) / float(ssim.size)


def _window_sums(values: Array, side: int) -> Array:
    """Sums over all windows of side × side: down the lines of each column first, then along the columns."""
    lines, length = (extent - side + 1 for extent in values.shape)
    columns = values[:lines]
    for k in range(1, side):
        columns = columns + values[k : k + lines]
    sums = columns[:, :length]
    for k in range(1, side):
        sums = sums + columns[:, k : k + length]
    return sums


def color_similarity(counts0: Array, counts1: Array) -> float:
    """1 − ½ Σ (p − q)² / (p + q) over two histograms of shares, of as many pixels each."""
    filled = counts0 + counts1 > 0
    count0, count1 = counts0[filled].astype(np.float64), counts1[filled].astype(np.float64)
    distance = total((count0 - count1) * (count0 - count1) / (count0 + count1))
    return max(0.0, 1 - distance / float(2 * int(counts0.sum())))


def counts(luma: Array) -> Array:
    """Histogram of 32 intensities."""
    return np.bincount(_bins(luma * INTENSITY_BINS / WHITE_LUMA, INTENSITY_BINS).ravel(), minlength=INTENSITY_BINS)


def hsv_counts(levels: Array) -> Array:
    """Joint histogram of 8 hues × 8 saturations × 8 values; black and grey have hue and saturation 0."""
    if levels.ndim == 2:
        levels = np.stack([levels] * 3, axis=-1)
    value = levels.max(axis=-1)
    chroma = value - levels.min(axis=-1)
    saturation = np.divide(chroma, value, out=np.zeros_like(value), where=value > 0)
    h = _bins(_hue(levels, value, chroma) * HSV_BINS / 6, HSV_BINS)
    s = _bins(saturation * HSV_BINS, HSV_BINS)
    v = _bins(value * HSV_BINS / WHITE, HSV_BINS)
    return np.bincount(((h * HSV_BINS + s) * HSV_BINS + v).ravel(), minlength=HSV_BINS**3)


def _hue(levels: Array, value: Array, chroma: Array) -> Array:
    """Hue from 0 (red) over 2 (green) and 4 (blue) to 6."""
    red, green, blue = levels[..., 0], levels[..., 1], levels[..., 2]
    divisor = np.where(chroma > 0, chroma, 1.0)
    near_red = (green - blue) / divisor
    near_red = np.where(near_red < 0, near_red + 6, near_red)
    near_green = 2 + (blue - red) / divisor
    near_blue = 4 + (red - green) / divisor
    hue = np.where(value == red, near_red, np.where(value == green, near_green, near_blue))
    return np.where(chroma > 0, hue, 0.0)


def _bins(scaled: Array, count: int) -> Array:
    return np.minimum(scaled.astype(np.int64), count - 1)


def edge_correlation(luma0: Array, luma1: Array) -> float:
    """Normalised cross-correlation of the gradient magnitudes, less their means.

    Two strips with the same gradient everywhere correlate fully, one of them with another strip not at all.
    """
    gradients0, gradients1 = gradients(luma0), gradients(luma1)
    deviations0 = gradients0 - total(gradients0) / gradients0.size
    deviations1 = gradients1 - total(gradients1) / gradients1.size
    squares0, squares1 = total(deviations0 * deviations0), total(deviations1 * deviations1)
    flat0 = squares0 <= _FLAT_SHARE * total(gradients0 * gradients0)
    flat1 = squares1 <= _FLAT_SHARE * total(gradients1 * gradients1)
    if flat0 or flat1:
        return 1.0 if flat0 and flat1 else 0.0
    correlation = total(deviations0 * deviations1) / float(np.sqrt(squares0 * squares1))
    return min(max(correlation, -1.0), 1.0)


def gradients(luma: Array) -> Array:
    """Magnitudes of Sobel's gradient; what would lie outside the strip is as its nearest pixel."""
    padded = np.pad(luma, 1, mode="edge")
    above, line, below = padded[:-2], padded[1:-1], padded[2:]
    across, smooth = below - above, (above + 2 * line) + below
    gy = (across[:, :-2] + 2 * across[:, 1:-1]) + across[:, 2:]
    gx = smooth[:, 2:] - smooth[:, :-2]
    magnitudes: Array = np.sqrt(gx * gx + gy * gy)
    return magnitudes


def total(values: Array) -> float:
    """Sum in float64, one value after the other, row by row."""
    return float(np.add.accumulate(values.ravel())[-1])
