"""Greyscale PNG as depth, 16-bit RGB PNG as KITTI flow."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from conftest import png_chunk
from percepts.readers import png

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
ADAM7 = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]


def big_endian_rows(values: np.ndarray) -> list[bytes]:
    return [row.tobytes() for row in values.astype(values.dtype.newbyteorder(">"))]


@pytest.fixture
def save(tmp_path):
    def write(content: bytes) -> Path:
        path = tmp_path / "field.png"
        path.write_bytes(content)
        return path

    return write


@pytest.fixture
def grey16(encode_png):
    values = np.array([[0, 1, 255, 256], [257, 32768, 65534, 65535], [5000, 1000, 42819, 7]], np.uint16)
    return values, encode_png(4, 3, 16, GREY, big_endian_rows(values))


def test_sixteen_bits_stay_sixteen(save, grey16):
    values, content = grey16
    result = pc.read_depth(save(content))
    assert result.data.dtype == np.uint16
    assert result.data.dtype.isnative
    np.testing.assert_array_equal(result.data, values)
    assert (result.format, result.units, result.mask) == ("png", None, None)


def test_eight_bits(save, encode_png):
    values = np.arange(250, 256, dtype=np.uint8).reshape(3, 2)
    result = pc.read_depth(save(encode_png(2, 3, 8, GREY, big_endian_rows(values))))
    assert result.data.dtype == np.uint8
    np.testing.assert_array_equal(result.data, values)


def test_interlaced(save, encode_png):
    values = (np.arange(77) * 800).astype(np.uint16).reshape(11, 7)
    passes = [values[y::dy, x::dx] for y, x, dy, dx in ADAM7]
    rows = [row for part in passes if part.size for row in big_endian_rows(part)]
    result = pc.read_depth(save(encode_png(7, 11, 16, GREY, rows, interlace=1)))
    np.testing.assert_array_equal(result.data, values)


def test_display_chunks_change_no_value(save, encode_png, capfd):
    values = np.array([[1, 65535], [300, 4]], np.uint16)
    extra = {b"gAMA": struct.pack(">I", 45455), b"sBIT": b"\x0c", b"bKGD": b"\0", b"iCCP": b"x\0\0junk"}
    content = encode_png(2, 2, 16, GREY, big_endian_rows(values), extra=extra)
    np.testing.assert_array_equal(pc.read_depth(save(content)).data, values)
    assert capfd.readouterr() == ("", "")


def test_bytes_behind_the_image_are_not_part_of_it(save, grey16):
    values, content = grey16
    np.testing.assert_array_equal(pc.read_depth(save(content + b"thumbnail")).data, values)


@pytest.mark.parametrize(
    ("bit_depth", "colour_type", "row", "found"),
    [
        (8, RGB, bytes(6), "8-bit RGB"),
        (16, RGB, bytes(12), r"16-bit RGB \(KITTI flow"),
        (8, RGBA, bytes(8), "8-bit RGBA"),
        (16, RGBA, bytes(16), "16-bit RGBA"),
        (8, GREY_ALPHA, bytes(4), "8-bit greyscale with alpha"),
        (16, GREY_ALPHA, bytes(8), "16-bit greyscale with alpha"),
        (1, GREY, bytes(1), "1-bit greyscale: store the values as 8-bit or 16-bit greyscale"),
        (2, GREY, bytes(1), "2-bit greyscale"),
        (4, GREY, bytes(1), "4-bit greyscale"),
        (8, 5, bytes(2), "8-bit colour type 5"),
    ],
)
def test_depth_of_another_kind_is_named(bit_depth, colour_type, row, found, save, encode_png):
    path = save(encode_png(2, 1, bit_depth, colour_type, [row]))
    with pytest.raises(
        ValueError, match=rf"field\.png: depth must be a greyscale PNG of 8 or 16 bits, this one is {found}"
    ):
        pc.read_depth(path)


def test_palette_is_named(save, encode_png):
    path = save(encode_png(2, 1, 8, PALETTE, [b"\0\1"], extra={b"PLTE": bytes(6)}))
    with pytest.raises(ValueError, match=r"8-bit palette: a palette holds colours.* as 16-bit greyscale"):
        pc.read_depth(path)


def test_transparent_value_is_refused(save, encode_png):
    path = save(encode_png(2, 1, 16, GREY, [bytes(4)], extra={b"tRNS": b"\0\0"}))
    with pytest.raises(ValueError, match="transparent"):
        pc.read_depth(path)


def test_truncated_at_every_byte(save, grey16, capfd):
    _, content = grey16
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"field\.png: "):
            pc.read_depth(save(content[:length]))
    assert capfd.readouterr() == ("", "")


def test_every_flipped_byte_is_found_or_harmless(save, grey16):
    values, content = grey16
    for position in range(len(content)):
        damaged = bytearray(content)
        damaged[position] ^= 0xFF
        try:
            result = pc.read_depth(save(bytes(damaged)))
        except ValueError as error:
            assert "field.png: " in str(error)  # noqa: PT017
        else:
            np.testing.assert_array_equal(result.data, values)


@pytest.mark.parametrize(
    ("width", "height", "found"),
    [
        (0, 1, "1 to 1000000 pixels long, this one is 0×1"),
        (1, 0, "this one is 1×0"),
        (2**31 - 1, 2**31 - 1, "this one is 2147483647×2147483647"),
        (1_000_000, 1_000_000, "claims 1000000×1000000 pixels, which"),
        (4, 4, "the PNG's pixels are damaged: they are 36 bytes by its header, 9 were found"),
    ],
)
def test_size_that_the_file_cannot_hold(width, height, found, save, encode_png, capfd):
    path = save(encode_png(width, height, 16, GREY, [bytes(8)]))
    with pytest.raises(ValueError, match=found):
        pc.read_depth(path)
    assert capfd.readouterr() == ("", "")


def test_chunks_that_contradict_the_header(save, grey16, capfd):
    _, content = grey16
    start, end = content.index(b"IDAT") - 4, content.index(b"IEND") - 4
    header, pixels, rest = content[:start], content[start:end], content[end:]
    stream = pixels[8:-4]
    unknown = png_chunk(b"ABCD", b"x")
    for damaged, problem in [
        (header + rest, "the PNG has no pixels: it has no IDAT chunk"),
        (header + unknown + pixels + rest, "it has the critical chunk b'ABCD', which is not known"),
        (header + pixels + unknown + rest, "it has the critical chunk b'ABCD', which is not known"),
        (header + header[8:] + pixels + rest, "it has the critical chunk b'IHDR'"),
        (header + pixels[:-1] + b"?" + rest, "the PNG's IDAT chunk is damaged: its checksum is wrong"),
        (header + png_chunk(b"IDAT", zlib.compress(bytes(28))) + rest, "27 bytes by its header, more were found"),
        (header + png_chunk(b"IDAT", stream[:-1]) + rest, "the PNG's pixels are damaged: "),
        (header + png_chunk(b"IDAT", stream[:-1] + b"?") + rest, "incorrect data check"),
        (header + png_chunk(b"IDAT", b"") + rest, "claims 4×3 pixels, which 0 bytes cannot hold"),
    ]:
        with pytest.raises(ValueError, match=problem):
            pc.read_depth(save(damaged))
    assert capfd.readouterr() == ("", "")


def test_pixels_in_several_chunks(save, grey16, capfd):
    values, content = grey16
    start, end = content.index(b"IDAT") - 4, content.index(b"IEND") - 4
    stream = content[start + 8 : end - 4]
    several = b"".join(png_chunk(b"IDAT", part) for part in (stream[:5], b"", stream[5:], b"behind the stream"))
    np.testing.assert_array_equal(pc.read_depth(save(content[:start] + several + content[end:])).data, values)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("height", "width"), [(h, w) for h in range(1, 10) for w in range(1, 10)])
def test_interlaced_of_any_size(height, width, save, encode_png, capfd, caplog):
    values = np.arange(height * width, dtype=np.uint16).reshape(height, width)
    passes = [values[y::dy, x::dx] for y, x, dy, dx in ADAM7]
    rows = [row for part in passes if part.size for row in big_endian_rows(part)]
    result = pc.read_depth(save(encode_png(width, height, 16, GREY, rows, interlace=1)))
    np.testing.assert_array_equal(result.data, values)
    assert (capfd.readouterr(), caplog.messages) == (("", ""), [])  # imagecodecs logs what libpng warns of


@pytest.mark.parametrize(("dtype", "colour_type"), [("u1", GREY), ("u1", RGB), ("u2", RGB)])
def test_interlaced_of_other_kinds(dtype, colour_type, encode_png, caplog):
    values = np.random.default_rng(0).integers(0, np.iinfo(dtype).max, (9, 11, 3 if colour_type == RGB else 1), dtype)
    passes = [values[y::dy, x::dx] for y, x, dy, dx in ADAM7]
    rows = [row for part in passes for row in big_endian_rows(part)]
    bits = 8 * values.itemsize
    content = encode_png(11, 9, bits, colour_type, rows, interlace=1)
    pixels = png.decode_pixels(content, png.PngKind(colour_type, bits))
    np.testing.assert_array_equal(pixels.reshape(values.shape), values)
    assert caplog.messages == []


def test_filters_of_interlaced_rows_begin_anew_in_each_pass(save):
    # The rows of an 8-bit map of 4x4 that rises by 1, in which every row but the first of a pass adds the one above.
    values = np.arange(16, dtype=np.uint8).reshape(4, 4)
    stored = b""
    for part in (values[y::dy, x::dx] for y, x, dy, dx in ADAM7):
        for k, row in enumerate(part if part.size else ()):
            stored += b"\2" + (row - part[k - 1] if k else row).tobytes()
    header = struct.pack(">IIBBBBB", 4, 4, 8, GREY, 0, 0, 1)
    chunks = [png_chunk(b"IHDR", header), png_chunk(b"IDAT", zlib.compress(stored)), png_chunk(b"IEND", b"")]
    result = pc.read_depth(save(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)))
    np.testing.assert_array_equal(result.data, values)


def test_constant_map_that_compresses_as_far_as_deflate_can(save, encode_png):
    path = save(encode_png(4000, 4000, 16, GREY, [bytes(8000)] * 4000))
    assert path.stat().st_size < 40_000
    assert pc.read_depth(path).data.shape == (4000, 4000)


def test_without_imagecodecs(save, grey16, monkeypatch):
    monkeypatch.setitem(sys.modules, "imagecodecs", None)
    with pytest.raises(ImportError, match=r'pip install "percepts\[readers\]"'):
        pc.read_depth(save(grey16[1]))


@pytest.mark.parametrize(
    ("relative", "shape", "dtype", "zeros", "total"),
    [
        ("tool_outputs/tum_1_depth.png", (480, 640), np.uint16, 102341, 1833719190),
        ("tool_outputs/sevenscenes_000000.depth.png", (480, 640), np.uint16, 33257, 526822367),
        ("opencv/aloeGT.png", (1110, 1282), np.uint8, 49130, 99304340),
    ],
)
def test_real_depth(relative, shape, dtype, zeros, total, data_path):
    data = pc.read_depth(data_path(relative)).data
    assert (data.shape, data.dtype) == (shape, dtype)
    assert np.count_nonzero(data == 0) == zeros
    assert data.sum(dtype=np.int64) == total


def test_kitti_formula_and_channel_order(save, encode_png):
    pixels = np.array([[[32768, 32768, 1], [32768 + 64, 32768 - 32, 1], [65535, 0, 65535], [0, 1, 0]]], np.uint16)
    result = pc.read_flow(save(encode_png(4, 1, 16, RGB, big_endian_rows(pixels.reshape(1, 12)))))
    assert result.data.dtype == np.float32
    assert result.data.tolist() == [[[0, 0], [1, -0.5], [511.984375, -512], [-512, -511.984375]]]
    assert result.mask.tolist() == [[True, True, True, False]]
    assert (result.format, result.units) == ("kitti", "pixels")
    assert result.data.flags.c_contiguous


def test_kitti_truncated_at_every_byte(save, encode_png):
    content = encode_png(2, 2, 16, RGB, [bytes(12)] * 2)
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"field\.png: "):
            pc.read_flow(save(content[:length]))


@pytest.mark.parametrize(
    ("bit_depth", "colour_type", "row", "found"),
    [
        (8, RGB, bytes(6), "8-bit RGB"),
        (16, GREY, bytes(4), "16-bit greyscale"),
        (8, GREY, bytes(2), "8-bit greyscale"),
        (16, RGBA, bytes(16), "16-bit RGBA"),
    ],
)
def test_flow_as_another_png_is_refused(bit_depth, colour_type, row, found, save, encode_png):
    path = save(encode_png(2, 1, bit_depth, colour_type, [row]))
    with pytest.raises(
        ValueError, match=rf"flow as PNG must be KITTI's 16-bit RGB \(u, v, valid\), this one is {found}"
    ):
        pc.read_flow(path)


def unfilter_rgb16(content: bytes, width: int, height: int) -> np.ndarray:
    """Decode a PNG by the standard's text, pixel by pixel."""
    idat, position = b"", 8
    while position < len(content):
        length, name = struct.unpack_from(">I4s", content, position)
        idat += content[position + 8 : position + 8 + length] if name == b"IDAT" else b""
        position += 12 + length
    raw, stride, bpp = zlib.decompress(idat), width * 6, 6
    rows = [bytes(stride)]
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            left, up = (row[i - bpp] if i >= bpp else 0), rows[-1][i]
            corner = rows[-1][i - bpp] if i >= bpp else 0
            paeth = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        rows.append(bytes(row))
    return np.frombuffer(b"".join(rows[1:]), ">u2").reshape(height, width, 3)


@pytest.mark.parametrize(
    ("relative", "width", "height", "valid"),
    [
        ("tool_outputs/kitti_flow_gt.png", 1242, 375, 75453),  # 16.2 %
        ("tool_outputs/kitti_format_sparse_flow_tiny.png", 25, 25, None),
    ],
)
def test_real_kitti(relative, width, height, valid, data_path):
    path = data_path(relative)
    result = pc.read_flow(path)
    stored = unfilter_rgb16(path.read_bytes(), width, height).astype(np.float64)
    np.testing.assert_array_equal(result.data, (stored[..., :2] - 32768) / 64)
    np.testing.assert_array_equal(result.mask, stored[..., 2] > 0)
    assert valid is None or np.count_nonzero(result.mask) == valid
