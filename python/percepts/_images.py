"""Images as callers hold them, made into views that the core reads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from percepts._arrays import _as_view
from percepts._core import View
from percepts._strings import joined

_DTYPES = frozenset(["uint8", "float16", "bfloat16", "float32", "float64"])


def as_image(value: object, name: str) -> View:
    """Grey H×W or RGB H×W×3, of uint8 or floating-point numbers."""
    view = _as_pixels(value, name)
    if view.ndim != 2 and (view.ndim != 3 or view.shape[2] != 3):
        raise ValueError(f"{name} must be H×W or H×W×3 (RGB), got shape {view.shape}{_advice(view.shape)}")
    if 0 in view.shape:
        raise ValueError(f"{name} must have at least one pixel, got shape {view.shape}")
    return view


def as_strips(value: object, name: str) -> View:
    """Strips (…, lines, length); of three dimensions or more with 3 as the last (…, lines, length, 3)."""
    view = _as_pixels(value, name)
    if view.ndim < 2 or 0 in view.shape[strip_axis(view) :]:
        raise ValueError(
            f"{name} must be (..., lines, length) or (..., lines, length, 3) with at least one pixel, "
            f"got shape {view.shape}"
        )
    return view


def strip_axis(strips: View) -> int:
    """Axis of a strip's lines; those before it count strips."""
    return strips.ndim - (3 if strips.ndim > 2 and strips.shape[-1] == 3 else 2)


def as_pieces(pieces: object, image: View) -> list[tuple[str, View]]:
    """Candidates for the lower right part of an image: label to image, smaller than the whole and of one size."""
    if not isinstance(pieces, Mapping):
        raise TypeError(f"pieces must be a mapping of labels to images, got {type(pieces).__name__}")
    views: list[tuple[str, View]] = []
    for label, piece in pieces.items():
        if not isinstance(label, str):
            raise TypeError(f"labels of pieces must be str, got {type(label).__name__}")
        view = as_image(piece, f"pieces[{label!r}]")
        _check_size(view, label, views, image)
        views.append((joined(label), view))
    if len({label for label, _ in views}) < len(views):
        raise ValueError("labels of pieces must differ, got some that differ in halves of surrogate pairs only")
    return views


def _check_size(view: View, label: str, others: list[tuple[str, View]], image: View) -> None:
    if view.shape[0] >= image.shape[0] or view.shape[1] >= image.shape[1]:
        raise ValueError(
            f"pieces[{label!r}] must be smaller than the image on both sides, "
            f"which is {_size(image)} (width x height), got {_size(view)}"
        )
    if others and view.shape[:2] != others[0][1].shape[:2]:
        raise ValueError(
            f"pieces must be of one size, got {_size(others[0][1])} (width x height) "
            f"for {others[0][0]!r} and {_size(view)} for {label!r}"
        )


def _size(view: View) -> str:
    return f"{view.shape[1]}x{view.shape[0]}"


def _as_pixels(value: object, name: str) -> View:
    view, mask = _as_view(value, name)
    if mask is not None and not np.all(mask):
        raise ValueError(f"{name} must have a value for every pixel, got a masked array with pixels masked")
    if view.dtype not in _DTYPES:
        raise TypeError(f"{name} must be uint8 or floating point in [0, 1], got {view.dtype}")
    return view


def _advice(shape: tuple[int, ...]) -> str:
    if len(shape) == 3 and shape[0] == 3:
        return ": move the channels to the end"
    if len(shape) == 3 and shape[2] == 1:
        return ": squeeze the last dimension"
    if len(shape) == 3 and shape[2] == 4:
        return ": leave the alpha channel out"
    return ""
