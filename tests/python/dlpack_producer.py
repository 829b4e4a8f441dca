"""Producers of DLPack made with ctypes, so that tests can hand over anything and count what is given back."""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    PYFUNCTYPE,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


DELETER = PYFUNCTYPE(None, c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", DELETER)]


class ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", DELETER),
        ("flags", c_uint64),
        ("tensor", Tensor),
    ]


FROM_OBJECT = PYFUNCTYPE(c_int, py_object, c_void_p)
WORK_STREAM = PYFUNCTYPE(c_int, c_int32, c_int32, c_void_p)


class ExchangeApi(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("previous", c_void_p),
        ("allocate", c_void_p),
        ("managed_tensor_from_object", FROM_OBJECT),
        ("object_from_managed_tensor", c_void_p),
        ("tensor_from_object", FROM_OBJECT),
        ("current_work_stream", WORK_STREAM),
    ]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]
_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.restype = c_char_p
_capsule_name.argtypes = [py_object]
_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))

TYPE_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
FROM_NUMPY = object()


class Producer:
    """Hands over a NumPy array through ``__dlpack__``, with any field of the tensor replaced.

    `deleted` counts the calls of the deleter. The capsule's own destructor calls it for a capsule that nobody
    consumed, as the protocol asks.
    """

    def __init__(self, array, *, versioned=True, version=(1, 0), strides=FROM_NUMPY, deleter=True, **replaced):
        self.array, self.versioned, self.deleted, self.capsule = array, versioned, 0, None
        self.asked_for = []
        self._shape = (c_int64 * max(array.ndim, 1))(*array.shape)
        self._strides = (c_int64 * max(array.ndim, 1))(*(stride // array.itemsize for stride in array.strides))
        tensor = {
            "data": array.ctypes.data,
            "device_type": 1,
            "ndim": array.ndim,
            "code": TYPE_CODES.get(array.dtype.kind, 3),
            "bits": array.itemsize * 8,
            "lanes": 1,
            "shape": self._shape,
            "strides": self._strides if strides is FROM_NUMPY else strides,
        }
        self.tensor = Tensor(**(tensor | replaced))
        self._count = DELETER(self._on_delete) if deleter else DELETER()
        if versioned:
            self.managed = ManagedVersioned(*version, None, self._count, 0, self.tensor)
        else:
            self.managed = Managed(self.tensor, None, self._count)
        self._destructor = DELETER(self._on_capsule_end)

    def _on_delete(self, pointer):
        assert pointer == ctypes.addressof(self.managed)
        self.deleted += 1

    def _on_capsule_end(self, capsule):
        if _is_valid(capsule, b"dltensor") or _is_valid(capsule, b"dltensor_versioned"):
            self._on_delete(ctypes.addressof(self.managed))

    @property
    def capsule_name(self):
        return _capsule_name(self.capsule).decode()

    def __dlpack_device__(self):
        return self.tensor.device_type, self.tensor.device_id

    def __dlpack__(self, **options):
        self.asked_for.append(options)
        if not self.versioned and options:
            raise TypeError("__dlpack__() takes no keyword arguments")
        name = b"dltensor_versioned" if self.versioned else b"dltensor"
        destructor = ctypes.cast(self._destructor, c_void_p)
        self.capsule = _new_capsule(ctypes.addressof(self.managed), name, destructor)
        return self.capsule


class ExchangingProducer(Producer):
    """Hands over its tensor through the C exchange API of its type, and lets nothing through ``__dlpack__``."""

    def __dlpack__(self, **options):
        raise AssertionError("the type has the C exchange API")


def exchange_api(*, borrows=True, version=(1, 3), previous=None, stream=None):
    """A table for ExchangingProducer: lends tensors, or makes managed ones only. `stream(device type, id)`: its number."""

    def lend(producer, out):
        ctypes.memmove(out, ctypes.addressof(producer.tensor), ctypes.sizeof(Tensor))
        return 0

    def hand_over(producer, out):
        c_void_p.from_address(out).value = ctypes.addressof(producer.managed)
        return 0

    def work_stream(device_type, device_id, out):
        c_void_p.from_address(out).value = stream(device_type, device_id)
        return 0

    return ExchangeApi(
        *version,
        None if previous is None else ctypes.addressof(previous),
        None,
        FROM_OBJECT(hand_over),
        None,
        FROM_OBJECT(lend) if borrows else FROM_OBJECT(),
        WORK_STREAM(work_stream) if stream is not None else WORK_STREAM(),
    )


def with_exchange_api(api, base=ExchangingProducer):
    """A type of producers that has this table."""
    capsule = _new_capsule(ctypes.addressof(api), b"dlpack_exchange_api", None)
    return type("Exchanging", (base,), {"__dlpack_c_exchange_api__": capsule, "api": api})
