"""Arrays of other libraries: the same text as from NumPy, without a copy, and results in the same library."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import percepts as pc
from strategies import DTYPES

STRIDES = {
    "C": lambda a: a,
    "every second column": lambda a: a[:, ::2],
    "every third row": lambda a: a[::3, :],
    "transposed": lambda a: a.T,
    "slice": lambda a: a[3:17, 5:],
    "one channel": lambda a: a[:, :, None][:, :, 0],
}


def values(dtype):
    """Numbers that every dtype holds its own way, holes and a sentinel among them."""
    array = (np.random.default_rng(4).random((24, 30)) * (1 if dtype == "bool" else 90)).astype(dtype)
    array[2:5, 4:9] = 0
    if array.dtype.kind == "f":
        array[7, 1:4] = np.nan, np.inf, -np.inf
    return array


class Torch:
    def __init__(self, library):
        self.module = library("torch")

    def make(self, array):
        return self.module.from_numpy(array)

    def is_of(self, array):
        return type(array) is self.module.Tensor


class Jax:
    def __init__(self, library):
        self.module = library("jax")

    def make(self, array):
        with self.module.enable_x64(True):
            return self.module.numpy.asarray(array)

    def is_of(self, array):
        return isinstance(array, self.module.Array)


class Strict:
    def __init__(self, library):
        self.module = library("array_api_strict")

    def make(self, array):
        return self.module.asarray(array)

    def is_of(self, array):
        return type(array) is type(self.module.zeros(1))


LIBRARIES = {"torch": Torch, "jax": Jax, "array-api-strict": Strict}


@pytest.fixture(params=LIBRARIES)
def arrays(request, library):
    return LIBRARIES[request.param](library)


@pytest.fixture
def torch(library):
    return library("torch")


@pytest.mark.parametrize("strides", STRIDES)
@pytest.mark.parametrize(
    ("arrays", "dtype"),
    [(name, dtype) for name in LIBRARIES for dtype in DTYPES if (name, dtype) != ("array-api-strict", "float16")],
    indirect=["arrays"],
)
def test_text_is_that_of_numpy(backend, arrays, dtype, strides):
    array = values(dtype)
    options = {"grid": (3, 5), "kind": "metric", "invalid_value": 0, "mask": values("bool")}
    cut = STRIDES[strides]
    expected = backend.depth(cut(array), **{**options, "mask": cut(options["mask"])})
    mask = cut(arrays.make(options["mask"]))
    assert str(backend.depth(cut(arrays.make(array)), **{**options, "mask": mask})) == str(expected)
    assert str(expected) == str(pc.depth(cut(array), **{**options, "mask": cut(options["mask"])}))


@pytest.mark.parametrize("layout", ["hwc", "chw"])
@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow(backend, arrays, layout, axis):
    field = np.random.default_rng(5).normal(size=(24, 30, 2)).astype(np.float32)
    field = field if layout == "hwc" else np.ascontiguousarray(np.moveaxis(field, 2, 0))
    assert backend.flow(arrays.make(field), axis=axis) == backend.flow(field, axis=axis)


def test_results_are_of_the_same_library(arrays):
    field = values("float32")
    stats, of_numpy = (pc.kernels.grid_stats(array, (3, 5)) for array in (arrays.make(field), field))
    signs = pc.kernels.flow_sign(arrays.make(np.stack([field, -field])), (3, 5), axis="vertical", layout="chw")
    relations = pc.kernels.neighbor_relations(arrays.make(of_numpy.mean), 0.15)
    assert all(map(arrays.is_of, [*stats, signs, relations]))
    for result, expected in zip(stats, of_numpy, strict=True):
        np.testing.assert_array_equal(np.from_dlpack(result), expected.astype(np.from_dlpack(result).dtype))
    assert (np.from_dlpack(signs) == -1).all()
    of_means = pc.kernels.neighbor_relations(of_numpy.mean, 0.15)
    np.testing.assert_array_equal(np.from_dlpack(relations), of_means, strict=True)


@pytest.mark.parametrize(
    "field", [[[1.0, 2.0]], memoryview(np.ones((1, 2))), np.ones((1, 2)).view(np.matrix), np.ma.ones((1, 2))]
)
def test_results_of_what_is_of_no_library_are_numpys(field):
    assert all(type(array) is np.ndarray for array in pc.kernels.grid_stats(field, 1))


def test_result_types_of_torch(torch):
    stats = pc.kernels.grid_stats(torch.ones(4, 4, dtype=torch.bfloat16), grid=2)
    assert [array.dtype for array in stats] == [torch.float32, torch.float32, torch.float64, torch.int32]
    assert pc.kernels.grid_stats(torch.ones(4, 4, dtype=torch.float64), grid=2).min.dtype == torch.float64
    stats.mean[0, 0] = 7  # as every tensor, and without the warning that torch gives of read-only memory
    assert not stats.mean.requires_grad


def test_results_keep_their_values_while_they_are_used(torch):
    """Results share no memory with what the next call makes."""
    first = pc.kernels.grid_stats(torch.zeros(40, 40), grid=40)
    for value in range(1, 50):
        pc.kernels.grid_stats(torch.full((40, 40), float(value)), grid=40)
    assert torch.equal(first.mean, torch.zeros(40, 40, dtype=torch.float64))


def every_bfloat16():
    return (np.arange(2**16, dtype=np.uint32) << 16).view(np.float32).reshape(256, 256)


def bfloat16_maps(library):
    torch, ml_dtypes = library("torch"), library("ml_dtypes")
    bits = np.arange(2**16, dtype=np.uint16).reshape(256, 256)
    yield torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
    yield bits.view(ml_dtypes.bfloat16)
    yield library("jax").numpy.asarray(bits.view(ml_dtypes.bfloat16))


def test_every_bfloat16(backend, library):
    exact = pc.reference.kernels.grid_stats(every_bfloat16(), (256, 128))
    for field in bfloat16_maps(library):
        stats = backend.kernels.grid_stats(field, (256, 128))
        for result, expected in zip(stats, exact, strict=True):
            result = np.from_dlpack(result)
            if result.dtype == expected.dtype:  # JAX makes float32 of float64, and zero of the smallest
                np.testing.assert_array_equal(result, expected)


def test_bfloat16_in_programs(backend, library):
    torch = library("torch")
    field = torch.rand(24, 30, generator=torch.Generator().manual_seed(1)).bfloat16()
    assert backend.depth(field) == backend.depth(field.float())
    assert backend.depth(field[::2, ::3], grid=4) == backend.depth(field[::2, ::3].float(), grid=4)
    assert backend.flow(torch.stack([field, -field]), layout="chw") == backend.flow(
        torch.stack([field, -field]).float(), layout="chw"
    )
    with pytest.raises(ValueError, match=r"needs values in \[0, 1\], got a range of \[0, 2\]"):
        backend.depth(torch.tensor([[0, 2.0]]).bfloat16(), grid=1)


@pytest.mark.parametrize("value", [0.1, -3.3, 65504, 1e39, -0.0, 255.5, 256.5, 257.5, 2**-130])
def test_sentinels_of_bfloat16_are_rounded_as_torch_rounds(backend, torch, value):
    field = torch.tensor([[value, 1.0]], dtype=torch.bfloat16)
    assert backend.kernels.grid_stats(field, (1, 1), invalid_value=value).count.tolist() == [[1]]


def test_nan_is_no_sentinel_that_equals_anything(backend, torch):
    field = torch.tensor([[0.5, 1.0]], dtype=torch.bfloat16)
    assert backend.kernels.grid_stats(field, 1, invalid_value=float("nan")).count.tolist() == [[2]]


# torch: what its tensors may be besides plain memory.

TENSOR_KINDS = {
    "plain": lambda torch, a: a,
    "requires grad": lambda torch, a: a.clone().requires_grad_(),
    "result of an operation with gradient": lambda torch, a: a.clone().requires_grad_() * 1,
    "parameter": lambda torch, a: torch.nn.Parameter(a),
    "subclass": lambda torch, a: a.as_subclass(type("Mine", (torch.Tensor,), {})),
    "expanded": lambda torch, a: a[:1, None].expand(1, 24, 30)[0],
    "inference": lambda torch, a: torch.inference_mode()(lambda: a * 1)(),
    "shared memory": lambda torch, a: a.clone().share_memory_(),
    "channels last": lambda torch, a: a[None, None].expand(1, 3, 24, 30).to(memory_format=torch.channels_last)[0, 1],
    "negative view": lambda torch, a: torch._neg_view(-a),
    "imaginary part of a conjugate": lambda torch, a: torch.complex(a, -a).conj().imag,
    "real part of a conjugate": lambda torch, a: torch.complex(a, a).conj().real,
}


@pytest.mark.parametrize("kind", TENSOR_KINDS)
def test_kinds_of_tensors(backend, torch, kind):
    tensor = torch.from_numpy(np.random.default_rng(6).random((24, 30), np.float32))
    made = TENSOR_KINDS[kind](torch, tensor)
    expected = np.array(made.detach().resolve_neg().tolist(), np.float32)
    assert expected.min() >= 0
    assert str(backend.depth(made, grid=3)) == str(backend.depth(expected, grid=3))


def wrapped(transform):
    """The tensor that a function sees inside one of torch.func's transforms."""

    def make(torch, tensor):
        seen = []
        getattr(torch.func, transform)(lambda x: seen.append(x) or x.sum())(tensor)
        return seen[0]

    return make


REFUSED_TENSORS = {
    "sparse": (lambda torch, a: a.to_sparse(), r"a tensor of layout torch\.sparse_coo: say \.to_dense\(\)"),
    "sparse rows": (lambda torch, a: a.to_sparse_csr(), r"a tensor of layout torch\.sparse_csr"),
    "mkldnn": (lambda torch, a: a.to_mkldnn(), r"a tensor of layout torch\._mkldnn"),
    "quantized": (
        lambda torch, a: torch.quantize_per_tensor(a, 0.1, 0, torch.quint8),
        r"a quantized tensor: say \.dequantize\(\)",
    ),
    "meta": (lambda torch, a: a.to("meta"), "a tensor on the meta device"),
    "nested": (lambda torch, a: torch.nested.nested_tensor([a, a]), "a nested tensor"),
    "jagged": (lambda torch, a: torch.nested.nested_tensor([a, a], layout=torch.jagged), "a nested tensor"),
    "zeros without memory": (lambda torch, a: torch._efficientzerotensor((4, 5)), "memory of its own, got a Tensor"),
    "freed": (lambda torch, a: free(a.clone()), "memory of its own, got a Tensor"),
    "masked": (lambda torch, a: torch.masked.masked_tensor(a, a > 0.5), "memory of its own, got a MaskedTensor"),
    "vmap": (wrapped("vmap"), "got a Tensor .*BatchedTensor"),
    "grad": (wrapped("grad"), "got a Tensor .*TensorWrapper"),
    "functionalize": (wrapped("functionalize"), "memory of its own, got a Tensor"),
    "conjugate": (lambda torch, a: torch.complex(a, a).conj(), "up to 64 bits, got complex64"),
    "complex128": (lambda torch, a: a.to(torch.complex128), "up to 64 bits, got complex128"),
    "float8": (lambda torch, a: a.to(torch.float8_e4m3fn), "up to 64 bits, got float8_e4m3fn"),
    "uint4": (lambda torch, a: torch.empty(4, 5, dtype=torch.uint4), r"up to 64 bits, got torch\.uint4"),
    "bits": (lambda torch, a: torch.empty(4, 5, dtype=torch.bits8), "got a Tensor: Bit types"),
}


def free(tensor):
    tensor.untyped_storage().resize_(0)
    return tensor


@pytest.mark.parametrize("kind", REFUSED_TENSORS)
@pytest.mark.filterwarnings("ignore")  # torch calls several of these a prototype
def test_tensors_that_are_refused(backend, torch, kind):
    make, message = REFUSED_TENSORS[kind]
    tensor = make(torch, torch.rand(4, 5))
    with pytest.raises(TypeError, match=rf"^depth must be .*{message}"):
        backend.depth(tensor, grid=1)


def test_shapes_of_tensors(backend, torch):
    for shape, message in {
        (): r"got shape \(\)",
        (1, 2, 4, 5): r"got shape \(1, 2, 4, 5\)",
        (4, 5, 1): "squeeze the last dimension",
        (0, 5): "got a map of 0x5",
        (1,) * 9: "depth must have at most 8 dimensions, got 9",
    }.items():
        with pytest.raises(ValueError, match=message):
            backend.depth(torch.zeros(shape), grid=1)


def test_an_empty_flow_of_torch(backend, torch):
    with pytest.raises(ValueError, match="got a map of 0x5"):
        backend.flow(torch.zeros(2, 0, 5), grid=1, axis="vertical")


def test_masks_of_torch_are_boolean(backend, torch):
    with pytest.raises(TypeError, match="mask must be boolean, got uint8"):
        backend.depth(torch.zeros(4, 5), grid=1, mask=torch.ones(4, 5, dtype=torch.uint8))


def test_abstract_arrays_of_jax(library):
    jax = library("jax")
    with pytest.raises(TypeError, match="depth must be an array that DLPack can hand over, got Abstract tracer"):
        jax.jit(lambda x: pc.depth(x, grid=1))(jax.numpy.ones((3, 4)))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "int4", "float8_e5m2"])
def test_types_that_others_add_to_numpy(backend, library, name):
    field = np.ones((3, 4)).astype(getattr(library("ml_dtypes"), name))
    with pytest.raises(TypeError, match=f"depth must be boolean, .* got {name}"):
        backend.depth(field, grid=1)


# Memory.


def peak_of(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


MUCH = """
import resource, torch, percepts as pc
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
field, mask = torch.full((3000, 8000), 0.5), torch.ones(3000, 8000, dtype=torch.bool)
for view in (lambda a: a), (lambda a: a.T), (lambda a: a[::2, ::3]):
    pc.depth(view(field[:9, :9]), grid=1, mask=view(mask[:9, :9]))
    before = peak()
    pc.depth(view(field), mask=view(mask))
    print(peak() - before)
"""


def test_a_large_tensor_is_not_copied(library):
    """Peak memory in KiB: a copy of the smallest view takes 16,000 of them, and 4,000 of its mask."""
    library("torch")
    done = subprocess.run([sys.executable, "-c", MUCH], capture_output=True, text=True, check=True)
    grown = [int(line) for line in done.stdout.split()]
    assert len(grown) == 3
    assert max(grown) < 3_000


def test_a_view_is_the_memory_itself(library):
    torch = library("torch")
    tensor = torch.zeros(2, 6, 8)[:, ::2]
    view = pc._core.view(tensor, "tensor")
    assert (view.shape, view.strides, view.dtype, view.device) == ((2, 3, 8), (192, 64, 4), "float32", 1)
    tensor[1, 2, 3] = 7
    assert view.numpy()[1, 2, 3] == 7
    assert view.part(0, 1).part(0, 2).numpy().tolist() == [0, 0, 0, 7, 0, 0, 0, 0]
    assert not view.numpy().flags.writeable
    for axis, index in [(-1, 0), (3, 0), (0, -1), (0, 2)]:
        with pytest.raises(IndexError, match="a view has no such part"):
            view.part(axis, index)


def test_a_view_keeps_its_memory(library):
    torch = library("torch")
    part = pc._core.view(torch.full((3, 1000, 1000), 2.5), "tensor").part(0, 1).numpy()
    torch.zeros(3, 1000, 1000)
    assert (part == 2.5).all()


@pytest.mark.parametrize("make", [lambda a: a.astype(">f4"), lambda a: a.astype(">f4")[::2, ::-1]])
def test_swapped_bytes_are_copied_once(make):
    field = make(np.random.default_rng(7).random((1000, 1000), np.float32))
    assert str(pc.depth(field)) == str(pc.depth(field.astype("=f4")))
    assert peak_of(lambda: pc.depth(field)) < field.size * 4 + 100_000


def test_no_library_is_imported():
    program = (
        "import sys, numpy, percepts as pc; pc.kernels.grid_stats(numpy.zeros((3, 4)), 1); "
        "print(sorted({'torch', 'jax', 'ml_dtypes', 'array_api_strict'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
