"""Calls into libraries that warn of what is an error here, or none."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Iterator

_LOCK = threading.Lock()  # warnings.catch_warnings in two threads can leave its filters behind


@contextlib.contextmanager
def without_warnings() -> Iterator[None]:
    """Ignore warnings, in one thread at a time."""
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
