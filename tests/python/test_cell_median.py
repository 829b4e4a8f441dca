"""Medians of cells: NumPy's, for every dtype, layout and pattern of holes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from strategies import DTYPES, FLOATS, layouts, shapes_and_grids, values_of, with_holes

WIDE = ["float64", "int32", "uint32", "int64", "uint64"]


def numpy_medians(values, valid, rows, cols):
    """numpy.median of each cell's valid values in float64, which holds every value that is drawn here."""
    height, width = values.shape
    medians = np.full((rows, cols), np.nan)
    for i, j in np.ndindex(rows, cols):
        at = np.s_[i * height // rows : (i + 1) * height // rows, j * width // cols : (j + 1) * width // cols]
        if valid[at].any():
            medians[i, j] = np.median(values[at][valid[at]].astype(np.float64))
    return medians


def test_by_hand(backend):
    field = np.array([[9, 1, 2, 40, 7, 0]], np.uint8)
    assert backend.kernels.cell_median(field, grid=(1, 2), invalid_value=0).tolist() == [[2, 23.5]]
    assert backend.kernels.cell_median([[math.nan, 3.0], [math.inf, -1.0]], grid=(1, 2)).tolist()[0][1] == 1
    assert np.isnan(backend.kernels.cell_median([[math.nan, 3.0], [math.inf, -1.0]], grid=(1, 2))[0, 0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_result_types(backend, dtype):
    median = backend.kernels.cell_median(np.ones((4, 4), dtype), grid=2)
    assert median.dtype == (np.float64 if dtype in WIDE else np.float32)
    assert median.tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("grid", [(1, 1), (3, 2), (7, 9), (60, 90)])
def test_against_numpy(dtype, grid):
    rng = np.random.default_rng(0)
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    few = [0, 1] if dtype == "bool" else [0, 1, 5, 100]
    patterns = [
        rng.choice(few, (60, 90)).astype(dtype),
        (np.linspace(0, 1, 5400).reshape(60, 90) * (min(info.max, 2**50) if info else 1)).astype(dtype),
        rng.integers(max(info.min, -(2**50)), min(info.max, 2**50), (60, 90)).astype(dtype)
        if info
        else rng.normal(size=(60, 90)).astype(dtype),
    ]
    for values in patterns:
        median = pc.kernels.cell_median(values, grid)
        expected = numpy_medians(values, np.ones(values.shape, bool), *grid)
        np.testing.assert_array_equal(median, expected.astype(median.dtype))


@given(data=st.data())
def test_core_equals_reference(data):
    shape, grid = data.draw(shapes_and_grids())
    dtype = data.draw(st.sampled_from(DTYPES))
    values = data.draw(values_of(dtype, shape))
    if dtype in FLOATS:
        values = data.draw(with_holes(values, [math.nan, math.inf, -math.inf, -0.0, 3.0]))
    options = {
        "invalid_value": data.draw(st.sampled_from([None, 0, (0, 1)])),
        "mask": data.draw(st.sampled_from([None, np.random.default_rng(1).random(shape) < 0.6])),
    }
    core = pc.kernels.cell_median(data.draw(layouts(values)), grid, **options)
    np.testing.assert_array_equal(core, pc.reference.kernels.cell_median(values, grid, **options), strict=True)


def test_values_that_only_just_differ():
    """Keys of one bin are told apart however narrow the range is, and however wide."""
    one = np.float64(1)
    values = np.array([one, *(np.nextafter(one, 2) + k * 2.0**-52 for k in range(98)), 1e300, -1e300])
    for order in (values, values[::-1], np.roll(values, 50)):
        assert pc.kernels.cell_median(order[None], 1)[0, 0] == np.median(values)
    bits = np.array([[0, 1, *[2**63 + k for k in range(60)], 2**64 - 1]], np.uint64)
    assert pc.kernels.cell_median(bits, 1)[0, 0] == np.float64(2**63 + 29)


def test_the_mean_of_the_middle_does_not_overflow(backend):
    most = np.finfo(np.float64).max
    assert backend.kernels.cell_median([[most, most]], grid=1)[0, 0] == most
    assert backend.kernels.cell_median([[most, -most]], grid=1)[0, 0] == 0
    assert backend.kernels.cell_median(np.array([[65504, 65504]], np.float16), grid=1)[0, 0] == 65504
    assert backend.kernels.cell_median(np.array([[127, 127, 126, 126]], np.int8), grid=1)[0, 0] == 126.5


def test_minus_zero_is_zero(backend):
    for values in ([[-0.0]], [[-0.0, 0.0]], [[-0.0, -0.0, 0.0, 1.0]]):
        median = backend.kernels.cell_median(values, grid=1)
        assert median[0, 0] == 0
        assert not np.signbit(median[0, 0])


def test_batches_and_libraries(library):
    torch = library("torch")
    maps = torch.arange(24, dtype=torch.bfloat16).reshape(2, 3, 4)
    median = pc.kernels.cell_median(maps, grid=1)
    assert isinstance(median, torch.Tensor)
    assert median.tolist() == [[[5.5]], [[17.5]]]
    assert pc.kernels.cell_median(np.zeros((0, 3, 4)), grid=1).shape == (0, 1, 1)
    assert pc.reference.kernels.cell_median(np.zeros((0, 3, 4)), grid=1).shape == (0, 1, 1)


def test_bad_input(backend):
    with pytest.raises(ValueError, match="every cell must hold a pixel"):
        backend.kernels.cell_median(np.zeros((4, 4)), grid=5)
    with pytest.raises(ValueError, match="map 0 of the batch: every cell must hold a pixel"):
        backend.kernels.cell_median(np.zeros((2, 4, 4)), grid=5)
    with pytest.raises(TypeError, match="field must be boolean, integer or floating point"):
        backend.kernels.cell_median(np.zeros((4, 4), complex), grid=2)
