"""What `percepts.read_detections` gives back: the detections of one image, and what its file says about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class DetectionFile:
    """Detections of one image, read from a file.

    Attributes
    ----------
    boxes
        float64, N×4: ``x0, y0, x1, y1`` in pixels, as the file has them, not yet clipped.
    scores
        float64, N: the confidences; None where the file has none, such as a data set's own annotations.
    labels
        int64, N: category ids.
    names
        Names of the categories by their ids; empty where the file has none.
    image
        Id of the image; None where the file speaks of no image at all.
    size
        Width and height of the image in pixels; None where the file does not say.
    path
        The file's path, as it was given.
    """

    boxes: NDArray[np.float64]
    scores: NDArray[np.float64] | None
    labels: NDArray[np.int64]
    names: Mapping[int, str] = field(default_factory=dict)
    image: int | str | None = None
    size: tuple[int, int] | None = None
    path: str

    def __repr__(self) -> str:
        parts = [repr(self.path), f"image {self.image!r}", f"{len(self.boxes)} boxes"]
        if self.size is not None:
            parts.append(f"{self.size[0]}x{self.size[1]} pixels")
        return f"DetectionFile({', '.join(parts)})"
