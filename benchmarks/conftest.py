"""Measure both sides of a comparison in one process, and print the ratio."""

from __future__ import annotations

import importlib.util
import os
import statistics
import time
from collections.abc import Callable
from types import ModuleType

import pytest

Call = Callable[[], object]

_ROWS: list[tuple[str, float, float]] = []


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
    """Time `ours` with pytest-benchmark, then both sides in turn; report medians and their ratio.

    Each side does what is reported `calls` times, where one time is too short to be measured.
    """

    def run(what: str, ours: Call, other: Call, rounds: int = 31, calls: int = 1) -> None:
        benchmark.pedantic(ours, rounds=rounds, warmup_rounds=3)
        times: dict[Call, list[float]] = {ours: [], other: []}
        for _ in range(rounds):
            for call, measured in times.items():
                start = time.perf_counter()
                call()
                measured.append(time.perf_counter() - start)
        ours_s, other_s = (statistics.median(measured) for measured in times.values())
        benchmark.extra_info["ratio"] = other_s / ours_s
        _ROWS.append((what, ours_s / calls * 1e6, other_s / calls * 1e6))

    return run


def pytest_terminal_summary(terminalreporter) -> None:
    if not _ROWS:
        return
    terminalreporter.section("ratios (medians, both sides in turn)")
    for what, ours, other in _ROWS:
        terminalreporter.write_line(f"{what:<44} {ours:>9.3f} µs   baseline {other:>9.3f} µs   {other / ours:>6.1f}x")
