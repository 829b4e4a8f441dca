"""Strings that may come from anywhere."""

from __future__ import annotations


def joined(text: str) -> str:
    """Join the halves of surrogate pairs; a lone half becomes U+FFFD."""
    return str.encode(text, "utf-16", "surrogatepass").decode("utf-16", "replace")
