from __future__ import annotations

import struct
import sys
import tracemalloc
import zlib
from pathlib import Path

import imagecodecs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc
from encoders import tiff_file, tiff_page

DTYPES = ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]
DEPTH = np.array([[1.5, np.inf, 0], [np.nan, -2, 7], [8, 9, 10]], np.float32)
FLOW = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
PACKED = {
    5: imagecodecs.lzw_encode,
    8: zlib.compress,
    32946: zlib.compress,
    32773: imagecodecs.packbits_encode,
    50000: imagecodecs.zstd_encode,
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("tiff") / "a.tif"


def read(path: Path, content: bytes, name: str | None = None) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_depth(path, name)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", "<>")
def test_dtype_and_byte_order(dtype, order, scratch):
    values = np.array([[0, 1, 2], [100, 7, 127]], dtype)
    result = read(scratch, tiff_file(tiff_page(values, order), order=order))
    np.testing.assert_array_equal(result.data, values, strict=True)
    assert result.data.dtype.isnative
    assert (result.format, result.units, result.mask) == ("tiff", None, None)


@pytest.mark.parametrize("compression", PACKED)
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_lossless_compressions(compression, rows, scratch):
    content = tiff_file(tiff_page(DEPTH, rows_per_strip=rows, pack=PACKED[compression], tag259=compression))
    np.testing.assert_array_equal(read(scratch, content).data, DEPTH)


@pytest.mark.parametrize("compression", [1, *PACKED])
def test_tiles(compression, scratch):
    values = np.arange(20 * 35, dtype=np.uint16).reshape(20, 35)
    padded = np.pad(values, ((0, 12), (0, 13)))
    tiles = [padded[y : y + 16, x : x + 16].tobytes() for y in (0, 16) for x in (0, 16, 32)]
    pack = PACKED.get(compression, bytes)
    tags, _ = tiff_page(values, tag259=compression, tag322=16, tag323=16)
    content = tiff_file((tags, [pack(tile) for tile in tiles]))
    np.testing.assert_array_equal(read(scratch, content).data, values, strict=True)
    content = tiff_file((tags, [pack(tile) for tile in tiles[:-1]]))
    with pytest.raises(ValueError, match="must have 6 tiles or strips, it has 5"):
        read(scratch, content)
    huge, _ = tiff_page(values, tag259=1, tag322=65520, tag323=65520)
    with pytest.raises(ValueError, match="which 512 bytes cannot hold"):
        read(scratch, tiff_file((huge, tiles[:1])))


@pytest.mark.parametrize("order", "<>")
def test_bigtiff(order, scratch):
    values = np.array([[1, 2, 65535]], np.uint16)
    tags = {256: 3, 257: 1, 258: 16, 259: 1, 262: 1, 273: 16, 277: 1, 278: 1, 279: 6}
    content = (b"II" if order == "<" else b"MM") + struct.pack(f"{order}HHHQ", 43, 8, 0, 24)
    content += values.astype(f"{order}u2").tobytes() + b"\0\0" + struct.pack(f"{order}Q", len(tags))
    content += b"".join(struct.pack(f"{order}HHQQ", tag, 16, 1, value) for tag, value in tags.items()) + bytes(8)
    np.testing.assert_array_equal(read(scratch, content).data, values, strict=True)
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.tif: "):
            read(scratch, content[:length])


def test_predictor(scratch):
    values = np.array([[5, 6, 4, 65535, 0]], np.uint16)
    steps = np.diff(values, prepend=np.uint16(0))
    content = tiff_file(tiff_page(steps, pack=zlib.compress, tag259=8, tag317=2))
    np.testing.assert_array_equal(read(scratch, content).data, values)


def test_lossy_compression_is_refused(scratch):
    with pytest.raises(ValueError, match="Zstandard, this one by 7"):
        read(scratch, tiff_file(tiff_page(DEPTH, tag259=7)))


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (tiff_page(FLOW), "this one has 2 with 1"),
        (tiff_page(np.zeros((2, 3, 3), np.uint8), tag262=2), "this one has 3 with 2"),
        (tiff_page(np.zeros((2, 3), np.uint8), tag262=3), "this one has 1 with 3"),
        (tiff_page(np.zeros((2, 3), np.uint8), tag262=0), "this one has 1 with 0"),
    ],
)
def test_depth_of_other_channels_is_refused(page, found, scratch):
    with pytest.raises(ValueError, match=rf"a\.tif: depth must be a TIFF of one channel, with black as 0.*{found}"):
        read(scratch, tiff_file(page))


@pytest.mark.parametrize("tags", [{"tag258": 4}, {"tag258": 1}, {"tag339": 6}, {"tag258": 24, "tag339": 3}])
def test_other_types_are_refused(tags, scratch):
    with pytest.raises(ValueError, match="whole numbers of 8 to 64 bits or floating-point numbers of 16 to 64"):
        read(scratch, tiff_file(tiff_page(np.zeros((2, 4), np.uint8), **tags)))


def test_pages(scratch):
    pages = [tiff_page(DEPTH), tiff_page(DEPTH + 1, tag285="confidence"), tiff_page(DEPTH[:1], tag254=1)]
    content = tiff_file(*pages)
    with pytest.raises(ValueError, match="holds 2 pages, say name= one of '0', 'confidence'"):
        read(scratch, content)
    np.testing.assert_array_equal(read(scratch, content, "0").data, DEPTH)
    np.testing.assert_array_equal(read(scratch, content, "1").data, DEPTH + 1)
    np.testing.assert_array_equal(read(scratch, content, "confidence").data, DEPTH + 1)
    for name in ("2", "-1", "depth", ""):
        with pytest.raises(ValueError, match=f"no pages named '{name}', it holds '0', 'confidence'"):
            read(scratch, content, name)


def test_thumbnail_in_front(scratch):
    content = tiff_file(tiff_page(DEPTH[:1], tag254=1), tiff_page(DEPTH))
    np.testing.assert_array_equal(read(scratch, content).data, DEPTH)


@pytest.mark.parametrize(("stated", "holes"), [("7", 1), (" 7.0\0", 1), ("nan", None), ("", None), ("none", None)])
def test_missing_value_that_gdal_names(stated, holes, scratch):
    result = read(scratch, tiff_file(tiff_page(DEPTH, tag42113=stated)))
    np.testing.assert_array_equal(result.data, DEPTH)
    if holes is None:
        assert result.mask is None
    else:
        assert (~result.mask).nonzero() == ([1], [2])


def test_missing_value_of_whole_numbers(scratch):
    values = np.array([[0, 65535]], np.uint16)
    assert read(scratch, tiff_file(tiff_page(values, tag42113="65535"))).mask.tolist() == [[True, False]]
    assert read(scratch, tiff_file(tiff_page(values, tag42113="65535.0"))).mask.tolist() == [[True, False]]
    for other in ("-9999", "65536", "0.5", "inf", "nan", "1e400", "none"):
        assert read(scratch, tiff_file(tiff_page(values, tag42113=other))).mask is None
    large = np.array([[2**64 - 1, 2**64 - 2]], np.uint64)
    assert read(scratch, tiff_file(tiff_page(large, tag42113=f"{2**64 - 1}"))).mask.tolist() == [[False, True]]


@pytest.mark.parametrize("planes", [1, 2])
def test_flow(planes, scratch):
    stored = np.moveaxis(FLOW, -1, 0) if planes == 2 else FLOW
    scratch.write_bytes(tiff_file(tiff_page(stored, planes=planes)))
    result = pc.read_flow(scratch)
    np.testing.assert_array_equal(result.data, FLOW)
    assert (result.format, result.units, result.mask) == ("tiff", None, None)


def test_flow_of_another_number_of_channels(scratch):
    scratch.write_bytes(tiff_file(tiff_page(DEPTH)))
    with pytest.raises(ValueError, match=r"flow must be a TIFF of two channels \(u, v\).* this one has 1 with 1"):
        pc.read_flow(scratch)


@pytest.mark.parametrize("size", [(65535, 65535), (60000, 2), (3, 4)])
def test_claimed_size_is_not_allocated(size, scratch):
    page = tiff_page(DEPTH, tag256=size[0], tag257=size[1], tag278=size[1])
    scratch.write_bytes(tiff_file(page))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=f"claims {size[0]}×{size[1]} pixels, which 36 bytes cannot hold"):
            pc.read_depth(scratch)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_constant_map_that_compresses_as_far_as_deflate_can(scratch):
    content = tiff_file(tiff_page(np.zeros((4000, 4000), np.float32), pack=zlib.compress, tag259=8))
    assert len(content) < 80_000
    assert read(scratch, content).data.shape == (4000, 4000)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"II*\0", "directories are truncated"),
        (b"II*\0\0\0\0\0", "has no directory"),
        (b"II*\0\xff\xff\0\0", "a directory starts at byte 65535"),
        (b"II*\0\x08\0\0\0\0\0\x08\0\0\0", "form a loop"),
        (b"II*\0\x08\0\0\0\xff\xff\0\0\0\0", "a directory of 65535 tags"),
        (tiff_file(tiff_page(DEPTH, tag256=0)), "must be positive, this one is 0×3"),
        (tiff_file(tiff_page(DEPTH, tag256=[3, 4])), "the TIFF tag 256 must hold one number"),
        (tiff_file(tiff_page(DEPTH, tag256="3")), "the TIFF tag 256 must hold one number"),
        (tiff_file(tiff_page(DEPTH, tag278=1)), "must have 3 tiles or strips, it has 1"),
        (tiff_file(tiff_page(DEPTH, tag278=0)), "must have pixels"),
        (tiff_file(tiff_page(DEPTH, tag274=9)), "orientation must be 1 to 8, this one states 9"),
    ],
)
def test_damage(content, found, scratch):
    with pytest.raises(ValueError, match=rf"a\.tif: .*{found}"):
        read(scratch, content)


def test_truncated_at_every_byte(scratch, capfd):
    content = tiff_file(tiff_page(DEPTH, rows_per_strip=2, pack=zlib.compress, tag259=8), tiff_page(DEPTH, tag254=1))
    # The directory stands behind the strips, so that what is cut is always missed, but for the last link of the chain.
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.tif: "):
            read(scratch, content[:length])
    assert capfd.readouterr() == ("", "")


def test_every_flipped_byte_is_an_error_or_another_map(scratch, capfd):
    content = tiff_file(tiff_page(DEPTH, rows_per_strip=2, pack=imagecodecs.lzw_encode, tag259=5))
    for position in range(len(content)):
        for bits in (0x01, 0x80, 0xFF):
            damaged = bytearray(content)
            damaged[position] ^= bits
            try:
                result = read(scratch, bytes(damaged))
            except ValueError as error:
                assert "a.tif: " in str(error)  # noqa: PT017
            else:
                assert result.data.ndim == 2
    assert capfd.readouterr() == ("", "")


@given(
    array=hnp.arrays(st.sampled_from(DTYPES), st.tuples(st.integers(1, 9), st.integers(1, 9))), rows=st.integers(1, 9)
)
def test_round_trip(array, rows, scratch):
    rows = min(rows, array.shape[0])
    result = read(scratch, tiff_file(tiff_page(array, ">", rows, zlib.compress, tag259=8), order=">"))
    assert result.data.tobytes() == array.tobytes()


def test_without_imagecodecs(scratch, monkeypatch):
    monkeypatch.setitem(sys.modules, "imagecodecs", None)
    with pytest.raises(ImportError, match=r'reading TIFF files needs imagecodecs: pip install "percepts\[readers\]"'):
        read(scratch, tiff_file(tiff_page(DEPTH)))


def test_real_disparity(data_path):
    """Middlebury's cones: quarter-pixel disparities up to 55, the strips stored plainly."""
    path = data_path("tool_outputs/cones_left_gt.tif")
    data = pc.read_depth(path).data
    assert (data.shape, data.dtype) == ((375, 450), np.float32)
    first = np.frombuffer(path.read_bytes(), "<f4", 4 * 450, 898).reshape(4, 450)
    np.testing.assert_array_equal(data[:4], first)
    assert data.max() == 55
    np.testing.assert_array_equal(data * 4, np.round(data * 4))
