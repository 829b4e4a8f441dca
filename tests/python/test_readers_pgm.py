from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("pgm") / "a.pgm"


def read(path: Path, content: bytes) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_depth(path)


def test_sixteen_bits_are_big_endian(scratch):
    result = read(scratch, b"P5\n3 2\n65535\n" + bytes([0, 0, 0, 1, 1, 0, 255, 255, 0x13, 0x88, 10, 13]))
    assert result.data.tolist() == [[0, 1, 256], [65535, 5000, 2573]]
    assert result.data.dtype == np.uint16
    assert result.data.dtype.isnative
    assert (result.format, result.units, result.mask) == ("pgm", None, None)


@pytest.mark.parametrize(("maximum", "dtype", "size"), [(1, "u1", 1), (255, "u1", 1), (256, "u2", 2), (4095, "u2", 2)])
def test_maximum_says_how_wide_values_are_and_scales_nothing(maximum, dtype, size, scratch):
    result = read(scratch, b"P5 2 1 %d " % maximum + (1).to_bytes(size, "big") + (0).to_bytes(size, "big"))
    assert result.data.dtype == dtype
    assert result.data.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    "content",
    [
        b"P2\n3 2\n999\n0 1 256\n998 7 42\n",
        b"P2 3 2 999 0 1 256 998 7 42",
        b"P2 # made by hand\n# a second line\r3\t2 #\n999 # values follow\n0 1\n256 998 # the last two\n7 42 # end",
        b"P5#c\n3\r\n2\n#65535\n999 " + np.array([0, 1, 256, 998, 7, 42], ">u2").tobytes() + b"\n",
    ],
)
def test_words_comments_and_text(content, scratch):
    assert read(scratch, content).data.tolist() == [[0, 1, 256], [998, 7, 42]]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"P5", "header is truncated"),
        (b"P5\n3 2\n65535", "header is truncated"),
        (b"P5\n3 -2\n65535\n", "header is truncated or damaged"),
        (b"P5\n3 2 x\n", "header is truncated or damaged"),
        (b"P5\n0 2\n255\n", "positive sides"),
        (b"P5\n3 2\n0\n", "maximum of 1 to 65535"),
        (b"P5\n3 2\n65536\n" + bytes(12), "maximum of 1 to 65535"),
        (b"P5\n999999999 999999999\n65535\n" + bytes(12), "truncated: 999999999×999999999 pixels"),
        (b"P5\n4 3\n255#abc\n" + bytes(12), "must have one white space behind the maximum 255, this one has a comment"),
        (b"P5\n1 4\n255#abc\n", "must have one white space behind the maximum 255, this one has a comment"),
        (b"P5\n3 2\n255\n" + bytes(5), "truncated: 3×2 pixels have 6 bytes, this one has 5"),
        (b"P5\n3 2\n255\n" + bytes(12), "has 6 bytes of them, this one has 12"),
        (b"P5\n3 2\n9\n" + bytes([1, 2, 3, 4, 10, 6]), "a maximum of 9 and holds 10"),
        (b"P2\n3 2\n9\n1 2 3 4 5\n", "has 6 values, this one has 5"),
        (b"P2\n3 2\n9\n1 2 3 4 5 6 7\n", "has 6 values, this one has 7"),
        (b"P2\n3 2\n9\n1 2 3 4 -5 6\n", "whole numbers only"),
        (b"P2\n3 2\n9\n1 2 3 4 1_0 6\n", "whole numbers only"),
        (b"P2\n3 2\n9\n1 2 3 4 5 0000000010\n", "more than 9 digits"),
        (b"P2\n3 2\n9\n1 2 3 4 5 10\n", "a maximum of 9 and holds 10"),
        (b"P2\n999999999 999999999\n9\n1", "this one has 1"),
    ],
)
def test_damage(content, found, scratch):
    with pytest.raises(ValueError, match=rf"a\.pgm: .*{found}"):
        read(scratch, content)


@pytest.mark.parametrize("magic", [b"P3", b"P6"])
def test_colours_are_refused(magic, scratch):
    with pytest.raises(ValueError, match=r"this is a PPM image, whose pixels are colours; read_depth reads"):
        read(scratch, magic + b"\n1 1\n255\n\0\0\0")


def test_no_flow(scratch):
    scratch.write_bytes(b"P5\n1 1\n255\n\0")
    with pytest.raises(ValueError, match="this is a PGM image; read_flow reads"):
        pc.read_flow(scratch)


@given(
    array=hnp.arrays(st.sampled_from(["u1", "u2"]), st.tuples(st.integers(1, 9), st.integers(1, 9))), text=st.booleans()
)
def test_round_trip(array, text, scratch):
    height, width = array.shape
    maximum = 255 if array.dtype == np.uint8 else 65535
    header = b"P%d\n%d %d\n%d\n" % (2 if text else 5, width, height, maximum)
    body = " ".join(map(str, array.ravel())).encode() if text else array.astype(array.dtype.newbyteorder(">")).tobytes()
    np.testing.assert_array_equal(read(scratch, header + body).data, array, strict=True)


def test_truncated_at_every_byte(scratch):
    content = b"P5\n3 2\n65535\n" + bytes(range(1, 13))
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.pgm: "):
            read(scratch, content[:length])


def test_real_depth(data_path):
    """A sensor's millimetres: 32 % holes, the rest within the range of such a sensor."""
    path = data_path("tool_outputs/slam_depth_1.pgm")
    data = pc.read_depth(path).data
    content = path.read_bytes()
    assert (data.shape, data.dtype) == ((480, 640), np.uint16)
    for x, y in [(0, 0), (639, 0), (320, 240), (100, 400), (639, 479)]:
        place = len(content) - 2 * 480 * 640 + 2 * (640 * y + x)
        assert data[y, x] == content[place] * 256 + content[place + 1]
    assert (data == 0).mean() == pytest.approx(0.32, abs=0.005)
    assert 400 < data[data > 0].min() < data.max() < 10_000
