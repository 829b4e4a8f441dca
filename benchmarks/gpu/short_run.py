"""Every kernel once or twice on small arrays, short enough for compute-sanitizer. Results are held to the CPU's."""

from __future__ import annotations

import cupy
import numpy as np

import percepts as pc

DTYPES = (
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
)


def main() -> None:
    random = np.random.default_rng(7)
    for dtype in DTYPES:
        values = (random.random((3, 61, 83)) * (1 if dtype.startswith(("float", "bool")) else 100)).astype(dtype)
        on_device = cupy.asarray(values)
        check_stats(pc.kernels.grid_stats(on_device, grid=(5, 7)), pc.kernels.grid_stats(values, grid=(5, 7)))
        strided, host = on_device[:, ::2, ::-3], values[:, ::2, ::-3]
        options = {"grid": 3, "invalid_value": 1}
        check_stats(pc.kernels.grid_stats(strided, **options), pc.kernels.grid_stats(host, **options))
        if not dtype.startswith("float"):
            check_same(pc.kernels.label_mode(on_device, grid=4), pc.kernels.label_mode(values, grid=4))
    depth = random.random((2, 120, 160)).astype(np.float32)
    depth[0, 3:9, 5:20] = np.nan
    texts = pc.depth(cupy.asarray(depth)).texts(), pc.depth(depth).texts()
    assert texts[0] == texts[1]
    ranged = {"kind": "metric", "depth_range": (0.25, 0.75)}
    assert pc.depth(cupy.asarray(depth), **ranged).texts() == pc.depth(depth, **ranged).texts()
    flow = random.normal(size=(120, 160, 2)).astype(np.float32)
    assert str(pc.flow(cupy.asarray(flow))) == str(pc.flow(flow))
    means = random.random((2, 6, 9))
    check_same([pc.kernels.neighbor_relations(cupy.asarray(means), 0.1)], [pc.kernels.neighbor_relations(means, 0.1)])


def check_stats(found: pc.kernels.GridStats, expected: pc.kernels.GridStats) -> None:
    check_same([found.min, found.max, found.count], [expected.min, expected.max, expected.count])
    np.testing.assert_allclose(cupy.asnumpy(found.mean), expected.mean, rtol=1e-6)


def check_same(found, expected) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(cupy.asnumpy(one), other)


if __name__ == "__main__":
    main()
    print("the short run agrees with the CPU")
