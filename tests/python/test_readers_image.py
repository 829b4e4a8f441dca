"""Images to look at: PNG and JPEG, grey and RGB, upright."""

from __future__ import annotations

import struct

import imagecodecs
import numpy as np
import pytest

from encoders import exif
from percepts.readers import read_image
from test_readers_orientation import SEEN, STORED

SIZE = (16, 24)


@pytest.fixture
def save(tmp_path):
    def write(content: bytes):
        path = tmp_path / "image"
        path.write_bytes(content)
        return path

    return write


def grey():
    y, x = np.mgrid[0 : SIZE[0], 0 : SIZE[1]]
    return (5 * x + 3 * y).astype(np.uint8)


def rgb():
    return np.stack([grey(), grey()[::-1], 255 - grey()], axis=-1)


def jpeg(array, exif_data=None, **options) -> bytes:
    content = imagecodecs.jpeg8_encode(array, level=100, **options)
    if exif_data is None:
        return content
    body = b"Exif\0\0" + exif_data
    return content[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + content[2:]


@pytest.mark.parametrize("array", [grey(), rgb()], ids=["grey", "rgb"])
def test_png(save, array):
    result = read_image(save(imagecodecs.png_encode(array)))
    np.testing.assert_array_equal(result.data, array, strict=True)
    assert result.format == "png"


@pytest.mark.parametrize("array", [grey(), rgb()], ids=["grey", "rgb"])
def test_jpeg(save, array):
    result = read_image(save(jpeg(array)))
    assert (result.data.dtype, result.data.shape, result.format) == (np.uint8, array.shape, "jpeg")
    assert np.abs(result.data.astype(int) - array).max() <= 12


@pytest.mark.parametrize("orientation", STORED)
def test_orientation(save, orientation, encode_png):
    """Blocks of 8 pixels, so that JPEG keeps them."""
    levels = np.array(STORED[orientation], np.uint8) * 40
    blocks = np.kron(levels, np.ones((8, 8), np.uint8))
    expected = np.kron(SEEN * 40, np.ones((8, 8)))
    upright = read_image(save(jpeg(blocks, exif(orientation)))).data
    assert upright.shape == expected.shape
    assert np.abs(upright - expected).max() <= 2
    rows = [row.tobytes() for row in levels]
    content = encode_png(*levels.shape[::-1], 8, 0, rows, extra={b"eXIf": exif(orientation)})
    np.testing.assert_array_equal(read_image(save(content)).data, SEEN * 40)


def test_a_jpeg_that_ends_too_early(save):
    content = jpeg(np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8))
    for end in (20, 200, len(content) // 2, len(content) - 30):
        with pytest.raises(ValueError, match=r"image: the JPEG cannot be decoded: "):
            read_image(save(content[:end]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\xff\xd8", "the file is truncated: it is 2 bytes long"),
        (b"GIF89a" + bytes(20), "this is a GIF image, which is not supported; read_image reads PNG, JPEG, PGM and PPM"),
        (b"PIEH\1\0\0\0\1\0\0\0" + bytes(8), "this is a .flo file; read_image reads PNG, JPEG, PGM and PPM"),
        (imagecodecs.png_encode(np.zeros((2, 2), np.uint16)), "of 8 bits, this one is 16-bit greyscale"),
        (imagecodecs.png_encode(np.zeros((2, 2, 4), np.uint8)), "of 8 bits, this one is 8-bit RGBA"),
        (
            jpeg(np.zeros((8, 8, 4), np.uint8), colorspace="CMYK", outcolorspace="CMYK"),
            "an image must be a grey or RGB JPEG, this one is CMYK",
        ),
        (jpeg(grey(), exif(9)), "an image's orientation must be 1 to 8, this one states 9"),
        (jpeg(grey(), exif(6)[:20]), "truncated"),
    ],
)
def test_what_is_no_image(save, content, message):
    path = save(content)
    with pytest.raises(ValueError) as caught:
        read_image(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_a_missing_library_names_the_extra(save, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    with pytest.raises(ImportError, match=r'reading JPEG files needs PIL.Image: pip install "percepts\[readers\]"'):
        read_image(save(jpeg(grey())))


def test_real_photographs(data_path):
    assert read_image(data_path("tool_outputs/sevenscenes_000000.color.jpg")).data.shape == (480, 640, 3)
    assert read_image(data_path("opencv/rubberwhale1.png")).data.shape == (388, 584, 3)
