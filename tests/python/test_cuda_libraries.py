"""torch and CuPy on CUDA devices, as far as percepts speaks with them: their current stream, their memory for results.

Neither runs on the emulation: these are stand-ins of the same names and calls. `test_gpu_libraries.py` has the real ones.
"""

from __future__ import annotations

import contextlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import percepts as pc

MAP = np.random.default_rng(4).random((20, 30), dtype=np.float32)


class Array:
    """Memory of a device by another library's name."""

    def __init__(self, memory):
        self.memory, self.ndim, self.shape, self.told = memory, memory.ndim, memory.shape, []

    def __dlpack_device__(self):
        return self.memory.__dlpack_device__()

    def __dlpack__(self, **options):
        self.told.append(options.get("stream"))
        return self.memory.__dlpack__(**options)


class Library:
    """What percepts calls of torch or CuPy, with everything on one stream."""

    def __init__(self, name, array_type):
        self.stream = pc.testing.stream()
        self.made = []
        self.type = type(array_type, (Array,), {"__module__": name, "double": self.double, "astype": self.double})
        current = SimpleNamespace(cuda_stream=self.stream.address, ptr=self.stream.address)
        self.cuda = SimpleNamespace(
            current_stream=lambda device: current, get_current_stream=lambda: current, Device=contextlib.nullcontext
        )
        self.float32, self.float64, self.int32, self.int8 = "float32", "float64", "int32", "int8"

    @staticmethod
    def double(array, *_, **__):
        made = type(array)(pc.testing.device_array(pc.testing.to_numpy(array.memory).astype(np.float64)))
        made.contiguous = lambda: made
        return made

    def array(self, values):
        return self.type(pc.testing.device_array(values, stream=self.stream))

    def empty(self, shape, dtype=None, device=None):
        array = self.array(np.zeros(shape, dtype))
        self.made.append(array)
        return array

    def from_dlpack(self, memory):
        return self.type(memory)


@pytest.fixture(params=[("torch", "Tensor"), ("cupy", "ndarray")], ids=["torch", "cupy"])
def library(request, emulation, monkeypatch):
    name, array_type = request.param
    stand_in = Library(name, array_type)
    monkeypatch.setitem(sys.modules, name, stand_in)
    return stand_in


def test_the_current_stream_of_the_library(library):
    array = library.array(MAP)
    program = pc.depth(array, grid=3, mask=library.array(MAP > 0.2))
    assert program == pc.depth(MAP, grid=3, mask=MAP > 0.2)
    assert set(array.told) == {library.stream.address}


def test_results_are_memory_of_the_library(library):
    with pc.testing.count_cuda() as counts:
        stats = pc.kernels.grid_stats(library.array(MAP), grid=(2, 3))
        waits = counts.synchronizations
    assert list(stats) == library.made
    assert waits == 1 + len(library.made), "only those of the stand-in, which copies zeros"
    expected = pc.kernels.grid_stats(MAP, grid=(2, 3))
    np.testing.assert_array_equal(pc.testing.to_numpy(stats.max), expected.max)
    signs = pc.kernels.neighbor_relations(library.array(MAP), 0.2)
    assert signs is library.made[-1]
    np.testing.assert_array_equal(pc.testing.to_numpy(signs), pc.kernels.neighbor_relations(MAP, 0.2))


def test_plans_hand_their_statistics_over_once(library):
    plan = pc.plan.depth(MAP.shape, MAP.dtype, "cuda:0", grid=3)
    array = library.array(MAP)
    stats = plan(array)
    assert {type(each) for each in stats} == {library.type}
    assert plan(array) is stats
    with pc.testing.capture(library.stream) as graph:
        plan(array)
    graph.replay()
    assert plan.program() == pc.depth(MAP, grid=3)


def test_kernels_are_captured_after_earlier_work(library):
    array = library.array(MAP.astype(np.float64))
    made = pc.kernels.neighbor_relations(array, 0.2)
    library.stream.wait()
    library.empty = lambda *_, **__: made  # of the graph, where these are torch and CuPy
    with pc.testing.capture(library.stream) as graph:
        signs = pc.kernels.neighbor_relations(array, 0.2)
    graph.replay()
    np.testing.assert_array_equal(pc.testing.to_numpy(signs), pc.kernels.neighbor_relations(MAP, 0.2))
