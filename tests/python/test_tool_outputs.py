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
OTHER_FILES = [  # photographs, detections and a COLMAP model
    "tool_outputs/motorcycle_left.png",
    "tool_outputs/motorcycle_right.png",
    "tool_outputs/sevenscenes_000000.color.jpg",
    "tool_outputs/tum_1_color.png",
    "tool_outputs/coco_instances_fakebbox100_results.json",
    "tool_outputs/colmap_lund_cameras.txt",
    "tool_outputs/colmap_lund_images.txt",
    "tool_outputs/colmap_lund_points3D.txt",
]
FILM = "tool_outputs/beachball_singlepart_0001.exr"
CHANNELS = [
    ("disparityL.x", {"kind": "disparity", "invalid_value": 0}),
    ("disparityR.x", {"kind": "disparity", "invalid_value": 0}),
    ("left.Z", {"kind": "metric", "invalid_value": 0}),
]


def test_every_file_is_named_here(data_path):
    named = {file for file, _ in DEPTH_FILES} | {*FLOW_FILES, *OTHER_FILES}
    folder = data_path(FILM).parent
    assert {f"{folder.name}/{path.name}" for path in folder.iterdir()} <= named


@pytest.mark.parametrize("file", [file for file in OTHER_FILES if file.endswith((".png", ".jpg"))])
def test_photographs_are_images(data_path, file):
    image = pc.readers.read_image(data_path(file))
    assert (image.data.dtype, image.data.shape[2:]) == (np.uint8, (3,))


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


def printed_by(capsys, *arguments):
    """Standard output of a call that succeeds and has nothing to complain of."""
    assert main([str(argument) for argument in arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def as_arguments(options):
    """Spell the keyword arguments of `percepts.depth` as its command has them."""
    invalid_values = np.atleast_1d(options.get("invalid_value", []))
    return [
        f"--kind={options['kind']}",
        f"--scale={options.get('scale', 1)}",
        *(f"--invalid-value={value:g}" for value in invalid_values),
    ]


@pytest.mark.parametrize(("file", "options"), DEPTH_FILES)
def test_depth_on_the_command_line(data_path, capsys, file, options):
    path = data_path(file)
    printed = printed_by(capsys, "depth", path, *as_arguments(options))
    assert printed == f"{pc.reference.depth(pc.read_depth(path), **options)}\n"


@pytest.mark.parametrize("file", FLOW_FILES)
def test_flow_on_the_command_line(data_path, capsys, file):
    path = data_path(file)
    printed = printed_by(capsys, "flow", path, "--axis", "vertical")
    assert printed == f"{pc.reference.flow(pc.read_flow(path), axis='vertical')}\n"


@pytest.mark.parametrize(("name", "options"), CHANNELS)
def test_channel_of_a_film(data_path, name, options):
    channel = pc.read_depth(data_path(FILM), name)
    assert str(pc.depth(channel, **options)) == str(pc.reference.depth(channel, **options))


@pytest.mark.parametrize(("name", "options"), CHANNELS)
def test_channel_of_a_film_on_the_command_line(data_path, capsys, name, options):
    path = data_path(FILM)
    printed = printed_by(capsys, "depth", path, "--name", name, *as_arguments(options))
    assert printed == f"{pc.reference.depth(pc.read_depth(path, name), **options)}\n"


@pytest.mark.parametrize("name", ["forward.left", "forward.right"])
@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow_of_a_film(data_path, name, axis):
    flow = pc.read_flow(data_path(FILM), name)
    assert str(pc.flow(flow, axis=axis)) == str(pc.reference.flow(flow, axis=axis))


@pytest.mark.parametrize("name", ["forward.left", "forward.right"])
@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow_of_a_film_on_the_command_line(data_path, capsys, name, axis):
    path = data_path(FILM)
    printed = printed_by(capsys, "flow", path, "--name", name, "--axis", axis)
    assert printed == f"{pc.reference.flow(pc.read_flow(path, name), axis=axis)}\n"


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
