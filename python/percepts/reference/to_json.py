"""The style ``json``: one object, one item or relation a line, valid JSON and YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from percepts.items import FIELDS
from percepts.reference.values import Scalar, Value, quoted

if TYPE_CHECKING:
    from percepts.reference.program import PrintedItem, Program
    from percepts.reference.relations import PrintedRelation


def json_text(program: Program) -> str:
    """Print the program as one JSON object."""
    members = [f'"modality":{quoted(program.modality)}', f'"granularity":{quoted(program.granularity)}']
    if program.grid is not None:
        members.append(f'"grid":{{"rows":{program.grid[0]},"cols":{program.grid[1]}}}')
    if program.note is not None:
        members.append(f'"note":{quoted(program.note)}')
    members.append(f'"items":{_lines([_item(item) for item in program.printed_items])}')
    if program.printed_relations:
        members.append(f'"relations":{_lines([_relation(relation) for relation in program.printed_relations])}')
    return f"{{{','.join(members)}}}"


def _lines(elements: list[str]) -> str:
    """Print a list with a line for each element."""
    return "[\n" + ",\n".join(elements) + "]" if elements else "[]"


def _item(item: PrintedItem) -> str:
    members = (f'"{name}":{_value(item[name])}' for name in FIELDS if name in item)
    return f"{{{','.join(members)}}}"


def _relation(relation: PrintedRelation) -> str:
    a, predicate, b = relation
    return f"[{quoted(f'p={a.text}')},{quoted(predicate)},{quoted(f'p={b.text}')}]"


def _value(value: Value) -> str:
    if isinstance(value, Scalar):
        return value.text if value.is_number else quoted(value.text)
    return f"[{','.join(map(_value, value))}]"
