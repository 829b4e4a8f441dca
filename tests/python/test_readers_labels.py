"""Label maps from files: palette and greyscale PNG, .npy, .npz."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import percepts as pc
from percepts.readers import takes_labels

GREY, RGB, PALETTE, RGBA = 0, 2, 3, 6
ADAM7 = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]


def packed_rows(labels, bits):
    """Rows of a PNG with so many bits a pixel, the first pixel in the highest ones."""
    places = np.arange(bits - 1, -1, -1)
    spread = (labels[..., None] >> places) & 1
    return [row.tobytes() for row in np.packbits(spread.reshape(len(labels), -1).astype(np.uint8), axis=1)]


@pytest.fixture
def save(tmp_path):
    def write(content, name="labels"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize("colour", [GREY, PALETTE])
@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_indices_are_labels(save, encode_png, colour, bits):
    labels = np.random.default_rng(0).integers(0, 2**bits, (3, 13))
    extra = {b"PLTE": bytes(range(256)) * 3, b"tRNS": b"\0\x80"} if colour == PALETTE else {}
    result = pc.read_labels(save(encode_png(13, 3, bits, colour, packed_rows(labels, bits), extra=extra)))
    assert result.data.dtype == np.uint8
    assert result.data.tolist() == labels.tolist()
    assert (result.format, result.units, result.mask) == ("png", None, None)


@pytest.mark.parametrize("bits", [1, 4, 8])
def test_interlaced(save, encode_png, bits):
    labels = np.random.default_rng(1).integers(0, 2**bits, (11, 7))
    passes = [labels[y::dy, x::dx] for y, x, dy, dx in ADAM7]
    rows = [row for part in passes if part.size for row in packed_rows(part, bits)]
    content = encode_png(7, 11, bits, PALETTE, rows, interlace=1, extra={b"PLTE": bytes(768)})
    assert pc.read_labels(save(content)).data.tolist() == labels.tolist()


def test_sixteen_bits(save, encode_png):
    labels = np.array([[0, 255, 256, 65535]], np.uint16)
    result = pc.read_labels(save(encode_png(4, 1, 16, GREY, [labels.astype(">u2").tobytes()])))
    assert result.data.dtype == np.uint16
    assert result.data.tolist() == labels.tolist()


def test_orientation(save, encode_png):
    exif = b"II*\0" + struct.pack("<IHHHII", 8, 1, 0x0112, 3, 1, 6) + struct.pack("<I", 0)
    extra = {b"PLTE": bytes(9), b"eXIf": exif}
    result = pc.read_labels(save(encode_png(2, 1, 8, PALETTE, [b"\1\2"], extra=extra)))
    assert result.data.tolist() == [[1], [2]]


def test_arrays(tmp_path):
    labels = np.array([[[1, -2], [300, 4]]], ">i4")
    np.save(tmp_path / "a.npy", labels)
    result = pc.read_labels(tmp_path / "a.npy")
    assert (result.data.dtype, result.data.tolist(), result.format) == (np.int32, labels[0].tolist(), "npy")
    np.savez(tmp_path / "b.npz", first=labels, second=labels == 1)
    assert pc.read_labels(tmp_path / "b.npz", "second").data.tolist() == [[True, False], [False, False]]
    with pytest.raises(ValueError, match="several arrays, say name= one of 'first', 'second'"):
        pc.read_labels(tmp_path / "b.npz")


def test_what_is_read_is_taken(backend, save, encode_png):
    path = save(encode_png(4, 1, 8, PALETTE, [b"\7\7\7\2"], extra={b"PLTE": bytes(24)}))
    file = pc.read_labels(path)
    assert [item.b for item in backend.segmentation(file, grid=(1, 2)).items] == ["class_7", "class_2"]
    assert backend.kernels.label_mode(file, grid=1)[0].tolist() == [[7]]
    assert backend.depth(np.full((1, 4), 0.5), grid=1, labels=file).items[0].b == "class_7"
    assert backend.segmentation([file, file], grid=1)[1].items[0].r == 0.75


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda png: png(1, 1, 8, RGB, [b"\0\0\0"]), "this one is 8-bit RGB: its pixels are colours"),
        (lambda png: png(1, 1, 8, RGBA, [b"\0\0\0\0"]), "this one is 8-bit RGBA"),
        (lambda png: png(1, 1, 16, PALETTE, [b"\0\0"]), "this one is 16-bit palette"),
        (lambda png: png(9, 1, 1, PALETTE, [b"\0"]), "they are 3 bytes by its header, 2 were found"),
        (lambda png: png(1, 1, 8, GREY, [b"\0"], extra={b"tRNS": b"\0\0"}), "tRNS"),
        (lambda png: b"II*\0" + bytes(60), "this is a TIFF image; read_labels reads PNG"),
        (lambda png: b"", "the file is empty"),
    ],
)
def test_what_is_no_label_map(save, encode_png, make, message):
    path = save(make(encode_png))
    with pytest.raises(ValueError) as caught:
        pc.read_labels(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_numbers_that_are_no_labels(tmp_path):
    path = tmp_path / "a.npy"
    for array in (np.zeros((2, 2), np.float32), np.zeros(3, int), np.zeros((2, 2, 2), int)):
        np.save(path, array)
        with pytest.raises(ValueError, match=r"a label map has the shape H×W .* and integers, this array has"):
            pc.read_labels(path)


def test_found_by_content(encode_png):
    assert takes_labels(encode_png(1, 1, 8, PALETTE, [b"\0"]))
    assert takes_labels(b"\x93NUMPY")
    assert not takes_labels(encode_png(1, 1, 8, RGB, [b"\0\0\0"]))
    assert not takes_labels(b"PIEH")
