"""Results on a device: arrays of the caller's own library, on the device and stream of what they are made from."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

from percepts import _core
from percepts._core import View
from percepts._libraries import is_cupy_array, is_torch_tensor

Finisher = Callable[[Any], Any]


class Results:
    """Makes arrays for a kernel to write to.

    torch and CuPy give memory of their own; any other library takes ours over, by its ``from_dlpack``, once the kernel
    is on its way; what is of no array library gets ours as it is.
    """

    def __init__(self, value: object, like: View, serves: Any) -> None:
        self._kind = type(value)
        self._like = like
        self._device = like.device_id
        self._serves = serves
        self._finish = finisher_for(value)
        self._ours = not (is_torch_tensor(self._kind) or is_cupy_array(self._kind))

    def empty(self, shape: tuple[int, ...], dtype: str) -> tuple[Any, View]:
        """Make an array, and a view of it."""
        if self._ours:
            ours = self._serves.empty(self._device, dtype, shape, self._like.stream)
            return ours, ours.view()
        if is_torch_tensor(self._kind):
            torch = sys.modules["torch"]
            array = torch.empty(shape, dtype=getattr(torch, dtype), device=f"cuda:{self._device}")
        else:
            cupy = sys.modules["cupy"]
            with cupy.cuda.Device(self._device):
                array = cupy.empty(shape, dtype)
        view = _core.view_anywhere(array, "results")
        assert view is not None
        return array, view

    def finished(self, array: Any) -> Any:
        """An array that the kernel is going to have written, in the caller's library."""
        return self._finish(array) if self._ours else array


def finisher_for(value: object) -> Finisher:
    """Find what makes a device array of ours one of the library that `value` is of."""
    for is_of, library in ((is_torch_tensor, "torch"), (is_cupy_array, "cupy")):
        if is_of(type(value)):
            return cast("Finisher", sys.modules[library].from_dlpack)
    namespace_of = getattr(value, "__array_namespace__", None)
    if namespace_of is None:
        return lambda array: array
    return cast("Finisher", namespace_of().from_dlpack)
