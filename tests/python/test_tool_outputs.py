"""Files that other people's sensors and tools wrote, from the file to a program equal to the reference's."""

import numpy as np
import pytest

import percepts as pc
from percepts.cli import main

DEPTH_FILES = [
    ("tool_outputs/tum_1_depth.png", {"kind": "metric", "scale": 5000, "invalid_value": 0}),
    ("tool_outputs/sevenscenes_000000.depth.png", {"kind": "metric", "scale": 1000, "invalid_value": (0, 65535)}),
    ("opencv/aloeGT.png", {"kind": "disparity", "invalid_value": 0}),
    ("tool_outputs/slam_depth_1.pgm", {"kind": "metric", "scale": 1000, "invalid_value": 0}),
    ("tool_outputs/motorcycle_disp.npz", {"kind": "disparity"}),
    ("tool_outputs/cones_left_gt.tif", {"kind": "disparity", "invalid_value": 0}),
    ("tool_outputs/occ_weights_01.pfm", {"kind": "relative"}),
    ("tool_outputs/beachball_singlepart_0001.exr", {"kind": "metric", "invalid_value": 0}),
]
FLOW_FILES = [
    "tool_outputs/middlebury_flow_gt.flo",
    "tool_outputs/chairs_0000000-flow_01.flo",
    "tool_outputs/kitti_flow_gt.png",
    "tool_outputs/kitti_format_sparse_flow_tiny.png",
]


@pytest.mark.parametrize(("file", "options"), DEPTH_FILES)
@pytest.mark.parametrize("grid", [10, 16, (7, 11)])
@pytest.mark.parametrize("normalize", [True, False])
def test_depth(data_path, file, options, grid, normalize):
    if options["kind"] == "metric":
        options = {**options, "normalize": normalize}
    depth = pc.read_depth(data_path(file))
    program = pc.depth(depth, grid=grid, **options)
    assert str(program) == str(pc.reference.depth(depth, grid=grid, **options))
    assert pc.parse(str(program)) == program
    assert program.relations


@pytest.mark.parametrize("file", FLOW_FILES)
@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow(data_path, file, axis):
    flow = pc.read_flow(data_path(file))
    program = pc.flow(flow, axis=axis)
    assert str(program) == str(pc.reference.flow(flow, axis=axis))
    assert pc.parse(str(program)) == program


@pytest.mark.parametrize(("file", "options"), DEPTH_FILES)
def test_depth_on_the_command_line(data_path, capsys, file, options):
    path = data_path(file)
    arguments = [f"--kind={options['kind']}", f"--scale={options.get('scale', 1)}"]
    for value in np.atleast_1d(options.get("invalid_value", [])):
        arguments.append(f"--invalid-value={value:g}")
    assert main(["depth", str(path), *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{pc.reference.depth(pc.read_depth(path), **options)}\n"
    assert printed.err == ""


@pytest.mark.parametrize("file", FLOW_FILES)
def test_flow_on_the_command_line(data_path, capsys, file):
    path = data_path(file)
    assert main(["flow", str(path), "--axis", "vertical"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{pc.reference.flow(pc.read_flow(path), axis='vertical')}\n"
    assert printed.err == ""


@pytest.mark.parametrize("name", ["disparityL.x", "disparityR.x", "left.Z"])
def test_channel_of_a_film(data_path, name):
    channel = pc.read_depth(data_path("tool_outputs/beachball_singlepart_0001.exr"), name)
    options = {"kind": "metric" if name.endswith("Z") else "disparity", "invalid_value": 0}
    assert str(pc.depth(channel, **options)) == str(pc.reference.depth(channel, **options))


@pytest.mark.parametrize("name", ["forward.left", "forward.right"])
@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow_of_a_film(data_path, name, axis):
    flow = pc.read_flow(data_path("tool_outputs/beachball_singlepart_0001.exr"), name)
    assert str(pc.flow(flow, axis=axis)) == str(pc.reference.flow(flow, axis=axis))


def test_tum_depth_in_metres(data_path):
    """33 % of the pixels are holes; a desk scene lies within a few metres."""
    depth = pc.read_depth(data_path("tool_outputs/tum_1_depth.png"))
    program = pc.depth(depth, kind="metric", scale=5000, invalid_value=0, normalize=False)
    assert program.arrays["valid"].mean() == pytest.approx(0.67, abs=0.005)
    assert 0.3 < np.nanmin(program.arrays["min"]) < np.nanmax(program.arrays["max"]) < 10
    pixels = depth.data[96:144, 192:256] / 5000
    low, high = pixels[pixels > 0].min(), pixels[pixels > 0].max()
    assert program.items[23].r == [float(f"{low:.4g}"), float(f"{high:.4g}")]


def test_holes_that_are_not_named_are_refused(data_path):
    depth = pc.read_depth(data_path("tool_outputs/tum_1_depth.png"))
    with pytest.raises(ValueError, match="smallest value of 0; say invalid_value=0"):
        pc.depth(depth, kind="metric", scale=5000)


def test_sparse_flow_uses_the_valid_channel(data_path):
    """16.2 % of KITTI's pixels are valid; invalid ones are stored as a large negative flow."""
    flow = pc.read_flow(data_path("tool_outputs/kitti_flow_gt.png"))
    program = pc.flow(flow)
    assert program.arrays["valid"].mean() == pytest.approx(0.162, abs=0.001)
    u = np.where(flow.mask, flow.data[..., 0], 0)
    rows, cols = np.arange(11) * 375 // 10, np.arange(11) * 1242 // 10
    for item in program.items:
        i, j = divmod(item.p - 1, 10)
        cell = np.s_[rows[i] : rows[i + 1], cols[j] : cols[j + 1]]
        expected = pc.UNKNOWN if not flow.mask[cell].any() else "left" if u[cell].sum() < 0 else "right"
        assert item.r == expected
    assert pc.UNKNOWN in [item.r for item in program.items]
