"""The public functions with every array moved to a CUDA device first, and results read at once.

Tests that compare backends call them like the functions of the package: what an array holds, its strides and its
alignment stay as they are; lists and objects of libraries are passed on.
"""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import numpy as np

import percepts as pc


class Placed:
    """A NumPy array on a device, at the same distance from an aligned address, announced by the CUDA array interface."""

    def __init__(self, array: np.ndarray) -> None:
        self.ndim, self.dtype, self.shape = array.ndim, array.dtype, array.shape
        spans = [stride * max(extent - 1, 0) for stride, extent in zip(array.strides, array.shape, strict=True)]
        before = -sum(span for span in spans if span < 0)
        size = before + sum(span for span in spans if span > 0) + array.itemsize
        pointer = array.__array_interface__["data"][0]
        odd = (pointer - before) % 16
        held = np.zeros(odd + size, np.uint8)
        if array.size:
            held[odd:] = (ctypes.c_uint8 * size).from_address(pointer - before)
        self.memory = pc.testing.device_array(held)
        first = self.memory.__cuda_array_interface__["data"][0] + odd + before
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str.replace("=", "<"),
            "data": (first, True),
            "strides": array.strides,
            "version": 3,
        }


# What messages call an argument of this type.
Placed.__name__ = "ndarray"


def placed(value):
    """A plain NumPy array of elements that percepts reads on the device, everything else as it is."""
    if isinstance(value, (list, tuple)) and value and all(type(each) is np.ndarray for each in value):
        return [placed(each) for each in value]
    is_read = type(value) is np.ndarray and value.dtype.kind in "biuf" and value.dtype.itemsize <= 8
    if not is_read or not value.dtype.isnative or not value.ndim:
        return value
    return Placed(value)


def _moved(function, finish):
    def call(*args, **options):
        # A mask is where its map is.
        if placed(args[0]) is args[0]:
            return function(*args, **options)
        arguments = [placed(args[0]), *args[1:]]
        return finish(function(*arguments, **{key: _option(key, value) for key, value in options.items()}))

    return call


def _option(key, value):
    if key == "mask" and isinstance(value, (list, tuple)):
        if all(isinstance(each, (np.ndarray, type(None))) for each in value):
            return [placed(each) for each in value]
        return placed(np.array(value))
    return placed(value) if key in ("mask", "labels") else value


def _read(made):
    """Programs after the device is done, so that errors come from the call."""
    _ = made.texts() if isinstance(made, pc.ProgramBatch) else made.to_text()
    return made


def _to_numpy(result):
    if isinstance(result, tuple):
        arrays = map(_to_numpy, result)
        return pc.kernels.GridStats(*arrays) if isinstance(result, pc.kernels.GridStats) else tuple(arrays)
    return pc.testing.to_numpy(result) if hasattr(result, "__dlpack_device__") else result


KERNELS = ("grid_stats", "flow_sign", "neighbor_relations", "label_mode")


def functions() -> SimpleNamespace:
    """What `percepts` has, with arrays on a device where it reads them there."""
    kernels = {name: getattr(pc.kernels, name) for name in pc.kernels.__all__}
    kernels |= {name: _moved(kernels[name], _to_numpy) for name in KERNELS}
    public = {name: getattr(pc, name) for name in pc.__all__}
    moved = {name: _moved(getattr(pc, name), _read) for name in ("depth", "flow")}
    return SimpleNamespace(**(public | moved | {"kernels": SimpleNamespace(**kernels)}))
