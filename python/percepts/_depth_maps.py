"""Depth maps of supervision, recognised by what they have, without the library."""

from __future__ import annotations

from typing import Any, Protocol, TypeGuard

import numpy as np

_FITTING_KINDS = {
    "disparity_px": ("disparity",),
    "depth_m": ("metric",),
    "relative_inverse": ("relative", "disparity"),
}
"""What ``supervision.DepthKind`` calls the kinds, and which of ours each may be read as."""

_DEFAULT_KIND = "relative"


class DepthMap(Protocol):
    """``supervision.DepthMap``, as far as it is read: values, what they are, and which of them hold depth."""

    values: np.ndarray[Any, Any]
    kind: Any
    valid_mask: np.ndarray[Any, Any]


def is_depth_map(value: object) -> TypeGuard[DepthMap]:
    """Tell a depth map from arrays and everything else."""
    return (
        not isinstance(value, np.ndarray)
        and hasattr(value, "values")
        and hasattr(value, "valid_mask")
        and getattr(getattr(value, "kind", None), "value", None) in _FITTING_KINDS
    )


def kind_of(depth: object, kind: Any) -> Any:
    """Kind to read `depth` by: a depth map knows its own, which is taken where the caller leaves the default."""
    maps = depth if isinstance(depth, (list, tuple)) else [depth]
    own = dict.fromkeys(each.kind.value for each in maps if is_depth_map(each))
    if kind == _DEFAULT_KIND:
        kind = next((_FITTING_KINDS[name][0] for name in own if kind not in _FITTING_KINDS[name]), kind)
    for name in own:
        if kind not in _FITTING_KINDS[name]:
            allowed = " or ".join(map(repr, _FITTING_KINDS[name]))
            raise ValueError(f"kind must be {allowed} for a DepthMap of {name}, got {kind!r}")
    return kind
