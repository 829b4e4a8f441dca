"""Directories and patterns as FILE: what is found, in which order, and what is passed over."""

from __future__ import annotations

import json
import os
import struct
import sys

import numpy as np
import pytest

from command_line import RAMP, TEXT, call, run, save
from percepts.cli.inputs import Input, Unusable, expand

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="names, links and pipes of POSIX")


def found(*arguments: object) -> list[str]:
    return [item.path for item in expand(map(str, arguments))]


def names(*arguments: object) -> list[str]:
    return [item.name for item in expand(map(str, arguments))]


def test_a_directory_stands_for_all_below_it_in_order(tmp_path):
    for name in ("b/2.npy", "b.npy", "b/10.npy", "a/c/d/1.npy", "B.npy"):
        save(tmp_path / name)
    expected = ["B.npy", "a/c/d/1.npy", "b/10.npy", "b/2.npy", "b.npy"]
    assert found(tmp_path) == [str(tmp_path / name) for name in expected]
    assert names(tmp_path) == expected


def test_every_input_of_a_directory_is_read(capsys, tmp_path):
    save(tmp_path / "a.npy")
    save(tmp_path / "b/c.npy", 1 - RAMP)
    status, out, err = call(capsys, "depth", tmp_path, "--grid", 2, "--jsonl")
    assert (status, err) == (0, [])
    assert [json.loads(line)["file"] for line in out.splitlines()] == [f"{tmp_path}/a.npy", f"{tmp_path}/b/c.npy"]


def test_content_decides_and_what_is_skipped_is_counted(capsys, tmp_path, encode_png):
    save(tmp_path / "depth.without.name")
    (tmp_path / "flow.npy").write_bytes(struct.pack("<4sii2f", b"PIEH", 1, 1, 0, 0))
    (tmp_path / "colour.png").write_bytes(encode_png(1, 1, 8, 2, [b"\1\2\3"]))
    (tmp_path / "notes.npy").write_text("not an array")
    (tmp_path / "empty.npy").touch()
    skipped = "percepts: 4 files were skipped below directories, having no reader for depth"
    assert call(capsys, "depth", tmp_path, "--grid", 2) == (0, TEXT, [skipped])


def test_flow_skips_what_is_depth(capsys, tmp_path, encode_png):
    (tmp_path / "depth.png").write_bytes(encode_png(1, 1, 16, 0, [b"\1\2"]))
    save(tmp_path / "flow.npy", np.ones((2, 2, 2)))
    status, out, err = call(capsys, "flow", tmp_path, "--grid", 1, "--layout", "hwc")
    assert (status, err) == (0, ["percepts: 1 file was skipped below directories, having no reader for flow"])
    assert out.count("r: right\n") == 1


def test_what_has_a_reader_but_is_damaged_is_an_error(capsys, tmp_path, encode_png):
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY")
    (tmp_path / "b.png").write_bytes(encode_png(1, 1, 8, 0, [b"\1"])[:20])
    save(tmp_path / "c.npy")
    status, out, err = call(capsys, "depth", tmp_path, "--grid", 2)
    assert (status, out) == (1, TEXT)
    assert [line.split(":")[1].strip() for line in err] == [f"{tmp_path}/a.npy", f"{tmp_path}/b.png"]


def test_a_file_that_is_named_is_never_skipped(capsys, tmp_path):
    (tmp_path / "notes.txt").write_text("not an array")
    for argument in (tmp_path / "notes.txt", tmp_path / "*.txt"):
        status, _, err = call(capsys, "depth", argument)
        assert status == 1
        assert err[0].startswith(f"percepts: {tmp_path}/notes.txt: the format is not known")


@pytest.mark.parametrize("content", [None, "notes"])
def test_a_directory_without_anything_to_read_is_an_error(capsys, tmp_path, content):
    inner = tmp_path / "nothing"
    inner.mkdir()
    if content:
        (inner / "notes.txt").write_text(content)
    status, out, err = call(capsys, "depth", inner)
    assert (status, out) == (1, "")
    expected = "no file below it has a reader for depth" if content else "the directory holds no files"
    assert err[0] == f"percepts: {inner}: {expected}"


def test_hidden_files_are_left_out(tmp_path):
    for name in (".hidden.npy", ".git/a.npy", "shown.npy"):
        save(tmp_path / name)
    assert names(tmp_path) == ["shown.npy"]
    assert names(tmp_path / "*.npy") == ["shown.npy"]
    assert names(tmp_path / "**/*.npy") == ["shown.npy"]
    assert names(tmp_path / ".*.npy") == [".hidden.npy"]
    assert names(tmp_path / ".git") == ["a.npy"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.npy", ["10.npy", "2.npy"]),
        ("scene*/depth.npy", ["scene1/depth.npy", "scene2/depth.npy"]),
        ("**/depth.npy", ["deep/er/depth.npy", "scene1/depth.npy", "scene2/depth.npy"]),
        ("scene[2]/*", ["scene2/depth.npy"]),
        ("dee?", ["deep/er/depth.npy"]),
        ("deep/*", ["er/depth.npy"]),
        ("**", ["10.npy", "2.npy", "deep/er/depth.npy", "scene1/depth.npy", "scene2/depth.npy"]),
        ("*/../2.npy", ["2.npy"]),
    ],
)
def test_patterns_and_the_names_that_they_give(tmp_path, pattern, expected):
    for name in ("2.npy", "10.npy", "scene2/depth.npy", "scene1/depth.npy", "deep/er/depth.npy"):
        save(tmp_path / name)
    assert names(tmp_path / pattern) == expected
    assert all(isinstance(item, Input) and os.path.exists(item.path) for item in expand([str(tmp_path / pattern)]))


def test_names_of_patterns_stay_inside(tmp_path):
    save(tmp_path / "secret.npy")
    save(tmp_path / "data/a/b.npy")
    assert names(tmp_path / "data/*/../../*.npy") == ["secret.npy"]


def test_relative_patterns(tmp_path, monkeypatch):
    save(tmp_path / "a/b.npy")
    monkeypatch.chdir(tmp_path)
    assert found("*/b.npy", "./*/b.npy", "a/*") == ["a/b.npy", "./a/b.npy", "a/b.npy"]


@pytest.mark.parametrize("pattern", ["*.png", "nowhere/*.npy", "[", "[z-a]*.npy"])
def test_a_pattern_that_matches_nothing(capsys, tmp_path, pattern):
    save(tmp_path / "a.npy")
    if pattern == "[":
        pattern = "a["
    status, out, err = call(capsys, "depth", tmp_path / pattern, tmp_path / "a.npy", "--grid", 2)
    assert (status, out) == (1, TEXT)
    assert err == [f"percepts: {tmp_path / pattern}: the pattern matches nothing"]


@UNIX
def test_a_file_with_wildcards_in_its_name_is_that_file(tmp_path):
    for name in ("a*.npy", "ab.npy", "[x].npy", "x.npy"):
        save(tmp_path / name)
    assert found(tmp_path / "a*.npy", tmp_path / "[x].npy") == [str(tmp_path / "a*.npy"), str(tmp_path / "[x].npy")]


@UNIX
def test_links_in_a_circle_come_to_an_end(tmp_path):
    directories = [tmp_path / f"d{k}" for k in range(12)]
    for directory in directories:
        save(directory / "f.npy")
    for directory in directories:
        for other in (tmp_path, *directories):
            (directory / f"to-{other.name}").symlink_to(other)
        (directory / "itself").symlink_to("itself")
    items = list(expand([str(tmp_path)]))
    assert [item.name for item in items if item.name.endswith(".npy")] == [
        f"{directory.name}/f.npy" for directory in sorted(directories, key=lambda path: path.name)
    ]
    assert set(names(tmp_path / "**/f.npy")) >= {"d0/f.npy"}


@UNIX
def test_a_directory_keeps_its_own_name_where_a_link_leads_to_it_too(tmp_path):
    save(tmp_path / "data/z/a.npy")
    (tmp_path / "data/a-link").symlink_to("z")
    elsewhere = save(tmp_path / "elsewhere/b.npy").parent
    (tmp_path / "data/b-link").symlink_to(elsewhere)
    assert names(tmp_path / "data") == ["b-link/b.npy", "z/a.npy"]


@UNIX
def test_pipes_are_not_opened_and_dangling_links_are_told(capsys, tmp_path):
    save(tmp_path / "a.npy")
    os.mkfifo(tmp_path / "pipe.npy")
    (tmp_path / "gone.npy").symlink_to("nowhere")
    status, out, err = call(capsys, "depth", tmp_path, "--grid", 2)
    assert (status, out) == (1, TEXT)
    assert err == [
        f"percepts: {tmp_path}/gone.npy: No such file or directory",
        "percepts: 1 file was skipped below directories, having no reader for depth",
    ]


def test_a_directory_that_cannot_be_read_does_not_stop_the_others(monkeypatch, tmp_path):
    save(tmp_path / "a.npy")
    save(tmp_path / "locked/b.npy")
    scandir = os.scandir

    def refuse(path):
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    locked, file = expand([str(tmp_path)])
    assert isinstance(locked, Unusable)
    assert (locked.path, str(locked.error)) == (str(tmp_path / "locked"), "[Errno 13] Permission denied")
    assert file == Input(str(tmp_path / "a.npy"), "a.npy", str(tmp_path))


@pytest.fixture
def locked(monkeypatch, tmp_path):
    """A directory that nobody may enter, not even root."""
    save(tmp_path / "a.npy")
    save(tmp_path / "locked/deep/b.npy")
    inside = str(tmp_path / "locked")

    def refusing(function, from_inside):
        def call(path="."):
            where = os.path.normpath(os.path.abspath(os.fspath(path)))
            if where.startswith(inside + os.sep) or (from_inside and where == inside):
                raise PermissionError(13, "Permission denied", os.fspath(path))
            return function(path)

        return call

    monkeypatch.setattr(os, "scandir", refusing(os.scandir, True))
    monkeypatch.setattr(os, "lstat", refusing(os.lstat, False))
    return tmp_path / "locked"


@pytest.mark.parametrize(
    ("pattern", "where", "others"),
    [
        ("**/*.npy", "locked", ["a.npy"]),
        ("**", "locked", ["a.npy"]),
        ("*", "locked", ["a.npy"]),
        ("*/*/*.npy", "locked", []),
        ("locked/*.npy", "locked", []),
        ("locked/deep/*.npy", "locked/deep", []),
        ("*/deep/b.npy", "locked/deep", []),
        ("*/deep/*.npy", "locked/deep", []),
    ],
)
def test_a_pattern_tells_what_it_may_not_look_into(capsys, monkeypatch, tmp_path, locked, pattern, where, others):
    for argument, prefix in ((str(tmp_path / pattern), f"{tmp_path}/"), (pattern, "")):
        monkeypatch.chdir(tmp_path)
        unusable, *files = sorted(expand([argument]), key=lambda item: isinstance(item, Input))
        assert isinstance(unusable, Unusable)
        assert unusable.path == prefix + where
        assert [os.path.normpath(item.path) for item in files] == [prefix + name for name in others]
        status, out, err = call(capsys, "depth", argument, "--grid", 2)
        assert (status, out, err) == (1, TEXT * len(others), [f"percepts: {prefix}{where}: Permission denied"])


def test_a_hidden_directory_is_not_looked_into(tmp_path, locked):
    save(tmp_path / ".git/c.npy")
    locked.rename(tmp_path / ".locked")
    assert names(tmp_path / "**/*.npy") == ["a.npy"]


@UNIX
@pytest.mark.parametrize("pattern", ["*/itself", "*/itself/*", "*/" + "x" * 300, "a.npy/*", "*/a.npy/b", "*/*/*"])
def test_what_cannot_be_there_is_no_failure(tmp_path, pattern):
    save(tmp_path / "a.npy")
    (tmp_path / "circle").symlink_to("circle")
    (unusable,) = expand([str(tmp_path / pattern)])
    assert str(unusable.error) == "the pattern matches nothing"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("b*/", ["b/d/e.npy"]),
        ("*/**", ["b/d/e.npy"]),
        ("./*/d/./e.npy", ["b/d/e.npy"]),
        ("**/d/**/*.npy", ["b/d/e.npy"]),
        ("*//d", ["b/d/e.npy"]),
        ("[!a]", ["b/d/e.npy"]),
        ("a**", ["a.npy"]),
        ("[ab].npy", ["a.npy"]),
    ],
)
def test_more_patterns(tmp_path, monkeypatch, pattern, expected):
    save(tmp_path / "a.npy")
    save(tmp_path / "b/d/e.npy")
    monkeypatch.chdir(tmp_path)
    assert names(pattern) == names(tmp_path / pattern) == expected


HOSTILE = [" ", "a b", "new\nline", "-x", "--out", "quote'\"`$(x)\\", "深度", "\x1b[31m", "%s{}", "~", "#", "a\tb"]


@UNIX
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(capsys, tmp_path, name):
    save(tmp_path / "in" / name / name)
    status, _, err = call(capsys, "depth", tmp_path / "in", "--grid", 2, "--out", tmp_path / "out")
    assert (status, err) == (0, [])
    assert (tmp_path / "out" / name / f"{name}.txt").read_text() == TEXT


@UNIX
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_names_that_are_not_utf8(tmp_path, encoding):
    name = b"\xff\xfe.npy"
    os.rename(save(tmp_path / "in/a.npy"), os.path.join(os.fsencode(tmp_path), b"in", name))
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    done = run("depth", tmp_path / "in", "--grid", 2, "--out", tmp_path / "out", env=environment)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"")
    assert os.listdir(os.fsencode(tmp_path / "out")) == [name + b".txt"]
    done = run("depth", tmp_path / "in", "--grid", 2, "--jsonl", env=environment)
    assert json.loads(done.stdout) == {"file": f"{tmp_path}/in/\\udcff\\udcfe.npy", "program": TEXT[:-1]}
    done = run("flow", tmp_path / "in", env=environment)
    assert done.returncode == 1
    assert done.stderr.startswith(f"percepts: {tmp_path}/in/\\udcff\\udcfe.npy: ".encode())
