"""Programs from the command line: options, sentinels, files and their failures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from percepts.cli import main


@pytest.fixture
def ramp(tmp_path) -> Path:
    """Relative depth that reads 0 to 0.4286 on the left, 0.5714 to 1 on the right."""
    return save(tmp_path / "ramp.npy", np.tile(np.linspace(0, 1, 8, dtype=np.float32), (4, 1)))


@pytest.fixture
def swirl(tmp_path) -> Path:
    """Flow to the left and down on the left half, to the right and up on the right half."""
    flow = np.full((4, 8, 2), (-1.5, 0.5), np.float32)
    flow[:, 4:] = (2, -1)
    return save(tmp_path / "swirl.npy", flow)


def save(path: Path, array: np.ndarray) -> Path:
    with path.open("wb") as file:
        np.save(file, array)
    return path


def printed(capsys, *arguments: object) -> str:
    """Standard output of a call that succeeds in silence."""
    assert main([str(argument) for argument in arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_depth_prints_the_program(capsys, ramp):
    assert printed(capsys, "depth", ramp, "--grid", "1x2", "--no-note") == (
        "<perceptionprogram>\nmodality: depth\ngranularity: patch\ngrid:\n  rows: 1\n  cols: 2\nitems:\n"
        "  - p: 1\n    c: [125, 250]\n    r: [0, 0.4286]\n"
        "  - p: 2\n    c: [625, 250]\n    r: [0.5714, 1]\n"
        "relations:\n  - [p=2, in_front_of, p=1]\n</perceptionprogram>\n"
    )


def test_flow_prints_the_program(capsys, swirl):
    assert printed(capsys, "flow", swirl, "--grid", "1x2", "--note", "motion") == (
        "<perceptionprogram>\nmodality: flow\ngranularity: patch\ngrid:\n  rows: 1\n  cols: 2\n"
        'note: "motion"\nitems:\n'
        "  - p: 1\n    c: [125, 250]\n    r: left\n"
        "  - p: 2\n    c: [625, 250]\n    r: right\n</perceptionprogram>\n"
    )


@pytest.mark.parametrize("style", ["paper", "json", "compact"])
def test_style(capsys, ramp, swirl, style):
    depth = pc.depth(np.load(ramp), grid=2).to_text(style)
    assert printed(capsys, "depth", ramp, "--grid", 2, "--style", style) == depth + "\n"
    flow = pc.flow(np.load(swirl), grid=2).to_text(style)
    assert printed(capsys, "flow", swirl, "--grid", 2, f"--style={style}") == flow + "\n"


DEPTH_OPTIONS = [
    ("--grid 2", {"grid": 2}),
    ("--grid 4x2", {"grid": (4, 2)}),
    ("--grid=2X4", {"grid": (2, 4)}),
    ("--grid 4 --tau 0.5", {"grid": 4, "tau": 0.5}),
    ("--grid 2 --kind disparity", {"grid": 2, "kind": "disparity"}),
    ("--grid 2 --kind metric --invalid-value 0", {"grid": 2, "kind": "metric", "invalid_value": 0}),
    ("--grid 2 --kind metric --invalid-value none", {"grid": 2, "kind": "metric", "invalid_value": ()}),
    (
        "--grid 2 --kind metric --invalid-value 0 --scale 2 --no-normalize",
        {"grid": 2, "kind": "metric", "invalid_value": 0, "scale": 2, "normalize": False},
    ),
    (
        "--grid 2 --kind disparity --depth-range 0.75 -1e-3",
        {"grid": 2, "kind": "disparity", "depth_range": (0.75, -0.001)},
    ),
    ("--grid 2 --invalid-value 0 --invalid-value=1", {"grid": 2, "invalid_value": (0, 1)}),
    ("--grid 4 --no-relations", {"grid": 4, "relations": False}),
    ("--grid 4 --max-relations 1", {"grid": 4, "max_relations": 1}),
    ("--grid 2 --no-note", {"grid": 2, "note": None}),
]


@pytest.mark.parametrize(("options", "keywords"), DEPTH_OPTIONS)
def test_depth_options_are_the_keyword_arguments(capsys, ramp, options, keywords):
    expected = pc.depth(np.load(ramp), **keywords)
    assert printed(capsys, "depth", *options.split(), ramp) == f"{expected}\n"


FLOW_OPTIONS = [
    ("--grid 2 --axis vertical", {"grid": 2, "axis": "vertical"}),
    ("--grid 2 --motion camera", {"grid": 2, "motion": "camera"}),
    ("--grid 2 --layout hwc", {"grid": 2, "layout": "hwc"}),
    ("--grid 2 --invalid-value -1.5", {"grid": 2, "invalid_value": -1.5}),
    ("--grid 2 --invalid-value=-1.5", {"grid": 2, "invalid_value": -1.5}),
    ("--grid 2 --no-note", {"grid": 2, "note": None}),
]


@pytest.mark.parametrize(("options", "keywords"), FLOW_OPTIONS)
def test_flow_options_are_the_keyword_arguments(capsys, swirl, options, keywords):
    expected = pc.flow(np.load(swirl), **keywords)
    assert printed(capsys, "flow", *options.split(), swirl) == f"{expected}\n"


@pytest.mark.parametrize("spelling", ["-1", "-1.0", "-1e0", "-.1E1", "-1."])
@pytest.mark.parametrize("joint", [" ", "="])
def test_negative_sentinels(capsys, tmp_path, spelling, joint):
    path = save(tmp_path / "holes.npy", np.array([[-1, 2, 4, 4]], np.int32))
    options = f"--grid 1x2 --kind metric --invalid-value{joint}{spelling}".split()
    assert "r: [1, 1]\n" in printed(capsys, "depth", path, *options)


@pytest.mark.parametrize("spelling", ["nan", "inf", "-inf", "-nan", "NaN", "-Infinity"])
def test_sentinels_that_are_not_finite(capsys, ramp, spelling):
    assert "r: [0, 0.4286]\n" in printed(capsys, "depth", ramp, "--grid", "1x2", "--invalid-value", spelling)


def test_a_whole_sentinel_stays_exact(capsys, tmp_path):
    path = save(tmp_path / "wide.npy", np.array([[2**53, 2**53 + 1]], np.uint64))
    options = ["--grid", "1x2", "--kind", "metric", "--invalid-value", 2**53 + 1]
    assert printed(capsys, "depth", path, *options).count("r: unknown\n") == 1


def test_a_sentinel_that_the_file_cannot_hold_is_the_file_s_error(capsys, tmp_path):
    path = save(tmp_path / "bytes.npy", np.ones((2, 2), np.uint8))
    assert main(["depth", str(path), "--grid", "1", "--invalid-value", "-1"]) == 1
    assert capsys.readouterr().err == (f"percepts: {path}: invalid_value must be a value that uint8 can hold, got -1\n")


def test_files_in_their_order_and_options_between_them(capsys, tmp_path, ramp):
    flat = save(tmp_path / "flat.npy", np.full((4, 8), 0.25, np.float32))
    ramp_program, flat_program = (pc.depth(np.load(path), grid=2) for path in (ramp, flat))
    expected = f"{flat_program}\n{ramp_program}\n{flat_program}\n"
    assert printed(capsys, "depth", flat, "--grid", "2", ramp, flat) == expected


def test_two_dashes_end_the_options(capsys, tmp_path, ramp, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ramp.rename("--grid")
    assert printed(capsys, "depth", "--grid", "2", "--", "--grid").startswith("<perceptionprogram>")


def test_a_name_chooses_the_array_of_an_archive(capsys, tmp_path, ramp):
    path = tmp_path / "maps.npz"
    depth = np.load(ramp)
    flow = np.stack([depth - 0.5] * 2, axis=-1)
    np.savez(path, near=1 - depth, far=depth, moved=flow, back=-flow)
    assert printed(capsys, "depth", path, "--name", "far", "--grid", "2") == f"{pc.depth(depth, grid=2)}\n"
    assert printed(capsys, "depth", path, "--name=near", "--grid", "2") == f"{pc.depth(1 - depth, grid=2)}\n"
    assert printed(capsys, "flow", path, "--name", "back", "--grid", "2") == f"{pc.flow(-flow, grid=2)}\n"
    for name, found in ((["--name", "gone"], "'gone'"), ([], "say name=")):
        assert main(["depth", str(path), *name]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"percepts: {path}: ")
        assert found in err
        assert "'near', 'far', 'moved', 'back'" in err


def test_a_failing_file_does_not_stop_the_others(capsys, tmp_path, ramp):
    gone, empty = tmp_path / "gone.npy", tmp_path / "empty.npy"
    empty.write_bytes(b"")
    assert main(["depth", str(gone), str(ramp), str(empty), "--grid", "2"]) == 1
    out, err = capsys.readouterr()
    assert out == f"{pc.depth(np.load(ramp), grid=2)}\n"
    assert err.splitlines() == [
        f"percepts: {gone}: No such file or directory",
        f"percepts: {empty}: the file is empty; read_depth reads .npy, .npz, greyscale PNG, PGM, "
        "PFM and TIFF, OpenEXR and ROS compressedDepth",
    ]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "not enough memory"),
        (MemoryError("Unable to allocate 1 TiB"), "Unable to allocate 1 TiB"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (OSError("odd"), "odd"),
        (RuntimeError("first\n  second\r\nthird\u2028fourth"), "RuntimeError: first second third fourth"),
        (ValueError("\x1b[31mred"), "\\x1b[31mred"),
        (ValueError(), "ValueError"),
    ],
)
def test_whatever_a_file_raises_is_one_line(capsys, monkeypatch, ramp, error, line):
    def fail(*_):
        raise error

    monkeypatch.setattr(pc, "read_depth", fail)
    assert main(["depth", str(ramp), "two\nlines"]) == 1
    assert capsys.readouterr().err == f"percepts: {ramp}: {line}\npercepts: two lines: {line}\n"


def test_real_depth_files(capsys, data_path):
    pytest.importorskip("imagecodecs")
    tum = data_path("tool_outputs/tum_1_depth.png")
    seven = data_path("tool_outputs/sevenscenes_000000.depth.png")
    options = {"kind": "metric", "invalid_value": 0}
    for path, scale in ((tum, 5000), (seven, 1000)):
        expected = pc.depth(pc.read_depth(path), scale=scale, **options)
        arguments = ["depth", path, "--kind", "metric", "--invalid-value", "0", "--scale", scale]
        assert printed(capsys, *arguments) == f"{expected}\n"


def test_real_flow_files_and_their_masks(capsys, data_path):
    pytest.importorskip("imagecodecs")
    paths = [
        data_path("tool_outputs/middlebury_flow_gt.flo"),
        data_path("tool_outputs/chairs_0000000-flow_01.flo"),
        data_path("tool_outputs/kitti_flow_gt.png"),
    ]
    out = printed(capsys, "flow", *paths)
    assert out == "".join(f"{pc.flow(pc.read_flow(path))}\n" for path in paths)
    # KITTI's laser sees no sky: the patches of the top row have no valid pixel.
    assert [item.r for item in pc.flow(pc.read_flow(paths[-1])).items[:10]] == ["unknown"] * 10
    assert out.count("r: unknown\n") >= 10
