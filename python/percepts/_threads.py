"""How many threads a batch is worked off in."""

from __future__ import annotations

import os
import sys

from percepts._options import as_integer

_chosen: int | None = None


def set_num_threads(n: int | None) -> None:
    """Choose in how many threads a batch is worked off; a single map always takes one.

    Parameters
    ----------
    n
        At least 1, or None for the default: the environment variable ``PERCEPTS_NUM_THREADS``, else 1 inside a worker
        process of a pool, else the processors that this process may use.

    Raises
    ------
    TypeError, ValueError
        When `n` is no whole number of at least 1.

    Examples
    --------
    >>> set_num_threads(2)
    >>> set_num_threads(None)
    """
    global _chosen
    _chosen = None if n is None else _at_least_one(as_integer(n, "n"), "n")


def num_threads() -> int:
    """Threads for the next batch."""
    if _chosen is not None:
        return _chosen
    stated = os.environ.get("PERCEPTS_NUM_THREADS")
    if stated:
        if not stated.isdecimal():
            raise ValueError(f"PERCEPTS_NUM_THREADS must be a whole number of at least 1, got {stated!r}")
        return _at_least_one(int(stated), "PERCEPTS_NUM_THREADS")
    if _in_a_worker_process():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least_one(n: int, name: str) -> int:
    if n < 1:
        raise ValueError(f"{name} must be at least 1, got {n}")
    return min(n, 1024)


def _in_a_worker_process() -> bool:
    # Whoever runs a pool has already given each processor something to do.
    multiprocessing = sys.modules.get("multiprocessing")
    return multiprocessing is not None and multiprocessing.parent_process() is not None
