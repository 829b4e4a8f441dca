"""Arrays as people hold them: what is read in place, and what is refused with words."""

from __future__ import annotations

import array
import re
import tracemalloc

import numpy as np
import pytest

import percepts as pc

VALUES = np.linspace(0, 1, 48, dtype=np.float32).reshape(6, 8)


class DLPack:
    """An array of another library, in host memory."""

    def __init__(self, data, device=(1, 0), error=None):
        self.data, self.device, self.error = data, device, error

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if self.error is not None:
            raise self.error
        return self.data.__dlpack__(**options)


class Convertible:
    """An object that only knows ``__array__``."""

    def __init__(self, data, error=None):
        self.data, self.error = data, error

    def __array__(self, dtype=None, copy=None):
        if self.error is not None:
            raise self.error
        return self.data


HOLDERS = {
    "nested lists": VALUES.tolist(),
    "tuples": tuple(map(tuple, VALUES.tolist())),
    "list of arrays": list(VALUES),
    "float64": VALUES.astype(np.float64),
    "big-endian": VALUES.astype(">f4"),
    "fortran": np.asfortranarray(VALUES),
    "memoryview": memoryview(VALUES),
    "subclass": VALUES.view(np.matrix),
    "masked without mask": np.ma.MaskedArray(VALUES),
    "dlpack": DLPack(VALUES),
    "pinned dlpack": DLPack(VALUES, device=(3, 0)),
    "__array__": Convertible(VALUES),
    "file": pc.readers.FieldFile(data=VALUES, format="npy", path="map.npy"),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_holders(backend, holder):
    assert str(backend.depth(HOLDERS[holder], grid=(2, 3))) == str(backend.depth(VALUES, grid=(2, 3)))


def test_the_mask_of_a_file_is_honoured(backend):
    mask = np.zeros(VALUES.shape, bool)
    mask[:, :4] = True
    file = pc.readers.FieldFile(data=VALUES, format="png", path="map.png", mask=mask)
    assert [item.r == "unknown" for item in backend.depth(file, grid=(1, 2)).items] == [False, True]
    both = backend.depth(file, grid=(1, 2), mask=~mask)
    assert [item.r for item in both.items] == ["unknown", "unknown"]


VIEWS = {
    "every second column": lambda a: a[:, ::2],
    "every third row": lambda a: a[::3],
    "transposed": lambda a: a.T,
    "reversed rows": lambda a: a[::-1],
    "reversed columns": lambda a: a[:, ::-1],
    "reversed every second": lambda a: a[::-2, ::-2],
    "slice": lambda a: a[1:5, 3:],
    "broadcast row": lambda a: np.broadcast_to(a[2], (6, 8)),
    "broadcast column": lambda a: np.broadcast_to(a[:, 3:4], (6, 8)),
    "broadcast pixel": lambda a: np.broadcast_to(a[2, 2], (6, 8)),
    "channel of an image": lambda a: np.stack([a, a / 2, a / 3], axis=-1)[:, :, 1],
    "one row": lambda a: a[3:4],
    "one column": lambda a: a[:, 3:4],
    "one pixel with odd strides": lambda a: np.lib.stride_tricks.as_strided(a, (1, 1), (977, -13)),
    "field of a structure": lambda a: np.rec.fromarrays([np.zeros(a.shape, "u1"), a], names="tag,depth")["depth"],
}


@pytest.mark.parametrize("view", VIEWS)
def test_views_are_read_where_they_are(backend, view):
    data = VIEWS[view](VALUES)
    grid = (min(2, data.shape[0]), min(2, data.shape[1]))
    assert str(backend.depth(data, grid=grid)) == str(backend.depth(np.array(data.tolist()), grid=grid))


@pytest.mark.parametrize("layout", ["C", "transposed", "strided", "mask too"])
def test_a_large_map_is_not_copied(layout):
    depth = np.zeros((2000, 2000), np.float32)
    mask = np.ones((2000, 4000), bool)[:, ::2] if layout == "mask too" else None
    depth = {"transposed": depth.T, "strided": depth[::-1, ::2]}.get(layout, depth)
    tracemalloc.start()
    try:
        str(pc.depth(depth, mask=mask))
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "depth must be an array or nested lists of numbers, got NoneType"),
        (7, "depth must be an array or nested lists of numbers, got int"),
        ("map.png", "depth must be an array or nested lists of numbers, got str"),
        (object(), "depth must be an array or nested lists of numbers, got object"),
        ({"a": 1}, "depth must be an array or nested lists of numbers, got dict"),
        (VALUES.astype(complex), "got complex128"),
        (VALUES.astype(object), "got object"),
        (VALUES.astype(str), "must be boolean, integer or floating point of up to 64 bits, got <U"),
        (VALUES.astype("M8[s]"), "got datetime64[s]"),
        (VALUES.astype(np.longdouble), "got float128"),
        (np.zeros((6, 8), "f4,f4"), "got [('f0'"),
        ([["a", "b"]], "got <U1"),
        ([[None, 1.0]], "got object"),
        (
            DLPack(VALUES, device=(2, 0)),
            "depth must be in host memory, got an array on cuda:0",
        ),
        (DLPack(VALUES, error=BufferError("it requires grad")), "it requires grad"),
        (Convertible(VALUES, error=RuntimeError("it is on the meta device")), "it is on the meta device"),
        (type("Cuda", (), {"__cuda_array_interface__": {}})(), "got an array on a CUDA device"),
    ],
)
def test_what_is_no_array_of_real_numbers(backend, value, message):
    with pytest.raises(TypeError) as caught:
        backend.depth(value, grid=1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((), "depth must be H×W, or B×H×W or B×1×H×W for a batch, got shape ()"),
        ((5,), "or B×1×H×W for a batch, got shape (5,)"),
        ((6, 8, 1), "got shape (6, 8, 1): squeeze the last dimension"),
        ((2, 3, 6, 8), "depth must be H×W, or B×H×W or B×1×H×W for a batch, got shape (2, 3, 6, 8)"),
        ((0, 8), "got a map of 0x8"),
        ((8, 0), "got a map of 8x0"),
    ],
)
def test_shapes_that_are_no_map(backend, shape, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        backend.depth(np.zeros(shape), grid=1)


def test_ragged_lists(backend):
    with pytest.raises(ValueError, match="depth must be a rectangular array"):
        backend.depth([[1.0, 0.5], [0.5]], grid=1)


def test_buffers_of_the_standard_library(backend):
    with pytest.raises(ValueError, match=r"got shape \(3,\)"):
        backend.depth(array.array("d", [0.1, 0.2, 0.3]), grid=1)
    view = memoryview(bytes(range(12))).cast("B", (3, 4))
    assert backend.depth(view, grid=1).items[0].r == [0, 0.04314]


def test_masks_of_other_libraries(backend):
    mask = DLPack(VALUES > 0.5)
    assert str(backend.depth(VALUES, grid=2, mask=mask)) == str(backend.depth(VALUES, grid=2, mask=VALUES > 0.5))
    for bad in (VALUES, "yes", 1):
        with pytest.raises(TypeError, match="mask must be"):
            backend.depth(VALUES, grid=2, mask=bad)
