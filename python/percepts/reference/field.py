"""A map as NumPy holds it, whatever library it came from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from percepts import _arrays
from percepts._bfloat16 import float32_of_bfloat16

Array = np.ndarray[Any, np.dtype[Any]]


class Field(NamedTuple):
    """A map, and a boolean map of the pixels that are data. bfloat16 is float32 here, which holds it exactly."""

    data: Array
    valid: Array


def plain_field(field: _arrays.Field) -> Field:
    """Take a prepared field to NumPy and decide which pixels are data: used, finite and no sentinel."""
    data = _arrays.as_numpy(field.data)
    valid = np.ones(data.shape, bool) if field.mask is None else field.mask.numpy().copy()
    if data.dtype.kind == "f":
        valid &= np.isfinite(data)
    for sentinel in () if field.sentinels is None else _sentinels(field.sentinels, field.data.dtype):
        valid &= data != sentinel
    return Field(data, valid)


def _sentinels(packed: bytes, dtype: str) -> Array:
    if dtype == "bfloat16":
        return float32_of_bfloat16(np.frombuffer(packed, np.uint16))
    return np.frombuffer(packed, dtype)
