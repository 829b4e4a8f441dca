"""What compute-sanitizer's tools said of the short run."""

from __future__ import annotations

import sys
from pathlib import Path

import report


def main(out: Path) -> int:
    lines = [line.split(maxsplit=2) for line in (out / "sanitize.txt").read_text().splitlines()]
    rows = [[tool, "clean" if status == "0" else f"status {status}", *(rest or [""])] for tool, status, *rest in lines]
    report.write(out, "sanitize", ["tool", "result", "last line"], rows)
    return 0 if all(status == "0" for _, status, *_ in lines) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
