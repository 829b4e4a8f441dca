from __future__ import annotations

import io
import struct
import sys
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import percepts as pc

DTYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
DTYPES += [np.float16, np.float32, np.float64]


def encode_npy(array: np.ndarray, version: tuple[int, int] | None = None) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, version)
    return stream.getvalue()


def with_header(header: str, values: bytes = b"", version: int = 1) -> bytes:
    text = header.encode("latin1")
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + values


def header_of(descr: str = "'<f4'", order: str = "False", shape: str = "(2, 3)") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("npy") / "a.npy"


def read_depth(path: Path, content: bytes) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_depth(path)


def read_flow(path: Path, content: bytes) -> pc.readers.FieldFile:
    path.write_bytes(content)
    return pc.read_flow(path)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("byte_order", "<>")
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
def test_values_dtype_and_order(dtype, byte_order, order, version, scratch):
    values = np.array([[0, 1, 2], [3, 100, 7]]).astype(dtype)
    stored = np.asarray(values.astype(np.dtype(dtype).newbyteorder(byte_order)), order=order)
    result = read_depth(scratch, encode_npy(stored, version))
    assert result.data.dtype == dtype
    assert result.data.dtype.isnative
    assert result.data.flags.aligned
    np.testing.assert_array_equal(result.data, values)
    assert (result.format, result.units, result.mask) == ("npy", None, None)


def test_holes_are_kept_as_stored(scratch):
    values = np.array([[np.nan, 1.2], [np.inf, -0.0]], ">f4")
    np.testing.assert_array_equal(read_depth(scratch, encode_npy(values)).data, values)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ((3, 4), (3, 4)),
        ((1, 3, 4), (3, 4)),
        ((3, 4, 1), (3, 4)),
        ((1, 1, 3, 4), (3, 4)),
        ((1, 3, 4, 1), (3, 4)),
        ((1, 4), (1, 4)),
        ((4, 1), (4, 1)),
        ((1, 1), (1, 1)),
        ((1, 1, 4), (1, 4)),
        ((1, 4, 1), (4, 1)),
        ((4, 1, 1), (4, 1)),
        ((1,) * 40 + (3, 4), (3, 4)),
    ],
)
@pytest.mark.parametrize("order", [False, True])
def test_depth_shapes(stored, expected, order, scratch):
    values = np.arange(np.prod(stored), dtype="<f4").reshape(expected)
    content = with_header(header_of(order=str(order), shape=str(stored)), values.tobytes("F" if order else "C"))
    np.testing.assert_array_equal(read_depth(scratch, content).data, values, strict=True)


@pytest.mark.parametrize(
    "shape", [(), (4,), (1,), (2, 3, 4), (3, 4, 2), (3, 4, 3), (4, 1, 4), (2, 1, 3, 4), (1, 2, 3, 4)]
)
def test_depth_of_another_shape(shape, scratch):
    with pytest.raises(ValueError, match="a depth map has the shape H×W"):
        read_depth(scratch, encode_npy(np.zeros(shape, np.float32)))


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (1, 0, 4), (0, 0)])
def test_depth_without_a_pixel(shape, scratch):
    with pytest.raises(ValueError, match="no pixel"):
        read_depth(scratch, encode_npy(np.zeros(shape, np.float32)))


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ((3, 4, 2), (3, 4, 2)),
        ((2, 3, 4), (2, 3, 4)),
        ((1, 3, 4, 2), (3, 4, 2)),
        ((1, 2, 3, 4), (2, 3, 4)),
        ((1, 4, 2), (1, 4, 2)),
        ((1, 1, 4, 2), (1, 4, 2)),
        ((2, 4, 1), (2, 4, 1)),
        ((2, 4, 2), (2, 4, 2)),
    ],
)
def test_flow_shapes(stored, expected, scratch):
    values = np.arange(np.prod(stored), dtype=np.float32).reshape(stored)
    result = read_flow(scratch, encode_npy(values))
    np.testing.assert_array_equal(result.data, values.reshape(expected), strict=True)
    assert (result.format, result.units, result.mask) == ("npy", None, None)


@pytest.mark.parametrize("shape", [(3, 4), (2,), (3, 4, 3), (3, 2, 4), (5, 3, 4, 2), (2, 1, 3, 4, 2)])
def test_flow_of_another_shape(shape, scratch):
    with pytest.raises(ValueError, match="flow has the shape H×W×2 or 2×H×W"):
        read_flow(scratch, encode_npy(np.zeros(shape, np.float32)))


class Bomb:
    def __reduce__(self):
        return (pytest.exit, ("an object array was unpickled",))


def test_objects_are_never_unpickled(scratch):
    stream = io.BytesIO()
    np.save(stream, np.array([[Bomb()]], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a\.npy: .*Python objects, which are never unpickled"):
        read_depth(scratch, stream.getvalue())


@pytest.mark.parametrize(
    ("dtype", "found"),
    [
        ("c8", "complex64"),
        ("S3", "S3"),
        ("U3", "U3"),
        ("M8[s]", r"datetime64\[s\]"),
        ("m8[s]", r"timedelta64\[s\]"),
        ("V2", "V2"),
        ("g", "float128"),
        ("f4,f4", "f0.*<f4"),
    ],
)
def test_dtypes_that_are_no_real_numbers(dtype, found, scratch):
    if dtype == "g" and np.dtype("g").itemsize != 16:
        pytest.skip("long double has another size here")
    with pytest.raises(ValueError, match=f"this one has the dtype .*{found}"):
        read_depth(scratch, encode_npy(np.zeros((2, 3), dtype)))


def test_structured_dtypes_with_objects_are_never_unpickled(scratch):
    content = with_header(header_of(descr="[('a', '<f4'), ('b', '|O')]"), bytes(200))
    with pytest.raises(ValueError, match="never unpickled"):
        read_depth(scratch, content)


def test_bool_bytes_other_than_0_and_1_are_true(scratch):
    content = with_header(header_of(descr="'|b1'", shape="(1, 3)"), b"\0\1\2")
    assert read_depth(scratch, content).data.view(np.uint8).tolist() == [[0, 1, 1]]


@pytest.mark.parametrize(
    "header",
    [
        '{"shape": (2, 3), "fortran_order": False, "descr": "<f4"}',
        "{'descr': u'<f4', 'fortran_order': False, 'shape': (2L, 3L)}  \n",
        "{'descr':'<f4','fortran_order':False,'shape':(2,3,),}",
        "{'descr': 'float32', 'fortran_order': False, 'shape': (2, 3)}",
    ],
)
def test_headers_of_other_writers(header, scratch):
    values = np.arange(6, dtype="<f4")
    result = read_depth(scratch, with_header(header, values.tobytes()))
    np.testing.assert_array_equal(result.data, values.reshape(2, 3), strict=True)
    assert result.data.flags.aligned


HOSTILE_HEADERS = {
    "empty": "",
    "no dict": "'<f4'",
    "no literal": "__import__('os').abort()",
    "call inside": header_of(descr="exit()"),
    "deep nesting": header_of(shape="(" * 4000 + ")" * 4000),
    "deep lists": header_of(descr="[" * 4000),
    "deep signs": header_of(shape="(" + "-" * 9000 + "1, 1)"),
    "missing key": "{'descr': '<f4', 'shape': (2, 3)}",
    "unknown key": header_of()[:-3] + "'x': 'y'}",
    "keys of two types": "{'descr': '<f4', 1: False, 'shape': (2, 3)}",
    "list as key": "{[]: 1}",
    "swapped values": "{'descr': True, 'fortran_order': False, 'shape': (2, 3)}",
    "negative": header_of(shape="(-2, -3, 2)"),
    "bool extent": header_of(shape="(True, 3)"),
    "float extent": header_of(shape="(2.0, 3)"),
    "huge": header_of(shape=f"({10**17}, {10**17})"),
    "long number": header_of(shape=f"({'9' * 4200}, {'9' * 4200})"),
    "too long number": header_of(shape=f"({'9' * 5000}, 1)"),
    "long hexadecimal": header_of(shape=f"(2, 0x{'f' * 9000})"),
    "wraps to 24": header_of(shape=f"({2**32 + 1}, {2**32 + 6})"),
    "many dimensions": header_of(shape="(" + "2, " * 3000 + ")"),
    "invalid escape": header_of(descr=r"'\d'"),
    "unknown dtype": header_of(descr="'a5'"),
    "short tuple as dtype": header_of(descr="('<f4',)"),
    "huge subarray": header_of(descr="('<f4', (1000000, 500))"),
    "many fields": header_of(descr="'" + "f4," * 3000 + "f4'"),
    "NUL": header_of(descr="'<f4\0'"),
    "not ASCII": header_of(descr="'<f4é'"),
    "unclosed": header_of()[:-3],
    "unclosed string": '"""' + header_of(),
    "indented": "  1\n 2\n" + header_of(),
    "only spaces": " " * 9000,
    "too long": header_of() + " " * 10_000,
}


@pytest.mark.parametrize("name", HOSTILE_HEADERS)
@pytest.mark.parametrize("version", [1, 2])
def test_hostile_headers(name, version, scratch, recwarn):
    scratch.write_bytes(with_header(HOSTILE_HEADERS[name], bytes(24), version))
    tracemalloc.start()
    try:
        for read in (pc.read_depth, pc.read_flow):
            with pytest.raises(ValueError, match=r"a\.npy: ") as caught:
                read(scratch)
            assert len(str(caught.value)) < len(str(scratch)) + 300
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert not recwarn.list


@pytest.mark.parametrize("version", [(0, 0), (1, 1), (3, 0), (255, 255)])
def test_unknown_version(version, scratch):
    content = bytearray(with_header(header_of(), bytes(24)))
    content[6:8] = version
    with pytest.raises(ValueError, match=rf"1\.0 and 2\.0 are supported, this is {version[0]}\.{version[1]}"):
        read_depth(scratch, bytes(content))


def test_header_that_claims_the_whole_of_a_large_file(scratch):
    scratch.write_bytes(b"\x93NUMPY\2\0" + struct.pack("<I", 20_000_000) + bytes(20_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"a\.npy: the \.npy header is truncated, damaged or too long"):
            pc.read_depth(scratch)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [6, 7])
def test_nothing_but_the_signature(size, scratch):
    with pytest.raises(ValueError, match=rf"a\.npy: the \.npy header is truncated: the file is {size} bytes long"):
        read_depth(scratch, b"\x93NUMPY\1"[:size])


def test_values_missing(scratch):
    content = encode_npy(np.zeros((2, 3), np.float32))[:-1]
    with pytest.raises(ValueError, match=r"its 151 bytes cannot hold float32 of shape \(2, 3\)"):
        read_depth(scratch, content)


def test_trailing_bytes_are_ignored(scratch):
    values = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(read_depth(scratch, encode_npy(values) + b"x").data, values)


def test_threads_leave_the_warning_filters_alone(scratch):
    scratch.write_bytes(encode_npy(np.ones((2, 3), np.float32)))
    filters = list(warnings.filters)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(pc.read_depth, [scratch] * 2000))
    finally:
        sys.setswitchinterval(interval)
    assert warnings.filters == filters


def test_truncated_at_every_byte(scratch):
    content = encode_npy(np.ones((2, 3, 2), np.float32))
    for length in range(len(content)):
        with pytest.raises(ValueError, match=r"a\.npy: "):
            read_flow(scratch, content[:length])


@given(
    values=st.sampled_from(DTYPES).flatmap(
        lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=2, max_dims=2, max_side=7))
    ),
    order=st.sampled_from("CF"),
)
def test_round_trip(values, order, scratch):
    result = read_depth(scratch, encode_npy(np.asarray(values, order=order)))
    np.testing.assert_array_equal(result.data, values, strict=True)


@given(content=st.binary(max_size=200))
def test_any_bytes_behind_the_magic_are_a_value_error_or_an_array(content, scratch):
    try:
        result = read_depth(scratch, b"\x93NUMPY\1\0" + content)
    except ValueError:
        return
    assert result.data.ndim == 2


@given(position=st.integers(0, 127), byte=st.integers(0, 255))
def test_damaged_header_is_read_as_numpy_does_or_refused(position, byte, scratch):
    content = bytearray(encode_npy(np.arange(6, dtype=np.float32).reshape(2, 3)))
    content[position] = byte
    try:
        result = read_depth(scratch, bytes(content))
    except ValueError:
        return
    with warnings.catch_warnings(action="ignore"):
        expected = np.load(io.BytesIO(content))
    np.testing.assert_array_equal(result.data, expected.reshape(result.data.shape))
