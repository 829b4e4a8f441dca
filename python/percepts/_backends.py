"""What this build and this machine can run on."""

from __future__ import annotations

from typing import TypedDict

from percepts import _core


class Backend(TypedDict):
    """One backend: whether it can be used, with what, or why not."""

    available: bool
    instruction_sets: list[str]
    devices: list[str]
    reason: str | None


def backends() -> dict[str, Backend]:
    """Backends that this build and this machine have, and why one is missing.

    Examples
    --------
    >>> backends()["cpu"]["available"]
    True
    """
    return {
        "cpu": {
            "available": True,
            "instruction_sets": _core.instruction_sets(),
            "devices": ["host"],
            "reason": None,
        },
        "cuda": {
            "available": False,
            "instruction_sets": [],
            "devices": [],
            "reason": "this build has no CUDA kernels",
        },
    }
