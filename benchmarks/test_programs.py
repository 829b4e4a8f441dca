"""Array to program text against the per-cell NumPy loop of research code."""

import numpy as np
import pytest

import percepts as pc


@pytest.mark.parametrize(("height", "width"), [(480, 640), (518, 518), (1080, 1920)])
@pytest.mark.parametrize("grid", [10, 16])
def test_depth(compare, baseline, height, width, grid):
    depth = np.random.default_rng(0).random((height, width), dtype=np.float32)
    compare(
        f"depth {height}x{width} float32, {grid}x{grid}, to text",
        lambda: str(pc.depth(depth, grid=grid)),
        lambda: baseline.depth_text(depth, grid, grid),
    )


@pytest.mark.parametrize("grid", [10, 16])
def test_flow(compare, baseline, grid):
    flow = np.random.default_rng(0).normal(size=(480, 640, 2)).astype(np.float32)
    compare(
        f"flow 480x640 float32, {grid}x{grid}, to text",
        lambda: str(pc.flow(flow, grid=grid)),
        lambda: baseline.flow_text(flow, grid, grid),
    )
