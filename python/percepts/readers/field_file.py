"""What a reader gives back: the array, and what its file says about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class FieldFile:
    """A dense field read from a file.

    Attributes
    ----------
    data
        The field, without singleton dimensions: depth H×W with the values as stored, flow H×W×2 or 2×H×W in
        pixels; an image H×W or H×W×3. It may be read-only, and strided.
    format
        The file's format, found from its content: ``"npy"``, ``"npz"``, ``"png"``, ``"jpeg"``, ``"pgm"``, ``"ppm"``,
        ``"pfm"``, ``"tiff"``, ``"exr"``, ``"compressedDepth"``, ``"flo"`` or ``"kitti"``.
    units
        What the file states: ``"pixels"`` for .flo and KITTI flow, ``"metres"`` or ``"millimetres"`` for
        compressedDepth, None where it states nothing.
    mask
        A boolean H×W array, True where the pixel is to be used. None where the format cannot say.
    path
        The file's path, as it was given.
    """

    data: NDArray[Any]
    format: str
    units: str | None = None
    mask: NDArray[np.bool_] | None = None
    path: str

    def __repr__(self) -> str:
        shape = "×".join(str(length) for length in self.data.shape)
        parts = [repr(self.path), self.format, f"{self.data.dtype} {shape}"]
        if self.units is not None:
            parts.append(self.units)
        if self.mask is not None:
            parts.append(f"{np.count_nonzero(self.mask)} of {self.mask.size} pixels valid")
        return f"FieldFile({', '.join(parts)})"
