"""The kernels by themselves: numbers that can be checked by hand, or by NumPy."""

import math

import numpy as np
import pytest

import percepts as pc
from strategies import DTYPES


@pytest.fixture
def backend(every_backend):
    """Each implementation, those on CUDA devices included."""
    return every_backend


def test_raw_values_without_kind(backend):
    stats = backend.kernels.grid_stats([[-5.0, 7.0, math.nan, 3.0]], grid=(1, 2))
    assert stats.min.tolist() == [[-5, 3]]
    assert stats.max.tolist() == [[7, 3]]
    assert stats.mean.tolist() == [[1, 3]]
    assert stats.count.tolist() == [[2, 1]]


def test_nan_where_nothing_is_valid(backend):
    stats = backend.kernels.grid_stats(np.array([[0, 4]], np.uint16), grid=(1, 2), invalid_value=0)
    assert stats.count.tolist() == [[0, 1]]
    assert np.isnan([stats.min[0, 0], stats.max[0, 0], stats.mean[0, 0]]).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_result_types(backend, dtype):
    stats = backend.kernels.grid_stats(np.ones((4, 4), dtype), grid=2)
    wide = dtype in ("float64", "int32", "uint32", "int64", "uint64")
    assert stats.min.dtype == stats.max.dtype == (np.float64 if wide else np.float32)
    assert stats.mean.dtype == np.float64
    assert stats.count.dtype == np.int32
    assert all(array.shape == (2, 2) for array in stats)


@pytest.mark.parametrize("dtype", DTYPES)
def test_against_numpy(backend, dtype):
    rng = np.random.default_rng(3)
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    field = rng.integers(info.min, info.max, (60, 90), dtype) if info else rng.random((60, 90)).astype(dtype)
    stats = backend.kernels.grid_stats(field, grid=(6, 9))
    blocks = field.reshape(6, 10, 9, 10).swapaxes(1, 2).reshape(6, 9, 100)
    np.testing.assert_array_equal(stats.min, blocks.min(-1).astype(stats.min.dtype))
    np.testing.assert_array_equal(stats.max, blocks.max(-1).astype(stats.max.dtype))
    bound = 1e-6 * np.abs(blocks.astype(np.float64)).mean(-1)
    assert (np.abs(stats.mean - blocks.astype(np.longdouble).mean(-1)) <= bound).all()
    assert (stats.count == 100).all()


def test_extremes_of_the_integer_types(backend):
    for dtype in ("int8", "int16", "int32", "int64", "uint64"):
        info = np.iinfo(dtype)
        stats = backend.kernels.grid_stats(np.array([[info.min, info.max]], dtype), grid=(1, 2))
        assert stats.min.tolist() == [[float(info.min), float(info.max)]]


def test_subnormal_and_largest_halves(backend):
    field = np.array([[6e-8, 65504, -65504, 6.1e-5, 1.5]], np.float16)
    stats = backend.kernels.grid_stats(field, grid=(1, 5))
    assert stats.min.tolist() == field.astype(np.float32).tolist()


def test_neighbor_relations_by_hand(backend):
    mean = [[0.9, 0.5, math.nan], [0.5, 0.6, 0.1]]
    relations = backend.kernels.neighbor_relations(mean, 0.15)
    assert relations.dtype == np.int8
    assert relations.tolist() == [[[1, 1], [0, 0], [0, 0]], [[0, 0], [1, 0], [0, 0]]]
    assert backend.kernels.neighbor_relations([[0.1], [0.9]], 0.15).tolist() == [[[0, -1]], [[0, 0]]]


def test_neighbor_relations_of_a_batch(backend):
    mean = np.random.default_rng(0).random((2, 3, 4, 5))
    relations = backend.kernels.neighbor_relations(mean, 0.15)
    assert relations.shape == (2, 3, 4, 5, 2)
    np.testing.assert_array_equal(relations[1, 2], backend.kernels.neighbor_relations(mean[1, 2], 0.15))


@pytest.mark.parametrize(
    ("mean", "tau", "error", "message"),
    [
        ([[0.1]], -1, ValueError, "tau must be finite and at least 0, got -1"),
        ([[0.1]], math.nan, ValueError, "tau must be finite and at least 0, got nan"),
        ([[0.1]], "1", TypeError, "tau must be a number, got str"),
        ([0.1], 1, ValueError, r"mean must be \(..., rows, cols\) with at least one cell, got shape \(1,\)"),
        (np.zeros((3, 0)), 1, ValueError, "with at least one cell"),
        ("mean", 1, TypeError, "mean must be an array"),
        ([[True, False]], 1, TypeError, "^mean must be numbers, got bool$"),
        (np.ones((2, 3), bool), 1, TypeError, "^mean must be numbers, got bool$"),
    ],
)
def test_neighbor_relations_of_bad_input(backend, mean, tau, error, message):
    with pytest.raises(error, match=message):
        backend.kernels.neighbor_relations(mean, tau)


def test_errors_name_the_argument(backend):
    with pytest.raises(ValueError, match="field must be H×W"):
        backend.kernels.grid_stats(np.zeros(3))
    with pytest.raises(ValueError, match="flow must be H×W×2"):
        backend.kernels.flow_sign(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="axis must be"):
        backend.kernels.flow_sign(np.zeros((3, 4, 2)), grid=1, axis="depth")


def test_means_stay_within_their_cell(backend):
    stats = backend.kernels.grid_stats(np.full((64, 64), 0.1, np.float32), grid=1)
    assert stats.min[0, 0] <= stats.mean[0, 0] <= stats.max[0, 0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_mask_of_all_pixels_changes_no_bit(dtype):
    # The bound on rounding holds for one order of summation, which maps with holes must keep to.
    values = np.random.default_rng(3).random((200, 301)).astype(dtype)
    masked = pc.kernels.grid_stats(values, grid=(3, 4), mask=np.ones(values.shape, bool))
    for with_mask, without in zip(masked, pc.kernels.grid_stats(values, grid=(3, 4)), strict=True):
        np.testing.assert_array_equal(with_mask, without, strict=True)


@pytest.fixture(scope="module")
def large_noise():
    """2160×3840 float32 around 0, of which the right half takes away what the left half adds."""
    half = np.random.default_rng(0).standard_normal((2160, 1920), np.float32)
    return np.concatenate([half, -half[:, ::-1]], axis=1)


@pytest.mark.parametrize("grid", [1, 10])
def test_means_of_a_large_map_far_from_zero(large_noise, grid):
    field = large_noise + np.float32(1000)
    mean = pc.kernels.grid_stats(field, grid=grid).mean
    blocks = field.reshape(grid, 2160 // grid, grid, 3840 // grid)
    np.testing.assert_allclose(mean, blocks.mean(axis=(1, 3), dtype=np.float64), rtol=1e-6, atol=0)


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_large_flow_whose_mean_is_next_to_zero(large_noise, sign):
    """Millions of pixels cancel out; one that does not decides."""
    u = large_noise.copy()
    u[1000, 1000] = -u[1000, 2839] + np.float32(sign * 1e-3)
    flow = np.stack([u, -u], axis=-1)
    program = pc.flow(flow, grid=1)
    assert program.items[0].r == ("left" if sign < 0 else "right")
    assert program.items[0].r == ("left" if u.sum(dtype=np.float64) < 0 else "right")
    np.testing.assert_allclose(program.arrays["mean"], u.mean(dtype=np.float64), rtol=0, atol=1e-6 * np.abs(u).mean())
    assert pc.flow(flow, grid=1, axis="vertical").items[0].r == ("down" if sign < 0 else "up")
    mean = pc.flow(flow, grid=10).arrays["mean"]
    blocks = u.reshape(10, 216, 10, 384).mean(axis=(1, 3), dtype=np.float64)
    np.testing.assert_allclose(mean, blocks, rtol=0, atol=1e-6 * np.abs(u).mean())
