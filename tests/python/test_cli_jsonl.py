"""Programs as lines of JSON."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import percepts as pc
from command_line import RAMP, TEXT, call, command, files_below, run, save
from percepts.cli.sinks import json_line


def test_one_line_an_input_whatever_came_of_it(capsys, tmp_path):
    good, gone, other = save(tmp_path / "a.npy"), tmp_path / "gone.npy", save(tmp_path / "b.npy", 1 - RAMP)
    status, out, err = call(capsys, "depth", good, gone, other, "--grid", 2, "--jsonl")
    assert status == 1
    assert err == [f"percepts: {gone}: No such file or directory"]
    assert out.splitlines() == [
        json.dumps({"file": str(good), "program": TEXT[:-1]}),
        json.dumps({"file": str(gone), "error": "No such file or directory"}),
        json.dumps({"file": str(other), "program": str(pc.depth(1 - RAMP, grid=2))}),
    ]


def test_programs_come_back(capsys, tmp_path):
    path = save(tmp_path / "a.npy")
    _, out, _ = call(capsys, "depth", path, "--grid", 2, "--jsonl")
    assert pc.parse(json.loads(out)["program"]) == pc.depth(RAMP, grid=2)


def test_below_a_directory(capsys, tmp_path):
    save(tmp_path / "in/a.npy")
    (tmp_path / "in/b.npy").write_bytes(b"\x93NUMPY")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/programs.jsonl").write_text("old")
    status, out, err = call(capsys, "depth", tmp_path / "in", "--grid", 2, "--jsonl", "--out", tmp_path / "out")
    assert (status, out, len(err)) == (1, "", 1)
    assert files_below(tmp_path / "out") == ["programs.jsonl"]
    lines = [json.loads(line) for line in (tmp_path / "out/programs.jsonl").read_text().splitlines()]
    assert [list(line) for line in lines] == [["file", "program"], ["file", "error"]]
    assert lines[1]["error"] in err[0]


def test_it_is_utf8_and_one_line(capsys, tmp_path):
    path = save(tmp_path / "räume\u2028\x85\n深度.npy")
    done = run("depth", path, "--grid", 2, "--note", "né", "--jsonl")
    assert len(done.stdout.decode("utf-8").splitlines()) == 1
    assert "räume".encode() in done.stdout
    assert json.loads(done.stdout) == {"file": str(path), "program": str(pc.depth(RAMP, grid=2, note="né"))}


@pytest.mark.parametrize("text", ["\u2028\u2029\x85", '"\\\n\r\t\x00\x1f', "\x0b\x0c\x1c\x1d\x1e", "é 深 👩"])
def test_a_line_of_json_is_one_line_for_every_reader(text):
    line = json_line({"file": text})
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"file": text}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_ends_the_run(tmp_path):
    path = save(tmp_path / "a.npy")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("depth", path, path, "--grid", 2, "--jsonl"),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"percepts: standard output: No space left on device\n")


def test_a_file_of_lines_that_cannot_take_its_name(capsys, tmp_path):
    (tmp_path / "out/programs.jsonl").mkdir(parents=True)
    path = save(tmp_path / "a.npy")
    status, _, err = call(capsys, "depth", path, "--jsonl", "--out", tmp_path / "out", "--grid", 2)
    assert (status, err) == (1, [f"percepts: {tmp_path}/out/programs.jsonl: Is a directory"])
    assert files_below(tmp_path / "out") == []


QUESTION = json.dumps({"points": {"A": [0, 0]}, "size": [2, 2]})


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("command", ["depth", "points"])
def test_an_input_is_never_replaced_by_the_lines(capsys, tmp_path, command, named):
    save(tmp_path / "a.npy")
    (tmp_path / "a.json").write_text(QUESTION)
    trap = tmp_path / "programs.jsonl"
    save(trap) if command == "depth" else trap.write_text(QUESTION)
    before = trap.read_bytes()
    status, out, err = call(capsys, command, trap if named else tmp_path, "--out", tmp_path, "--jsonl")
    assert (status, out, err) == (1, "", [f"percepts: {tmp_path}: {trap} would replace the input {trap}"])
    assert trap.read_bytes() == before
    assert files_below(tmp_path) == ["a.json", "a.npy", "programs.jsonl"]


def test_an_input_that_a_link_leads_to_is_never_replaced(capsys, tmp_path):
    trap = tmp_path / "programs.jsonl"
    (tmp_path / "in.json").write_text(QUESTION)
    trap.hardlink_to(tmp_path / "in.json")
    status, _, err = call(capsys, "points", tmp_path / "in.json", "--out", tmp_path, "--jsonl")
    assert (status, err) == (1, [f"percepts: {tmp_path}: {trap} would replace the input {tmp_path}/in.json"])
    assert trap.read_text() == QUESTION


@pytest.mark.parametrize("first", [True, False])
def test_what_is_asked_for_by_name_is_an_input_also_below_a_directory(capsys, tmp_path, first):
    (tmp_path / "a.json").write_text(QUESTION)
    assert call(capsys, "points", tmp_path, "--out", tmp_path, "--jsonl")[0] == 0
    both = [tmp_path / "programs.jsonl", tmp_path]
    status, _, err = call(capsys, "points", *(both if first else both[::-1]), "--out", tmp_path, "--jsonl")
    assert (status, len(err)) == (1, 1)
    assert err[0].endswith(f"would replace the input {tmp_path}/programs.jsonl")


BOXES = json.dumps([{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 0.5}])


@pytest.mark.parametrize(
    ("command", "content", "options"), [("points", QUESTION, []), ("detection", BOXES, ["--size", "2x2"])]
)
@pytest.mark.parametrize("broken", [False, True])
def test_lines_beside_the_inputs_time_and_again(capsys, tmp_path, command, content, options, broken):
    (tmp_path / "b.json").write_text(content)
    if broken:  # the first line is an error then
        (tmp_path / "a.json").write_text("{" if command == "points" else "[")
    lines = []
    for earlier in (False, True):
        status, _, err = call(capsys, command, tmp_path, "--out", tmp_path, "--jsonl", *options)
        assert status == int(broken)
        skipped = f"percepts: 1 file was skipped below directories, having no reader for {command}"
        assert err[broken:] == [skipped] * earlier
        lines.append((tmp_path / "programs.jsonl").read_text())
    assert lines[0] == lines[1]
    assert len(lines[0].splitlines()) == 1 + broken
