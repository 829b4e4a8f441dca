"""Results in the caller's own array library."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Converter = Callable[[Array], Any]


def into_library_of(value: object) -> Converter:
    """Find what makes a NumPy array one of the library that `value` is of; no library is imported for it.

    The memory is shared where that library can. Lists and objects of no array library get NumPy arrays.
    """
    if isinstance(value, np.ndarray):
        return _as_it_is
    if is_torch_tensor(type(value)):
        return cast("Converter", sys.modules["torch"].from_numpy)
    namespace_of = getattr(value, "__array_namespace__", None)
    return _as_it_is if namespace_of is None else cast("Converter", namespace_of().from_dlpack)


def is_torch_tensor(kind: type) -> bool:
    """Tell torch's tensors, and what derives from them."""
    for base in kind.__mro__:  # noqa: SIM110  # a generator takes longer than the first step, which mostly decides
        if base.__name__ == "Tensor" and base.__module__ == "torch":
            return True
    return False


def is_cupy_array(kind: type) -> bool:
    """Tell CuPy's arrays."""
    return any(base.__name__ == "ndarray" and base.__module__.split(".")[0] == "cupy" for base in kind.__mro__)


def _as_it_is(array: Array) -> Array:
    return array
