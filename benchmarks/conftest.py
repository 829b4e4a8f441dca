"""Measure both sides of a comparison in one process, and print the ratio."""

from __future__ import annotations

import importlib.util
import os
import statistics
import time
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

import pytest

Call = Callable[[], object]


class Row(NamedTuple):
    """Seconds of one comparison, for each side alone and for both in turn."""

    what: str
    alone: tuple[float, float]
    in_turn: tuple[float, float]


_ROWS: list[Row] = []
_LINES: list[str] = []


@pytest.fixture(scope="session")
def baseline() -> ModuleType:
    """The frozen research-style script named by PERCEPTS_BENCH_BASELINE."""
    path = os.environ.get("PERCEPTS_BENCH_BASELINE")
    if not path:
        pytest.skip("PERCEPTS_BENCH_BASELINE is not set")
    spec = importlib.util.spec_from_file_location("research_style", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def compare(request: pytest.FixtureRequest, benchmark) -> Callable[[str, Call, Call], None]:
    """Time both sides, each again and again by itself and then both in turn; report medians and their ratios.

    By itself a side finds its data in the caches where it fits there, in turn it finds what the other left. Each side
    does what is reported `calls` times, where one time is too short to be measured.
    """

    def run(what: str, ours: Call, other: Call, rounds: int = 31, calls: int = 1) -> None:
        benchmark.pedantic(ours, rounds=rounds, warmup_rounds=3)
        alone = [statistics.median(_seconds(call) for _ in range(rounds)) for call in (ours, other)]
        pairs = [(_seconds(ours), _seconds(other)) for _ in range(rounds)]
        in_turn = [statistics.median(side) for side in zip(*pairs, strict=True)]
        row = Row(what, *(tuple(seconds / calls for seconds in sides) for sides in (alone, in_turn)))
        benchmark.extra_info["ratio"] = row.alone[1] / row.alone[0]
        benchmark.extra_info["ratio_in_turn"] = row.in_turn[1] / row.in_turn[0]
        _ROWS.append(row)

    return run


@pytest.fixture
def report() -> Callable[[str], None]:
    """Print a line of its own at the end of the run, for what is no comparison."""
    return _LINES.append


def _seconds(call: Call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def pytest_terminal_summary(terminalreporter) -> None:
    if _LINES:
        terminalreporter.section("other medians")
    for line in _LINES:
        terminalreporter.write_line(line)
    if not _ROWS:
        return
    terminalreporter.section("medians and ratios: each side by itself, and both in turn")
    for what, (ours, other), (ours_in_turn, other_in_turn) in _ROWS:
        terminalreporter.write_line(
            f"{what:<60} {ours * 1e6:>9.3f} µs   other {other * 1e6:>10.3f} µs {other / ours:>7.1f}x"
            f"   in turn {ours_in_turn * 1e6:>9.3f} µs {other_in_turn / ours_in_turn:>7.1f}x"
        )
