"""Which item an end of a relation names."""

from __future__ import annotations

from collections.abc import Iterable

from percepts.reference.parse_value import is_number
from percepts.reference.values import Scalar, Value

PrintedRelation = tuple[Scalar, str, Scalar]


def resolved(relations: Iterable[PrintedRelation], ids: Iterable[Value | None]) -> tuple[PrintedRelation, ...]:
    """Make each end the `p` that it names, since ``p=1`` may be the number 1 or the text "1".

    The number if an item has it, else the text if an item has that; where no item has either, a number if it can be.
    """
    scalars = [p for p in ids if isinstance(p, Scalar)]
    numbers = {p.text for p in scalars if p.is_number}
    texts = {p.text for p in scalars if not p.is_number}

    def end(p: Scalar) -> Scalar:
        is_id = p.text in numbers or (p.text not in texts and (p.is_number or is_number(p.text)))
        return Scalar(p.text, is_id)

    return tuple((end(a), predicate, end(b)) for a, predicate, b in relations)
