"""What a call costs besides the kernel: a map of a hundred pixels in one cell."""

import numpy as np
import pytest

import percepts as pc

TINY = np.full((10, 10), 0.5, np.float32)
CALLS = 1000


def times(call):
    for _ in range(CALLS):
        call()


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_default_options(compare, library):
    array = TINY if library == "numpy" else pytest.importorskip(library, reason="not installed").from_numpy(TINY)
    plan = pc.plan.depth((10, 10), "float32", grid=1)
    compare(
        f"1000 calls of depth with {library}",
        lambda: times(lambda: pc.depth(array, grid=1)),
        lambda: times(lambda: plan(TINY)),
    )


def test_keywords(compare):
    plan = pc.plan.depth((10, 10), "float32", grid=1)
    compare(
        "1000 calls of depth with two keywords",
        lambda: times(lambda: pc.depth(TINY, grid=1, kind="metric", invalid_value=0)),
        lambda: times(lambda: plan(TINY)),
    )


def test_threads(compare):
    maps = np.random.default_rng(0).random((64, 518, 518), dtype=np.float32)

    def with_threads(n):
        pc.set_num_threads(n)
        try:
            return pc.depth(maps).texts()
        finally:
            pc.set_num_threads(None)

    compare("64 maps 518x518 to texts, 2 threads against 1", lambda: with_threads(2), lambda: with_threads(1), rounds=5)
