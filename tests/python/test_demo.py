"""The demonstration: its files, what it prints, and that its check can fail."""

from __future__ import annotations

import dataclasses
import shlex
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import percepts as pc
from percepts.cli import main
from percepts.cli.demo import scene as scenery
from percepts.cli.demo import truth
from percepts.cli.demo.scene import render


@pytest.fixture(scope="module")
def scene():
    return render()


@pytest.fixture(scope="module")
def depth(scene):
    return pc.depth(scene.depth, kind="metric", invalid_value=0)


@pytest.fixture(scope="module")
def flow(scene):
    return pc.flow(scene.flow, mask=scene.known)


def altered(program: pc.Program, p: int, **fields) -> pc.Program:
    """The same program with one item changed."""
    items = [dataclasses.replace(item, **fields) if item.p == p else item for item in program.items]
    return pc.Program(program.modality, program.granularity, items, program.relations, program.grid)


def test_demo(capsys, tmp_path):
    out = tmp_path / "some demo"
    assert main(["demo", "--out", str(out)]) == 0
    text, errors = capsys.readouterr()
    assert errors == ""
    depth = pc.depth(pc.read_depth(out / "depth.npy"), kind="metric", invalid_value=0)
    flow = pc.flow(pc.read_flow(out / "flow.flo"))
    assert text.startswith(f"{depth}\n{flow}\n")
    assert "\n  depth: 100 readings (6 unknown), 31 relations\n" in text
    assert "\n  flow: 100 directions (13 left, 81 right, 6 unknown)\n" in text
    assert "\n  all readings agree with the scene\n" in text
    for name in ("depth.npy", "flow.flo", "scene.svg"):
        assert f"\n  {out / name}\n" in text
    assert sorted(path.name for path in out.iterdir()) == ["depth.npy", "flow.flo", "scene.svg"]


def test_the_command_to_try_next(capsys, tmp_path):
    assert main(["demo", "--out", str(tmp_path / "it's here")]) == 0
    text = capsys.readouterr().out
    program, command, *arguments = shlex.split(text.splitlines()[-1])
    assert (program, command) == ("percepts", "depth")
    assert main([command, *arguments]) == 0
    assert text.startswith(capsys.readouterr().out)


def test_demo_goes_to_its_own_folder_and_can_be_repeated(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = (main(["demo"]) for _ in range(2))
    assert (first, second) == (0, 0)
    assert (tmp_path / "percepts-demo" / "scene.svg").is_file()


def test_a_folder_that_cannot_be_made(capsys, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("mine")
    assert main(["demo", "--out", str(taken)]) == 1
    assert capsys.readouterr() == ("", f"percepts: {taken}: File exists\n")
    assert taken.read_text() == "mine"


def test_the_scene_is_what_its_geometry_says(scene):
    assert scene.depth.shape == (480, 640)
    assert (scene.depth[~scene.measured] == 0).all()
    # The pixel whose ray leads to the sphere's centre meets it one radius earlier.
    column, row = scenery.project(scenery.SPHERE_CENTER).astype(int)
    distance = np.linalg.norm(scenery.SPHERE_CENTER)
    expected = scenery.SPHERE_CENTER[2] * (1 - scenery.SPHERE_RADIUS / distance)
    assert scene.depth[row, column] == pytest.approx(expected, abs=2e-3)
    # The box's front, and the floor in the last row of pixels.
    assert scene.depth[400, 500] == np.float32(scenery.BOX_LOW[2])
    assert scene.depth[479, 320] == pytest.approx(scenery.FLOOR_Y * 500 / 239.5)
    # The box moves parallel to the image.
    assert scene.flow[400, 500] == pytest.approx(scenery.MOTION[scenery.BOX][:2] / 2.3 * 500)


def test_the_scene_has_all_there_is_to_say(scene, depth, flow):
    assert {item.r for item in flow.items} == {"left", "right", "unknown"}
    assert "unknown" in [item.r for item in depth.items]
    assert 0 < np.count_nonzero(~scene.known) < scene.known.size
    assert ((depth.arrays["valid"] > 0) & (depth.arrays["valid"] < 1)).any()
    assert np.isfinite(scene.flow).all()


def test_the_programs_agree(scene, depth, flow):
    assert truth.check_depth(depth, scene).disagreements == []
    assert truth.check_flow(flow, scene).disagreements == []


@pytest.mark.parametrize("grid", [1, 7, (5, 13), 48])
def test_other_grids_agree(scene, grid):
    depth = pc.depth(scene.depth, kind="metric", invalid_value=0, grid=grid, tau=0.01)
    assert truth.check_depth(depth, scene, tau=0.01).disagreements == []
    assert truth.check_flow(pc.flow(scene.flow, mask=scene.known, grid=grid), scene).disagreements == []


def test_every_altered_depth_reading_is_found(scene, depth):
    for item in depth.items:
        low, high = (0.0, 1.0) if item.r == "unknown" else item.r
        # One unit in the last printed digit.
        wrong = altered(depth, item.p, r=[low, high + 1e-4])
        (found,) = truth.check_depth(wrong, scene).disagreements
        assert found.startswith(f"depth: patch {item.p} has r: ")


def test_every_altered_direction_is_found(scene, flow):
    turned = {"left": "right", "right": "unknown", "unknown": "left"}
    for item in flow.items:
        (found,) = truth.check_flow(altered(flow, item.p, r=turned[item.r]), scene).disagreements
        assert found == f"flow: patch {item.p} has r: {turned[item.r]}, the scene has {item.r}"


def test_an_altered_location_is_found(scene, depth):
    assert truth.check_depth(altered(depth, 5, c=[449, 47]), scene).disagreements == [
        "depth: patch 5 has c: [449, 47], the scene has [448, 47]"
    ]


def test_altered_relations_are_found(scene, depth):
    def check(relations):
        program = pc.Program("depth", "patch", depth.items, relations, depth.grid)
        return truth.check_depth(program, scene).disagreements

    first, second, *others = depth.relations
    assert check([first, *others]) == [
        f"depth: [p={second.a}, in_front_of, p={second.b}] holds in the scene and is missing"
    ]
    assert len(check([pc.Relation(first.b, "in_front_of", first.a), second, *others])) == 2
    assert len(check([*depth.relations, pc.Relation(1, "in_front_of", 2)])) == 1
    assert len(check([pc.Relation(first.a, "adjacent_to", first.b), second, *others])) == 2
    assert check([second, first, *others]) == ["depth: the relations are not in row-major order, right before below"]


def test_a_wrong_reading_fails_the_demonstration(capsys, tmp_path, monkeypatch):
    right = pc.depth
    monkeypatch.setattr(pc, "depth", lambda *given, **options: altered(right(*given, **options), 1, r=[0, 1]))
    assert main(["demo", "--out", str(tmp_path)]) == 1
    text, errors = capsys.readouterr()
    assert "agree with the scene" not in text
    assert errors.splitlines() == [
        "percepts: demo: depth: patch 1 has r: [0, 1], the scene has [0.4167, 0.4476]",
        "percepts: demo: 1 readings or relations disagree with the scene",
    ]


def test_the_picture(tmp_path, capsys):
    assert main(["demo", "--out", str(tmp_path)]) == 0
    root = ET.parse(tmp_path / "scene.svg").getroot()
    namespace = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{namespace}svg"
    panels = root.findall(f"{namespace}g")
    assert len(panels) == 2
    depth_texts, flow_texts = ([text.text for text in panel.iter(f"{namespace}text")] for panel in panels)
    assert {"0.4167", "0.4476", "unknown"} <= set(depth_texts)
    assert set(flow_texts) == {"unknown"}
    # An arrow for each relation, and one for each direction.
    assert [len(list(panel.iter(f"{namespace}polygon"))) for panel in panels] == [31, 94]
