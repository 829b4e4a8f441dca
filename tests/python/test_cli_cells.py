"""``percepts segmentation``, ``albedo`` and ``similarity``."""

from __future__ import annotations

import base64
import io
import json
import re

import numpy as np
import pytest
from PIL import Image

import percepts as pc
from command_line import call, save

LABELS = np.array([[7, 7, 2, 255], [7, 1, 2, 255]], np.uint8)
GREY = np.array([[51, 51, 204, 0], [51, 60, 204, 204]], np.uint8)


def background(drawing):
    """Pixels of the map that a drawing embeds."""
    (content,) = re.findall(r'href="data:image/png;base64,([^"]*)"', drawing)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(content))).convert("RGB"))


def test_segmentation(capsys, tmp_path):
    path = save(tmp_path / "labels.npy", LABELS)
    assert call(capsys, "segmentation", path, "--grid", 2) == (0, f"{pc.segmentation(LABELS, grid=2)}\n", [])
    names = tmp_path / "names.json"
    names.write_text(json.dumps({"7": "chair", "2": "no"}))
    options = ["--grid", "1x2", "--class-names", names, "--ignore-index", 255, "--no-relations", "--no-note"]
    expected = pc.segmentation(
        LABELS, grid=(1, 2), class_names={7: "chair", 2: "no"}, ignore_index=255, relations=False, note=None
    )
    assert call(capsys, "segmentation", path, *options) == (0, f"{expected}\n", [])
    names.write_text('["a", "b", "c"]')
    status, out, _ = call(capsys, "segmentation", path, "--grid", 1, "--class-names", names, "--style", "compact")
    assert (status, out) == (0, pc.segmentation(LABELS, grid=1, class_names=["a", "b", "c"]).to_text("compact") + "\n")


def test_a_negative_label_is_ignored(capsys, tmp_path):
    path = save(tmp_path / "labels.npy", np.array([[-1, -1, 3]]))
    status, out, _ = call(capsys, "segmentation", path, "--grid", 1, "--ignore-index", -1)
    assert status == 0
    assert pc.parse(out).items[0].b == "class_3"


@pytest.mark.parametrize("content", ["[1]", "{", '"chair"', '{"7": 1}'])
def test_what_are_no_names(capsys, tmp_path, content):
    path, names = save(tmp_path / "labels.npy", LABELS), tmp_path / "names.json"
    names.write_text(content)
    status, out, err = call(capsys, "segmentation", path, "--class-names", names)
    assert (status, out) == (2, "")
    assert "argument --class-names" in err[-1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[" * 100_000, "must not be nested so deeply"),
        ('{"0": ' * 100_000, "must not be nested so deeply"),
        ('{"0": "a", "0": "b"}', "the key '0' stands there more than once"),
        ('{"01": "a"}', "class_names must have labels as keys, such as 7 or '7', got '01'"),
        (b"\xff", "it is not text in UTF-8"),
        ("", "Expecting value: line 1 column 1 (char 0)"),
        (None, "No such file or directory"),
    ],
)
def test_why_a_file_has_no_names(capsys, tmp_path, content, message):
    path, names = save(tmp_path / "labels.npy", LABELS), tmp_path / "names.json"
    if content is not None:
        names.write_bytes(content if isinstance(content, bytes) else content.encode())
    status, out, err = call(capsys, "segmentation", path, "--class-names", names)
    assert (status, out) == (2, "")
    assert err[-1].startswith("percepts segmentation: error: ")
    assert err[-1].endswith(message)


def test_names_behind_a_byte_order_mark(capsys, tmp_path):
    path, names = save(tmp_path / "labels.npy", LABELS), tmp_path / "names.json"
    names.write_text('{"7": "Stühl"}', encoding="utf-8-sig")
    status, out, err = call(capsys, "segmentation", path, "--grid", 2, "--class-names", names)
    assert (status, out, err) == (0, f"{pc.segmentation(LABELS, grid=2, class_names={7: 'Stühl'})}\n", [])


def test_a_label_map_of_floats(capsys, tmp_path):
    path = save(tmp_path / "labels.npy", np.zeros((4, 4), np.float32))
    status, out, err = call(capsys, "segmentation", path)
    assert (status, out, len(err)) == (1, "", 1)
    assert "integers, this array has float32" in err[0]


def test_albedo(capsys, tmp_path):
    path = save(tmp_path / "albedo.npy", GREY)
    options = ["--grid", 2, "--tau", "0.5", "--invalid-value", 0]
    expected = pc.albedo(GREY, grid=2, tau=0.5, invalid_value=0)
    assert call(capsys, "albedo", path, *options) == (0, f"{expected}\n", [])
    assert call(capsys, "albedo", path, "--tau", "-1")[0] == 2
    assert "relations" not in call(capsys, "albedo", path, "--grid", 2, "--no-relations", "--no-note")[1]


def test_similarity(capsys, tmp_path):
    maps = {"A": np.array([[0.5, 0.25]], np.float32), "B": np.array([[1, 0]])}
    path = tmp_path / "maps.npz"
    np.savez_compressed(path, **maps)
    assert call(capsys, "similarity", path) == (0, f"{pc.similarity(maps)}\n", [])
    status, out, _ = call(capsys, "similarity", tmp_path, "--no-note", "--style", "json")
    assert (status, out) == (0, pc.similarity(maps, note=None).to_text("json") + "\n")
    other = save(tmp_path / "one.npy", GREY)
    status, out, err = call(capsys, "similarity", other)
    assert (status, out) == (1, "")
    assert "named maps are read from a .npz archive, this is a .npy file" in err[0]
    np.savez(path, A=np.zeros((2, 2)), B=np.zeros(3))
    assert "a map has the shape H×W" in call(capsys, "similarity", path)[2][0]
    assert call(capsys, "similarity", path, "--plot", "a.svg")[0] == 2


def test_drawings(capsys, tmp_path):
    target = tmp_path / "drawing.svg"
    status, _, err = call(
        capsys, "segmentation", save(tmp_path / "a.npy", LABELS), "--grid", 2, "--plot", target, "--ignore-index", 255
    )
    assert (status, err) == (0, [])
    pixels = background(target.read_text())
    assert (pixels[0, 0] == pixels[1, 0]).all()
    assert len({tuple(pixels[at]) for at in ((0, 0), (0, 2), (1, 1), (0, 3))}) == 4
    assert "class_7" in target.read_text()
    call(capsys, "albedo", save(tmp_path / "b.npy", GREY), "--grid", 2, "--plot", target)
    assert background(target.read_text())[0, :, 0].tolist() == [52, 52, 204, 1]
