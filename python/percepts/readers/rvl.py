"""RVL, the run lengths and differences that Wilson describes (Fast Lossless Depth Image Compression, 2017).

Numbers are written in groups of three bits, the lowest first, each group in a nibble whose highest bit says that
another one follows. They tell in turn how many pixels are 0, how many are not, and of these the differences.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_WORD_SIZE = 4
_NIBBLE_SHIFTS = np.arange(28, -4, -4, dtype=np.uint32)  # the highest nibble of a word comes first
_CONTINUED = 8
_MAX_GROUPS = 11  # as many as 32 bits take


def decode(payload: bytes, count: int) -> NDArray[np.uint16]:
    """Decode `count` pixels, which the payload must hold exactly."""
    if len(payload) % _WORD_SIZE:
        raise ValueError(f"RVL data has whole words of {_WORD_SIZE} bytes, this has {len(payload)} bytes")
    numbers = _numbers(payload)
    runs, used = _runs(numbers, count)
    if numbers[used:].any() or len(numbers) - used >= len(_NIBBLE_SHIFTS):  # zeros fill the last word
        raise ValueError(f"the RVL data goes on after its {count} pixels")
    differences = np.concatenate([numbers[position : position + length] for position, _, length in runs])
    values = np.cumsum((differences >> 1) ^ -(differences & 1)).astype(np.uint16)
    pixels = np.zeros(count, np.uint16)
    done = 0
    for _, pixel, length in runs:
        pixels[pixel : pixel + length] = values[done : done + length]
        done += length
    return pixels


def _numbers(payload: bytes) -> NDArray[np.int64]:
    words = np.frombuffer(payload, "<u4")
    nibbles = ((words[:, None] >> _NIBBLE_SHIFTS) & 15).astype(np.int64).ravel()
    if not len(nibbles) or nibbles[-1] >= _CONTINUED:
        raise ValueError("the RVL data is truncated: it ends inside a number")
    starts = np.concatenate([[0], np.flatnonzero(nibbles < _CONTINUED)[:-1] + 1])
    lengths = np.diff(starts, append=len(nibbles))
    if lengths.max() > _MAX_GROUPS:
        raise ValueError("the RVL data is damaged: it has a number of more than 32 bits")
    place = np.arange(len(nibbles)) - np.repeat(starts, lengths)
    return np.add.reduceat((nibbles & 7) << (3 * place), starts)


def _runs(numbers: NDArray[np.int64], count: int) -> tuple[list[tuple[int, int, int]], int]:
    """Return of each run where its differences stand, its first pixel and its length; and how many numbers are used."""
    runs = []
    pixel = position = 0
    while pixel < count:
        zeros, length = numbers[position : position + 2].tolist() if position + 2 <= len(numbers) else (0, 0)
        position += 2
        pixel += zeros
        if zeros + length == 0 or pixel + length > count or position + length > len(numbers):
            raise ValueError(f"the RVL data is truncated or damaged: it ends after {pixel} of {count} pixels")
        runs.append((position, pixel, length))
        pixel += length
        position += length
    return runs, position
