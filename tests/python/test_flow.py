"""Flow programs: directions that can be checked by hand, on every backend."""

import math

import numpy as np
import pytest


@pytest.fixture
def backend(every_backend):
    """Each implementation, those on CUDA devices included."""
    return every_backend


def words(program):
    return [item.r for item in program.items]


@pytest.fixture
def corners():
    """Motion up left, up right, down left and down right in the four corners, 4×6×2."""
    field = np.empty((4, 6, 2), np.float32)
    field[:2, :3], field[:2, 3:], field[2:, :3], field[2:, 3:] = [-1, -2], [1, -2], [-1, 2], [1, 2]
    return field


def test_horizontal_words(backend, corners):
    program = backend.flow(corners, grid=2)
    assert words(program) == ["left", "right", "left", "right"]
    assert [item.c for item in program.items] == [[166, 0], [666, 0], [166, 500], [666, 500]]
    assert (program.modality, program.granularity, program.grid) == ("flow", "patch", (2, 2))
    assert program.relations == ()


def test_vertical_words(backend, corners):
    assert words(backend.flow(corners, grid=2, axis="vertical")) == ["up", "up", "down", "down"]


def test_the_camera_moves_the_opposite_way(backend, corners):
    assert words(backend.flow(corners, grid=2, motion="camera")) == ["right", "left", "right", "left"]
    program = backend.flow(corners, grid=2, axis="vertical", motion="camera")
    assert words(program) == ["down", "down", "up", "up"]
    assert "camera" in program.note


def test_planar_layout(backend, corners):
    planar = np.moveaxis(corners, 2, 0)
    assert words(backend.flow(planar, grid=2)) == words(backend.flow(corners, grid=2))
    assert words(backend.flow(np.ascontiguousarray(planar), grid=2, axis="vertical", layout="chw")) == [
        "up", "up", "down", "down"
    ]  # fmt: skip


def test_a_mean_of_zero_is_right_and_down(backend):
    field = np.array([[[-1.0, 2.0], [1.0, -2.0]]])
    assert words(backend.flow(field, grid=1)) == ["right"]
    assert words(backend.flow(field, grid=1, axis="vertical")) == ["down"]
    assert words(backend.flow(-np.zeros((3, 3, 2)), grid=1)) == ["right"]


def test_the_mean_decides_not_the_majority(backend):
    field = np.zeros((1, 4, 2))
    field[0, :, 0] = [1, 1, 1, -4]
    assert words(backend.flow(field, grid=1)) == ["left"]


def test_only_the_component_that_is_read_decides_what_is_valid(backend):
    field = np.array([[[-1.0, math.nan], [math.nan, 1.0]]])
    assert words(backend.flow(field, grid=(1, 2))) == ["left", "unknown"]
    assert words(backend.flow(field, grid=(1, 2), axis="vertical")) == ["unknown", "down"]
    sentinel = np.array([[[-1.0, 1e10], [1e10, 1.0]]])
    assert words(backend.flow(sentinel, grid=(1, 2), invalid_value=1e10)) == ["left", "unknown"]


def test_masks(backend):
    field = np.array([[[-1.0, 0], [2.0, 0]]])
    assert words(backend.flow(field, grid=1, mask=[[True, False]])) == ["left"]
    masked = np.ma.MaskedArray(field, mask=[[[False, True], [True, False]]])
    assert words(backend.flow(masked, grid=1)) == ["left"]
    assert words(backend.flow(masked, grid=1, mask=[[False, True]])) == ["unknown"]


def test_arrays(backend):
    field = np.array([[[-1.0, 0], [0.5, 0], [math.nan, 0], [3, 0]]])
    arrays = backend.flow(field, grid=(1, 2)).arrays
    assert arrays["mean"].tolist() == [[-0.25, 3]]
    assert arrays["valid"].tolist() == [[1, 0.5]]
    assert arrays["center"].tolist() == [[[0, 0], [500, 0]]]


@pytest.mark.parametrize("shape", [(2, 5, 2), (2, 2, 2)])
def test_a_shape_that_could_be_either_names_layout(backend, shape):
    with pytest.raises(ValueError, match="layout must be given"):
        backend.flow(np.zeros(shape), grid=1)
    assert words(backend.flow(np.ones(shape), grid=1, layout="hwc")) == ["right"]
    assert words(backend.flow(np.ones(shape), grid=1, layout="chw")) == ["right"]


@pytest.mark.parametrize(
    ("shape", "options", "error", "message"),
    [
        ((5, 6), {}, ValueError, "flow must be H×W×2 or 2×H×W, got shape (5, 6)"),
        ((5, 6, 3), {}, ValueError, "flow must be H×W×2 or 2×H×W, got shape (5, 6, 3)"),
        (
            (1, 5, 6, 3),
            {},
            ValueError,
            "flow must be H×W×2 or 2×H×W, with B in front for a batch, got shape (1, 5, 6, 3)",
        ),
        (
            (5, 6, 2),
            {"layout": "chw"},
            ValueError,
            "flow must be 2×H×W with layout='chw', got shape (5, 6, 2)",
        ),
        ((5, 6, 2), {"layout": "nhwc"}, ValueError, "layout must be 'hwc' or 'chw', got 'nhwc'"),
        ((5, 6, 2), {"layout": 1}, TypeError, "layout must be a str, got int"),
        ((5, 6, 2), {"axis": "x"}, ValueError, "axis must be 'horizontal' or 'vertical', got 'x'"),
        ((5, 6, 2), {"motion": "ego"}, ValueError, "motion must be 'scene' or 'camera', got 'ego'"),
        (
            (5, 6, 2),
            {"grid": 6},
            ValueError,
            "grid 6x6 (rows x columns) needs at least as many pixels, got a map of 5x6",
        ),
        (
            (5, 6, 2),
            {"mask": np.ones((5, 6, 2), bool)},
            ValueError,
            "mask must have the shape of the map, (5, 6)",
        ),
        ((0, 6, 2), {"grid": 1}, ValueError, "got a map of 0x6 (height x width)"),
    ],
)
def test_bad_input(backend, shape, options, error, message):
    with pytest.raises(error) as caught:
        backend.flow(np.zeros(shape), **{"grid": 2, **options})
    assert message in str(caught.value)


def test_flow_sign(backend, corners):
    corners[0, :3, 0] = math.nan
    corners[1, :3, 0] = math.nan
    signs = backend.kernels.flow_sign(corners, grid=2)
    assert signs.dtype == np.int8
    assert signs.tolist() == [[0, 1], [-1, 1]]
    assert backend.kernels.flow_sign(corners, grid=2, axis="vertical").tolist() == [[-1, -1], [1, 1]]


@pytest.mark.parametrize("flip", [1, -1])
def test_signs_that_sums_in_float32_would_lose(backend, flip):
    """Added up in float32 by rows these are 0; in float64 they are not."""
    component = flip * np.array([[-0.4], [1.3], [-0.9]], np.float32)
    total = math.fsum(component.ravel().tolist())
    assert total != 0
    word = "left" if total < 0 else "right"
    for columns in (1, 5, 64):
        field = np.repeat(np.stack([component, component], axis=-1), columns, axis=1)
        assert words(backend.flow(field, grid=1, layout="hwc")) == [word]
        assert backend.kernels.flow_sign(field, grid=1, layout="hwc").tolist() == [[-1 if total < 0 else 1]]
