from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc

DEPTH = np.array([[1.5, np.inf, 0], [np.nan, -0.0, 7]], np.float32)
FLOW = np.arange(12, dtype=np.float32).reshape(2, 3, 2)


def encode(*arrays: np.ndarray, packed: bool = False, **named: np.ndarray) -> bytes:
    stream = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(stream, *arrays, **named)
    return stream.getvalue()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("npz") / "a.npz"


def read_depth(path: Path, content: bytes, name: str | None = None) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_depth(path, name)


@pytest.mark.parametrize("packed", [False, True])
def test_only_array(packed, scratch):
    result = read_depth(scratch, encode(DEPTH, packed=packed))
    np.testing.assert_array_equal(result.data, DEPTH, strict=True)
    assert (result.format, result.units, result.mask) == ("npz", None, None)
    assert read_depth(scratch, encode(DEPTH), "arr_0").data.shape == (2, 3)


def test_named_array(scratch):
    content = encode(depth=DEPTH, flow=FLOW, near=DEPTH[:1])
    np.testing.assert_array_equal(read_depth(scratch, content, "depth").data, DEPTH)
    np.testing.assert_array_equal(read_depth(scratch, content, "near.npy").data, DEPTH[:1])
    np.testing.assert_array_equal(pc.read_flow(scratch, name="flow").data, FLOW)


def test_several_arrays_and_no_name(scratch):
    with pytest.raises(ValueError, match=r"a\.npz: .* several arrays, say name= one of 'depth', 'K'$"):
        read_depth(scratch, encode(depth=DEPTH, K=np.eye(3)))


def test_name_that_is_not_there(scratch):
    with pytest.raises(ValueError, match="no array named 'Depth', it holds 'depth'"):
        read_depth(scratch, encode(depth=DEPTH), "Depth")


def test_name_that_is_there_twice(scratch):
    content = io.BytesIO(encode(depth=DEPTH))
    with zipfile.ZipFile(content, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("depth.npy", b"")
    with pytest.raises(ValueError, match="several arrays named 'depth'"):
        read_depth(scratch, content.getvalue(), "depth")


def test_shape_and_order(scratch):
    stored = np.asfortranarray(DEPTH[None].astype(">f4"))
    np.testing.assert_array_equal(read_depth(scratch, encode(stored)).data, DEPTH, strict=True)
    np.testing.assert_array_equal(read_depth(scratch, encode(DEPTH[..., None])).data, DEPTH)
    with pytest.raises(ValueError, match=r"a depth map has the shape H×W.* has \(2, 3, 2\)"):
        read_depth(scratch, encode(FLOW))


def test_objects_are_never_unpickled(scratch):
    with pytest.raises(ValueError, match="never unpickled"):
        read_depth(scratch, encode(np.array([[{}]], object)))


def test_only_the_chosen_array_is_looked_at(scratch):
    content = encode(depth=DEPTH, info=np.array({"a": 1}, object))
    assert read_depth(scratch, content, "depth").data.shape == (2, 3)


def test_archive_of_other_things(scratch):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("depth.png", b"x")
    with pytest.raises(ValueError, match=r"holds no \.npy array, but 'depth\.png'"):
        read_depth(scratch, stream.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compression_that_numpy_does_not_write(method, scratch):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a.npy", bytes(100))
    with pytest.raises(ValueError, match="is stored or deflated"):
        read_depth(scratch, stream.getvalue())


def test_claimed_size_is_not_allocated(scratch):
    content = bytearray(encode(DEPTH, packed=True))
    directory = content.rindex(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = (2**32 - 2).to_bytes(4, "little")
    scratch.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="claims 4294967294 bytes"):
            pc.read_depth(scratch)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@given(array=hnp.arrays(hnp.floating_dtypes() | hnp.integer_dtypes(), st.tuples(st.integers(1, 6), st.integers(1, 6))))
def test_round_trip(array, scratch):
    if array.dtype.itemsize <= 8:
        np.testing.assert_array_equal(read_depth(scratch, encode(array, packed=True)).data, array)


@pytest.mark.parametrize("packed", [False, True])
def test_truncated_at_every_byte(packed, scratch):
    content = encode(DEPTH, packed=packed)
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.npz: "):
            read_depth(scratch, content[:length])


@pytest.mark.parametrize("packed", [False, True])
def test_every_flipped_byte_is_found_or_harmless(packed, scratch):
    content = encode(DEPTH, packed=packed)
    for position in range(len(content)):
        damaged = bytearray(content)
        damaged[position] ^= 0xFF
        try:
            result = read_depth(scratch, bytes(damaged))
        except ValueError as error:
            assert "a.npz: " in str(error)  # noqa: PT017
        else:
            np.testing.assert_array_equal(result.data, DEPTH)


def test_real_disparity(data_path):
    """Middlebury's motorcycle: 7.35 % of the pixels are +Inf."""
    path = data_path("tool_outputs/motorcycle_disp.npz")
    result = pc.read_depth(path)
    with np.load(path) as archive:
        np.testing.assert_array_equal(result.data, archive["arr_0"], strict=True)
    assert np.isposinf(result.data).mean() == pytest.approx(0.0735, abs=5e-5)
