"""The program and its text, written plainly (paper, Algorithm 1 and 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from percepts._options import as_rows_cols, as_word
from percepts._strings import joined
from percepts.items import FIELDS, Item, Relation, item_values, relation_values
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
PrintedRelation = tuple[Scalar, str, Scalar]


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
        seen = set()
        for item in self.printed_items:
            if "p" not in item:
                continue
            key = self._field(item, "p")
            if self.modality == "jigsaw" and "i" in item:
                key += " of image " + self._field(item, "i")
            if key in seen:
                raise ValueError(f"p must be unique within a program, got {key} more than once")
            seen.add(key)

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
            tuple(_printed_item(item, f"items[{k}]") for k, item in enumerate(items)),
            tuple(_printed_relation(relation, f"relations[{k}]") for k, relation in enumerate(relations)),
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

    def to_text(self) -> str:
        """Text of the program in the style ``paper``."""
        lines = [
            "<perceptionprogram>",
            f"modality: {word_or_quoted(self.modality, MODALITIES)}",
            f"granularity: {word_or_quoted(self.granularity, GRANULARITIES)}",
        ]
        if self.grid is not None:
            lines += ["grid:", f"  rows: {self.grid[0]}", f"  cols: {self.grid[1]}"]
        if self.note is not None:
            lines.append(f"note: {quoted(self.note)}")
        lines.append("items:" if self.printed_items else "items: []")
        for item in self.printed_items:
            fields = [f"{name}: {self._field(item, name)}" for name in FIELDS if name in item]
            lines += [f"{'    ' if k else '  - '}{text}" for k, text in enumerate(fields or ["{}"])]
        if self.printed_relations:
            lines.append("relations:")
        for a, predicate, b in self.printed_relations:
            predicate_text = word_or_quoted(predicate, PREDICATES)
            lines.append(f"  - [{_endpoint(a)}, {predicate_text}, {_endpoint(b)}]")
        lines.append("</perceptionprogram>")
        return "\n".join(lines)

    __str__ = to_text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.to_text() == other.to_text()

    def __hash__(self) -> int:
        return hash(self.to_text())

    def _field(self, item: PrintedItem, name: str) -> str:
        words: frozenset[str] = frozenset()
        if name == "r":
            words = READINGS
        elif name == "p" and self.modality == "jigsaw":
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
