"""Times on a GPU: medians by events, by graph replay, and by the wall clock."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

import torch

Call = Callable[[torch.Tensor], object]
_ROUNDS = 200
_HEAD_START = 2_000_000
"""Cycles that the GPU is kept busy while the host submits a call: about a millisecond."""


def by_events(call: Call, inputs: Sequence[torch.Tensor], rounds: int = _ROUNDS) -> float:
    """Median seconds of one call on the GPU; inputs take turns, so that none stays in the cache.

    The GPU begins when the host has submitted the whole call, so that the host's own time is not in it.
    """
    for each in inputs:
        call(each)
    times = []
    for k in range(rounds):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(_HEAD_START)
        start.record()
        call(inputs[k % len(inputs)])
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / 1e3)
    return statistics.median(times)


def by_graph(call: Call, given: torch.Tensor, calls: int = 50, rounds: int = 20) -> float:
    """Median seconds of one of `calls` calls in a captured graph: launch gaps are as small as they get."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        call(given)
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        for _ in range(calls):
            call(given)
    return by_events(lambda _: graph.replay(), [given], rounds) / calls


def by_wall(call: Call, given: torch.Tensor, rounds: int = _ROUNDS) -> float:
    """Median seconds from the call to its result on the host; the input is ready before."""
    for _ in range(3):
        call(given)
    times = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        call(given)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def copy_bandwidth(size: int = 1 << 31) -> float:
    """Bytes read and written in a second by a large copy on the device."""
    source, target = (torch.empty(size, dtype=torch.uint8, device="cuda") for _ in range(2))
    source.random_()
    return 2 * size / by_events(lambda _: target.copy_(source), [source], 20)
