"""Which two images of a file with many are meant."""

from __future__ import annotations

from collections.abc import Sequence

from percepts._options import as_pair

_SHOWN = 10

Pair = tuple[str, str]


def as_image_pair(pair: object) -> Pair | None:
    """Names of two images, as a caller gives them."""
    if pair is None:
        return None
    first, second = as_pair(pair, "pair (names of two images)")
    for name in (first, second):
        if not isinstance(name, str):
            raise TypeError(f"pair must be the names of two images, got {type(name).__name__}")
    if first == second:
        raise ValueError(f"pair must be the names of two images, got {first!r} twice")
    return first, second


def only_pair(pairs: Sequence[Pair]) -> Pair:
    """The only pair with matches, where none was chosen."""
    if not pairs:
        raise ValueError("no two images have matches")
    if len(pairs) > 1:
        shown = ", ".join(f"{pair!r:.200}" for pair in pairs[:_SHOWN])
        more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
        raise ValueError(f"several pairs of images have matches, say pair= one of {shown}{more}")
    return pairs[0]


def check_known(pair: Pair, names: Sequence[str]) -> None:
    """Refuse names that the file does not have, or has more than once."""
    for name in pair:
        if names.count(name) == 1:
            continue
        shown = ", ".join(f"{known!r:.100}" for known in names[:_SHOWN])
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        found = "no image" if name not in names else "several images"
        raise ValueError(f"{found} named {name!r:.100}, the images are {shown or 'none'}{more}")
