"""Tables of the stages: a Markdown file to read and a JSON file to compute with."""

from __future__ import annotations

import datetime
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def card() -> str:
    """Name, driver and clocks of the first GPU, as it was found."""
    query = "name,driver_version,clocks.max.sm,clocks.max.memory"
    answer = subprocess.run(
        ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"], capture_output=True, text=True, check=True
    )
    return answer.stdout.splitlines()[0]


def write(
    out: Path, stage: str, heads: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[str] = ()
) -> None:
    """Leave STAGE.md and STAGE.json, and print the table."""
    date = datetime.date.today().isoformat()
    lines = [f"# {stage}, {date}, {card()}", "", *notes, *([""] if notes else [])]
    lines += ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]
    table = "\n".join(lines) + "\n"
    (out / f"{stage}.md").write_text(table)
    content = {
        "stage": stage,
        "date": date,
        "card": card(),
        "notes": list(notes),
        "rows": [dict(zip(heads, row, strict=True)) for row in rows],
    }
    (out / f"{stage}.json").write_text(json.dumps(content, indent=2) + "\n")
    print(table)


def _cell(value: Any) -> str:
    if value is None:
        return "not measured"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
