"""Programs drawn over their maps, as SVG and as PNG."""

from __future__ import annotations

import base64
import io
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import percepts as pc
from command_line import RAMP, TEXT, call, files_below, save
from percepts.cli import plot
from percepts.overlay import svg

HOLE = plot.HOLE_COLOUR


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def background(drawing: str) -> np.ndarray:
    """Pixels of the map that a drawing embeds."""
    (content,) = re.findall(r'href="data:image/png;base64,([^"]*)"', drawing)
    return pixels(base64.b64decode(content))


def drawn(capsys, tmp_path, array, *options: object, command: str = "depth", suffix: str = "svg") -> Path:
    """File of the drawing of one array."""
    path = save(tmp_path / "map.npy", array)
    target = tmp_path / f"drawing.{suffix}"
    status, out, err = call(capsys, command, path, "--plot", target, *options)
    assert (status, err) == (0, [])
    assert out.startswith("<perceptionprogram>\n")
    return target


def greys(*levels: float) -> list[tuple[int, int, int]]:
    """Colours of shares between black (0) and white (1)."""
    return [(round(1 + 254 * level),) * 3 for level in levels]


def test_a_drawing_is_the_overlay_over_the_map(capsys, tmp_path):
    drawing = drawn(capsys, tmp_path, RAMP, "--grid", "1x2").read_text()
    root = ET.fromstring(drawing)
    assert root[0].tag == "{http://www.w3.org/2000/svg}image"
    size = {name: root.get(name) for name in ("width", "height")}
    assert size == {name: root[0].get(name) for name in size}
    without_image = re.sub(r"<image [^>]*>\n", "", drawing)
    assert without_image == svg(pc.depth(RAMP, grid=(1, 2)), 8, 4, scale=12) + "\n"
    assert background(drawing).shape == (4, 8, 3)


def test_what_is_near_is_white(capsys, tmp_path):
    depth = np.linspace(1, 2, 101)[None]
    shares = np.clip((np.arange(101) - 1) / 98, 0, 1)
    for kind, expected in (("disparity", shares), ("metric", shares[::-1])):
        levels = background(drawn(capsys, tmp_path, depth, "--grid", 1, "--kind", kind).read_text())[0, :, 0]
        assert levels.tolist() == pytest.approx(1 + 254 * expected, abs=0.51)


def test_a_depth_range_is_the_range_of_the_greys(capsys, tmp_path):
    depth = np.array([[1000, 2000, 3000, 4000, 0]], np.uint16)
    options = ["--grid", "1", "--kind", "metric", "--scale", "1000", "--depth-range", "2", "4", "--invalid-value", "0"]
    levels = background(drawn(capsys, tmp_path, depth, *options).read_text())[0]
    assert list(map(tuple, levels)) == [*greys(1, 1, 0.5, 0), HOLE]


@pytest.mark.parametrize("hole", [np.nan, np.inf, -np.inf, -1])
def test_holes_are_marked(capsys, tmp_path, hole):
    depth = np.full((4, 4), 0.5)
    depth[1:3, 0] = hole
    holes = background(drawn(capsys, tmp_path, depth, "--grid", 1, "--invalid-value", "-1").read_text()) == HOLE
    assert holes.all(axis=2).tolist() == (depth != 0.5).tolist()


def test_flow_is_grey_at_rest_and_white_to_the_right(capsys, tmp_path):
    flow = np.zeros((3, 4, 2))
    flow[:, :, 0] = [-2, 0, 2, np.nan]
    flow[:, :, 1] = [[0], [4], [-4]]
    drawing = drawn(capsys, tmp_path, flow, "--grid", 1, command="flow").read_text()
    assert list(map(tuple, background(drawing)[0])) == [*greys(0, 0.5, 1), HOLE]
    vertical = drawn(capsys, tmp_path, flow, "--grid", 1, "--axis", "vertical", command="flow").read_text()
    assert list(map(tuple, background(vertical)[:, 3])) == greys(0.5, 1, 0)


@pytest.mark.parametrize("value", [0.25, np.nan])
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_maps_without_any_contrast(capsys, tmp_path, value, suffix):
    assert drawn(capsys, tmp_path, np.full((4, 4), value), "--grid", 2, suffix=suffix).stat().st_size > 100


def test_a_png_shows_what_the_svg_shows(capsys, tmp_path):
    depth = np.full((100, 400), 0.1)
    depth[:, 200:] = 0.9
    depth[:, 390:] = np.nan
    image = pixels(drawn(capsys, tmp_path, depth, "--grid", "1x2", suffix="PNG").read_bytes())
    assert image.shape == (100, 400, 3)
    assert [tuple(image[3, x]) for x in (3, 350, 396)] == [*greys(0, 1), HOLE]
    # Both numbers of a cell are written around its middle, in white with a dark rim.
    for left in (80, 280):
        text = image[30:70, left : left + 40].astype(int)
        assert (text.max(axis=2) - text.min(axis=2)).max() < 9
        assert (text > 200).any()
        assert (text < 90).any()
    # The arrow across the edge points from the nearer right to the left, in yellow.
    yellow = (image[..., 0] > 180) & (image[..., 1] > 150) & (image[..., 2] < 130)
    rows, columns = np.nonzero(yellow)
    assert 160 < columns.min() < 200 < columns.max() < 240
    widest = np.bincount(columns).argmax()
    assert widest < 200
    assert abs(rows.mean() - 50) < 1


def test_unknown_cells_are_darker_in_both(capsys, tmp_path):
    depth = np.full((80, 160), np.nan)
    depth[:, :80] = 0.5
    image = pixels(drawn(capsys, tmp_path, depth, "--grid", "1x2", suffix="png").read_bytes())
    assert image[5, 155] == pytest.approx([0.75 * value for value in HOLE], abs=1)


def test_flow_arrows_in_a_png(capsys, tmp_path):
    flow = np.zeros((60, 120, 2))
    flow[:, :60, 0], flow[:, 60:, 0] = -1, 1
    image = pixels(drawn(capsys, tmp_path, flow, "--grid", "1x2", command="flow", suffix="png").read_bytes())
    assert image[30, 30] == pytest.approx([0x5C, 0xC8, 0xFF], abs=2)
    assert image[30, 90] == pytest.approx([0xFF, 0xB4, 0x54], abs=2)


def test_small_maps_are_enlarged_and_cells_keep_their_pixels(capsys, tmp_path):
    drawing = drawn(capsys, tmp_path, RAMP, "--grid", "3x3").read_text()
    scale = int(ET.fromstring(drawing).get("width")) // 8
    edges = re.findall(r"M(\d+) 0V", drawing)[:2]
    assert edges == [str(scale * 2), str(scale * 5)]
    image = pixels(drawn(capsys, tmp_path, RAMP, "--grid", "3x3", suffix="png").read_bytes())
    assert image.shape[:2] == (4 * scale, 8 * scale)


def test_large_maps_are_thinned_out(capsys, tmp_path):
    depth = np.zeros((10, 9000), np.float32)
    root = ET.fromstring(drawn(capsys, tmp_path, depth, "--grid", "1").read_text())
    assert int(root.get("width")) <= 2 * 2048


def test_a_drawing_beside_each_text(capsys, tmp_path):
    save(tmp_path / "in/a.npy")
    save(tmp_path / "in/b/c.npy")
    out = tmp_path / "out"
    assert call(capsys, "depth", tmp_path / "in", "--grid", 2, "--out", out, "--plot", "svg") == (0, "", [])
    assert files_below(out) == ["a.npy.svg", "a.npy.txt", "b/c.npy.svg", "b/c.npy.txt"]
    assert (out / "b/c.npy.txt").read_text() == TEXT
    assert call(capsys, "depth", tmp_path / "in", "--grid", 2, "--out", out, "--jsonl", "--plot", "png")[0] == 0
    assert {"a.npy.png", "b/c.npy.png", "programs.jsonl"} < set(files_below(out))


def test_drawings_beside_the_maps_are_no_maps(capsys, tmp_path):
    save(tmp_path / "a.npy")
    for _ in range(2):
        assert call(capsys, "depth", tmp_path, "--grid", 2, "--out", tmp_path, "--plot", "png")[0] == 0
    assert files_below(tmp_path) == ["a.npy", "a.npy.png", "a.npy.txt"]


def test_a_drawing_never_replaces_its_map(capsys, tmp_path, encode_png):
    path = tmp_path / "map.png"
    path.write_bytes(encode_png(2, 2, 8, 0, [b"\1\2", b"\3\4"]))
    before = path.read_bytes()
    status, _, err = call(capsys, "depth", path, "--grid", 1, "--plot", path)
    assert (status, err) == (1, [f"percepts: {path}: {path} would replace the input {path}"])
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plot", "a.jpg"], "must be a file name that ends in .svg or .png, got 'a.jpg'"),
        (["--plot", "png"], "must be a file name that ends in .svg or .png, got 'png'"),
        (["--plot", "a.svg", "--out", "b"], "with --out it must be svg or png, got 'a.svg'"),
        (["--plot", "a.svg", "x.npy"], "one file takes one drawing, got 2 inputs; --out DIR --plot svg"),
    ],
)
def test_wrong_usage(capsys, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = call(capsys, "depth", "y.npy", *options)
    assert (status, out) == (2, "")
    assert message in err[-1]
    assert files_below(tmp_path) == []


def test_png_needs_pillow_and_svg_does_not(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    path = save(tmp_path / "a.npy")
    status, out, err = call(capsys, "depth", path, "--grid", 2, "--plot", tmp_path / "a.png")
    assert (status, out) == (1, "")
    assert err == ['percepts: --plot: drawing PNG files needs Pillow: pip install "percepts[plot]"']
    assert call(capsys, "depth", path, "--grid", 2, "--plot", tmp_path / "a.svg") == (0, TEXT, [])


def test_a_map_that_fails_leaves_no_drawing(capsys, tmp_path):
    path = save(tmp_path / "a.npy", np.full((2, 2), 7.0))
    assert call(capsys, "depth", path, "--grid", 2, "--plot", tmp_path / "a.svg")[0] == 1
    assert files_below(tmp_path) == ["a.npy"]
