from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("pfm") / "a.pfm"


def read(path: Path, content: bytes) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_depth(path)


def test_rows_run_from_bottom_to_top(scratch):
    result = read(scratch, b"Pf\n3 2\n-1\n" + struct.pack("<6f", 4, 5, 6, 1, 2, 3))
    assert result.data.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert result.data.dtype == np.float32
    assert result.data.flags.c_contiguous
    assert (result.format, result.units, result.mask) == ("pfm", None, None)


@pytest.mark.parametrize(
    ("scale", "order"),
    [("-1", "<"), ("1", ">"), ("-1.0", "<"), ("1.000000", ">"), ("-0.003922", "<"), ("+2e3", ">"), ("-1e-3", "<")],
)
def test_sign_of_the_scale_is_the_byte_order_and_its_size_is_ignored(scale, order, scratch):
    content = f"Pf\n2 1\n{scale}\n".encode() + struct.pack(f"{order}2f", 1.5, 255)
    assert read(scratch, content).data.tolist() == [[1.5, 255]]


def test_holes_are_kept_as_stored(scratch):
    values = [np.inf, np.nan, -np.inf, -0.0]
    np.testing.assert_array_equal(read(scratch, b"Pf 4 1 -1 " + struct.pack("<4f", *values)).data, [values])


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b" "])
def test_end_of_the_header(end, scratch):
    for first in (b"\n\0\0\0", b"\r\n\0\0", b"#\0\0\0"):
        result = read(scratch, b"Pf" + end + b"1 1" + end + b"-1" + end + first)
        assert result.data.tobytes() == first


def test_colour_as_depth_is_refused(scratch):
    with pytest.raises(ValueError, match=r"greyscale PFM \(Pf\), this one is a colour file.*read_flow"):
        read(scratch, b"PF\n1 1\n-1\n" + bytes(12))


def test_flow_is_the_first_two_channels(scratch):
    scratch.write_bytes(b"PF\n2 2\n-1\n" + struct.pack("<12f", 5, 6, 0, 7, 8, 0, 1, 2, 0, 3, 4, 0))
    result = pc.read_flow(scratch)
    assert result.data.tolist() == [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    assert result.data.dtype == np.float32
    assert (result.format, result.units, result.mask) == ("pfm", None, None)


def test_greyscale_as_flow_is_refused(scratch):
    scratch.write_bytes(b"Pf\n1 1\n-1\n" + bytes(4))
    with pytest.raises(ValueError, match=r"flow as PFM must be a colour file"):
        pc.read_flow(scratch)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"Pf", "header is truncated"),
        (b"Pf\n1 1\n-1", "header is truncated"),
        (b"Pf\n1 1\nnan\n" + bytes(4), "header is truncated or damaged"),
        (b"Pf\n1 1\n0\n" + bytes(4), "a scale that is not 0"),
        (b"Pf\n0 1\n-1\n", "positive sides"),
        (b"Pf\n-1 1\n-1\n", "header is truncated or damaged"),
        (b"Pf\n2 1\n-1\n" + bytes(7), "has 8 bytes of them, this one has 7"),
        (b"Pf\n2 1\n-1\n" + bytes(9), "has 8 bytes of them, this one has 9"),
        (b"Pf\n999999999 999999999\n-1\n" + bytes(9), "of 999999999×999999999 pixels has"),
    ],
)
def test_damage(content, found, scratch):
    with pytest.raises(ValueError, match=rf"a\.pfm: .*{found}"):
        read(scratch, content)


@given(array=hnp.arrays(np.float32, st.tuples(st.integers(1, 9), st.integers(1, 9))), order=st.sampled_from(["<", ">"]))
def test_round_trip(array, order, scratch):
    header = b"Pf\n%d %d\n%s1.0\n" % (array.shape[1], array.shape[0], b"-" if order == "<" else b"")
    result = read(scratch, header + array[::-1].astype(f"{order}f4").tobytes())
    np.testing.assert_array_equal(result.data.view(np.uint32), array.view(np.uint32))


def test_truncated_at_every_byte(scratch):
    content = b"Pf\n3 2\n-1\n" + bytes(range(24))
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.pfm: "):
            read(scratch, content[:length])


def test_real_file(data_path):
    path = data_path("tool_outputs/occ_weights_01.pfm")
    data = pc.read_depth(path).data
    content = path.read_bytes()
    assert data.shape == (50, 50)
    for x, y in [(0, 0), (49, 0), (0, 49), (20, 31)]:
        (value,) = struct.unpack_from("<f", content, len(content) - 10000 + 4 * (50 * (49 - y) + x))
        assert data[y, x] == value
