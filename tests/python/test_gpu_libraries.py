"""Arrays of torch and CuPy on a GPU: their streams, their memory and their graphs. benchmarks/gpu.sh runs this."""

from __future__ import annotations

import contextlib
import importlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import percepts as pc

pytestmark = pytest.mark.gpu

MAPS = np.random.default_rng(11).random((6, 120, 160), dtype=np.float32)
BUSY = 400_000_000
"""Cycles of a GPU that is to be late: a tenth of a second and more."""


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        pytest.fail(f"a machine with a GPU needs both libraries for this: {error}")


class Torch:
    def __init__(self):
        self.torch = module("torch")
        self.type = self.torch.Tensor

    def array(self, values):
        return self.torch.from_numpy(np.ascontiguousarray(values)).cuda()

    def empty_like(self, array):
        return self.torch.empty_like(array)

    def numpy(self, array):
        return array.cpu().numpy()

    @contextlib.contextmanager
    def side_stream(self):
        stream = self.torch.cuda.Stream()
        with self.torch.cuda.stream(stream):
            yield stream

    def is_done(self, stream):
        return stream.query()

    def synchronize(self):
        self.torch.cuda.synchronize()

    def be_busy(self):
        self.torch.cuda._sleep(BUSY)

    def copy(self, source, target):
        target.copy_(source)

    def halve(self, source, target):
        self.torch.mul(source, 0.5, out=target)

    def captured(self, work):
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            work()
        return graph.replay


class CuPy:
    def __init__(self):
        self.cupy = module("cupy")
        self.type = self.cupy.ndarray
        self.spin = self.cupy.RawKernel(
            'extern "C" __global__ void spin(long long cycles) {\n'
            "  for (const long long start = clock64(); clock64() - start < cycles;) {}\n"
            "}",
            "spin",
        )

    def array(self, values):
        return self.cupy.asarray(values)

    def empty_like(self, array):
        return self.cupy.empty_like(array)

    def numpy(self, array):
        return self.cupy.asnumpy(array)

    @contextlib.contextmanager
    def side_stream(self):
        with self.cupy.cuda.Stream(non_blocking=True) as stream:
            yield stream

    def is_done(self, stream):
        return stream.done

    def synchronize(self):
        self.cupy.cuda.Device().synchronize()

    def be_busy(self):
        self.spin((1,), (1,), (np.int64(BUSY),))

    def copy(self, source, target):
        self.cupy.copyto(target, source)

    def halve(self, source, target):
        self.cupy.multiply(source, np.float32(0.5), out=target)

    def captured(self, work):
        stream = self.cupy.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            work()
            graph = stream.end_capture()

        def replay():
            with stream:
                graph.launch()

        return replay


@pytest.fixture(params=[Torch, CuPy], ids=["torch", "cupy"])
def library(gpu, request):
    return request.param()


@pytest.fixture
def torch(gpu):
    return module("torch")


def test_programs_are_the_cpus(library):
    for values in (MAPS[0], MAPS, MAPS[:, ::2, ::3], MAPS[0].T, MAPS.astype(np.float16), (MAPS * 255).astype(np.uint8)):
        got, expected = pc.depth(library.array(values)), pc.depth(values)
        assert got == expected
    flow = np.stack([MAPS[0] - 0.5, 0.5 - MAPS[1]])
    assert pc.flow(library.array(flow)) == pc.flow(flow)


def test_views_are_read_where_they_are(library):
    whole = library.array(MAPS)
    for cut in (np.s_[0], np.s_[:, 3:77:2, 5::3], np.s_[1:3, ..., 7:9], np.s_[2, :, 1:]):
        assert pc.depth(whole[cut], grid=1) == pc.depth(MAPS[cut], grid=1)
    assert pc.depth(whole[0].T) == pc.depth(MAPS[0].T)


def test_work_is_on_the_current_stream(library):
    """It comes after what the library has put there, and the host waits for nothing before it reads."""
    zeros = library.array(np.zeros_like(MAPS[0]))
    source, target = library.array(MAPS[0]), library.array(np.zeros_like(MAPS[0]))
    library.synchronize()
    with library.side_stream() as stream:
        for is_late in (False, True):  # what is made once, is there the second time
            library.copy(zeros, target)
            library.synchronize()
            if is_late:
                library.be_busy()
            library.copy(source, target)
            program = pc.depth(target)
            stats = pc.kernels.grid_stats(target)
            signs = pc.kernels.neighbor_relations(stats.mean, 0.15)
            assert not is_late or not library.is_done(stream)
            assert program == pc.depth(MAPS[0])
        assert {type(each) for each in (*stats, signs)} == {library.type}
        np.testing.assert_array_equal(library.numpy(stats.max), pc.kernels.grid_stats(MAPS[0]).max)
        expected = pc.kernels.neighbor_relations(library.numpy(stats.mean), 0.15)
        np.testing.assert_array_equal(library.numpy(signs), expected)


def test_results_are_ready_for_the_librarys_next_work(library):
    array = library.array(MAPS[0])
    mean = pc.kernels.grid_stats(array).mean
    halves = library.empty_like(mean)
    library.synchronize()
    with library.side_stream():
        library.be_busy()
        library.halve(pc.kernels.grid_stats(array).mean, halves)
    library.synchronize()
    np.testing.assert_array_equal(library.numpy(halves), library.numpy(mean) / 2)


def test_an_input_that_is_freed_at_once(library):
    """A pool would give its memory to the next array of the stream that it was made on, which is not the one that reads."""
    arrays = [library.array(MAPS[k]) for k in range(6)]
    others = library.array(np.full_like(MAPS[0], -1))
    library.synchronize()
    with library.side_stream():
        library.be_busy()
        programs = []
        while arrays:
            programs.append(pc.depth(arrays.pop(0)))
    for _ in range(12):
        library.copy(others, library.empty_like(others))
    assert programs == [pc.depth(each) for each in MAPS]


def test_a_graph_with_the_librarys_own_work(library):
    frame, halves = library.array(MAPS[0]), library.array(MAPS[0])
    plan = pc.plan.depth(MAPS[0].shape, "float32", "cuda:0", grid=(3, 4), tau=0.05)

    def work():
        library.halve(frame, halves)
        plan(halves)

    work()
    library.synchronize()
    replay = library.captured(work)
    for values in MAPS:
        library.copy(library.array(values), frame)
        library.synchronize()
        replay()
        assert plan.program() == pc.depth(values / 2, grid=(3, 4), tau=0.05)


def test_kernels_in_a_graph_of_torch(torch):
    frame = torch.from_numpy(MAPS[0]).cuda()
    pc.kernels.grid_stats(frame)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        stats = pc.kernels.grid_stats(frame)
        signs = pc.kernels.neighbor_relations(stats.mean, 0.1)
    for values in MAPS:
        frame.copy_(torch.from_numpy(values))
        graph.replay()
        expected = pc.kernels.grid_stats(values)
        np.testing.assert_array_equal(stats.min.cpu().numpy(), expected.min)
        np.testing.assert_array_equal(signs.cpu().numpy(), pc.kernels.neighbor_relations(stats.mean.cpu().numpy(), 0.1))


def test_programs_are_refused_while_a_graph_is_captured(torch):
    frame = torch.from_numpy(MAPS[0]).cuda()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        halves = frame / 2
        with pytest.raises(pc.DeviceError, match="plan"):
            pc.depth(halves)
    assert pc.depth(frame) == pc.depth(MAPS[0])


def test_bfloat16(torch):
    tensor = torch.from_numpy(MAPS).bfloat16()
    assert pc.depth(tensor.cuda()) == pc.depth(tensor)
    got, expected = pc.kernels.grid_stats(tensor.cuda()), pc.kernels.grid_stats(tensor)
    for one, other in zip((got.min, got.max, got.count), (expected.min, expected.max, expected.count), strict=True):
        assert torch.equal(one.cpu(), other)


KINDS_OF_TENSORS = {
    "requires grad": lambda torch, a: a.clone().requires_grad_(),
    "with a gradient": lambda torch, a: a.clone().requires_grad_() * 1,
    "expanded": lambda torch, a: a[:1].expand(120, 160),
    "channels last": lambda torch, a: a.expand(1, 3, 120, 160).to(memory_format=torch.channels_last)[0, 1],
    "negative view": lambda torch, a: torch._neg_view(-a),
    "imaginary part of a conjugate": lambda torch, a: torch.complex(a, -a).conj().imag,
}


@pytest.mark.parametrize("kind", KINDS_OF_TENSORS)
def test_kinds_of_tensors(torch, kind):
    made = KINDS_OF_TENSORS[kind](torch, torch.from_numpy(MAPS[0]).cuda())
    assert pc.depth(made) == pc.depth(np.array(made.detach().resolve_neg().tolist(), np.float32))


@pytest.mark.parametrize("kind", ["sparse", "quantized", "conjugate"])
@pytest.mark.filterwarnings("ignore")  # torch calls some of these a prototype
def test_tensors_that_are_refused(torch, kind):
    tensor = torch.rand(12, 15, device="cuda")
    made = {
        "sparse": lambda: tensor.to_sparse(),
        "quantized": lambda: torch.quantize_per_tensor(tensor, 0.1, 0, torch.quint8),
        "conjugate": lambda: torch.complex(tensor, tensor).conj(),
    }[kind]()
    with pytest.raises(TypeError, match=r"^depth must be "):
        pc.depth(made, grid=1)


def test_every_device_whatever_the_current_one_is(torch):
    for number in range(torch.cuda.device_count()):
        tensor = torch.from_numpy(MAPS).to(f"cuda:{number}")
        assert pc.depth(tensor) == pc.depth(MAPS)
        assert pc.kernels.grid_stats(tensor).mean.device.index == number


def test_the_same_bits_in_every_run_from_many_threads(library):
    """A race between blocks, or between calls that share memory, would show in some of them."""
    maps = np.tile(MAPS, (8, 3, 3))
    array = library.array(maps)
    first = [library.numpy(each) for each in pc.kernels.grid_stats(array)]
    text = pc.depth(maps[0])
    library.synchronize()

    def differ(_):
        with library.side_stream():
            stats = pc.kernels.grid_stats(array)
            program = pc.depth(array[0])
            same = [np.array_equal(library.numpy(one), other) for one, other in zip(stats, first, strict=True)]
            return same != [True] * 4 or program != text

    with ThreadPoolExecutor(4) as pool:
        assert not any(pool.map(differ, range(400)))
