"""Similarity of features at points against torch: grid_sample and cosine_similarity."""

import numpy as np
import pytest

import percepts as pc

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[test-libraries]'")

CHANNELS, CELLS, SIZE = 1280, 48, (768, 768)
SOURCE = np.array([400.0, 300.0])
TARGETS = np.array([[100.0, 200.0], [700.0, 30.0], [384.0, 384.0], [12.0, 760.0], [555.5, 610.0]])


def sampled(features, points):
    grid = torch.as_tensor(2 * (points + 0.5) / np.array(SIZE) - 1, dtype=features.dtype)[None, None]
    return torch.nn.functional.grid_sample(
        features[None], grid, mode="bilinear", padding_mode="border", align_corners=False
    )[0, :, 0].T


def with_torch(maps):
    first, second = (sampled(features, points) for features, points in zip(maps, (SOURCE[None], TARGETS), strict=True))
    return torch.nn.functional.cosine_similarity(first, second, dim=-1)


@pytest.mark.parametrize("layout", ["chw", "hwc"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_feature_similarity(compare, dtype, layout):
    generator = torch.Generator().manual_seed(0)
    maps = [torch.randn(CHANNELS, CELLS, CELLS, generator=generator).to(getattr(torch, dtype)) for _ in range(2)]
    if layout == "hwc":
        maps = [features.permute(1, 2, 0).contiguous().permute(2, 0, 1) for features in maps]

    def ours():
        return pc.kernels.feature_similarity(*maps, SOURCE, TARGETS, SIZE, SIZE)

    # In its own dtype torch rounds the coordinates, too: the same time, other numbers.
    assert torch.allclose(ours().float(), with_torch([features.float() for features in maps]), atol=1e-5)
    compare(
        f"feature similarity, 5 points, {CHANNELS}x{CELLS}x{CELLS} {layout} {dtype}", ours, lambda: with_torch(maps)
    )
