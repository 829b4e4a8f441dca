"""Values that are not data, packed as the core compares them."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from percepts._bfloat16 import bfloat16_bits


def packed_sentinels(invalid_value: object, dtype: str) -> bytes:
    """Sentinels as elements of the array's own dtype, in which they are compared."""
    if type(invalid_value) in (int, float):
        return _packed_number(cast(float, invalid_value), dtype)
    return _packed_values(invalid_value, dtype)


@functools.lru_cache(maxsize=256, typed=True)
def _packed_number(value: float, dtype: str) -> bytes:
    return _packed_values(value, dtype)


def _packed_values(invalid_value: object, dtype: str) -> bytes:
    is_one = isinstance(invalid_value, (str, bytes, bytearray)) or np.ndim(cast("Any", invalid_value)) == 0
    values = list(invalid_value) if isinstance(invalid_value, Iterable) and not is_one else [invalid_value]
    in_numpy = np.dtype("float32" if dtype == "bfloat16" else dtype)
    elements = [_sentinel(value, in_numpy) for value in values]
    packed = np.array([element for element in elements if element is not None], in_numpy)
    return (bfloat16_bits(packed) if dtype == "bfloat16" else packed).tobytes()


def _sentinel(value: Any, dtype: np.dtype[Any]) -> Any:
    """One sentinel in `dtype`; None for what such an array cannot hold anyway, NaN and infinities among integers."""
    if isinstance(value, (str, bytes)) or np.ndim(value) != 0 or np.asarray(value).dtype.kind not in "biufO":
        raise TypeError(f"invalid_value must be a number or several, got {value!r}")
    try:
        if dtype.kind == "f":
            with np.errstate(over="ignore"):
                return dtype.type(float(value))
        if not np.isfinite(float(value)):
            return None
        if int(value) == value:
            converted = np.array(int(value)).astype(dtype)
            if int(converted) == int(value):
                return converted
    except (TypeError, OverflowError):
        pass
    raise ValueError(f"invalid_value must be a value that {dtype} can hold, got {value!r}")
