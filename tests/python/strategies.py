"""Maps as people hold them, for hypothesis: shapes, dtypes, strides, holes, near-ties."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

FLOATS = ["float16", "float32", "float64"]
UNSIGNED = ["bool", "uint8", "uint16", "uint32", "uint64"]
SIGNED = ["int8", "int16", "int32", "int64"]
DTYPES = FLOATS + UNSIGNED + SIGNED

# 1, primes, powers of two and their neighbours.
SIDES = st.sampled_from([1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 31, 37, 64])


@st.composite
def shapes_and_grids(draw: st.DrawFn) -> tuple[tuple[int, int], tuple[int, int]]:
    height, width = draw(SIDES), draw(SIDES)
    rows = draw(st.one_of(st.just(height), st.integers(1, min(height, 12))))
    cols = draw(st.one_of(st.just(width), st.integers(1, min(width, 12))))
    return (height, width), (rows, cols)


@st.composite
def layouts(draw: st.DrawFn, array: np.ndarray) -> np.ndarray:
    """Hold the same values with other strides, another byte order, or read-only."""
    how = draw(
        st.sampled_from(["as it is", "fortran", "every second", "reversed", "odd offset", "swapped", "read-only"])
    )
    if how == "fortran":
        return np.asfortranarray(array)
    if how == "every second":
        wide = np.zeros((array.shape[0], 2 * array.shape[1], *array.shape[2:]), array.dtype)
        wide[:, ::2] = array
        return wide[:, ::2]
    if how == "reversed":
        return array[::-1, ::-1].copy()[::-1, ::-1]
    if how == "odd offset":
        raw = np.zeros(array.nbytes + 1, np.uint8)
        raw[1:] = np.frombuffer(array.tobytes(), np.uint8)
        return raw[1:].view(array.dtype).reshape(array.shape)
    if how == "swapped":
        return array.astype(array.dtype.newbyteorder(">"))
    if how == "read-only":
        array = array.copy()
        array.flags.writeable = False
    return array


@st.composite
def values_of(draw: st.DrawFn, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Values in [0, 1] for floats, over the whole range for unsigned integers, small for signed ones."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = np.dtype(dtype).kind
    if kind == "f":
        # Few distinct values give ties, sums of many digits give means that only just differ.
        coarse = draw(st.booleans())
        values = rng.integers(0, 5, shape) / 4 if coarse else rng.random(shape)
        return values.astype(dtype)
    if kind == "b":
        return rng.random(shape) < 0.5
    info = np.iinfo(dtype)
    low, high = (0, info.max) if kind == "u" else (-100, 100)
    return rng.integers(low, high, shape, dtype, endpoint=True)


@st.composite
def with_holes(draw: st.DrawFn, array: np.ndarray, holes: list[float]) -> np.ndarray:
    """Write some holes anywhere."""
    array = array.copy()
    flat = array.reshape(-1)
    for index in draw(st.lists(st.integers(0, flat.size - 1), max_size=8)):
        flat[index] = draw(st.sampled_from(holes))
    if draw(st.integers(0, 9)) == 0:
        flat[:] = draw(st.sampled_from(holes))
    return array
