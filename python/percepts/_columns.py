"""Width of text in a fixed-width font."""

from __future__ import annotations

import unicodedata


def columns(text: str) -> int:
    """Count the columns: two for wide letters (CJK, emoji), none for marks that combine."""
    return sum(_columns_of(char) for char in text)


def _columns_of(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shortened(text: str, most: int, mark: str = "…") -> str:
    """Leave out the end of what is wider than `most` columns, and put the mark there."""
    if columns(text) <= most:
        return text
    kept, room = "", most - columns(mark)
    for char in text:
        room -= _columns_of(char)
        if room < 0:
            break
        kept += char
    return kept + mark
