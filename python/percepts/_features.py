"""Feature maps and points as callers hold them, made into what the core reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from percepts._arrays import view_of
from percepts._core import View
from percepts._options import as_number, as_word
from percepts._points import as_point

Array = np.ndarray[Any, np.dtype[Any]]


class Features(NamedTuple):
    """A feature map, and whether its channels come last."""

    data: View
    channels_last: bool


def as_features(value: object, name: str, layout: object) -> Features:
    """View a feature map where it is: C×h×w or h×w×C, possibly with a batch of 1 in front."""
    if as_word(layout, "layout") not in ("chw", "hwc"):
        raise ValueError(f"layout must be 'chw' or 'hwc', got {layout!r}")
    if isinstance(value, np.ma.MaskedArray) and value.mask is not np.ma.nomask and value.mask.any():
        raise ValueError(f"{name} must have a value everywhere, got a masked array with values masked")
    view = view_of(value, name)
    if view.ndim == 4 and view.shape[0] == 1:
        view = view.part(0, 0)
    if view.ndim != 3:
        expected = "C×h×w" if layout == "chw" else "h×w×C"
        raise ValueError(f"{name} must be {expected} with layout={layout!r}, got shape {view.shape}")
    return Features(view, layout == "hwc")


def as_candidates(value: object) -> dict[str, tuple[float, float]]:
    """Candidates: label to point."""
    if not isinstance(value, Mapping):
        raise TypeError(f"candidates must be a mapping of label to point (x, y), got {type(value).__name__}")
    for label in value:
        as_word(label, "a label of candidates")
    return {label: as_point(point, f"candidates[{label!r}]") for label, point in value.items()}


def as_scores(value: object, candidates: Mapping[str, object]) -> list[float]:
    """Scores of the candidates, in their order."""
    if not isinstance(value, Mapping):
        raise TypeError(f"scores must be a mapping of label to number, got {type(value).__name__}")
    odd = [label for label in (*value, *candidates) if (label in value) != (label in candidates)]
    if odd:
        raise ValueError(f"scores and candidates must have the same labels, got {odd[0]!r} in one of them only")
    return [as_number(value[label], f"scores[{label!r}]") for label in candidates]
