"""bfloat16, which NumPy does not have: the upper half of a float32."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def float32_of_bfloat16(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Values of these bits, exactly."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def bfloat16_bits(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Bits of the nearest bfloat16, ties to even; a NaN stays one."""
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)
