"""What this build and this machine can run on."""

from __future__ import annotations

from typing import Any, TypedDict

from percepts import _core, _devices


class Backend(TypedDict):
    """One backend: whether it can be used, with what, or why not."""

    available: bool
    instruction_sets: list[str]
    """Those of the processor that are used; for CUDA the architectures that the build has machine code for."""
    devices: list[str]
    reason: str | None


def backends() -> dict[str, Backend]:
    """Backends that this build and this machine have, and why one is missing.

    ``"cpu"`` and ``"cuda"`` are always listed; ``"cuda-emulated"`` where the build has the emulation that tests use
    (`percepts.testing.emulated_cuda`).

    Examples
    --------
    >>> backends()["cpu"]["available"]
    True
    """
    found: dict[str, Backend] = {
        "cpu": {
            "available": True,
            "instruction_sets": _core.instruction_sets(),
            "devices": ["host"],
            "reason": None,
        },
        "cuda": _cuda(_devices.real()),
    }
    emulation = _devices.emulation()
    if emulation is not None:
        found["cuda-emulated"] = _cuda(emulation)
    return found


def _cuda(serves: Any) -> Backend:
    reason: str = serves.why_unavailable()
    return {
        "available": not reason,
        "instruction_sets": [f"sm_{architecture}" for architecture in serves.architectures()],
        "devices": [name for name, _, _ in serves.devices()],
        "reason": reason or None,
    }
