"""What was built, and whether it sees the GPU."""

from __future__ import annotations

import sys
from pathlib import Path

import report

import percepts as pc


def main(out: Path) -> int:
    backend = pc.backends()["cuda"]
    extension = next(Path(pc.__file__).parent.glob("_cuda.*.so"))
    rows = [
        ["percepts", pc.__version__],
        ["extension, bytes", extension.stat().st_size],
        ["devices", ", ".join(backend["devices"]) or "none"],
        ["reason", backend["reason"] or ""],
    ]
    report.write(out, "build", ["what", "value"], rows)
    return 0 if backend["available"] else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
