from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc


def encode_flo(flow: np.ndarray, magic: bytes = b"PIEH") -> bytes:
    height, width, _ = flow.shape
    return magic + struct.pack("<ii", width, height) + flow.astype("<f4").tobytes()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("flo") / "a.flo"


def read(path: Path, content: bytes) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_flow(path)


def test_bytes_are_read_as_documented(scratch):
    content = b"PIEH" + struct.pack("<ii", 3, 2) + struct.pack("<12f", *range(12))
    result = read(scratch, content)
    assert result.data.dtype == np.float32
    assert result.data.dtype.isnative
    assert result.data.tolist() == [[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]
    assert result.mask.tolist() == [[True] * 3] * 2
    assert (result.format, result.units) == ("flo", "pixels")


def test_unknown_flow_is_masked_and_kept_as_stored(scratch):
    above = np.nextafter(np.float32(1e9), np.float32(np.inf))
    pairs = [
        (0, 0),
        (1e9, -1e9),
        (above, 0),
        (0, -above),
        (1.6666668e9, 1.6666668e9),
        (np.nan, 0),
        (0, np.inf),
    ]
    flow = np.array([pairs], np.float32)
    result = read(scratch, encode_flo(flow))
    assert result.mask.tolist() == [[True, True, False, False, False, False, False]]
    np.testing.assert_array_equal(result.data, flow)


@given(flow=hnp.arrays(np.float32, st.tuples(st.integers(1, 9), st.integers(1, 9), st.just(2))))
def test_round_trip(flow, scratch):
    result = read(scratch, encode_flo(flow))
    np.testing.assert_array_equal(result.data.view(np.uint32), flow.view(np.uint32))
    wide = flow.astype(np.float64)
    np.testing.assert_array_equal(result.mask, (np.isfinite(wide) & (abs(wide) <= 1e9)).all(axis=-1))


def test_truncated_at_every_byte(scratch):
    content = encode_flo(np.ones((3, 2, 2)))
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.flo: "):
            read(scratch, content[:length])


@pytest.mark.parametrize("trailing", [1, 4, 8, 1000])
def test_trailing_bytes(trailing, scratch):
    content = encode_flo(np.ones((3, 2, 2)))
    with pytest.raises(ValueError, match=f"2×3 pixels has 60 bytes, this one has {60 + trailing}"):
        read(scratch, content + bytes(trailing))


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (0, 0), (-1, 1), (-2, -2), (-(2**31), 5)])
def test_sizes_that_are_not_positive(size, scratch):
    with pytest.raises(ValueError, match=f"must be positive, this one is {size[0]}×{size[1]}"):
        read(scratch, b"PIEH" + struct.pack("<ii", *size) + bytes(16))


@pytest.mark.parametrize("size", [(2**31 - 1, 2**31 - 1), (65536, 65536), (46341, 46341), (2**29, 4)])
def test_claimed_size_is_not_allocated(size, scratch):
    scratch.write_bytes(b"PIEH" + struct.pack("<ii", *size) + bytes(16))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="this one has 28"):
            pc.read_flow(scratch)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_wrong_magic(scratch):
    with pytest.raises(ValueError, match=r"not known: the first bytes are b'PIEX.*read_flow reads \.npy, \.npz, \.flo"):
        read(scratch, encode_flo(np.ones((3, 2, 2)), magic=b"PIEX"))


def test_middlebury_ground_truth(data_path):
    path = data_path("tool_outputs/middlebury_flow_gt.flo")
    result = pc.read_flow(path)
    assert result.data.shape == (388, 584, 2)
    assert np.count_nonzero(~result.mask) == 3622  # 1.6 %
    content = path.read_bytes()
    for x, y in [(0, 0), (583, 0), (0, 387), (583, 387), (200, 100)]:
        u, v = struct.unpack_from("<2f", content, 12 + 8 * (y * 584 + x))
        assert result.data[y, x].tolist() == [u, v]
        assert result.mask[y, x] == (abs(u) <= 1e9 and abs(v) <= 1e9)
    valid = result.data[result.mask]
    assert np.abs(valid).max() < 5
    assert valid.mean(axis=0, dtype=np.float64).tolist() == pytest.approx([0.06414888, -0.11611656], abs=1e-7)


def test_flying_chairs(data_path):
    result = pc.read_flow(data_path("tool_outputs/chairs_0000000-flow_01.flo"))
    assert result.data.shape == (50, 50, 2)
    assert result.mask.all()
    assert (result.data.min(), result.data.max()) == (-19.0625, 13.78125)
