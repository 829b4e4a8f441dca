"""Payloads of ROS's compressedDepth messages, saved as files."""

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
from encoders import grey_png, rvl

VALUES = np.array([[0, 1, 1200], [65535, 0, 700]], np.uint16)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("ros") / "depth.bin"


def read(path: Path, content: bytes, name: str | None = None) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_depth(path, name)


def as_png(values: np.ndarray, a: float = 0, b: float = 0) -> bytes:
    return struct.pack("<iff", 0, a, b) + grey_png(values)


def as_rvl(values: np.ndarray, a: float = 0, b: float = 0) -> bytes:
    height, width = values.shape
    return struct.pack("<iffII", 0, a, b, width, height) + rvl(values.ravel().tolist())


def quantisation(z0: float, far: float) -> tuple[float, float]:
    """A and B as ROS computes them from its parameters, in float32."""
    a = np.float32(z0) * (np.float32(z0) + np.float32(1))
    return float(a), float(np.float32(1) - a / np.float32(far))


@pytest.mark.parametrize("encode", [as_png, as_rvl])
def test_millimetres(encode, scratch):
    result = read(scratch, encode(VALUES))
    np.testing.assert_array_equal(result.data, VALUES, strict=True)
    assert (result.format, result.units, result.mask) == ("compressedDepth", "millimetres", None)


@pytest.mark.parametrize("encode", [as_png, as_rvl])
def test_metres(encode, scratch):
    a, b = quantisation(100, 10)  # ROS's defaults: A = 10100, B = -1009
    assert (a, b) == (10100, -1009)
    result = read(scratch, encode(VALUES, a, b))
    expected = np.array([[np.nan, 10100 / 1010, 10100 / 2209], [10100 / 66544, np.nan, 10100 / 1709]], np.float32)
    np.testing.assert_array_equal(result.data, expected, strict=True)
    assert (result.units, result.mask) == ("metres", None)


@given(
    depth=hnp.arrays(np.float32, (3, 4), elements=st.floats(0.25, 9.5, width=32) | st.just(float("nan"))),
    z0=st.sampled_from([1.0, 10.0, 100.0]),
)
def test_depth_comes_back_within_a_quantisation_step(depth, z0, scratch):
    a, b = quantisation(z0, 10)
    with np.errstate(invalid="ignore"):
        stored = np.where(np.isnan(depth), 0, a / depth.astype(np.float64) + b).astype(np.uint16)
    data = read(scratch, as_rvl(stored, a, b)).data
    np.testing.assert_array_equal(np.isnan(data), np.isnan(depth))
    known = ~np.isnan(depth)
    inverse, exact = a / data[known].astype(np.float64), a / depth[known].astype(np.float64)
    assert (inverse <= exact * 1.00001).all()
    assert (inverse > exact - 1.001).all()


def test_parameters_that_a_writer_forgot_to_set(scratch):
    content = as_png(VALUES, -3.5e-12, 4.6e-41)
    with pytest.raises(ValueError, match=r"A = -3\.49.* do not tell its encoding, say name='16UC1'"):
        read(scratch, content)
    np.testing.assert_array_equal(read(scratch, content, "16UC1").data, VALUES)
    with pytest.raises(ValueError, match="32FC1 has A > 0 and B <= 1"):
        read(scratch, content, "32FC1")


def test_encoding_that_is_named(scratch):
    content = as_png(VALUES, 10100, -1009)
    np.testing.assert_array_equal(read(scratch, content, "16UC1").data, VALUES)
    assert read(scratch, content, "32FC1").units == "metres"
    with pytest.raises(ValueError, match="'16UC1' or '32FC1', it is 'Z'"):
        read(scratch, content, "Z")


@pytest.mark.parametrize("a", [np.nan, np.inf, -1, 1e-40])
def test_parameters_that_are_no_quantisation(a, scratch):
    with pytest.raises(ValueError, match="do not tell its encoding"):
        read(scratch, as_png(VALUES, a, -1009))


def test_eight_bits_are_refused(scratch):
    with pytest.raises(ValueError, match="holds a 16-bit greyscale PNG, this one is 8-bit greyscale"):
        read(scratch, as_png(VALUES.astype(np.uint8)))


def test_no_flow(scratch):
    scratch.write_bytes(as_png(VALUES))
    with pytest.raises(ValueError, match="this is a compressedDepth payload of ROS; read_flow reads"):
        pc.read_flow(scratch)


def test_program_equals_that_of_the_map(scratch):
    a, b = quantisation(100, 10)
    depth = read(scratch, as_png(VALUES, a, b))
    options = {"kind": "metric", "grid": (2, 3)}
    assert str(pc.depth(depth, **options)) == str(pc.reference.depth(depth.data, **options))


def test_rvl_by_hand(scratch):
    """Two zeros, then 5 and 3, one zero: numbers 2, 2, +5 → 10 → 2|8 1, -2 → 3, 1, 0."""
    words = struct.pack("<I", 0x22A13100)
    content = struct.pack("<iffII", 0, 0, 0, 5, 1) + words
    assert content[20:] == rvl([0, 0, 5, 3, 0])
    assert read(scratch, content).data.tolist() == [[0, 0, 5, 3, 0]]


def test_rvl_of_a_map_without_depth(scratch):
    result = read(scratch, as_rvl(np.zeros((720, 1280), np.uint16)))
    assert len(scratch.read_bytes()) == 24
    assert result.data.shape == (720, 1280)
    assert not result.data.any()


@given(
    values=hnp.arrays(
        np.uint16,
        st.tuples(st.integers(1, 9), st.integers(1, 9)),
        elements=st.sampled_from([0, 0, 1, 7, 8, 65535]) | st.integers(0, 65535),
    )
)
def test_rvl_round_trip(values, scratch):
    np.testing.assert_array_equal(read(scratch, as_rvl(values)).data, values, strict=True)


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        (b"", "ends inside a number"),
        (b"\0\0\0", "whole words of 4 bytes, this has 3"),
        (bytes.fromhex("ffffffff"), "ends inside a number"),
        (bytes.fromhex("ffffffff0000ffff"), "more than 32 bits"),
        (struct.pack("<I", 0), "ends after 0 of 6 pixels"),
        (struct.pack("<I", 0x70000000), "ends after 7 of 6 pixels"),
        (rvl([1, 2, 3, 4, 5]), "ends after 5 of 6 pixels"),
        (rvl([1, 2, 3, 4, 5, 6]) + bytes(4), "goes on after its 6 pixels"),
        (rvl([1, 2, 3, 4, 5, 6, 7]), "ends after 0 of 6 pixels"),
    ],
)
def test_damaged_rvl(payload, found, scratch):
    with pytest.raises(ValueError, match=rf"depth\.bin: .*{found}"):
        read(scratch, struct.pack("<iffII", 0, 0, 0, 3, 2) + payload)


def test_claimed_size_is_not_allocated(scratch):
    scratch.write_bytes(struct.pack("<iffIII", 0, 0, 0, 65535, 65535, 0))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="claims 65535×65535"):
            pc.read_depth(scratch)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [(0, 3), (3, 0), (65536, 3), (3, 2**32 - 1)])
def test_sizes_that_no_camera_has_are_not_recognised(size, scratch):
    with pytest.raises(ValueError, match="the format is not known"):
        read(scratch, struct.pack("<iffII", 0, 0, 0, *size) + bytes(8))


@pytest.mark.parametrize("encode", [as_png, as_rvl])
def test_truncated_at_every_byte(encode, scratch):
    content = encode(np.arange(1, 41, dtype=np.uint16).reshape(5, 8) * 77)
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"depth\.bin: "):
            read(scratch, content[:length])
