"""Makes new inputs from old ones; the same seed gives the same inputs."""

from __future__ import annotations

import random
from collections.abc import Sequence

LONGEST_INPUT = 4096
_TELLING = b"\0\n\r\t \"'\\[](){},:-=<>#.0159eEnp\x7f\x80\xff"


class Mutator:
    """Mutates bytes with the help of a dictionary of words."""

    def __init__(self, seed: int, dictionary: Sequence[bytes] = ()) -> None:
        self._random = random.Random(seed)
        self._dictionary = list(dictionary) or [b"\n"]

    def choose(self, corpus: Sequence[bytes]) -> bytes:
        return self._random.choice(corpus)

    def mutated(self, data: bytes, other: bytes) -> bytes:
        """Change `data` in a few places; `other` gives pieces."""
        result = bytearray(data)
        for _ in range(self._random.randint(1, 4)):
            self._change(result, other)
        return bytes(result[:LONGEST_INPUT])

    def _change(self, data: bytearray, other: bytes) -> None:
        at = self._random.randint(0, len(data))
        kind = self._random.randrange(8)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << self._random.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = self._random.choice(_TELLING)
        elif kind == 2:
            data.insert(at, self._random.choice(_TELLING))
        elif kind == 3:
            del data[at : at + self._random.randint(1, 32)]
        elif kind == 4:
            data[at:at] = self._piece(bytes(data))
        elif kind == 5:
            data[at:at] = self._piece(other)
        elif kind == 6:
            data[at:at] = self._random.choice(self._dictionary)
        else:
            word = self._random.choice(self._dictionary)
            data[at : at + len(word)] = word

    def _piece(self, data: bytes) -> bytes:
        start = self._random.randint(0, len(data))
        return data[start : start + self._random.randint(1, 64)]
