"""Texts below a directory: their names, what they replace, and what stays when something fails."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from command_line import RAMP, TEXT, call, files_below, save
from percepts.cli import files


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "out"


def test_names_mirror_the_directory(capsys, tmp_path, out):
    save(tmp_path / "a/room.npy")
    save(tmp_path / "a/b/room.npy", 1 - RAMP)
    assert call(capsys, "depth", tmp_path / "a", "--grid", 2, "--out", out / "deep/er") == (0, "", [])
    assert files_below(out) == ["deep/er/b/room.npy.txt", "deep/er/room.npy.txt"]
    assert (out / "deep/er/room.npy.txt").read_bytes() == TEXT.encode()
    assert (out / "deep/er/b/room.npy.txt").read_text() == f"{pc.depth(1 - RAMP, grid=2)}\n"


def test_a_file_by_itself_keeps_its_last_name(capsys, tmp_path, out):
    path = save(tmp_path / "a/b/room.npy")
    assert call(capsys, "depth", path, "--grid", 2, "--out", out) == (0, "", [])
    assert files_below(out) == ["room.npy.txt"]


def test_flow_too(capsys, tmp_path, out):
    path = save(tmp_path / "flow.npy", np.ones((4, 4, 2)))
    assert call(capsys, "flow", path, "--grid", 1, "--note", "→", "--out", out) == (0, "", [])
    expected = pc.flow(np.ones((4, 4, 2)), grid=1, note="→")
    assert (out / "flow.npy.txt").read_bytes() == f"{expected}\n".encode()


def test_texts_are_text_whatever_the_platform(capsys, tmp_path, out):
    call(capsys, "depth", save(tmp_path / "a.npy"), "--grid", 2, "--out", out)
    assert b"\r" not in (out / "a.npy.txt").read_bytes()


def test_existing_files_are_replaced_and_others_left(capsys, tmp_path, out):
    out.mkdir()
    (out / "a.npy.txt").write_text("old" * 1000)
    (out / "other.txt").write_text("mine")
    assert call(capsys, "depth", save(tmp_path / "a.npy"), "--grid", 2, "--out", out)[0] == 0
    assert (out / "a.npy.txt").read_text() == TEXT
    assert files_below(out) == ["a.npy.txt", "other.txt"]


def test_a_file_that_fails_leaves_the_older_text(capsys, tmp_path, out):
    out.mkdir()
    (out / "a.npy.txt").write_text("old")
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY")
    good = save(tmp_path / "b.npy")
    status, _, err = call(capsys, "depth", tmp_path / "a.npy", good, "--grid", 2, "--out", out)
    assert (status, len(err)) == (1, 1)
    assert (out / "a.npy.txt").read_text() == "old"
    assert (out / "b.npy.txt").read_text() == TEXT


def test_two_inputs_never_share_a_file(capsys, tmp_path, out):
    first, second = save(tmp_path / "1/depth.npy"), save(tmp_path / "2/depth.npy", 1 - RAMP)
    status, _, err = call(capsys, "depth", first, second, "--grid", 2, "--out", out)
    assert status == 1
    written = f"{out}/depth.npy.txt was already written for {first}"
    assert err == [f"percepts: {second}: {written}; give the directory above both instead"]
    assert (out / "depth.npy.txt").read_text() == TEXT
    assert call(capsys, "depth", tmp_path / "*/depth.npy", "--grid", 2, "--out", tmp_path / "mirrored")[0] == 0
    assert files_below(tmp_path / "mirrored") == ["1/depth.npy.txt", "2/depth.npy.txt"]


def test_the_same_file_twice_is_no_conflict(capsys, tmp_path, out):
    path = save(tmp_path / "a.npy")
    assert call(capsys, "depth", path, f"{tmp_path}/./a.npy", tmp_path, "--grid", 2, "--out", out) == (0, "", [])
    assert files_below(out) == ["a.npy.txt"]


def test_a_name_that_is_a_file_and_a_directory_is_told(capsys, tmp_path, out):
    save(tmp_path / "in/b")
    save(tmp_path / "in/b.txt/c.npy")
    status, _, err = call(capsys, "depth", tmp_path / "in", "--grid", 2, "--out", out)
    assert (status, err) == (1, [f"percepts: {tmp_path}/in/b.txt/c.npy: {out}/b.txt: Not a directory"])
    assert files_below(out) == ["b.txt"]


def test_a_directory_in_the_way_is_told(capsys, tmp_path, out):
    (out / "a.npy.txt").mkdir(parents=True)
    path = save(tmp_path / "a.npy")
    status, _, err = call(capsys, "depth", path, "--grid", 2, "--out", out)
    assert (status, err) == (1, [f"percepts: {path}: {out}/a.npy.txt: Is a directory"])
    assert files_below(out) == []


def test_texts_beside_the_maps_time_and_again(capsys, tmp_path):
    save(tmp_path / "a.npy")
    save(tmp_path / "b/c.npy")
    for earlier in (0, 2):
        status, _, err = call(capsys, "depth", tmp_path, "--grid", 2, "--out", tmp_path)
        assert status == 0
        assert [line.split()[1] for line in err] == ["2"] * bool(earlier)
    assert files_below(tmp_path) == ["a.npy", "a.npy.txt", "b/c.npy", "b/c.npy.txt"]


@pytest.mark.parametrize("named", [True, False])
def test_an_input_is_never_replaced(capsys, tmp_path, named):
    save(tmp_path / "a")
    trap = save(tmp_path / "a.txt", 1 - RAMP)
    before = trap.read_bytes()
    arguments = [tmp_path / "a", trap] if named else [tmp_path]
    status, _, err = call(capsys, "depth", *arguments, "--grid", 2, "--out", tmp_path)
    assert (status, err) == (1, [f"percepts: {tmp_path}/a: {tmp_path}/a.txt would replace the input {trap}"])
    assert trap.read_bytes() == before
    assert files_below(tmp_path) == ["a", "a.txt", "a.txt.txt"]


@pytest.mark.parametrize("jsonl", [[], ["--jsonl"]])
def test_a_directory_that_is_a_file(capsys, tmp_path, jsonl):
    path = save(tmp_path / "a.npy")
    before = path.read_bytes()
    for directory, named in ((path, path), (path / "b", path / "b")):
        status, text, err = call(capsys, "depth", path, path, "--grid", 2, "--out", directory, *jsonl)
        assert (status, text, err) == (1, "", [f"percepts: {named}: Not a directory"])
    assert path.read_bytes() == before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a directory where not even root may write")
def test_a_directory_that_cannot_be_written_is_told_once(capsys, tmp_path):
    path = save(tmp_path / "a.npy")
    status, text, err = call(capsys, "depth", path, path, "--grid", 2, "--out", "/proc/self")
    assert (status, text, len(err)) == (1, "", 1)
    assert err[0].startswith("percepts: /proc/self: ")


@pytest.mark.parametrize("arguments", [["depth", "a.npy"], ["demo"]])
def test_an_empty_directory_name_is_wrong_usage(capsys, monkeypatch, tmp_path, arguments):
    monkeypatch.chdir(tmp_path)
    status, _, err = call(capsys, *arguments, "--out=")
    assert (status, err[-1]) == (2, f"percepts {arguments[0]}: error: argument --out: must name a directory, got ''")
    assert files_below(tmp_path) == []


def test_a_name_that_is_too_long(capsys, tmp_path, out):
    path = save(tmp_path / ("x" * 253))
    other = save(tmp_path / "y")
    status, _, err = call(capsys, "depth", path, other, "--grid", 2, "--out", out)
    assert status == 1
    assert err == [f"percepts: {path}: {out}/{path.name}.txt: File name too long"]
    assert files_below(out) == ["y.txt"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device"), RuntimeError])
def test_nothing_is_left_of_a_file_that_was_not_finished(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write_and_fail():
        with files.replacing(str(path)) as file:
            file.write(b"new")
            raise error

    with pytest.raises((KeyboardInterrupt, OSError, RuntimeError)):
        write_and_fail()
    assert files_below(tmp_path) == ["a.txt"]
    assert path.read_text() == "old"


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    with files.replacing(str(path)) as file:
        file.write(b"new")
        assert not path.exists()
        assert [name.split("-")[0] for name in files_below(tmp_path)] == [".percepts"]
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_files_have_the_permissions_that_the_user_s_mask_gives(capsys, tmp_path, out):
    path = save(tmp_path / "a.npy")
    before = os.umask(0o027)
    try:
        call(capsys, "depth", path, "--grid", 2, "--out", out)
    finally:
        os.umask(before)
    assert (out / "a.npy.txt").stat().st_mode & 0o777 == 0o640
