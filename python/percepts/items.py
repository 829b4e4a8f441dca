"""What a program is made of: items and relations, as plain Python values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

UNKNOWN = "unknown"
"""The reading of a cell without a valid pixel, in text, in ``Item.r``, in ``to_dict()`` and in JSON."""

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
        fields = ((name, getattr(self, name)) for name in "picrb")
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
