"""How errors list the fields that a file holds."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 50


def listed(names: Sequence[object]) -> str:
    """List names, of a hostile file not all of them."""
    shown = ", ".join(f"{name!r:.100}" for name in names[:_MOST])
    return shown if len(names) <= _MOST else f"{shown} and {len(names) - _MOST} more"
