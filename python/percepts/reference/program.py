"""The program and its text, written plainly (paper, Algorithm 1 and 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from percepts._options import as_rows_cols, as_style, as_word
from percepts._strings import joined
from percepts.items import FIELDS, Item, Relation, item_values, listed, relation_values
from percepts.reference.relations import PrintedRelation, resolved
from percepts.reference.to_compact import compact_lines
from percepts.reference.to_json import json_text
from percepts.reference.values import (
    BORDERS,
    GRANULARITIES,
    MODALITIES,
    PREDICATES,
    READINGS,
    Scalar,
    Value,
    plain,
    printed,
    quoted,
    reading_from,
    scalar_from,
    value_from,
    word_or_quoted,
)

PrintedItem = Mapping[str, Value]


@dataclass(frozen=True, eq=False)
class Program:
    """A perception program whose values are already in print."""

    modality: str
    granularity: str
    printed_items: tuple[PrintedItem, ...]
    printed_relations: tuple[PrintedRelation, ...] = ()
    grid: tuple[int, int] | None = None
    note: str | None = None
    arrays: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for array in self.arrays.values():
            array.flags.writeable = False
        repeated = repeated_id(self.modality, self.printed_items)
        if repeated is not None:
            raise ValueError(repeated.message)
        relations = resolved(self.printed_relations, (item.get("p") for item in self.printed_items))
        object.__setattr__(self, "printed_relations", relations)

    @classmethod
    def by_hand(
        cls,
        modality: str,
        granularity: str,
        items: Iterable[Item | Mapping[str, Any]],
        relations: Iterable[Relation | Mapping[str, Any]] = (),
        grid: int | tuple[int, int] | None = None,
        note: str | None = None,
    ) -> Program:
        """Print a program of plain values (see ``percepts.Program``)."""
        return cls(
            joined(as_word(modality, "modality")),
            joined(as_word(granularity, "granularity")),
            tuple(_printed_item(item, f"items[{k}]") for k, item in enumerate(listed(items, "items"))),
            tuple(
                _printed_relation(relation, f"relations[{k}]")
                for k, relation in enumerate(listed(relations, "relations"))
            ),
            None if grid is None else as_rows_cols(grid),
            None if note is None else joined(as_word(note, "note")),
        )

    @property
    def items(self) -> tuple[Item, ...]:
        """Items as plain values."""
        return tuple(Item(**{name: plain(value) for name, value in item.items()}) for item in self.printed_items)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Relations, each naming two items by their `p`."""
        return tuple(Relation(a.plain, predicate, b.plain) for a, predicate, b in self.printed_relations)

    def to_dict(self) -> dict[str, Any]:
        """What a YAML reader finds in the body of the text."""
        body: dict[str, Any] = {"modality": self.modality, "granularity": self.granularity}
        if self.grid is not None:
            body["grid"] = {"rows": self.grid[0], "cols": self.grid[1]}
        if self.note is not None:
            body["note"] = self.note
        body["items"] = [{name: plain(item[name]) for name in FIELDS if name in item} for item in self.printed_items]
        if self.printed_relations:
            body["relations"] = [
                [f"p={a.text}", predicate, f"p={b.text}"] for a, predicate, b in self.printed_relations
            ]
        return body

    def to_text(self, style: str = "paper") -> str:
        """Text of the program: one block between tags."""
        match as_style(style):
            case "json":
                body = [self.to_json()]
            case "compact":
                body = compact_lines(self)
            case _:
                body = self._paper_lines()
        return "\n".join(["<perceptionprogram>", *body, "</perceptionprogram>"])

    def to_json(self) -> str:
        """Text of the program as one bare JSON object."""
        return json_text(self)

    def _paper_lines(self) -> list[str]:
        lines = [
            f"modality: {word_or_quoted(self.modality, MODALITIES)}",
            f"granularity: {word_or_quoted(self.granularity, GRANULARITIES)}",
        ]
        if self.grid is not None:
            lines += ["grid:", f"  rows: {self.grid[0]}", f"  cols: {self.grid[1]}"]
        if self.note is not None:
            lines.append(f"note: {quoted(self.note)}")
        lines.append("items:" if self.printed_items else "items: []")
        for item in self.printed_items:
            fields = [f"{name}: {_field(self.modality, item, name)}" for name in FIELDS if name in item]
            lines += [f"{'    ' if k else '  - '}{text}" for k, text in enumerate(fields or ["{}"])]
        if self.printed_relations:
            lines.append("relations:")
        for a, predicate, b in self.printed_relations:
            predicate_text = word_or_quoted(predicate, PREDICATES)
            lines.append(f"  - [{_endpoint(a)}, {predicate_text}, {_endpoint(b)}]")
        return lines

    def __str__(self) -> str:
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.to_text() == other.to_text()

    def __hash__(self) -> int:
        return hash(self.to_text())


@dataclass(frozen=True, slots=True)
class RepeatedId:
    """An item whose `p` an earlier item has."""

    index: int
    message: str


def repeated_id(modality: str, items: Iterable[PrintedItem]) -> RepeatedId | None:
    """Find the first such item."""
    seen = set()
    for index, item in enumerate(listed(items, "items")):
        if "p" not in item:
            continue
        identity = _identity(modality, item)
        if identity in seen:
            shown = _shown_id(modality, item)
            return RepeatedId(index, f"p must be unique within a program, got {shown} more than once")
        seen.add(identity)
    return None


def _identity(modality: str, item: PrintedItem) -> tuple[str, str | None]:
    """What tells an item from all others; ``p=1`` would name both the number 1 and the text "1"."""
    p = item["p"]
    text = quoted(p.text) if isinstance(p, Scalar) else printed(p, frozenset())
    is_of_image = modality == "jigsaw" and "i" in item
    return text, _field(modality, item, "i") if is_of_image else None


def _shown_id(modality: str, item: PrintedItem) -> str:
    image = _identity(modality, item)[1]
    return _field(modality, item, "p") + (f" of image {image}" if image is not None else "")


def _field(modality: str, item: PrintedItem, name: str) -> str:
    words: frozenset[str] = frozenset()
    if name == "r":
        words = READINGS
    elif name == "p" and modality == "jigsaw":
        words = BORDERS
    return printed(item[name], words)


def _endpoint(p: Scalar) -> str:
    return f"p={p.text}" if p.is_number else quoted(f"p={p.text}")


def _printed_item(item: object, where: str) -> PrintedItem:
    return {
        name: (reading_from if name == "r" else value_from)(value, f"{where}.{name}")
        for name, value in zip(FIELDS, item_values(item, where), strict=True)
        if value is not None
    }


def _printed_relation(relation: object, where: str) -> PrintedRelation:
    a, predicate, b = relation_values(relation, where)
    return scalar_from(a, f"{where}.a"), joined(predicate), scalar_from(b, f"{where}.b")
