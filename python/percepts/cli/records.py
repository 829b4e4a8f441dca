"""The lines that ``--jsonl`` writes, read again."""

from __future__ import annotations

import json
from typing import IO

_START = b'{"file": '
_KEYS = ({"file", "program"}, {"file", "error"})


def is_json_lines(head: bytes, rest: IO[bytes]) -> bool:
    """Whether a file is what a run with ``--jsonl`` wrote, from how it begins and what follows that."""
    if not head.startswith(_START):
        return False
    first, end, _ = head.partition(b"\n")
    return record(first if end else head + rest.readline()) is not None


def record(line: str | bytes) -> dict[str, str] | None:
    """File and program, or file and error, of a line; None where it is another."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_record = isinstance(found, dict) and set(found) in _KEYS
    return found if is_record and all(isinstance(value, str) for value in found.values()) else None
