"""Plans: the same statistics and programs, in buffers that stay."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

import percepts as pc


@pytest.fixture
def maps():
    return np.random.default_rng(0).random((4, 33, 47), dtype=np.float32)


def test_calls_give_what_functions_give(maps):
    plan = pc.plan.depth((33, 47), "float32", grid=(3, 4), tau=0.05)
    for each in (maps[0], maps[1], np.where(maps[2] > 0.9, math.nan, maps[2]).astype(np.float32), maps[3]):
        stats = plan(each)
        for ours, theirs in zip(stats, pc.kernels.grid_stats(each, grid=(3, 4)), strict=True):
            np.testing.assert_array_equal(ours, theirs, strict=True)
        assert plan.program() == pc.depth(each, grid=(3, 4), tau=0.05)
        np.testing.assert_array_equal(
            plan.program().arrays["mean"], pc.depth(each, grid=(3, 4), tau=0.05).arrays["mean"]
        )


def test_the_statistics_are_the_plans_own(maps):
    plan = pc.plan.depth((33, 47), np.float32, grid=2)
    first = plan(maps[0])
    before = first.mean.copy()
    assert plan(maps[1]) is first
    assert not np.array_equal(first.mean, before)


@pytest.mark.parametrize("layout", ["C", "transposed", "reversed", "strided", "mixed"])
@pytest.mark.parametrize("dtype", ["float32", "uint16", "float64", "float16"])
def test_layouts(maps, layout, dtype):
    turned = (maps * 100).astype(dtype)
    plan = pc.plan.depth((33, 47), dtype, "cpu", grid=(5, 3), kind="disparity", invalid_value=7)
    for each in turned:
        views = {
            "C": [each],
            "transposed": [np.ascontiguousarray(each.T).T],
            "reversed": [each[::-1, ::-1].copy()[::-1, ::-1]],
            "strided": [np.repeat(each, 3, axis=1)[:, ::3]],
        }
        views["mixed"] = [view for several in views.values() for view in several]
        for view in views[layout]:
            plan(view)
            assert plan.program() == pc.depth(each, grid=(5, 3), kind="disparity", invalid_value=7)


def test_batches(maps):
    plan = pc.plan.depth((4, 1, 33, 47), maps.dtype, grid=2, mask=maps[0] > 0.3, labels=np.ones((33, 47), int))
    stats = plan(maps[:, None])
    assert stats.min.shape == (4, 2, 2)
    assert plan.program() == pc.depth(maps, grid=2, mask=maps[0] > 0.3, labels=np.ones((33, 47), int))


@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow(axis):
    fields = np.random.default_rng(1).normal(size=(3, 21, 30, 2)).astype(np.float32)
    fields[0, :7] = 0
    fields[1, :7, :, :] = [[1e-7, -1e-7]]
    plan = pc.plan.flow((21, 30, 2), "float32", grid=3, axis=axis, motion="camera")
    for field in fields:
        plan(field)
        assert plan.program() == pc.flow(field, grid=3, axis=axis, motion="camera")
    batch = pc.plan.flow((3, 2, 21, 30), "float32", grid=3, axis=axis)
    planar = np.ascontiguousarray(np.moveaxis(fields, 3, 1))
    assert batch(planar).count.shape == (3, 3, 3)
    assert batch.program() == pc.flow(planar, grid=3, axis=axis)


def test_a_call_allocates_next_to_nothing():
    depth = np.random.default_rng(0).random((720, 1280), dtype=np.float32)
    plan = pc.plan.depth(depth.shape, depth.dtype)
    plan(depth)
    tracemalloc.start()
    try:
        for _ in range(20):
            plan(depth)
        assert tracemalloc.get_traced_memory()[1] < 4_000, "a view and a tuple"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (((33,), "float32"), ValueError, "shape must be H×W, or B×H×W or B×1×H×W for a batch, got (33,)"),
        (((33, -1), "float32"), ValueError, "shape must not be negative, got (33, -1)"),
        (((33, 4.5), "float32"), TypeError, "shape must be an int, got float"),
        (((33, 47), "complex64"), TypeError, "got complex64"),
        (((33, 47), "metres"), TypeError, "dtype must be one of NumPy or torch, got 'metres'"),
        (((33, 47), "float32", "cuda:0"), ValueError, "device must be 'cpu', got 'cuda:0': "),
        (((3, 47), "float32"), ValueError, "every cell must hold a pixel"),
    ],
)
def test_bad_plans(arguments, error, message):
    with pytest.raises(error) as caught:
        pc.plan.depth(*arguments)
    assert message in str(caught.value)


def test_arrays_that_a_plan_is_not_for(maps):
    plan = pc.plan.depth((33, 47), "float32", grid=2)
    with pytest.raises(ValueError, match="a plan has a program when it has been called"):
        plan.program()
    for other, got in (
        (maps[0].T, r"float32 \(47, 33\)"),
        (maps[0].astype(float), "float64"),
        (maps, r"\(4, 33, 47\)"),
    ):
        with pytest.raises(ValueError, match=rf"this plan is for float32 maps of shape \(33, 47\), got .*{got}"):
            plan(other)
    plan(maps[0] + 1)
    with pytest.raises(ValueError, match="kind='relative' needs values in"):
        plan.program()


def test_plans_of_empty_batches_and_odd_shapes():
    plan = pc.plan.flow((0, 48, 64, 2), "float32", grid=4)
    assert plan(np.zeros((0, 48, 64, 2), np.float32)).mean.shape == (0, 4, 4)
    assert len(plan.program()) == 0
    with pytest.raises(TypeError, match="shape must be a sequence of ints, got int"):
        pc.plan.depth(48, "float32")
    with pytest.raises(ValueError, match="shape must be of extents up to 2147483647"):
        pc.plan.depth((2**70, 3), "float32")
