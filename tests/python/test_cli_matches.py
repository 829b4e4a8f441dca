"""``percepts correspondence`` and ``percepts points``."""

from __future__ import annotations

import json

import numpy as np
import pytest

import percepts as pc
from command_line import call

POINTS = np.array([[32, 8], [100, 50], [500, 390]], np.float32)
SIZE = (512, 400)


@pytest.fixture
def npz(tmp_path):
    path = tmp_path / "pair.npz"
    np.savez(path, keypoints0=POINTS, keypoints1=POINTS[::-1], confidence=[0.5, 0.9, 0.7])
    return path


def test_correspondence(capsys, npz):
    status, out, err = call(capsys, "correspondence", npz, "--size0", "512x400", "--size1", "512X400", "--no-note")
    assert (status, err) == (0, [])
    assert out == f"{pc.correspondence(POINTS, POINTS[::-1], size0=SIZE, size1=SIZE, note=None)}\n"


def test_options(capsys, npz):
    options = [
        "--max-items",
        "2",
        "--keep",
        "spread",
        "--rounding",
        "nearest",
        "--outside",
        "clip",
        "--style",
        "compact",
    ]
    status, out, err = call(capsys, "correspondence", npz, "--size0", "512x400", "--size1", "90x400", *options)
    expected = pc.correspondence(
        pc.read_matches(npz),
        size0=SIZE,
        size1=(90, 400),
        max_items=2,
        keep="spread",
        rounding="nearest",
        outside="clip",
    )
    assert (status, out, err) == (0, f"{expected.to_text('compact')}\n", [])


def test_a_size_that_no_one_states(capsys, npz):
    status, out, err = call(capsys, "correspondence", npz, "--size0", "512x400")
    assert (status, out) == (1, "")
    assert err == [f"percepts: {npz}: size1 must be given, as (width, height) in pixels: these matches do not state it"]


def test_a_pair_of_a_colmap_model(capsys, data_path):
    path = data_path("tool_outputs/colmap_lund_images.txt")
    pair = ("DSC_0002.JPG", "DSC_0001.JPG")
    status, out, err = call(capsys, "correspondence", "--pair", *pair, path, "--max-items", "3")
    expected = pc.correspondence(pc.read_matches(path, pair), max_items=3)
    assert (status, out, err) == (0, f"{expected}\n", [])
    status, _, err = call(capsys, "correspondence", path)
    assert status == 1
    assert "several pairs of images have matches, say pair= one of" in err[0]


def test_directories(capsys, npz, tmp_path):
    (tmp_path / "room.jpg").write_bytes(b"\xff\xd8\xff")
    status, out, err = call(capsys, "correspondence", tmp_path, "--size0", "512x400", "--size1", "512x400", "--jsonl")
    assert status == 0
    assert json.loads(out)["file"] == str(npz)
    assert err == ["percepts: 1 file was skipped below directories, having no reader for correspondence"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size0", "512"], "argument --size0: must be WIDTHxHEIGHT in pixels, such as 640x480, got '512'"),
        (["--size0", "0x9"], "size0 must be (width, height) of 1 to 2147483647 pixels each, got (0, 9)"),
        (["--max-items", "-1"], "max_items must be at least 0, got -1"),
        (["--keep", "best"], "argument --keep: invalid choice: 'best'"),
        (["--pair", "a", "a"], "pair must be the names of two images, got 'a' twice"),
        (["--plot", "a.svg"], "unrecognized arguments: --plot"),
    ],
)
def test_wrong_usage(capsys, npz, arguments, message):
    status, out, err = call(capsys, "correspondence", npz, *arguments)
    assert (status, out) == (2, "")
    assert message in err[-1]


QUESTION = {
    "points": {"image 1": {"REF": [8, 8]}, "image 2": {"B": [4, 6], "A": [3.5, 1]}},
    "size": {"image 1": [16, 8], "image 2": [10, 20]},
}


def test_points(capsys, tmp_path):
    one, several = tmp_path / "one.json", tmp_path / "several.json"
    one.write_text(json.dumps({"size": [640, 480], "points": {"é": [320, 240]}}), encoding="utf-8")
    several.write_text(json.dumps(QUESTION), encoding="utf-8")
    status, out, err = call(capsys, "points", one, several, "--note", "mine")
    programs = [
        pc.points({"é": (320, 240)}, size=(640, 480), note="mine"),
        pc.points(QUESTION["points"], size=QUESTION["size"], note="mine"),
    ]
    assert (status, out, err) == (0, "".join(f"{program}\n" for program in programs), [])
    status, out, err = call(capsys, "points", tmp_path, "--style", "json", "--no-note")
    assert (status, err) == (0, [])
    assert [item.b for item in pc.find_programs(out)[1].items] == ["REF", "A", "B"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "points are read from JSON: Expecting value"),
        ("[1, 2]", 'the JSON object must have the keys "points" and "size", got list'),
        ('{"points": {"A": [1, 2]}}', """the JSON object must have the keys "points" and "size", got 'points'"""),
        (
            '{"points": {"A": [1, 2], "A": [3, 4]}, "size": [9, 9]}',
            "points are read from JSON: the key 'A' stands there more than once",
        ),
        ('{"points": {"A": [1, NaN]}, "size": [9, 9]}', 'the point "A" must be finite, got (1, nan)'),
        ('{"points": {"A": [1, 20]}, "size": [9, 9]}', 'the point "A" must lie within its image of 9x9 pixels'),
        ('{"points": {"A": ["1", 2]}, "size": [9, 9]}', "the point 'A' must be"),
        ('{"points": {"A": [1, 2]}, "size": [9.5, 9]}', "size must be an int, got float"),
        ("[" * 100_000, "points are read from JSON: "),
        ("\ud800".encode("utf-8", "surrogatepass"), "points are read from JSON: "),
    ],
)
def test_bad_points(capsys, tmp_path, content, message):
    path = tmp_path / "points.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    status, out, err = call(capsys, "points", path)
    assert (status, out, len(err)) == (1, "", 1)
    assert err[0].startswith(f"percepts: {path}: {message}")


def test_points_behind_a_byte_order_mark_below_a_directory(capsys, tmp_path):
    (tmp_path / "a.json").write_text('{"points": {"A": [1, 2]}, "size": [9, 9]}', encoding="utf-8-sig")
    assert call(capsys, "points", tmp_path) == (0, f"{pc.points({'A': (1, 2)}, size=(9, 9))}\n", [])


def test_points_outside(capsys, tmp_path):
    path = tmp_path / "points.json"
    path.write_text('{"points": {"A": [1, 20]}, "size": [9, 9]}')
    status, out, _ = call(capsys, "points", path, "--outside", "clip")
    assert status == 0
    assert pc.parse(out).items[0].c == [111, 1000]
