"""Batches of maps: each program is that of its map alone."""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import percepts as pc


@pytest.fixture
def backend(every_backend):
    """Each implementation, those on CUDA devices included."""
    return every_backend


@pytest.fixture
def maps():
    maps = np.random.default_rng(0).random((5, 21, 34), dtype=np.float32)
    maps[3, 4:9, 5:12] = math.nan
    return maps


def texts(batch):
    return [program.to_text() for program in batch]


def test_a_batch_is_its_maps(backend, maps):
    batch = backend.depth(maps, grid=(3, 4))
    assert len(batch) == 5
    assert texts(batch) == texts(backend.depth(each, grid=(3, 4)) for each in maps)
    assert batch.texts() == texts(batch)
    assert batch.texts(style="compact") == [program.to_text("compact") for program in batch]


def test_a_channel_dimension_of_one(backend, maps):
    assert texts(backend.depth(maps[:, None], grid=2)) == texts(backend.depth(maps, grid=2))
    assert len(backend.depth(maps[:1], grid=2)) == 1
    assert len(backend.depth(maps[:0], grid=2)) == 0
    assert len(backend.depth(maps.tolist(), grid=2)) == 5


def test_a_list_of_maps_of_different_sizes(backend, maps):
    several = [maps[0], maps[1, :10], maps[2, :, :17].tolist(), np.ma.MaskedArray(maps[3], maps[3] > 0.5)]
    batch = backend.depth(several, grid=2)
    assert texts(batch) == texts(backend.depth(each, grid=2) for each in several)
    assert batch.arrays["center"].shape == (4, 2, 2, 2)


def test_arrays_have_a_leading_dimension(backend, maps):
    arrays = backend.depth(maps, grid=(3, 4)).arrays
    assert {name: array.shape for name, array in arrays.items()} == {
        "center": (5, 3, 4, 2), "min": (5, 3, 4), "max": (5, 3, 4), "mean": (5, 3, 4), "valid": (5, 3, 4)
    }  # fmt: skip
    np.testing.assert_array_equal(arrays["max"][2], backend.depth(maps[2], grid=(3, 4)).arrays["max"])


def test_each_map_has_its_own_range(backend):
    batch = backend.depth(np.array([[[1.0, 3.0]], [[10.0, 30.0]]]), grid=(1, 2), kind="disparity")
    assert [[item.r for item in program.items] for program in batch] == [[[0, 0], [1, 1]]] * 2


def test_masks(backend, maps):
    shared = maps[0] > 0.5
    own = maps > 0.25
    assert texts(backend.depth(maps, grid=2, mask=shared)) == texts(
        backend.depth(each, grid=2, mask=shared) for each in maps
    )
    expected = texts(backend.depth(each, grid=2, mask=mask) for each, mask in zip(maps, own, strict=True))
    assert texts(backend.depth(maps, grid=2, mask=own)) == expected
    assert texts(backend.depth(maps[:, None], grid=2, mask=own[:, None])) == expected
    assert texts(backend.depth(list(maps), grid=2, mask=list(own))) == expected
    assert texts(backend.depth(np.ma.MaskedArray(maps, ~own), grid=2)) == expected
    both = np.ma.MaskedArray(maps, ~own)
    assert texts(backend.depth(both, grid=2, mask=shared)) == texts(
        backend.depth(each, grid=2, mask=mask & shared) for each, mask in zip(maps, own, strict=True)
    )


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (
            np.ones((4, 21, 34), bool),
            "mask must have the shape of the batch, (5, 21, 34), or of a map, got (4, 21, 34)",
        ),
        (np.ones((21, 33), bool), "or of a map, got (21, 33)"),
    ],
)
def test_masks_of_another_shape(backend, maps, mask, message):
    with pytest.raises(ValueError) as caught:
        backend.depth(maps, grid=2, mask=mask)
    assert message in str(caught.value)
    with pytest.raises(ValueError, match="mask must be a list of a mask for each of the 5 maps, got ndarray"):
        backend.depth(list(maps), grid=2, mask=mask)


def test_flow_batches(backend):
    fields = np.random.default_rng(1).normal(size=(3, 12, 15, 2))
    expected = texts(backend.flow(each, grid=3) for each in fields)
    assert texts(backend.flow(fields, grid=3)) == expected
    assert texts(backend.flow(np.moveaxis(fields, 3, 1), grid=3)) == expected
    assert texts(backend.flow(list(fields), grid=3)) == expected
    assert texts(backend.flow([fields[0], fields[1, :9]], grid=3)) == [
        expected[0], backend.flow(fields[1, :9], grid=3).to_text()
    ]  # fmt: skip
    with pytest.raises(ValueError, match="layout must be given"):
        backend.flow(np.zeros((3, 2, 8, 2)), grid=1)


def test_an_error_names_the_first_map_that_has_one(backend):
    maps = np.full((6, 4, 4), 0.5)
    maps[2] = maps[4] = 3
    with pytest.raises(ValueError, match=r"^map 2 of the batch: kind='relative' needs values in \[0, 1\]"):
        backend.depth(maps, grid=2)
    with pytest.raises(ValueError, match=r"^map 1 of the batch: every cell must hold a pixel"):
        backend.depth([maps[0], maps[0, :1]], grid=2)
    with pytest.raises(ValueError, match=r"^depth\[1\] must be H×W, got shape \(1, 4, 4\)"):
        backend.depth([maps[0], maps[:1]], grid=2)


@given(st.data())
@settings(max_examples=40)
def test_the_core_is_the_reference(data):
    count, height, width = (data.draw(st.integers(least, 9)) for least in (1, 1, 2))
    maps = np.random.default_rng(data.draw(st.integers(0, 99))).integers(0, 9, (count, height, width)) / 8
    grid = data.draw(st.integers(1, height)), data.draw(st.integers(1, width))
    threads = data.draw(st.integers(1, 4))
    pc.set_num_threads(threads)
    try:
        assert pc.depth(maps, grid=grid).texts() == pc.reference.depth(maps, grid=grid).texts()
    finally:
        pc.set_num_threads(None)


def test_kernels_of_batches(backend, maps):
    stats = backend.kernels.grid_stats(maps, grid=(3, 4))
    assert all(array.shape == (5, 3, 4) for array in stats)
    np.testing.assert_array_equal(stats.min[4], backend.kernels.grid_stats(maps[4], grid=(3, 4)).min)
    assert stats.count.dtype == np.int32
    signs = backend.kernels.flow_sign(np.ones((2, 6, 8, 2)), grid=2)
    assert signs.tolist() == np.ones((2, 2, 2)).tolist()


def test_a_batch_is_a_sequence(maps):
    batch = pc.depth(maps, grid=2)
    assert isinstance(batch, pc.ProgramBatch)
    assert repr(batch) == "<ProgramBatch of 5 depth programs>"
    assert batch[-1] == batch[4]
    assert batch[1:3] == pc.depth(maps[1:3], grid=2)
    assert batch == pc.depth(maps, grid=2)
    assert batch != batch[:4]
    assert hash(batch) == hash(pc.depth(maps, grid=2))
    assert pc.ProgramBatch([]).texts() == []
    assert pc.ProgramBatch([]).arrays == {}
    with pytest.raises(ValueError, match="style must be"):
        batch.texts(style="xml")


def test_threads_are_chosen(monkeypatch):
    from percepts._threads import num_threads

    monkeypatch.setenv("PERCEPTS_NUM_THREADS", "3")
    assert num_threads() == 3
    pc.set_num_threads(2)
    assert num_threads() == 2
    pc.set_num_threads(None)
    monkeypatch.setenv("PERCEPTS_NUM_THREADS", "many")
    with pytest.raises(ValueError, match="PERCEPTS_NUM_THREADS must be a whole number of at least 1, got 'many'"):
        num_threads()
    monkeypatch.delenv("PERCEPTS_NUM_THREADS")
    assert num_threads() == len(os.sched_getaffinity(0))
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        pc.set_num_threads(0)
    with pytest.raises(TypeError, match="n must be an int, got float"):
        pc.set_num_threads(1.5)


def test_one_thread_inside_a_worker_process():
    code = (
        "import multiprocessing as mp, percepts._threads as t\n"
        "def threads(_): return t.num_threads()\n"
        "if __name__ == '__main__':\n"
        "    with mp.get_context('fork').Pool(2) as pool: print(set(pool.map(threads, range(4))))\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PERCEPTS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "{1}\n"


def test_an_interrupt_ends_a_long_batch():
    maps = np.broadcast_to(np.float32(0.5), (20_000, 400, 400))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            pc.depth(maps)
    finally:
        timer.cancel()
    assert len(pc.depth(maps[:3])) == 3


def test_batches_pickle(maps):
    batch = pc.depth(maps, grid=2)
    again = pickle.loads(pickle.dumps(batch))
    assert again == batch
    np.testing.assert_array_equal(again.arrays["mean"], batch.arrays["mean"])


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "int64", "float64"])
def test_kernels_of_empty_batches(backend, dtype):
    empty, one = np.zeros((0, 9, 8), dtype), np.zeros((1, 9, 8), dtype)
    for got, like in zip(
        backend.kernels.grid_stats(empty, grid=2), backend.kernels.grid_stats(one, grid=2), strict=True
    ):
        assert got.shape == (0, 2, 2)
        assert got.dtype == like.dtype
    assert backend.kernels.flow_sign(np.zeros((0, 9, 8, 2), dtype), grid=2).shape == (0, 2, 2)
    if np.dtype(dtype).kind in "iu":
        label, share = backend.kernels.label_mode(empty, grid=2)
        assert (label.shape, label.dtype, share.shape) == ((0, 2, 2), np.dtype(dtype), (0, 2, 2))


def test_errors_of_lists_name_the_map(backend, maps):
    small = [maps[0], maps[1][:1]]
    with pytest.raises(ValueError, match=r"^map 1 of the batch: every cell must hold a pixel"):
        backend.kernels.grid_stats(small, grid=2)
    with pytest.raises(ValueError, match=r"^map 1 of the batch: every cell must hold a pixel"):
        backend.kernels.label_mode([np.zeros((4, 4), int), np.zeros((1, 4), int)], grid=2)
    with pytest.raises(ValueError, match=r"^mask\[1\] must have the shape of the map, \(21, 34\), got \(34, 21\)"):
        backend.depth(list(maps[:2]), grid=2, mask=[maps[0] > 0, (maps[1] > 0).T])


def test_what_a_batch_is_not(maps):
    with pytest.raises(TypeError, match=r"programs\[1\] must be a Program, got int"):
        pc.ProgramBatch([pc.depth(maps[0], grid=2), 1])
    mixed = pc.ProgramBatch([pc.depth(maps[0], grid=2), pc.depth(maps[0], grid=3)])
    with pytest.raises(ValueError, match="arrays need programs of one modality and grid"):
        _ = mixed.arrays
