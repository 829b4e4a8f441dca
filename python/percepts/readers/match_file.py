"""What `read_matches` gives back: the matches of two images, and what their file says about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class MatchFile:
    """Matches between two images, read from a file.

    Attributes
    ----------
    points0, points1
        N×2, float64: (x, y) of each match in image 1 and in image 2, in pixels as stored.
    confidence
        (N,), float64; None where the file has none.
    size0, size1
        (width, height) of the images; None where the file does not state it.
    images
        Names of the two images; None where the file has none.
    format
        ``"npz"``, ``"colmap-database"`` or ``"colmap-text"``.
    path
        The file's path, as it was given.
    """

    points0: NDArray[np.float64]
    points1: NDArray[np.float64]
    confidence: NDArray[np.float64] | None = None
    size0: tuple[int, int] | None = None
    size1: tuple[int, int] | None = None
    images: tuple[str, str] | None = None
    format: str
    path: str

    def __repr__(self) -> str:
        parts: list[Any] = [repr(self.path), self.format, f"{len(self.points0)} matches"]
        if self.images is not None:
            parts.append(f"{self.images[0]!r} and {self.images[1]!r}")
        return f"MatchFile({', '.join(parts)})"
