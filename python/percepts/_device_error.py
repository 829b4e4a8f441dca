"""Errors of CUDA devices."""

from __future__ import annotations

from typing import Any


class DeviceError(RuntimeError):
    """CUDA reports a fault, or there is no CUDA for an array on one of its devices.

    The message says what was being done. Where there is no CUDA for an array, the error is a `TypeError`, too, as for
    every array that cannot be read, and a `ValueError` for a device that is asked for by its name.

    Attributes
    ----------
    name
        CUDA's own name of the fault, such as ``"cudaErrorIllegalAddress"``; empty where no call has failed.

    Examples
    --------
    >>> DeviceError("cudaErrorNoDevice: no device", "cudaErrorNoDevice").name
    'cudaErrorNoDevice'
    """

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.name)


class NoCudaError(DeviceError, TypeError):
    """There is no CUDA for an array on one of its devices."""


class NoCudaDeviceError(DeviceError, ValueError):
    """There is no CUDA for a device that is asked for by its name."""
