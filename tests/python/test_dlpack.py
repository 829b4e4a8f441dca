"""DLPack as the protocol has it: what is read, what is refused, and that all memory is given back once."""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from dlpack_producer import Producer, exchange_api, with_exchange_api
from percepts import _core

VALUES = np.linspace(0, 1, 48, dtype=np.float32).reshape(6, 8)
TEXT = str(pc.depth(VALUES, grid=(2, 3)))

LENDING = exchange_api()
MANAGING = exchange_api(borrows=False)
NEWER = exchange_api(version=(2, 0), previous=MANAGING)


def unversioned(array, **replaced):
    return Producer(array, versioned=False, **replaced)


MANAGED = {
    "versioned": Producer,
    "unversioned": unversioned,
    "exchange api": with_exchange_api(MANAGING),
    "older exchange api": with_exchange_api(NEWER),
}


@pytest.mark.parametrize("make", MANAGED.values(), ids=MANAGED)
def test_memory_is_given_back_once(backend, make):
    producer = make(VALUES)
    assert str(backend.depth(producer, grid=(2, 3))) == TEXT
    gc.collect()
    assert producer.deleted == 1


@pytest.mark.parametrize("make", MANAGED.values(), ids=MANAGED)
@pytest.mark.parametrize(
    "replaced",
    [{"lanes": 4}, {"code": 42}, {"ndim": 9}, {"ndim": -1}, {"data": None}, {"device_type": 2}],
    ids=str,
)
def test_memory_is_given_back_once_after_an_error(make, replaced):
    producer = make(VALUES, **replaced)
    with pytest.raises((TypeError, ValueError)):
        pc.depth(producer, grid=1)
    gc.collect()
    # A producer says on which device it is before it hands anything over.
    asked_first = "device_type" in replaced and "__dlpack_c_exchange_api__" not in dir(producer)
    assert producer.deleted == (0 if asked_first else 1)


def test_memory_is_given_back_after_an_error_in_another_argument():
    field, mask = Producer(VALUES), Producer(VALUES[:3] > 0.5)
    with pytest.raises(ValueError, match="mask must have the shape of the map"):
        pc.depth(field, grid=1, mask=mask)
    gc.collect()
    assert (field.deleted, mask.deleted) == (1, 1)


def test_a_component_of_a_flow_keeps_the_memory():
    producer = Producer(np.stack([VALUES, -VALUES], axis=-1))
    assert pc.flow(producer, grid=1, axis="vertical").items[0].r == "up"
    gc.collect()
    assert producer.deleted == 1


def test_what_was_lent_is_not_given_back():
    producer = with_exchange_api(LENDING)(VALUES)
    assert str(pc.depth(producer, grid=(2, 3))) == TEXT
    assert producer.deleted == 0


def test_tensors_without_a_deleter(backend):
    assert str(backend.depth(Producer(VALUES, deleter=False), grid=(2, 3))) == TEXT


@pytest.mark.parametrize("versioned", [True, False])
def test_a_consumed_capsule_has_its_new_name(versioned):
    producer = Producer(VALUES, versioned=versioned)
    pc.depth(producer, grid=1)
    assert producer.capsule_name == ("used_dltensor_versioned" if versioned else "used_dltensor")
    assert producer.asked_for[0] == {"max_version": (1, 3)}


def test_a_capsule_is_consumed_once():
    producer = Producer(VALUES)
    capsule = producer.__dlpack__()
    again = type("Again", (), {"__dlpack__": lambda self, **options: capsule})()
    assert pc.depth(again, grid=1).items[0].r == [0, 1]
    with pytest.raises(TypeError, match='got <capsule object "used_dltensor_versioned"'):
        pc.depth(again, grid=1)
    assert producer.deleted == 1


@pytest.mark.parametrize("answer", [None, 7, b"dltensor", VALUES])
def test_what_is_no_capsule(answer):
    wrong = type("Wrong", (), {"__dlpack__": lambda self, **options: answer})()
    with pytest.raises(
        TypeError, match=r"depth must be an array that DLPack can hand over, got .* from its __dlpack__"
    ):
        pc.depth(wrong, grid=1)


@pytest.mark.parametrize("device", [None, (), "cpu", ("cpu", 0), 1])
def test_what_is_no_device(device):
    wrong = Producer(VALUES)
    wrong.__class__ = type("Wrong", (Producer,), {"__dlpack_device__": lambda self: device})
    with pytest.raises(TypeError, match="depth must be an array that DLPack can hand over"):
        pc.depth(wrong, grid=1)
    assert wrong.deleted == 0


def test_errors_that_are_not_about_the_array_pass():
    def stop(self, **options):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pc.depth(type("Stopped", (), {"__dlpack__": stop})(), grid=1)


def test_another_major_version():
    producer = Producer(VALUES, version=(2, 1), ndim=77)
    with pytest.raises(TypeError, match=r"depth must come through DLPack 1, got version 2\.1"):
        pc.depth(producer, grid=1)
    assert producer.deleted == 1
    # A table of functions of another version only is as good as none.
    only_newer = with_exchange_api(exchange_api(version=(2, 0)), Producer)(VALUES)
    assert str(pc.depth(only_newer, grid=(2, 3))) == TEXT
    assert only_newer.capsule_name == "used_dltensor_versioned"


@pytest.mark.parametrize("device", [1, 3, 11, 13])
def test_memory_that_the_host_can_read(backend, device):
    assert str(backend.depth(Producer(VALUES, device_type=device), grid=(2, 3))) == TEXT
    lent = with_exchange_api(LENDING)(VALUES, device_type=device)
    assert str(backend.depth(lent, grid=(2, 3))) == TEXT


@pytest.mark.parametrize("device", [0, 4, 7, 8, 10, 12, 14, 99])
def test_memory_of_devices(backend, device):
    where = "in host memory or on a CUDA device" if backend is pc else "in host memory"
    message = f"depth must be {where}, got an array on a device of DLPack's type {device}$"
    for make in (Producer, with_exchange_api(LENDING)):
        with pytest.raises(TypeError, match=message):
            backend.depth(make(VALUES, device_type=device), grid=1)


@pytest.mark.parametrize(
    ("replaced", "dtype"),
    [
        ({"lanes": 2}, "vectors of 2 float32"),
        ({"lanes": 0}, "vectors of 0 float32"),
        ({"bits": 128}, "float128"),
        ({"bits": 8}, "float8"),
        ({"code": 0, "bits": 4}, "int4"),
        ({"code": 1, "bits": 1}, "uint1"),
        ({"code": 3, "bits": 64}, "opaque handle 64"),
        ({"code": 4, "bits": 32}, "bfloat32"),
        ({"code": 5, "bits": 64}, "complex64"),
        ({"code": 6, "bits": 1}, "bool1"),
        ({"code": 10, "bits": 8}, "float8_e4m3fn"),
        ({"code": 17, "bits": 4}, "float4_e2m1fn"),
        ({"code": 18, "bits": 8}, "DLPack's type code 18"),
        ({"code": 255, "bits": 8}, "DLPack's type code 255"),
    ],
)
def test_elements_that_are_no_real_numbers(backend, replaced, dtype):
    with pytest.raises(TypeError) as caught:
        backend.depth(Producer(VALUES, **replaced), grid=1)
    assert str(caught.value) == f"depth must be boolean, integer or floating point of up to 64 bits, got {dtype}"


def test_offsets_and_strides(backend):
    cut = Producer(VALUES[2:, 3:], data=VALUES.ctypes.data, byte_offset=4 * (2 * 8 + 3))
    assert str(backend.depth(cut, grid=2)) == str(backend.depth(VALUES[2:, 3:], grid=2))
    packed = Producer(VALUES, strides=None)
    assert str(backend.depth(packed, grid=(2, 3))) == TEXT
    turned = Producer(VALUES[::-1, ::-2])
    assert str(backend.depth(turned, grid=2)) == str(backend.depth(VALUES[::-1, ::-2], grid=2))


def test_strides_of_single_pixels_may_be_anything(backend):
    strides = (ctypes.c_int64 * 2)(2**62, -(2**63))
    assert backend.depth(Producer(VALUES[:1, :1], strides=strides), grid=1).items[0].r == [0, 0]


@pytest.mark.parametrize(
    "device", [(2, 2**70), (2, 2**32), (2, -1), (2**70, 0), (2**32 + 1, 0), (1, -(2**70))], ids=str
)
def test_devices_that_cannot_be(device):
    """Those of more than 32 bits are not cut to a device that there is."""
    wrong = type("Wrong", (Producer,), {"__dlpack_device__": lambda self: device})(VALUES)
    for read in (pc.depth, pc.albedo):
        with pytest.raises(TypeError) as caught:
            read(wrong, grid=1)
        assert str(caught.value).endswith(
            f" must say by __dlpack_device__ the type and the number of a device, got {device}"
        )


def test_more_bytes_than_can_be_counted():
    """Of a view: what comes after it would have to make so many maps."""
    for maps in (2**61, 2**56):
        shape, strides = (ctypes.c_int64 * 3)(maps, 6, 8), (ctypes.c_int64 * 3)(0, 8, 1)
        wrong = Producer(VALUES[None], shape=shape, strides=strides)
        with pytest.raises(ValueError, match=r"^depth must have at most 9223372036854775807 bytes, got shape \(\d+, 6"):
            _core.view(wrong, "depth")
    shape = (ctypes.c_int64 * 3)(2**55, 6, 8)
    assert _core.view(Producer(VALUES[None], shape=shape, strides=strides), "depth").shape == (2**55, 6, 8)


def test_arrays_without_memory(backend):
    with pytest.raises(TypeError, match="depth must be an array with memory of its own, got a Producer"):
        backend.depth(Producer(VALUES, data=None), grid=1)
    with pytest.raises(ValueError, match="got a map of 0x8"):
        backend.depth(Producer(np.empty((0, 8)), data=None), grid=1)


def test_lengths_and_dimensions_that_cannot_be(backend):
    shape = (ctypes.c_int64 * 2)(6, -8)
    with pytest.raises(TypeError, match="depth must have lengths of at least 0, got -8"):
        backend.depth(Producer(VALUES, shape=shape), grid=1)
    for count in (-1, 9, 2**31 - 1):
        with pytest.raises(ValueError, match=f"depth must have at most 8 dimensions, got {count}"):
            backend.depth(Producer(VALUES, ndim=count), grid=1)


def test_the_layout_is_that_of_the_specification(library):
    """Our declarations against the header that torch ships."""
    torch = library("torch")
    headers = Path(torch.__file__).parent / "include" / "ATen"
    bindings = Path(__file__).parents[2] / "python" / "bindings"
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or "clang++"
    source = Path(__file__).with_name("dlpack_layout.cpp")
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{headers}", f"-I{bindings}", str(source)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
