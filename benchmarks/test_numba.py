"""Array to program text against the best that is written quickly: a numba kernel and f-strings."""

import numpy as np
import pytest

import percepts as pc

numba = pytest.importorskip("numba", reason="numba is not installed: pip install '.[bench]'")


@numba.njit(fastmath=True, cache=False)
def cell_stats(depth, rows, cols, low, high, mean):  # pragma: no cover
    height, width = depth.shape
    for i in range(rows):
        for j in range(cols):
            y0, y1, x0, x1 = i * height // rows, (i + 1) * height // rows, j * width // cols, (j + 1) * width // cols
            smallest, largest, total = np.float32(np.inf), np.float32(-np.inf), np.float32(0)
            for y in range(y0, y1):
                for x in range(x0, x1):
                    value = depth[y, x]
                    smallest, largest, total = min(smallest, value), max(largest, value), total + value
            low[i, j], high[i, j], mean[i, j] = smallest, largest, total / ((y1 - y0) * (x1 - x0))


def text(depth, rows, cols, tau=0.15):
    low, high, mean = (np.empty((rows, cols), np.float32) for _ in range(3))
    cell_stats(depth, rows, cols, low, high, mean)
    height, width = depth.shape
    lines = ["items:"]
    for i in range(rows):
        y = (i * height // rows + (i + 1) * height // rows - 1) // 2 * 1000 // height
        for j in range(cols):
            x = (j * width // cols + (j + 1) * width // cols - 1) // 2 * 1000 // width
            lines.append(f"  - p: {i * cols + j + 1}\n    c: [{x}, {y}]\n    r: [{low[i, j]:.4g}, {high[i, j]:.4g}]")
    lines.append("relations:")
    means = mean.tolist()
    for i in range(rows):
        for j in range(cols):
            p = i * cols + j + 1
            for other, q in ((j + 1 < cols and (i, j + 1), p + 1), (i + 1 < rows and (i + 1, j), p + cols)):
                if other:
                    a, b = means[i][j], means[other[0]][other[1]]
                    if a > b + tau:
                        lines.append(f"  - [p={p}, in_front_of, p={q}]")
                    elif b > a + tau:
                        lines.append(f"  - [p={q}, in_front_of, p={p}]")
    return "\n".join(lines)


@pytest.mark.parametrize(("height", "width"), [(480, 640), (518, 518), (1080, 1920)])
@pytest.mark.parametrize("grid", [10, 16])
def test_depth(compare, height, width, grid):
    depth = np.random.default_rng(0).random((height, width), dtype=np.float32)
    compare(
        f"numba: depth {height}x{width}, {grid}x{grid}, to text",
        lambda: str(pc.depth(depth, grid=grid)),
        lambda: text(depth, grid, grid),
    )
