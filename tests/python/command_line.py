"""Calls of the command line, in this process and in one of its own, and files for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import percepts as pc
from percepts.cli import main

RAMP = np.tile(np.linspace(0, 1, 8, dtype=np.float32), (4, 1))
TEXT = f"{pc.depth(RAMP, grid=2)}\n"
"""What ``percepts depth --grid 2`` makes of `RAMP`."""


def save(path: Path, array: np.ndarray = RAMP) -> Path:
    """Write a .npy file, whatever its name ends in, and the directories above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.save(file, array)
    return path


def call(capsys: Any, *arguments: object) -> tuple[int, str, list[str]]:
    """Exit status, standard output and the lines of standard error."""
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err.splitlines()


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "percepts", *map(str, arguments)]


def run(*arguments: object, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command(*arguments), capture_output=True, timeout=60, **settings)


def files_below(directory: Path) -> list[str]:
    """All files, also hidden ones, relative to the directory."""
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if not path.is_dir())
