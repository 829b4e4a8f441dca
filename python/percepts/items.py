"""What a program is made of: items and relations, as plain Python values."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from percepts._options import as_word

UNKNOWN = "unknown"
"""The reading of a cell without a valid pixel, in text, in ``Item.r``, in ``to_dict()`` and in JSON."""

FIELDS = ("p", "i", "c", "r", "b")
"""Fields of an item in the order in which they are printed, and in which the core takes and gives them."""

Plain = str | int | float | Sequence[str | int | float]
"""A plain value: a string, a number, or a flat list of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of a program: what was read (`r`) where (`c`). Absent fields are None.

    Attributes
    ----------
    p
        The item's id, unique within the program: a running number, or a name.
    c
        Where: canonical coordinates in 0..1000, ``[x, y]`` or ``[x0, y0, x1, y1]``, or a name.
    r
        The reading as printed, or ``"unknown"``.
    b
        What it is: a label.
    i
        The image that the item belongs to.

    Examples
    --------
    >>> Item(p=1, c=[48, 47], r=[0.1234, 0.5678])
    Item(p=1, c=[48, 47], r=[0.1234, 0.5678])
    """

    p: Plain | None = None
    c: Plain | None = None
    r: Plain | None = None
    b: Plain | None = None
    i: Plain | None = None

    def __repr__(self) -> str:
        fields = ((name, getattr(self, name)) for name in FIELDS)
        return f"Item({', '.join(f'{name}={value!r}' for name, value in fields if value is not None)})"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two items, each named by its `p`: `a` `predicate` `b`.

    Examples
    --------
    >>> Relation(1, "in_front_of", 2)
    Relation(a=1, predicate='in_front_of', b=2)
    """

    a: str | int | float
    predicate: str
    b: str | int | float


def listed(values: object, name: str) -> list[Any]:
    """List what a caller gives as several things."""
    iterator: Iterator[Any] | None = None
    if not isinstance(values, (str, bytes, Mapping)):
        with contextlib.suppress(TypeError):
            iterator = iter(cast("Iterable[Any]", values))
    if iterator is None:
        raise TypeError(f"{name} must be a list or another iterable, got {type(values).__name__}")
    return list(iterator)


def item_values(item: object, where: str) -> tuple[Any, ...]:
    """Values of an item's fields, in the order of `FIELDS`; None where absent."""
    if isinstance(item, Mapping):
        unknown = [key for key in item if key not in FIELDS]
        if unknown:
            raise TypeError(f"{where} must have no other keys than p, i, c, r, b, got {unknown[0]!r}")
        return tuple(item.get(name) for name in FIELDS)
    if not isinstance(item, Item):
        raise TypeError(f"{where} must be an Item or a mapping, got {type(item).__name__}")
    return tuple(getattr(item, name) for name in FIELDS)


def relation_values(relation: object, where: str) -> tuple[Any, str, Any]:
    """Both ends and the predicate of a relation: (a, predicate, b)."""
    if isinstance(relation, Mapping):
        if set(relation) != {"a", "predicate", "b"}:
            raise TypeError(f"{where} must have the keys a, predicate, b, got {list(relation)}")
        relation = Relation(**relation)
    if not isinstance(relation, Relation):
        raise TypeError(f"{where} must be a Relation or a mapping, got {type(relation).__name__}")
    return relation.a, as_word(relation.predicate, f"{where}.predicate"), relation.b
