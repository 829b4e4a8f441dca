"""Devices for tests: CUDA emulated on the host, and arrays, streams and graphs to try code for CUDA with.

In a build with the emulation (the CMake option ``PERCEPTS_CUDA_EMULATION``), everything that percepts does on CUDA
devices can be tested without one. The other functions work on CUDA as well.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from percepts import _devices
from percepts._arrays import view_anywhere
from percepts._bfloat16 import bfloat16_bits, float32_of_bfloat16
from percepts._device_error import DeviceError, NoCudaDeviceError, NoCudaError
from percepts._options import as_integer, shown_integer

__all__ = [
    "CudaCounts",
    "Graph",
    "Stream",
    "capture",
    "count_cuda",
    "device_array",
    "emulated_cuda",
    "stream",
    "to_numpy",
]

Array = np.ndarray[Any, np.dtype[Any]]


@contextlib.contextmanager
def emulated_cuda() -> Iterator[None]:
    """Let every public call take arrays on CUDA devices to the emulation: two devices, in all threads.

    Raises
    ------
    DeviceError
        In a build without the emulation.
    """
    if _devices.emulation() is None:
        raise DeviceError("this build has no emulation of CUDA: build with PERCEPTS_CUDA_EMULATION=ON")
    with _devices.emulated():
        yield


class Stream:
    """A stream of a device, made by `stream`: `address` is its number in the protocols.

    It lasts as long as this object, and as arrays of `device_array` and results that are on it.
    """

    def __init__(self, device: int) -> None:
        number = _number_of(device)
        self._stream = _serving(number).Stream(number)

    @property
    def address(self) -> int:
        """CUDA's handle."""
        return int(self._stream.address)

    @property
    def device(self) -> int:
        """Number of the device."""
        return int(self._stream.device)

    def wait(self) -> None:
        """Wait for all that is on the stream."""
        self._stream.wait()


def stream(device: int = 0) -> Stream:
    """Make a stream, ordered with no other one."""
    return Stream(device)


def device_array(array: Any, device: int = 0, *, stream: Stream | int | None = None, dtype: str | None = None) -> Any:
    """Copy an array to a CUDA device.

    What comes back announces the device by ``__dlpack__`` (versioned and not), ``__dlpack_device__`` and
    ``__cuda_array_interface__``. Indices and slices give views with strides, `transpose` turns it.

    Parameters
    ----------
    array
        Of NumPy, of any dtype that percepts reads.
    device
        Number of the device.
    stream
        Stream that the array's library would be using; None for none in particular.
    dtype
        ``"bfloat16"`` rounds a float32 array to that.

    Raises
    ------
    DeviceError
        When there is no such device.
    TypeError, ValueError
        When another argument does not meet its requirement.
    """
    number, address = _number_of(device), None if stream is None else _address(stream, "a Stream, its number or None")
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise TypeError(
            "array must have every element, got a masked array with elements masked: copy its .filled(), and the mask "
            "for the argument mask= of calls that have one"
        )
    values = np.asarray(array)
    name = values.dtype.name
    if dtype == "bfloat16" and name != "bfloat16":
        values, name = bfloat16_bits(values.astype(np.float32)), "bfloat16"
    elif dtype not in (None, name):
        raise ValueError(f"dtype must be 'bfloat16' or None, got {dtype!r}")
    elif name == "bfloat16":
        values = values.view(np.uint16)
    serves = _serving(number)
    return serves.upload(np.ascontiguousarray(values).reshape(values.shape), name, number, address)


def to_numpy(array: Any) -> Array:
    """Copy an array of any library from its CUDA device, after the work on its stream; bfloat16 becomes float32."""
    try:
        view = view_anywhere(array, "array")
        if not view.on_cuda:
            raise TypeError("array must be on a CUDA device, got one in host memory")
        packed, first = _devices.serving("array", view.device_name).download(view)
    except NoCudaError:
        reason = _devices.module().why_unavailable()
        wanted = "on a device of CUDA, or of its emulation and inside emulated_cuda"
        raise NoCudaError(f"array must be {wanted}, got one on a CUDA device: {reason}") from None
    stored = "uint16" if view.dtype == "bfloat16" else view.dtype
    copy = np.ndarray(view.shape, stored, packed or bytes(8), first, view.strides).copy()
    return float32_of_bfloat16(copy) if view.dtype == "bfloat16" else copy


class CudaCounts:
    """What the emulation was asked to do since `count_cuda` began, and until it ended."""

    def __init__(self, emulation: Any) -> None:
        self._emulation = emulation
        self._before = emulation.counters()
        self._after: tuple[int, int, int] | None = None

    def _stop(self) -> None:
        self._after = self._emulation.counters()

    def _count(self, index: int) -> int:
        after = self._after or self._emulation.counters()
        return int(after[index] - self._before[index])

    @property
    def launches(self) -> int:
        """Kernels that were launched, those of a graph at each of its launches."""
        return self._count(0)

    @property
    def allocations(self) -> int:
        """Allocations of device memory and of pinned host memory."""
        return self._count(1)

    @property
    def synchronizations(self) -> int:
        """Calls that made the host wait for a device."""
        return self._count(2)


@contextlib.contextmanager
def count_cuda() -> Iterator[CudaCounts]:
    """Count what CUDA is asked to do; only the emulation counts.

    Raises
    ------
    DeviceError
        Outside of `emulated_cuda`.
    """
    if not _devices.is_emulated():
        raise DeviceError("only the emulation counts: use count_cuda inside emulated_cuda")
    counts = CudaCounts(_devices.emulation())
    try:
        yield counts
    finally:
        counts._stop()


class Graph:
    """Work that `capture` has recorded. It holds its stream, where that is of `stream`."""

    def __init__(self, device: int, stream: Stream | int) -> None:
        self._device = _number_of(device)
        self._address = _address(stream, "a Stream or its number")
        self._stream = stream
        self._serves = _serving(self._device)
        self._graph = self._serves.Graph(self._device, self._address)

    def replay(self) -> None:
        """Put the work on the stream again."""
        self._graph.launch()

    def wait(self) -> None:
        """Wait for all that is on the stream."""
        self._serves.synchronize(self._device, self._address)


@contextlib.contextmanager
def capture(stream: Stream | None = None, device: int = 0) -> Iterator[Graph]:
    """Capture what is put on a stream into a graph, without doing it.

    What capturing forbids, such as waiting or allocating with ``cudaMalloc``, is a `DeviceError` then.

    Parameters
    ----------
    stream
        The stream; None for the one that percepts uses on `device` for arrays of libraries that have no current stream
        of their own.
    device
        Number of the device, without a stream.
    """
    if not isinstance(stream, (Stream, type(None))):
        raise TypeError(f"stream must be a Stream or None, got {type(stream).__name__}")
    number = _number_of(device) if stream is None else stream.device
    graph = Graph(number, int(_serving(number).own_stream(number)) if stream is None else stream)
    graph._graph.begin()
    try:
        yield graph
    except BaseException:
        with contextlib.suppress(DeviceError):
            graph._graph.end()
        raise
    graph._graph.end()


def _number_of(device: object) -> int:
    try:
        number = as_integer(device, "device")
    except TypeError:
        raise TypeError(f"device must be the number of a CUDA device, an int, got {device!r}") from None
    if not 0 <= number < 2**31:
        raise ValueError(f"device must be the number of a CUDA device, at least 0, got {shown_integer(number)}")
    return number


def _serving(device: int) -> Any:
    serves = _devices.module()
    reason = serves.why_unavailable()
    if reason:
        raise NoCudaDeviceError(f"cuda:{device} needs CUDA, or its emulation inside emulated_cuda: {reason}")
    return serves


def _address(stream: object, wanted: str) -> int:
    if isinstance(stream, Stream):
        return stream.address
    try:
        number = as_integer(stream, "stream")
    except TypeError:
        raise TypeError(f"stream must be {wanted}, got {type(stream).__name__}") from None
    if not 0 <= number < 2**64:
        raise ValueError(f"stream must be {wanted}, at least 0 and below 2**64, got {shown_integer(number)}")
    return number
