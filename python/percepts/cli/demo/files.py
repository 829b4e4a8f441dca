"""The files that the demonstration leaves behind."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from percepts.cli.demo.picture import picture
from percepts.cli.demo.scene import Scene

if TYPE_CHECKING:
    from percepts.program import Program

_UNKNOWN_FLOW = np.float32(1e10)


def write_fields(scene: Scene, out: Path) -> tuple[Path, Path]:
    """Write depth.npy and flow.flo and return their paths."""
    out.mkdir(parents=True, exist_ok=True)
    depth_path, flow_path = out / "depth.npy", out / "flow.flo"
    with depth_path.open("wb") as file:
        np.save(file, scene.depth)
    flow_path.write_bytes(_flo(scene))
    return depth_path, flow_path


def write_picture(depth: Program, flow: Program, out: Path) -> Path:
    """Write scene.svg and return its path."""
    path = out / "scene.svg"
    path.write_text(picture(depth, flow), encoding="utf-8")
    return path


def _flo(scene: Scene) -> bytes:
    height, width = scene.known.shape
    values = np.where(scene.known[..., None], scene.flow, _UNKNOWN_FLOW)
    return struct.pack("<4sii", b"PIEH", width, height) + values.astype("<f4").tobytes()
