"""``supervision.DepthMap`` as an argument of `percepts.depth`: its values, its kind, and the pixels that hold depth."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import percepts as pc

KINDS = {"depth_m": "metric", "disparity_px": "disparity"}
VALUES = np.array([[1.0, 2, 0, 4], [1, np.nan, -3, 8]], np.float32)


def depth_map(values, kind):
    """Make an object with the attributes of the class."""
    values = np.asarray(values, np.float32)
    valid = np.isfinite(values) & (values >= 0 if kind == "relative_inverse" else values > 0)
    return SimpleNamespace(values=values, kind=SimpleNamespace(value=kind), valid_mask=valid, camera=None)


@pytest.mark.parametrize(("own", "kind"), KINDS.items())
def test_the_maps_own_kind_and_holes(backend, own, kind):
    expected = backend.depth(VALUES, kind=kind, grid=2, mask=VALUES > 0)
    assert expected.arrays["valid"].tolist() == [[1, 0.5], [0.5, 0.5]]
    field = depth_map(VALUES, own)
    assert backend.depth(field, grid=2) == expected
    assert backend.depth(field, grid=2, kind=kind) == expected
    np.testing.assert_array_equal(backend.depth(field, grid=2).arrays["valid"], expected.arrays["valid"])


def test_metres_stay_metres(backend):
    """Cells [1, 2] / [1, hole] and [hole, 4] / [hole, 8]."""
    program = backend.depth(depth_map(VALUES, "depth_m"), grid=(1, 2), kind="metric", normalize=False)
    assert [item.r for item in program.items] == [[1.0, 2.0], [4.0, 8.0]]
    assert program.arrays["valid"].tolist() == [[0.75, 0.5]]


def test_relative_maps(backend):
    """0 is the farthest value of this kind, and data; without a scale it is what disparity is."""
    field = depth_map([[0.0, 1.0], [0.5, -1]], "relative_inverse")
    assert [item.r for item in backend.depth(field, grid=1).items] == [[0.0, 1.0]]
    assert backend.depth(field, grid=1).arrays["valid"].tolist() == [[0.75]]
    unscaled = depth_map([[0.0, 30.0], [15, 15]], "relative_inverse")
    with pytest.raises(ValueError, match=r"kind='relative' needs values in \[0, 1\], got a range of \[0, 30\]"):
        backend.depth(unscaled, grid=1)
    assert [item.r for item in backend.depth(unscaled, grid=2, kind="disparity").items][1] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("own", "kind", "needed"),
    [
        ("depth_m", "disparity", "'metric'"),
        ("disparity_px", "metric", "'disparity'"),
        ("relative_inverse", "metric", "'relative' or 'disparity'"),
    ],
)
def test_kinds_that_contradict(backend, own, kind, needed):
    with pytest.raises(ValueError, match=f"kind must be {needed} for a DepthMap of {own}, got '{kind}'"):
        backend.depth(depth_map([[1.0]], own), grid=1, kind=kind)


def test_batches_and_masks(backend):
    fields = [depth_map(VALUES, "depth_m"), depth_map(VALUES[:1], "depth_m")]
    batch = backend.depth(fields, grid=1)
    assert [str(program) for program in batch] == [str(backend.depth(field, grid=1)) for field in fields]
    masked = backend.depth(fields[0], grid=1, mask=VALUES > 1.5)
    assert masked == backend.depth(VALUES, grid=1, kind="metric", mask=VALUES > 1.5)
    for mixed in ([fields[0], depth_map(VALUES, "disparity_px")], [depth_map([[1.0]], "relative_inverse"), fields[0]]):
        with pytest.raises(ValueError, match="kind must be"):
            backend.depth(mixed, grid=1)


def test_other_objects_are_no_maps():
    frame = SimpleNamespace(values=VALUES, kind="depth_m")
    with pytest.raises(TypeError, match="depth must be an array or nested lists of numbers, got SimpleNamespace"):
        pc.depth(frame, grid=1)
