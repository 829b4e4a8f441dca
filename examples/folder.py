"""Every depth map of a folder becomes a text file; frames are comparable, and damaged files are told.

usage: python folder.py FOLDER OUT NEAR FAR     (NEAR and FAR in the maps' units)
"""

from __future__ import annotations

import sys
from pathlib import Path

import percepts as pc


def convert(folder: Path, out: Path, near: float, far: float) -> int:
    """Write OUT/NAME.txt for each map, and return how many failed."""
    out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for path in sorted(folder.glob("*.npy")):
        try:
            program = pc.depth(pc.read_depth(path), kind="metric", depth_range=(near, far), invalid_value=0)
        except ValueError as error:
            print(error, file=sys.stderr)  # the message starts with the path where the file is damaged
            failed += 1
        else:
            (out / f"{path.stem}.txt").write_text(f"{program}\n", encoding="utf-8")
    return failed


if __name__ == "__main__":
    source, target, nearest, farthest = sys.argv[1:]
    sys.exit(1 if convert(Path(source), Path(target), float(nearest), float(farthest)) else 0)
