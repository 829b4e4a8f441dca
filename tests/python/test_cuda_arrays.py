"""Arrays on CUDA devices as the protocols hand them over: whose stream, which device, when memory goes back."""

from __future__ import annotations

import ctypes
import gc
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import percepts as pc
from dlpack_producer import Producer, exchange_api, with_exchange_api
from percepts import _core

MAP = np.random.default_rng(2).random((20, 30), dtype=np.float32)
TEXT = str(pc.depth(MAP, grid=(2, 3)))
CUDA = 2


def address_of(array):
    return array.__cuda_array_interface__["data"][0]


def producer(array, base=Producer, **options):
    """A foreign library's array around memory of a device."""
    made = base(MAP, data=address_of(array), device_type=CUDA, **options)
    made.memory = array
    return made


class Interface:
    """An array with the CUDA array interface, any entry of it replaced or left out."""

    def __init__(self, array, leave_out=(), **replaced):
        self.array = array
        interface = dict(array.__cuda_array_interface__) | replaced
        self.__cuda_array_interface__ = {key: value for key, value in interface.items() if key not in leave_out}


def test_a_producer_is_told_a_stream_of_ours(device):
    ours = producer(device.array(MAP))
    view = _core.view_anywhere(ours, "depth")
    told = ours.asked_for[0]
    assert told == {"stream": view.stream, "max_version": (1, 3)}
    assert told["stream"] > 2
    assert (view.on_cuda, view.device_name, view.shape) == (True, "cuda:0", (20, 30))


@pytest.mark.parametrize("versioned", [True, False])
def test_producers(device, versioned):
    class Old(Producer):
        """Knows `stream` and no other keyword, as all did before version 1."""

        def __dlpack__(self, stream=None):
            self.told = stream
            return super().__dlpack__()

    for base in (Producer, Old) if not versioned else (Producer,):
        ours = producer(device.array(MAP), base, versioned=versioned)
        if base is Producer and not versioned:
            with pytest.raises(TypeError, match="takes no keyword arguments"):
                pc.depth(ours, grid=(2, 3))
            continue
        program = pc.depth(ours, grid=(2, 3))
        gc.collect()
        assert ours.deleted == 0
        assert str(program) == TEXT
        gc.collect()
        assert ours.deleted == 1
        if base is Old:
            assert ours.told > 2


def test_exchange_api_tells_the_current_stream(device):
    stream = pc.testing.stream()
    asked = []

    def current(device_type, device_id):
        asked.append((device_type, device_id))
        return stream.address

    for borrows in (True, False):
        lending = with_exchange_api(exchange_api(borrows=borrows, stream=current))
        ours = producer(device.array(MAP, stream=stream), lending)
        assert _core.view_anywhere(ours, "depth").stream == stream.address
        assert str(pc.depth(ours, grid=(2, 3))) == TEXT
        gc.collect()
        # Viewed here, and by the call.
        assert ours.deleted == (0 if borrows else 2)
    assert set(asked) == {(CUDA, 0)}


def test_exchange_api_without_a_stream_is_the_default_stream(device):
    ours = producer(device.array(MAP), with_exchange_api(exchange_api()))
    assert _core.view_anywhere(ours, "depth").stream == 0
    assert str(pc.depth(ours, grid=(2, 3))) == TEXT


def test_work_waits_for_the_stream_of_an_array(emulation):
    """What is still to be written there is read when it has been written."""
    early, late = pc.testing.stream(), pc.testing.stream()
    first = pc.kernels.grid_stats(pc.testing.device_array(MAP, stream=early), grid=(4, 5))
    # The mean is still to be computed on `early`; it goes over to `late`, and from there to a stream of ours.
    mean = Interface(first.mean, stream=late.address)
    capsule = first.mean.__dlpack__(stream=late.address)
    signs = pc.kernels.neighbor_relations(mean, 0.1)
    expected = pc.kernels.neighbor_relations(pc.kernels.grid_stats(MAP, grid=(4, 5)).mean, 0.1)
    np.testing.assert_array_equal(pc.testing.to_numpy(signs), expected)
    del capsule
    again = pc.depth(producer_of(first.mean), grid=2, kind="disparity")
    assert again == pc.depth(pc.kernels.grid_stats(MAP, grid=(4, 5)).mean, grid=2, kind="disparity")


def producer_of(array):
    """A library of which nothing is known but `__dlpack__`."""

    class Library:
        ndim = array.ndim

        def __dlpack_device__(self):
            return array.__dlpack_device__()

        def __dlpack__(self, **options):
            return array.__dlpack__(**options)

    return Library()


def test_masks_of_another_stream(device):
    one, other = pc.testing.stream(), pc.testing.stream()
    array, mask = device.array(MAP, stream=one), device.array(MAP > 0.4, stream=other)
    assert pc.depth(array, grid=2, mask=mask) == pc.depth(MAP, grid=2, mask=MAP > 0.4)
    assert pc.depth(producer_of(array), grid=2, mask=mask) == pc.depth(MAP, grid=2, mask=MAP > 0.4)


@pytest.mark.parametrize("version", [2, 3])
def test_cuda_array_interface(device, version):
    array = device.array(MAP)
    for made in (
        Interface(array, version=version),
        Interface(array, ["strides", "stream"], version=version),
        Interface(array, strides=None, stream=1),
        Interface(array[::-1], stream=2),
    ):
        expected = MAP[::-1] if made.__cuda_array_interface__.get("stream") == 2 else MAP
        assert str(pc.depth(made, grid=(2, 3))) == str(pc.depth(expected, grid=(2, 3)))
    view = _core.view_anywhere(Interface(array, stream=1), "depth")
    assert (view.stream, view.device_id, view.dtype) == (1, 0, "float32")


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"version": 1}, "of version 2 or 3, got one of version 1"),
        ({"version": 4}, "got one of version 4"),
        ({"mask": "mask"}, "with a mask: give it as an argument"),
        ({"typestr": ">f4"}, "depth must be boolean, integer or floating point of up to 64 bits, got >f4"),
        ({"typestr": "<c8"}, "got <c8"),
        ({"typestr": 7}, "got one that says"),
        ({"data": None}, "got one that says"),
        ({"shape": "ab"}, "got one that says"),
        ({"data": (0, True)}, "got one without an address"),
        ({"strides": (4,)}, "whose strides are not as many as its lengths"),
        ({"shape": (-1, 3)}, "with a length below 0"),
    ],
    ids=str,
)
def test_interfaces_that_are_none(device, replaced, message):
    with pytest.raises(TypeError) as caught:
        pc.depth(Interface(device.array(MAP), **replaced), grid=1)
    assert message in str(caught.value)
    with pytest.raises(TypeError, match="that is no dict"):
        pc.depth(type("Odd", (), {"__cuda_array_interface__": 7})(), grid=1)


@pytest.mark.parametrize("maps", [2**62, 2**58, 2**57])
def test_batches_of_more_maps_than_there_is_room_for(device, maps):
    """A batch that repeats one map; its numbers' bytes are too many to count, or too many for a device."""
    array = device.array(np.ones((8, 2), np.uint8))
    made = Interface(array, shape=(maps, 8, 2), strides=(0, 2, 1))
    strides = (ctypes.c_int64 * 3)(0, 2, 1)
    shape = (ctypes.c_int64 * 3)(maps, 8, 2)
    lent = Producer(
        np.ones((1, 8, 2), np.uint8),
        data=address_of(array),
        device_type=CUDA,
        shape=shape,
        strides=strides,
        deleter=False,  # the errors keep views in cycles, which may outlive it
    )
    for call in (
        lambda batch: pc.depth(batch, grid=(8, 1)),
        lambda batch: pc.kernels.grid_stats(batch, grid=(8, 1)),
        lambda batch: pc.kernels.label_mode(batch, grid=(8, 1)),
    ):
        for batch in (made, lent):
            with pytest.raises((ValueError, pc.DeviceError)) as caught:
                call(batch)
            message = str(caught.value)
            if maps == 2**62:
                assert message.endswith(
                    " must have at most 9223372036854775807 bytes, got shape (4611686018427387904, 8, 2) of uint8"
                )
            else:
                assert "cudaError" in message or f"may not be so many, got {maps} of" in message


def test_empty_interfaces(device):
    with pytest.raises(ValueError, match="0x30"):
        pc.depth(Interface(device.array(MAP), shape=(0, 30), data=(0, False)), grid=1)


def test_the_device_of_a_pointer(emulation):
    array = pc.testing.device_array(MAP, device=1)
    assert _core.view_anywhere(Interface(array), "depth").device_name == "cuda:1"
    assert str(pc.depth(Interface(array), grid=(2, 3))) == TEXT


def test_an_array_of_ours_is_handed_over(device):
    array = device.array(MAP)
    assert array.__dlpack_device__() == (CUDA, 0)
    assert "dltensor_versioned" in repr(array.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(array.__dlpack__())
    assert '"dltensor"' in repr(array.__dlpack__(stream=-1, max_version=(0, 8)))
    for wrong in ({"copy": True}, {"dl_device": (1, 0)}, {"dl_device": (CUDA, 1)}):
        with pytest.raises(BufferError):
            array.__dlpack__(**wrong)
    array.__dlpack__(dl_device=(CUDA, 0), copy=False)
    with pytest.raises(ValueError, match="stream must be"):
        array.__dlpack__(stream=0)
    assert repr(array) == "<DeviceArray float32 (20, 30) on cuda:0>"
    assert array.__cuda_array_interface__["stream"] is None
    assert not hasattr(device.array(MAP, dtype="bfloat16"), "__cuda_array_interface__")


def test_parts_of_arrays(device):
    whole = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
    array = device.array(whole)
    for cut in (
        0,
        -1,
        np.s_[1:],
        np.s_[..., 2],
        np.s_[::-1, :, 1:3],
        np.s_[1, ..., ::-2],
        np.s_[0, 1, 2, 3],
        np.s_[:0],
    ):
        np.testing.assert_array_equal(device.numpy(array[cut]), whole[cut])
    np.testing.assert_array_equal(device.numpy(array.transpose(2, 0, 1, 3)), whole.transpose(2, 0, 1, 3))
    np.testing.assert_array_equal(device.numpy(array.T), whole.T)
    assert len(array) == 2
    for wrong in ((-1, 0, 1, 2), (0, 1, 2, 4), (0, 1, 2, 2), (0, 1), (0, 1, 2, 2**70), (0, 1, 2, -(2**70))):
        with pytest.raises(ValueError, match="transpose needs each of the axes from 0 to 4") as caught:
            array.transpose(*wrong)
        assert str(caught.value).endswith(f"got {wrong}")
    for wrong, got in (("a", "str"), (1.0, "float"), ((0, 1, 2, 3), "tuple")):
        with pytest.raises(TypeError, match=f"an axis of an array on a device must be an int, got {got}"):
            array.transpose(wrong, wrong, wrong, wrong)
    for wrong in (2, -3, np.s_[0, 0, 0, 0, 0]):
        with pytest.raises(IndexError):
            _ = array[wrong]
    with pytest.raises(TypeError, match="array must be on a CUDA device, got one in host memory"):
        pc.testing.to_numpy(whole)


@pytest.mark.parametrize(
    ("key", "got"),
    [
        (None, "NoneType"),
        (True, "bool"),
        (MAP > 0.5, "ndarray"),
        (np.s_[0, None], "NoneType"),
        ([0, 1], "list"),
        (1.0, "float"),
    ],
    ids=["none", "bool", "mask", "none-second", "list", "float"],
)
def test_indices_that_are_none(device, key, got):
    with pytest.raises(TypeError, match=f"index of an array on a device must be an int, a slice or .*, got {got}$"):
        device.array(MAP)[key]


def test_numpy_is_told_how_to_copy(device):
    array = device.array(MAP)
    assert device.numpy(array[np.int64(3)]).tolist() == MAP[3].tolist()
    for read in (np.asarray, np.array, lambda a: np.asarray(a, np.float64)):
        with pytest.raises(TypeError, match=r"got an array on cuda:0: percepts\.testing\.to_numpy copies it"):
            read(array)


def test_masks_are_not_dropped(device):
    masked = np.ma.masked_array(MAP, MAP > 0.5)
    with pytest.raises(TypeError, match=r"got a masked array with elements masked: copy its \.filled\(\), .* mask="):
        device.array(masked)
    # One that masks nothing has every element.
    np.testing.assert_array_equal(device.numpy(device.array(np.ma.masked_array(MAP))), MAP)
    pixels = device.array(~masked.mask)
    assert pc.depth(device.array(masked.filled(0)), grid=2, mask=pixels) == pc.depth(masked, grid=2)


def test_an_array_of_the_emulation_outside_of_it():
    if "cuda-emulated" not in pc.backends():
        pytest.skip("this build has no emulation of CUDA")
    if pc.backends()["cuda"]["available"]:
        pytest.skip("this machine has CUDA")
    with pc.testing.emulated_cuda():
        array = pc.testing.device_array(MAP)
    for given in (array, Interface(array)):
        with pytest.raises(pc.DeviceError) as caught:
            pc.testing.to_numpy(given)
        assert isinstance(caught.value, TypeError)
        assert str(caught.value) == (
            "array must be on a device of CUDA, or of its emulation and inside emulated_cuda, got one on a CUDA device: "
            + pc.backends()["cuda"]["reason"]
        )


def test_an_array_holds_its_stream(emulation):
    """What an array needs of its stream is there for as long as the array, its views and results that are on it."""
    array = pc.testing.device_array(MAP, stream=pc.testing.stream())
    view = array[::2].T
    stats = pc.kernels.grid_stats(array, 3)
    del array
    gc.collect()
    assert pc.depth(view, grid=2) == pc.depth(MAP[::2].T, grid=2)
    del view
    gc.collect()
    np.testing.assert_array_equal(pc.testing.to_numpy(stats.max), pc.kernels.grid_stats(MAP, 3).max)
    # Streams go back with the last array: a handle that was let go is unknown.
    address = stats.max.stream
    del stats
    gc.collect()
    emulation.let_go()
    emulation.finish()
    gc.collect()
    with pytest.raises(pc.DeviceError):
        emulation.synchronize(0, address)


def test_where_arrays_are_put_is_checked(device):
    for device_number in ("cuda:0", 0.0, None, True):
        for call in (
            lambda wrong: pc.testing.device_array(MAP, device=wrong),
            lambda wrong: pc.testing.stream(wrong),
            lambda wrong: pc.testing.capture(device=wrong).__enter__(),
        ):
            with pytest.raises(TypeError) as caught:
                call(device_number)
            assert str(caught.value) == (f"device must be the number of a CUDA device, an int, got {device_number!r}")
    with pytest.raises(ValueError, match="device must be the number of a CUDA device, at least 0, got -1"):
        pc.testing.device_array(MAP, device=-1)
    with pytest.raises(TypeError, match="stream must be a Stream, its number or None, got str"):
        pc.testing.device_array(MAP, stream="main")
    for wrong in (-1, 2**64, -(2**70)):
        for call in (
            lambda wrong: pc.testing.device_array(MAP, stream=wrong),
            lambda wrong: pc.testing.Graph(0, wrong),
        ):
            with pytest.raises(
                ValueError, match=r"stream must be a Stream.* its number.* below 2\*\*64, got "
            ) as caught:
                call(wrong)
            assert len(str(caught.value)) < 200
    with pytest.raises(TypeError, match="stream must be a Stream or its number, got float"):
        pc.testing.Graph(0, 1.5)
    with pytest.raises(TypeError, match=r"device must be the number of a CUDA device, an int, got 1\.5"):
        pc.testing.Graph(1.5, 0)
    with pytest.raises(TypeError, match="stream must be a Stream or None, got int"):
        pc.testing.capture(7).__enter__()


class Namespace:
    """A library of the array API standard, as far as results need it."""

    class Array:
        def __init__(self, memory):
            self.memory, self.ndim, self.shape = memory, memory.ndim, memory.shape

        def __array_namespace__(self):
            return Namespace

        def __dlpack_device__(self):
            return self.memory.__dlpack_device__()

        def __dlpack__(self, **options):
            return self.memory.__dlpack__(**options)

    @staticmethod
    def from_dlpack(memory):
        return Namespace.Array(memory)


def test_results_are_of_the_callers_library(device):
    array = Namespace.Array(device.array(MAP))
    stats = pc.kernels.grid_stats(array, grid=(2, 3))
    assert {type(each) for each in stats} == {Namespace.Array}
    np.testing.assert_array_equal(device.numpy(stats.min), pc.kernels.grid_stats(MAP, grid=(2, 3)).min)
    plan = pc.plan.depth(MAP.shape, MAP.dtype, "cuda:0", grid=(2, 3))
    assert isinstance(plan(array).mean, Namespace.Array)
    assert plan(array) is plan(array)


def test_views_of_devices_are_not_for_numpy(device):
    with pytest.raises(TypeError, match="NumPy reads host memory, got an array on cuda:0"):
        _core.view_anywhere(device.array(MAP), "depth").numpy()


def test_errors_can_be_pickled():
    error = pickle.loads(pickle.dumps(pc.DeviceError("no device", "cudaErrorNoDevice")))
    assert (str(error), error.name) == ("no device", "cudaErrorNoDevice")


def test_an_address_that_is_no_devices(emulation):
    elsewhere = SimpleNamespace(
        __cuda_array_interface__={"shape": (2, 2), "typestr": "<f4", "data": (0x1000, True), "version": 3}
    )
    with pytest.raises(TypeError, match="depth must be in memory of a CUDA device, got a __cuda_array_interface__"):
        pc.depth(elsewhere, grid=1)
