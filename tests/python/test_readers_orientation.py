"""Depth that a camera stored rotated, and says so, comes back upright."""

from __future__ import annotations

import numpy as np
import pytest

import percepts as pc
from encoders import exif, grey_png, tiff_file, tiff_page

# What is to be seen; the rows below are what is stored, by the side where the standard says that row 0 and column 0 are.
SEEN = np.array([[1, 2, 3], [4, 5, 6]], np.uint16)
STORED = {
    1: [[1, 2, 3], [4, 5, 6]],  # top, left
    2: [[3, 2, 1], [6, 5, 4]],  # top, right
    3: [[6, 5, 4], [3, 2, 1]],  # bottom, right
    4: [[4, 5, 6], [1, 2, 3]],  # bottom, left
    5: [[1, 4], [2, 5], [3, 6]],  # left, top
    6: [[3, 6], [2, 5], [1, 4]],  # right, top
    7: [[6, 3], [5, 2], [4, 1]],  # right, bottom
    8: [[4, 1], [5, 2], [6, 3]],  # left, bottom
}


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("order", "<>")
def test_png(orientation, order, tmp_path):
    path = tmp_path / "a.png"
    stored = np.array(STORED[orientation], np.uint16)
    path.write_bytes(grey_png(stored, {b"eXIf": exif(orientation, order)}))
    np.testing.assert_array_equal(pc.read_depth(path).data, SEEN, strict=True)


@pytest.mark.parametrize("orientation", STORED)
def test_tiff(orientation, tmp_path):
    path = tmp_path / "a.tif"
    page = tiff_page(np.array(STORED[orientation], np.uint16), tag274=orientation, tag42113="6")
    path.write_bytes(tiff_file(page))
    result = pc.read_depth(path)
    np.testing.assert_array_equal(result.data, SEEN, strict=True)
    np.testing.assert_array_equal(result.mask, SEEN != 6)


def test_program_is_that_of_the_upright_map(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(grey_png(np.array(STORED[6], np.uint16), {b"eXIf": exif(6)}))
    options = {"kind": "metric", "grid": (2, 3)}
    assert str(pc.depth(pc.read_depth(path), **options)) == str(pc.depth(SEEN, **options))


def test_points_are_those_of_the_upright_image(tmp_path):
    """At the same share of the stored image's sides, D would be the nearer one."""
    path = tmp_path / "a.png"
    path.write_bytes(grey_png(np.array(STORED[6], np.uint16), {b"eXIf": exif(6)}))
    depth = pc.read_depth(path)
    height, width = depth.data.shape
    assert (width, height) == (3, 2)
    program = pc.depth(depth, kind="metric", grid=(height, width))
    asked = {"B": (2, 0), "D": (0, 1)}
    choice = pc.oracle.closest_point(program, pc.points(asked, size=(width, height)))
    assert (choice.choice, choice.scores) == ("B", {"B": 0.6, "D": 0.4})
    stored = pc.depth(np.array(STORED[6], np.uint16), kind="metric", grid=(width, height))
    assert pc.oracle.closest_point(stored, pc.points(asked, size=(width, height))).choice == "D"


def test_orientation_0_says_nothing(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(grey_png(SEEN, {b"eXIf": exif(0)}))
    np.testing.assert_array_equal(pc.read_depth(path).data, SEEN)


@pytest.mark.parametrize(
    ("data", "found"),
    [(exif(9), "1 to 8, this one states 9"), (exif(6)[:20], "truncated"), (b"", "II or MM"), (b"Exif\0\0", "II or MM")],
)
def test_damaged_exif(data, found, tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(grey_png(SEEN, {b"eXIf": data}))
    with pytest.raises(ValueError, match=rf"a\.png: .*{found}"):
        pc.read_depth(path)


def test_exif_with_a_wrong_checksum(tmp_path):
    path = tmp_path / "a.png"
    content = grey_png(SEEN, {b"eXIf": exif(6)})
    path.write_bytes(content.replace(exif(6), exif(5)))
    with pytest.raises(ValueError, match="checksum is wrong"):
        pc.read_depth(path)


def test_rotated_flow_is_refused(tmp_path, encode_png):
    tiff, png = tmp_path / "a.tif", tmp_path / "a.png"
    tiff.write_bytes(tiff_file(tiff_page(np.zeros((2, 3, 2), np.float32), tag274=6)))
    png.write_bytes(encode_png(2, 1, 16, 2, [bytes(12)], extra={b"eXIf": exif(3)}))
    for path in (tiff, png):
        with pytest.raises(ValueError, match="flow must be stored upright"):
            pc.read_flow(path)
