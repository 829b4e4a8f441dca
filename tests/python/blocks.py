"""Blocks to parse, and the parsers that are tested on them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import percepts as pc
from percepts.reference.parse import find_programs, parse

IMPLEMENTATIONS = {"core": pc, "reference": SimpleNamespace(parse=parse, find_programs=find_programs)}

for_every_implementation = pytest.mark.parametrize(
    "implementation", IMPLEMENTATIONS.values(), ids=IMPLEMENTATIONS.keys()
)

OPENING, CLOSING = "<perceptionprogram>", "</perceptionprogram>"
HEAD = ("modality: depth", "granularity: patch")


def block(*body: str) -> str:
    """Text of a block with these lines between the tags."""
    return "\n".join([OPENING, *body, CLOSING])


def with_item(*fields: str) -> str:
    """Text of a block with one item; the first field stands on line 5."""
    return block(*HEAD, "items:", *(f"{'    ' if k else '  - '}{field}" for k, field in enumerate(fields)))


def with_relation(text: str) -> str:
    """Text of a block with one relation on line 6."""
    return block(*HEAD, "items: []", "relations:", f"  - {text}")


def message(implementation, text: str) -> str:
    """What the ValueError says with which a text is refused."""
    with pytest.raises(ValueError, match=r".") as caught:
        implementation.parse(text)
    return str(caught.value)
