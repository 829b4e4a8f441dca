"""Turns images upright that say how their camera was held (Exif's and TIFF's Orientation)."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

UPRIGHT = 1
_STEPS = {  # transpose, then flip the rows, then flip the columns
    1: (False, False, False),
    2: (False, False, True),
    3: (False, True, True),
    4: (False, True, False),
    5: (True, False, False),
    6: (True, False, True),
    7: (True, True, True),
    8: (True, True, False),
}


def upright(pixels: NDArray[Any], orientation: int) -> NDArray[Any]:
    """View stored pixels (H×W, or with channels behind) as they are to be seen."""
    transposed, rows_flipped, columns_flipped = _STEPS[orientation]
    if transposed:
        pixels = pixels.swapaxes(0, 1)
    return pixels[:: -1 if rows_flipped else 1, :: -1 if columns_flipped else 1]


def checked(orientation: int) -> int:
    """Return an orientation that a file states, where 0 is as good as none."""
    if orientation == 0:
        return UPRIGHT
    if orientation not in _STEPS:
        raise ValueError(f"an image's orientation must be 1 to 8, this one states {orientation}")
    return orientation


def require_upright_flow(orientation: int) -> None:
    """Refuse flow that is stored rotated: whether its vectors are rotated too cannot be known."""
    if orientation != UPRIGHT:
        raise ValueError(
            f"flow must be stored upright (orientation {UPRIGHT}), this file states orientation {orientation}: "
            "rotate the field and its vectors, and store it without"
        )
