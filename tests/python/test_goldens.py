"""Texts that a person has read and found right, kept in tests/golden/."""

import math
from pathlib import Path

import numpy as np
import pytest

GOLDEN = Path(__file__).parents[1] / "golden"
HOLE = math.nan


def stairs():
    """Three steps towards the viewer, from the upper left (0.1) to the lower right (0.9)."""
    return np.array([[0.1, 0.1, 0.3, 0.35], [0.1, 0.1, 0.3, 0.35], [0.3, 0.3, 0.9, 0.85]], np.float32)


def room():
    """A sensor's map in millimetres: a wall at 4 m, a box at 1.5 m, holes around it."""
    depth = np.full((4, 6), 4000, np.uint16)
    depth[1:3, 2:4] = 1500
    depth[1, 1] = depth[2, 1] = 0
    depth[:2, 4:] = 0
    return depth


def turn():
    """A camera that turns right and rises: everything drifts left and down, but for one patch without flow."""
    flow = np.empty((4, 6, 2), np.float32)
    flow[..., 0], flow[..., 1] = -3.5, 1.25
    flow[:2, :2] = HOLE
    flow[2:, 4:, 0] = 0.5
    return flow


def one_hot():
    """Features of four cells, each in a channel of its own."""
    return np.eye(4, dtype=np.float32).reshape(4, 2, 2)


CASES = {
    "depth-relative": lambda backend: backend.depth(stairs(), grid=(3, 2)),
    "depth-metric": lambda backend: backend.depth(
        room(), grid=(2, 3), kind="metric", scale=1000, invalid_value=0, note=None
    ),
    "depth-metres": lambda backend: backend.depth(
        room(), grid=(2, 3), kind="metric", scale=1000, invalid_value=0, normalize=False
    ),
    "depth-disparity": lambda backend: backend.depth(
        [[1e-05, 12.5], [25, HOLE]], grid=2, kind="disparity", depth_range=(20, 0), note='x: "quoted" <b>\n'
    ),
    "semantic": lambda backend: backend.semantic(
        one_hot(),
        one_hot(),
        (7, 3),
        {"A": (140, 30), "no": (60, 99), "<b>\n": (200, 0)},
        size0=(16, 8),
        size1=(200, 100),
    ),
    "semantic-scores": lambda backend: backend.semantic_scores(
        {"A": 0.71, "B": HOLE}, {"A": (320, 240), "B": (639, 0)}, size=(640, 480), note=None
    ),
    "flow-horizontal": lambda backend: backend.flow(turn(), grid=(2, 3)),
    "flow-camera-vertical": lambda backend: backend.flow(turn(), grid=(2, 3), axis="vertical", motion="camera"),
}


STYLES = {"paper": ".txt", "json": ".json.txt", "compact": ".compact.txt"}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", CASES)
def test_text(backend, name, style):
    golden = (GOLDEN / f"{name}{STYLES[style]}").read_text(encoding="utf-8")
    assert CASES[name](backend).to_text(style) + "\n" == golden


def test_every_golden_is_a_case():
    assert {path.name for path in GOLDEN.iterdir()} == {name + end for name in CASES for end in STYLES.values()}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", CASES)
def test_goldens_parse_to_themselves(backend, name, style):
    text = (GOLDEN / f"{name}{STYLES[style]}").read_text(encoding="utf-8")
    program = backend.parse(text)
    assert program.to_text(style) + "\n" == text
    assert program == CASES[name](backend)
