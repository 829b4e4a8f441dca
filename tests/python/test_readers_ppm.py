"""PPM and PGM as images to look at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc
from percepts.readers import read_image


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("ppm") / "a.ppm"


def read(path: Path, content: bytes) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return read_image(path)


PIXELS = [[[255, 0, 10], [1, 2, 3]]]


@pytest.mark.parametrize(
    "content",
    [
        b"P6\n2 1\n255\n" + bytes([255, 0, 10, 1, 2, 3]),
        b"P6#by hand\n2\t1 255\r" + bytes([255, 0, 10, 1, 2, 3]) + b"\n",
        b"P3\n2 1\n255\n255 0 10\n1 2 3\n",
        b"P3 2 1 # columns, rows\n255 255 0 10 # red\n1 2 3",
    ],
)
def test_rgb_in_bytes_and_in_text(content, scratch):
    result = read(scratch, content)
    assert result.data.tolist() == PIXELS
    assert (result.data.dtype, result.format, result.units, result.mask) == (np.uint8, "ppm", None, None)


@pytest.mark.parametrize("content", [b"P5 2 1 255 \x07\xff", b"P2 2 1 255 7 255"])
def test_grey(content, scratch):
    result = read(scratch, content)
    assert result.data.tolist() == [[7, 255]]
    assert (result.data.dtype, result.format) == (np.uint8, "pgm")


@pytest.mark.parametrize(
    ("maximum", "samples", "expected"),
    [(1, [0, 1], [0, 255]), (15, [0, 7, 8, 15], [0, 119, 136, 255]), (254, [1, 127, 254], [1, 128, 255])],
)
def test_the_stated_maximum_is_white(maximum, samples, expected, scratch):
    header = b" %d 1 %d " % (len(samples), maximum)
    assert read(scratch, b"P5" + header + bytes(samples)).data.tolist() == [expected]
    rgb = np.repeat(samples, 3).astype(np.uint8)
    assert read(scratch, b"P6" + header + rgb.tobytes()).data.tolist() == [[[x, x, x] for x in expected]]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"P6", "the PPM header is truncated or damaged: it has the words P3 or P6, width, height, maximum"),
        (b"P6\n2 -1\n255\n", "header is truncated or damaged"),
        (b"P6\n2 0\n255\n", "a PPM has positive sides and a maximum of 1 to 65535, this one has 2×0 and 255"),
        (b"P6\n1 1\n70000\n" + bytes(6), "a maximum of 1 to 65535"),
        (b"P6\n1 1\n256\n" + bytes(6), "a PPM with a maximum of at most 255, this one has 256"),
        (b"P5\n1 1\n65535\n" + bytes(2), "a PGM with a maximum of at most 255, this one has 65535"),
        (b"P6\n999999999 999999999\n255\n" + bytes(12), "truncated: 999999999×999999999 pixels"),
        (b"P6\n2 1\n255\n" + bytes(5), "truncated: 2×1 pixels have 6 bytes, this one has 5"),
        (b"P6\n2 1\n255\n" + bytes(12), "has 6 bytes of them, this one has 12"),
        (b"P6\n1 1\n9\n" + bytes([1, 10, 3]), "a maximum of 9 and holds 10"),
        (b"P3\n2 1\n9\n1 2 3 4 5\n", "has 6 values, this one has 5"),
        (b"P3\n1 1\n9\n1 2 -3\n", "a PPM in text has whole numbers only"),
        (b"P3\n1 1\n9\n1 2 10\n", "a maximum of 9 and holds 10"),
    ],
)
def test_damage(content, found, scratch):
    with pytest.raises(ValueError, match=rf"a\.ppm: .*{found}"):
        read(scratch, content)


@pytest.mark.parametrize(
    ("function", "name"), [(pc.read_depth, "depth"), (pc.read_flow, "flow"), (pc.read_labels, "labels")]
)
def test_no_map(function, name, scratch):
    scratch.write_bytes(b"P6 1 1 255 \1\2\3")
    with pytest.raises(ValueError, match=f"this is a PPM image, whose pixels are colours; read_{name} reads"):
        function(scratch)


@given(array=hnp.arrays("u1", st.tuples(st.integers(1, 9), st.integers(1, 9), st.just(3))), text=st.booleans())
def test_round_trip(array, text, scratch):
    header = b"P%d\n%d %d\n255\n" % (3 if text else 6, *array.shape[1::-1])
    body = " ".join(map(str, array.ravel())).encode() if text else array.tobytes()
    np.testing.assert_array_equal(read(scratch, header + body).data, array, strict=True)


def test_truncated_at_every_byte(scratch):
    content = b"P6\n1 2\n255\n" + bytes(range(1, 7))
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.ppm: "):
            read(scratch, content[:length])
