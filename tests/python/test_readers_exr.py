from __future__ import annotations

import struct
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc

A = np.array([[1.5, np.inf, 0], [np.nan, -2, 7]], np.float32)
B = A + 1
COMPRESSIONS = ["NO", "RLE", "ZIPS", "ZIP", "PIZ"]
LOSSLESS_FOR_HALF = [*COMPRESSIONS, "PXR24"]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("exr") / "a.exr"


def write(path: Path, compression: str = "ZIP", **channels: np.ndarray) -> bytes:
    header = {"compression": getattr(OpenEXR, f"{compression}_COMPRESSION"), "type": OpenEXR.scanlineimage}
    named = {name.replace("__", "."): np.ascontiguousarray(values) for name, values in channels.items()}
    OpenEXR.File(header, named).write(str(path))
    return path.read_bytes()


def attribute(name: bytes, kind: bytes, value: bytes) -> bytes:
    return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value


def uncompressed(
    values: np.ndarray, *, name: bytes = b"Z", version: int = 2, window=None, extra: bytes = b"", sampling=(1, 1)
) -> bytes:
    """Write float32 lines as the format's description says."""
    height, width = values.shape
    channels = name + b"\0" + struct.pack("<iBxxxii", 2, 0, *sampling) + b"\0"
    window = struct.pack("<4i", *(window or (10, 20, 10 + width - 1, 20 + height - 1)))
    content = b"\x76\x2f\x31\x01" + struct.pack("<I", version)
    content += attribute(b"channels", b"chlist", channels) + attribute(b"compression", b"compression", b"\0")
    content += attribute(b"dataWindow", b"box2i", window) + attribute(b"displayWindow", b"box2i", window)
    content += attribute(b"lineOrder", b"lineOrder", b"\0")
    content += attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1))
    content += attribute(b"screenWindowCenter", b"v2f", bytes(8))
    content += attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)) + extra + b"\0"
    start = len(content) + 8 * height
    offsets = b"".join(struct.pack("<Q", start + y * (8 + 4 * width)) for y in range(height))
    lines = b"".join(struct.pack("<iI", 20 + y, 4 * width) + row.tobytes() for y, row in enumerate(values))
    return content + offsets + lines


def test_bytes_are_read_as_documented(scratch):
    scratch.write_bytes(uncompressed(A))
    result = pc.read_depth(scratch)
    np.testing.assert_array_equal(result.data, A, strict=True)
    assert (result.format, result.units, result.mask) == ("exr", None, None)


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.uint32])
def test_types_and_compressions(compression, dtype, scratch):
    values = np.arange(70 * 40).reshape(70, 40).astype(dtype)
    write(scratch, compression, Z=values, R=values + 1)
    np.testing.assert_array_equal(pc.read_depth(scratch).data, values, strict=True)


@pytest.mark.parametrize("compression", ["PXR24", "B44", "B44A", "DWAA", "DWAB"])
def test_lossy_compressions_come_as_they_are_decoded(compression, scratch):
    values = np.linspace(1, 2, 70 * 40).reshape(70, 40).astype(np.float16)
    write(scratch, compression, Z=values)
    np.testing.assert_allclose(pc.read_depth(scratch).data, values, rtol=0.01)


@pytest.mark.parametrize("compression", [*COMPRESSIONS, "PXR24", "B44A", "DWAA", "DWAB"])
def test_constant_map_compresses_far(compression, scratch):
    write(scratch, compression, Z=np.zeros((3000, 2000), np.float32))
    assert not pc.read_depth(scratch).data.any()


def test_tiles(scratch):
    tiles = OpenEXR.TileDescription()
    tiles.xSize, tiles.ySize, tiles.mode = 16, 32, OpenEXR.ONE_LEVEL
    values = np.arange(70 * 41, dtype=np.float32).reshape(70, 41)
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.tiledimage, "tiles": tiles}
    OpenEXR.File(header, {"Z": values}).write(str(scratch))
    np.testing.assert_array_equal(pc.read_depth(scratch).data, values)
    content = scratch.read_bytes()
    for length in range(0, len(content), 7):
        scratch.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"a\.exr: "):
            pc.read_depth(scratch)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["Y"], "Y"),
        (["anything.at_all"], "anything.at_all"),
        (["R", "G", "B", "Z"], "Z"),
        (["R", "left.Z", "Z"], "Z"),
        (["R", "G", "B", "left.Z"], "left.Z"),
        (["R", "G", "B", "view.Depth"], "view.Depth"),
        (["R", "G", "B", "disparity"], "disparity"),
        (["Depth.Z", "Normal.X", "Normal.Y", "Normal.Z"], "Depth.Z"),
    ],
)
def test_channel_that_is_not_named(names, chosen, scratch):
    write(scratch, **{name.replace(".", "__"): A if name == chosen else B for name in names})
    np.testing.assert_array_equal(pc.read_depth(scratch).data, A)


@pytest.mark.parametrize(
    "names",
    [["A", "B"], ["R", "G", "B"], ["left.Z", "right.Z"], ["depth", "disparity"], ["X", "Y", "Z"], ["n.x", "n.z"]],
)
def test_channel_that_is_not_clear(names, scratch):
    write(scratch, **{name.replace(".", "__"): A for name in names})
    listing = ", ".join(repr(name) for name in sorted(names))
    with pytest.raises(ValueError, match=rf"a\.exr: which channel .* is not clear, say name= one of {listing}"):
        pc.read_depth(scratch)


def test_named_channel(scratch):
    write(scratch, R=A, left__Z=B, Z=A * 2)
    np.testing.assert_array_equal(pc.read_depth(scratch, "left.Z").data, B)
    np.testing.assert_array_equal(pc.read_depth(scratch, name="R").data, A)
    with pytest.raises(ValueError, match=r"no channel named 'left', it has 'R', 'Z', 'left\.Z'"):
        pc.read_depth(scratch, "left")


def test_flow(scratch):
    write(scratch, forward__u=A, forward__v=B, backward__u=B, backward__v=A, Z=A)
    result = pc.read_flow(scratch, "forward")
    np.testing.assert_array_equal(result.data, np.stack([A, B], -1), strict=True)
    assert (result.format, result.units, result.mask) == ("exr", None, None)
    np.testing.assert_array_equal(pc.read_flow(scratch, "backward").data, np.stack([B, A], -1))
    with pytest.raises(ValueError, match="2 pairs of channels u and v, say name= one of 'backward', 'forward'"):
        pc.read_flow(scratch)
    with pytest.raises(ValueError, match=r"no channels 'Z\.u' and 'Z\.v'"):
        pc.read_flow(scratch, "Z")


def test_flow_without_a_name(scratch):
    write(scratch, u=A, v=B, Z=A)
    np.testing.assert_array_equal(pc.read_flow(scratch).data, np.stack([A, B], -1))
    write(scratch, motion__U=A, motion__V=B, other__x=A, other__y=A)
    np.testing.assert_array_equal(pc.read_flow(scratch).data, np.stack([A, B], -1))


def test_flow_of_x_and_y_is_named(scratch):
    write(scratch, motion__x=A, motion__y=B, normal__X=A, normal__Y=A, normal__Z=A)
    np.testing.assert_array_equal(pc.read_flow(scratch, "motion").data, np.stack([A, B], -1))
    with pytest.raises(ValueError, match="no pairs of channels u and v, say name= one of 'motion'"):
        pc.read_flow(scratch)
    with pytest.raises(ValueError, match=r"no channels 'normal\.u'"):
        pc.read_flow(scratch, "normal")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"\x76\x2f\x31\x01", "header is truncated"),
        (uncompressed(A, version=3), "of version 2 are supported, this one has 3"),
        (uncompressed(A, version=2 | 0x1000), "with several parts are not supported"),
        (uncompressed(A, version=2 | 0x800), "with deep pixels are not supported"),
        (uncompressed(A, version=2 | 0x200), "no whole 'tiles'"),
        (
            uncompressed(A, version=2 | 0x200, extra=attribute(b"tiles", b"t", struct.pack("<IIB", 9, 9, 1))),
            "several res",
        ),
        (
            uncompressed(A, version=2 | 0x200, extra=attribute(b"tiles", b"t", struct.pack("<IIB", 0, 9, 0))),
            "tiles are 0×9",
        ),
        (uncompressed(A, window=(5, 5, 4, 5)), "must be positive, this one is 0×1"),
        (uncompressed(A, window=(-(2**31), 0, 2**31 - 1, 1)), "claims 4294967296×2 pixels"),
        (uncompressed(A, window=(0, -(2**31), 1, 2**31 - 1)), "table of 4294967296 chunks is not whole"),
        (uncompressed(A, name=b""), "has no channel"),
        (uncompressed(A, name=b"\xff"), "header is truncated or damaged"),
        (uncompressed(A, sampling=(0, 1)), "header is damaged"),
        (uncompressed(A, sampling=(2, 2)), "is subsampled"),
        (
            uncompressed(A).replace(b"compression\0\1\0\0\0\0", b"compression\0\1\0\0\0\x0a"),
            "compression 10 is not supp",
        ),
        (uncompressed(A).replace(struct.pack("<iI", 21, 12), struct.pack("<iI", 21, 13)), "is truncated: the chunk at"),
        (uncompressed(A).replace(struct.pack("<iI", 21, 12), struct.pack("<iI", 99, 12)), "cannot be decoded"),
    ],
)
def test_damage(content, found, scratch):
    scratch.write_bytes(content)
    with pytest.raises(ValueError, match=rf"a\.exr: .*{found}"):
        pc.read_depth(scratch)


def test_incomplete_file(scratch):
    """A program that renders and is stopped leaves zeros in the table."""
    content = uncompressed(A)
    table = len(content) - 2 * 20 - 8
    scratch.write_bytes(content[:table] + bytes(8) + content[table + 8 :])
    with pytest.raises(ValueError, match="truncated or incomplete: a chunk is said to start at byte 0"):
        pc.read_depth(scratch)


def test_claimed_size_is_not_allocated(scratch):
    scratch.write_bytes(uncompressed(A, window=(0, 20, 2**31 - 2, 21)))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="claims 2147483647×2 pixels, which 24 bytes cannot hold"):
            pc.read_depth(scratch)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("compression", [*LOSSLESS_FOR_HALF, "B44", "DWAA"])
def test_truncated(compression, scratch, capfd):
    """What is cut off is found before the library sees it, which would write to the terminal."""
    noise = np.random.default_rng(0).random((35, 3))
    content = write(scratch, compression, Z=noise.astype(np.float32), u=noise.astype(np.float16))
    for length in range(0, len(content), 5):
        scratch.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"a\.exr: "):
            pc.read_depth(scratch)
    assert capfd.readouterr() == ("", "")


def test_truncated_at_every_byte(scratch, capfd):
    content = uncompressed(A)
    for length in range(len(content)):
        scratch.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"a\.exr: "):
            pc.read_depth(scratch)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_every_flipped_byte_is_an_error_or_another_map(compression, scratch):
    content = write(scratch, compression, Z=A, u=A.astype(np.float16))
    for position in range(len(content)):
        damaged = bytearray(content)
        damaged[position] ^= 0xFF
        scratch.write_bytes(damaged)
        try:
            result = pc.read_depth(scratch)
        except ValueError as error:
            assert "a.exr: " in str(error)  # noqa: PT017
        else:
            assert result.data.ndim == 2


@given(
    array=hnp.arrays(st.sampled_from(["f2", "f4", "u4"]), st.tuples(st.integers(1, 40), st.integers(1, 9))),
    compression=st.sampled_from(COMPRESSIONS),
)
def test_round_trip(array, compression, scratch):
    write(scratch, compression, depth=array)
    assert pc.read_depth(scratch).data.tobytes() == array.tobytes()


def test_without_the_library(scratch, monkeypatch):
    scratch.write_bytes(uncompressed(A))
    monkeypatch.setitem(sys.modules, "OpenEXR", None)
    with pytest.raises(ImportError, match=r'reading OpenEXR files needs OpenEXR: pip install "percepts\[readers\]"'):
        pc.read_depth(scratch)


def test_real_file(data_path):
    path = data_path("tool_outputs/beachball_singlepart_0001.exr")
    channels = OpenEXR.File(str(path), separate_channels=True).channels()
    np.testing.assert_array_equal(pc.read_depth(path).data, channels["Z"].pixels, strict=True)
    for name in ("left.Z", "disparityL.x"):
        np.testing.assert_array_equal(pc.read_depth(path, name).data, channels[name].pixels, strict=True)
    flow = pc.read_flow(path, "forward.left")
    assert flow.data.shape == (876, 911, 2)
    assert flow.data.dtype == np.float16
    np.testing.assert_array_equal(flow.data[..., 0], channels["forward.left.u"].pixels)
    np.testing.assert_array_equal(flow.data[..., 1], channels["forward.left.v"].pixels)
    with pytest.raises(ValueError, match=r"2 pairs .*'forward\.left', 'forward\.right'"):
        pc.read_flow(path)
    with pytest.raises(ValueError, match=r"'disparityR\.y', 'forward\.left\.u'"):
        pc.read_depth(path, "depth")
