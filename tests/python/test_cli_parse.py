"""``percepts parse``: what it finds, how it tells it, and what it refuses."""

from __future__ import annotations

import json

import pytest

import percepts as pc
from command_line import RAMP, TEXT, call, run, save
from percepts.cli.sinks import json_line

HEAT = pc.Program(
    "heat",
    "point",
    [pc.Item(p="stove", c=[1, 22], r=21.5, b="深度"), pc.Item(p="ice", r="unknown", i="image 2")],
    [pc.Relation("stove", "warmer than", "ice")],
    note="r: degrees\nCelsius",
)

HEAT_TABLE = """\
  modality     heat
  granularity  point
  items        2, 1 unknown
  relations    1
  note         r: degrees Celsius

  p      i        c        r        b
  stove           [1, 22]  21.5     深度
  ice    image 2           unknown
"""


@pytest.fixture
def write(tmp_path):
    def write(text: str, name: str = "answer.txt"):
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8"))
        return path

    return write


def test_a_program_as_a_table(capsys, write):
    path = write(f"{HEAT}\n")
    assert call(capsys, "parse", path) == (0, f"{path}\n{HEAT_TABLE}", [])


def test_a_grid(capsys, write):
    path = write(str(pc.depth(RAMP, grid=(1, 2), note=None)))
    status, out, _ = call(capsys, "parse", path)
    assert status == 0
    assert out == (
        f"{path}\n  modality     depth\n  granularity  patch\n  grid         1x2 (rows x columns)\n"
        "  items        2\n  relations    1\n\n"
        "  p  c           r\n  1  [125, 250]  [0, 0.4286]\n  2  [625, 250]  [0.5714, 1]\n"
    )


def test_programs_in_prose_are_numbered(capsys, write):
    path = write(f"The tools say:\n{HEAT}\nand\n\n{TEXT}\nSo it is warm.")
    status, out, err = call(capsys, "parse", path)
    assert (status, err) == (0, [])
    assert out.startswith(f"{path}, program 1 of 2\n{HEAT_TABLE}\n{path}, program 2 of 2\n  modality     depth\n")


def test_json(capsys, write):
    path = write(f"{HEAT}\n\n{TEXT}")
    status, out, err = call(capsys, "parse", path, path, "--json")
    assert (status, err) == (0, [])
    expected = [HEAT.to_dict(), pc.depth(RAMP, grid=2).to_dict()]
    assert [json.loads(line) for line in out.splitlines()] == expected * 2
    assert "深度" in out


def test_standard_input(tmp_path):
    done = run("parse", "-", input=f"\ufeff{HEAT}\r\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"standard input\n{HEAT_TABLE}"


def test_what_the_command_line_prints_comes_back(capsys, tmp_path):
    save(tmp_path / "ramp.npy")
    call(capsys, "depth", tmp_path / "ramp.npy", "--grid", 2, "--out", tmp_path)
    status, out, err = call(capsys, "parse", tmp_path / "ramp.npy.txt", "--json")
    assert (status, json.loads(out), err) == (0, pc.depth(RAMP, grid=2).to_dict(), [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text holds no program"),
        ("The answer is (A).", "the text holds no program"),
        (
            "Look: <perceptionprogram> and nothing",
            "the text holds no program: no block between <perceptionprogram> and </perceptionprogram> can be read",
        ),
        ("{note} the answer is (A)", "the text holds no program"),
        (
            '{"thought": "x"}',
            "line 1: a program must have only the keys modality, granularity, grid, note, items, relations, "
            "got 'thought'",
        ),
        (
            TEXT.replace("granularity", "granularty"),
            "line 3: a line must have one of the keys modality, granularity, grid, note, items, relations, "
            "got 'granularty: patch'",
        ),
    ],
)
def test_without_a_program(capsys, write, text, message):
    path, good = write(text, "bad.txt"), write(str(HEAT), "good.txt")
    assert call(capsys, "parse", path, good) == (1, f"{good}\n{HEAT_TABLE}", [f"percepts: {path}: {message}"])


@pytest.mark.parametrize("start", ['{"thought": "x"}', "{note} the answer", "{", '{"a": {', '{"modality": "depth"}'])
@pytest.mark.parametrize("end", ["", "}"])
def test_a_text_that_begins_with_a_brace_is_searched(capsys, write, start, end):
    path = write(f" {start}\n{HEAT}\n{end}")
    assert call(capsys, "parse", path) == (0, f"{path}\n{HEAT_TABLE}", [])


def test_bare_json(capsys, write):
    path = write(f"\n{HEAT.to_json()}\n")
    assert call(capsys, "parse", path) == (0, f"{path}\n{HEAT_TABLE}", [])


def test_the_lines_of_many_files(capsys, tmp_path):
    save(tmp_path / "in/ramp\nof 8.npy")
    save(tmp_path / "in/z.npy")
    (tmp_path / "in/broken.npy").write_bytes(b"\x93NUMPY")
    call(capsys, "depth", tmp_path / "in", "--grid", 2, "--jsonl", "--style", "compact", "--out", tmp_path)
    lines = tmp_path / "programs.jsonl"
    with lines.open("a") as file:
        file.write('\n{"file": "mine"}\n' + json_line({"file": "x", "program": "none"}))
    status, out, err = call(capsys, "parse", lines, "--json")
    assert (status, [json.loads(line) for line in out.splitlines()]) == (1, [pc.depth(RAMP, grid=2).to_dict()] * 2)
    starts = (f"line 1: {tmp_path}/in/broken.npy has no program: ", 'line 5: must be {"file": …, ', "line 6: line 1: ")
    for line, start in zip(err, starts, strict=True):
        assert line.startswith(f"percepts: {lines}: {start}")
    status, out, _ = call(capsys, "parse", lines)
    assert [line for line in out.splitlines() if line[:1] not in ("", " ")] == [
        f"{lines}, {tmp_path}/in/ramp of 8.npy",
        f"{lines}, {tmp_path}/in/z.npy",
    ]


def test_bytes_that_are_no_text(capsys, tmp_path):
    path = tmp_path / "bytes.txt"
    path.write_bytes(b"one\ntwo\xff")
    status, out, err = call(capsys, "parse", path)
    assert (status, out) == (1, "")
    assert err == [f"percepts: {path}: text in UTF-8 is needed, line 2 has the byte 0xff"]


def test_files_that_cannot_be_read(capsys, tmp_path):
    status, out, err = call(capsys, "parse", tmp_path / "gone", tmp_path)
    assert (status, out) == (1, "")
    assert err == [
        f"percepts: {tmp_path / 'gone'}: No such file or directory",
        f"percepts: {tmp_path}: Is a directory",
    ]


def test_text_cannot_send_commands_to_the_terminal(capsys, write):
    items = [pc.Item(p=1, b="c\x07\n\u2028d"), pc.Item(p=2, b=["\x9b", 1.5])]
    program = pc.Program("a\x1b[31m", "b\n", items, note="\x00")
    _, out, _ = call(capsys, "parse", write(str(program)))
    assert not set(out) & {"\x1b", "\x07", "\x9b", "\x00", "\u2028"}
    assert "a\\x1b[31m" in out
    assert len(out.splitlines()) == 10


def test_long_values_are_shortened_to_keep_the_table(capsys, write):
    program = pc.Program("heat", "point", [pc.Item(p=1, b="x" * 10_000), pc.Item(p=2, b="y")])
    _, out, _ = call(capsys, "parse", write(str(program)))
    assert out.splitlines()[-2:] == [f"  1  {'x' * 47}…", "  2  y"]


def test_a_program_without_items(capsys, write):
    _, out, _ = call(capsys, "parse", write(str(pc.Program("heat", "point", []))))
    assert out.splitlines()[1:] == [
        "  modality     heat", "  granularity  point", "  items        0", "  relations    0"
    ]  # fmt: skip
