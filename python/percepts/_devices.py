"""Which module serves arrays on CUDA devices, and the streams that their libraries use."""

from __future__ import annotations

import atexit
import contextlib
import importlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

from percepts._device_error import NoCudaError
from percepts._libraries import is_cupy_array, is_torch_tensor

_REAL = "percepts._cuda"
_EMULATED = "percepts._cuda_emulated"

_emulations = 0
_lock = threading.Lock()
_loaded: set[str] = set()


@contextlib.contextmanager
def emulated() -> Iterator[None]:
    """Let the emulation serve arrays on CUDA devices, in all threads."""
    _load(_EMULATED)
    _count_emulation(1)
    try:
        yield
    finally:
        _count_emulation(-1)


def _count_emulation(by: int) -> None:
    global _emulations
    with _lock:
        _emulations += by


def is_emulated() -> bool:
    """Whether the emulation serves now."""
    return _emulations > 0


def module() -> Any:
    """The module that serves arrays on CUDA devices now: `percepts._cuda`, or the emulation's of the same face."""
    return _load(_EMULATED if _emulations else _REAL)


def real() -> Any:
    """The module that serves CUDA itself."""
    return _load(_REAL)


def emulation() -> Any:
    """The emulation's module; None in a build without it."""
    try:
        return _load(_EMULATED)
    except ImportError:
        return None


def _load(name: str) -> Any:
    loaded = sys.modules.get(name)
    if loaded is None or name not in _loaded:
        loaded = importlib.import_module(name)
        with _lock:
            if name not in _loaded:
                # What work on a device reads may go when the work is done, not when Python ends.
                atexit.register(loaded.finish)
                _loaded.add(name)
    return loaded


def serving(name: str, device: str) -> Any:
    """The module for an argument that is on this device; without CUDA the error that says why."""
    serves = module()
    reason = serves.why_unavailable()
    if reason:
        raise NoCudaError(f"{name} must be in host memory, got an array on {device}: {reason}")
    return serves


def stream_for(value: Any, device_id: int, name: str) -> int:
    """Stream that work on an array goes to: its library's current one, else one of ours."""
    if is_torch_tensor(type(value)):
        return int(sys.modules["torch"].cuda.current_stream(device_id).cuda_stream)
    if is_cupy_array(type(value)):
        cuda = sys.modules["cupy"].cuda
        with cuda.Device(device_id):
            return int(cuda.get_current_stream().ptr)
    serves = serving(name, f"cuda:{device_id}")
    if isinstance(value, serves.DeviceArray) and value.stream is not None:
        return int(value.stream)
    return int(serves.own_stream(device_id))


def device_of(address: int, name: str) -> int:
    """Number of the device whose memory this is."""
    number = int(serving(name, "a CUDA device").device_of(address))
    if number < 0:
        raise TypeError(f"{name} must be in memory of a CUDA device, got a __cuda_array_interface__ of other memory")
    return number
