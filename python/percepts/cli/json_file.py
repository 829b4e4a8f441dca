"""JSON that a person wrote, read strictly."""

from __future__ import annotations

import json
from typing import Any


def strict_json(content: bytes) -> Any:
    """What a JSON text holds, a byte order mark before it or not; an object's keys are given once each.

    Raises
    ------
    ValueError
        When it is anything else; the message says what is wrong.
    """
    try:
        return json.loads(content, object_pairs_hook=_without_repetition)
    except UnicodeDecodeError:
        raise ValueError("it is not text in UTF-8") from None
    except RecursionError:
        raise ValueError("it must not be nested so deeply") from None
    except ValueError as error:
        raise ValueError(f"{error!s:.200}") from None


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r:.100} stands there more than once")
        found[key] = value
    return found
