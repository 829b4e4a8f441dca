"""What holds for every format: paths, errors, and formats found by content."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import percepts as pc

READERS = [pc.read_depth, pc.read_flow]


def small_npy(path: Path) -> Path:
    with path.open("wb") as file:
        np.save(file, np.arange(12, dtype=np.float32).reshape(2, 3, 2))
    return path


class BytesPath:
    def __fspath__(self) -> bytes:
        return b"depth.npy"


@pytest.mark.parametrize("read", READERS)
def test_missing_file(read, tmp_path):
    with pytest.raises(FileNotFoundError, match="gone"):
        read(tmp_path / "gone.npy")


@pytest.mark.parametrize("read", READERS)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows says PermissionError")
def test_directory(read, tmp_path):
    with pytest.raises(IsADirectoryError):
        read(tmp_path)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("path", [3, None, 1.5, b"depth.npy", ["a.npy"], BytesPath(), np.zeros((2, 2))])
def test_path_of_another_type(read, path):
    with pytest.raises(TypeError, match=r"^path must be a str or an os\.PathLike of str, it is "):
        read(path)


@pytest.mark.parametrize("read", READERS)
def test_path_with_a_null_character(read):
    with pytest.raises(ValueError, match=r"^path must have no null character, got 'a\\x00\.npy'$"):
        read("a\0.npy")


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("name", [0, b"Z", ["Z"]])
def test_name_of_another_type(read, name, tmp_path):
    with pytest.raises(TypeError, match=f"name must be a str or None, it is {type(name).__name__}"):
        read(small_npy(tmp_path / "flow.npy"), name)


def test_path_as_string_and_as_pathlike(tmp_path):
    path = small_npy(tmp_path / "flow.npy")
    assert pc.read_flow(path).path == pc.read_flow(str(path)).path == str(path)


@pytest.mark.parametrize("read", READERS)
def test_format_is_found_by_content_not_by_name(read, tmp_path, encode_png):
    path = tmp_path / "field.png"
    with path.open("wb") as file:
        np.save(file, np.ones((3, 2) if read is pc.read_depth else (3, 2, 2), np.float32))
    assert read(path).format == "npy"


def test_jpeg_named_png(tmp_path):
    path = tmp_path / "depth.png"
    path.write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF")
    with pytest.raises(ValueError, match=r"depth\.png: this is a JPEG image; read_depth reads"):
        pc.read_depth(path)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"", "the file is empty"),
        (b"\x89PN", "truncated: it is 3 bytes long"),
        (b"PIE", "truncated: it is 3 bytes long"),
        (b"\x93NUMP", "truncated: it is 5 bytes long"),
        (b"\xff\xd8\xff\xe1", "JPEG"),
        (b"II*", "truncated: it is 3 bytes long"),
        (b"\x76\x2f\x31", "truncated: it is 3 bytes long"),
        (b"P", "truncated: it is 1 bytes long"),
        (b"PK\x03", "truncated: it is 3 bytes long"),
        (b"P6\n640 480\n255\n", "a PPM image, whose pixels are colours"),
        (b"P3\n640 480\n255\n", "a PPM image, whose pixels are colours"),
        (b"P4\n640 480\n", "a PBM bitmap"),
        (b"PK\x05\x06", "empty zip"),
        (b"HEIP\0\0\0\1", "big-endian"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"\x80\x04\x95", "pickle"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (b"<!DOCTYPE html>", "HTML"),
        (b"PIEJ\1\0\0\0\1\0\0\0", r"not known: the first bytes are b'PIEJ"),
        (b"\0" * 100, "not known"),
    ],
)
def test_other_content_is_named(read, head, found, tmp_path):
    path = tmp_path / "field.dat"
    path.write_bytes(head)
    with pytest.raises(ValueError, match=rf"field\.dat: .*{found}.*{read.__name__} reads \.npy"):
        read(path)


def test_real_photograph(data_path):
    with pytest.raises(ValueError, match="JPEG"):
        pc.read_depth(data_path("tool_outputs/sevenscenes_000000.color.jpg"))


def test_flow_file_given_as_depth(tmp_path):
    path = tmp_path / "a.flo"
    path.write_bytes(b"PIEH\1\0\0\0\1\0\0\0" + bytes(8))
    with pytest.raises(ValueError, match=r"a\.flo: this is a \.flo file; read_depth reads \.npy, \.npz"):
        pc.read_depth(path)


def test_name_is_refused_where_a_file_holds_one_field(tmp_path):
    path = small_npy(tmp_path / "flow.npy")
    with pytest.raises(ValueError, match=r"flow\.npy: a \.npy file holds one field and takes no name, 'depth'"):
        pc.read_flow(path, name="depth")
    with pytest.raises(ValueError, match="takes no name, ''"):
        pc.read_flow(path, "")
    assert pc.read_flow(path, name=None).data.shape == (2, 3, 2)


def test_result_is_frozen_and_its_repr_short(tmp_path):
    path = tmp_path / "a.flo"
    path.write_bytes(b"PIEH\2\0\0\0\1\0\0\0" + np.array([1, 2, 2e9, 0], "<f4").tobytes())
    result = pc.read_flow(path)
    assert repr(result) == f"FieldFile({str(path)!r}, flo, float32 1×2×2, pixels, 1 of 2 pixels valid)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.units = "metres"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipe_is_read_once(tmp_path):
    content = small_npy(tmp_path / "flow.npy").read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    assert pc.read_flow(pipe).data.tolist() == np.arange(12).reshape(2, 3, 2).tolist()
    writer.join()
