"""Counts of the tests with backend cuda, by file, and the names of those that failed."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import report


def main(out: Path) -> int:
    counts: dict[str, Counter[str]] = {}
    failed = []
    cases = list(ElementTree.parse(out / "test.xml").iter("testcase"))
    for case in cases:
        tags = {child.tag for child in case}
        result = "failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"
        file = case.get("classname", "").split(".")[-1]
        counts.setdefault(file, Counter())[result] += 1
        if result == "failed":
            failed.append(f"{file}::{case.get('name')}")
    kinds = ("passed", "failed", "skipped")
    rows = [[file, *(count[kind] for kind in kinds)] for file, count in sorted(counts.items())]
    report.write(out, "test", ["file", *kinds], rows, [f"failed: {name}" for name in failed])
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
