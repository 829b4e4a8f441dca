"""Nearest matches against what else does them, and many matches to text against f-strings."""

import numpy as np
import pytest

import percepts as pc

RNG = np.random.default_rng(0)
POINTS = (RNG.random((20_000, 2)) * 1000).astype(np.float32)
QUERIES = (RNG.random((100, 2)) * 1000).astype(np.float32)
WHAT = "nearest of 20000 points to 100 queries"


def broadcast(points, queries):
    squared = ((points[None] - queries[:, None]) ** 2).sum(-1)
    index = squared.argmin(1)
    return index, np.sqrt(squared[np.arange(len(queries)), index])


def broadcast_by_axis(points, queries):
    dx = points[:, 0] - queries[:, 0, None]
    dy = points[:, 1] - queries[:, 1, None]
    squared = dx * dx + dy * dy
    index = squared.argmin(1)
    return index, np.sqrt(squared[np.arange(len(queries)), index])


@pytest.mark.parametrize("other", [broadcast, broadcast_by_axis])
def test_numpy(compare, other):
    compare(
        f"{WHAT}, NumPy {other.__name__}",
        lambda: pc.kernels.nearest_match(POINTS, QUERIES),
        lambda: other(POINTS, QUERIES),
    )


def test_torch(compare):
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[test-libraries]'")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    points, queries = torch.from_numpy(POINTS), torch.from_numpy(QUERIES)
    compare(
        f"{WHAT}, torch.cdist on one thread",
        lambda: pc.kernels.nearest_match(points, queries),
        lambda: torch.cdist(queries, points).min(1),
    )
    torch.set_num_threads(threads)


@pytest.mark.parametrize("build", [True, False])
def test_scipy(compare, build):
    spatial = pytest.importorskip("scipy.spatial", reason="SciPy is not installed: pip install '.[bench]'")
    tree = spatial.cKDTree(POINTS)
    compare(
        f"{WHAT}, cKDTree {'with' if build else 'without'} its building",
        lambda: pc.kernels.nearest_match(POINTS, QUERIES),
        lambda: (spatial.cKDTree(POINTS) if build else tree).query(QUERIES),
    )


def test_one_query(compare):
    compare(
        "the same for one query",
        lambda: pc.kernels.nearest_match(POINTS, QUERIES[:1]),
        lambda: broadcast(POINTS, QUERIES[:1]),
    )


def text(points0, points1, size):
    lines = ["items:"]
    pairs = zip(points0.tolist(), points1.tolist(), strict=True)
    for p, ((x0, y0), (x1, y1)) in enumerate(pairs, start=1):
        c = f"[{int(1000 * x0 / size[0])}, {int(1000 * y0 / size[1])}]"
        r = f"[{int(1000 * x1 / size[0])}, {int(1000 * y1 / size[1])}]"
        lines.append(f"  - p: {p}\n    c: {c}\n    r: {r}")
    return "\n".join(lines)


@pytest.mark.parametrize("count", [100, 2000])
def test_to_text(compare, count):
    size = (1000, 1000)
    points0, points1 = POINTS[:count], POINTS[-count:]
    compare(
        f"{count} matches to text, f-strings",
        lambda: str(pc.correspondence(points0, points1, size0=size, size1=size)),
        lambda: text(points0, points1, size),
    )


def test_spread(compare):
    size = (1000, 1000)

    def kept(keep):
        return pc.correspondence(POINTS, POINTS, size0=size, size1=size, max_items=100, keep=keep)

    compare("100 of 20000 matches, spread against confident", lambda: kept("spread"), lambda: kept("confidence"))
