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


def rooms():
    """A label map of a floor (2), a wall (7) and a lamp (9), of which a corner is not labelled (255)."""
    labels = np.full((4, 6), 7, np.uint8)
    labels[2:] = 2
    labels[1, 1] = labels[2, 2] = 9
    labels[:2, 4:] = 255
    return labels


def shadow():
    """A grey wall, half of it in the shadow, with a dark hole of a sensor."""
    albedo = np.full((4, 6), 153, np.uint8)
    albedo[:, 3:] = 140
    albedo[2:, :2] = 51
    albedo[:2, 4:] = 0
    return albedo


def kitchen():
    """A detector's boxes of an image of 640×480, one of them beyond its edge."""
    boxes = np.array([[547.5, 95, 640, 479], [-3, 120.5, 212, 400], [300, 200, 330, 260]], np.float32)
    return boxes, np.array([0.80431, 0.5, 0.09996], np.float32), np.array([82, 1, 44])


def sunset():
    """Red that fades to the right and blue that grows downwards, 9 wide and 7 high."""
    y, x = np.mgrid[0:7, 0:9]
    return np.stack([255 - 25 * x, 40 + 0 * x, 30 * y], axis=-1).astype(np.uint8)


def night():
    """A piece of 3×3 pixels with one light."""
    piece = np.full((3, 3, 3), 20, np.uint8)
    piece[1, 1] = 255, 255, 0
    return piece


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
    "detection": lambda backend: backend.detection(
        *kitchen(), size=(640, 480), class_names={82: "refrigerator", 1: "person"}
    ),
    "detection-boxes": lambda backend: backend.detection(
        [[0.5, 0.5, 0.25, 0.5], [0, 0, 0.1, 0.1]], size=(640, 480), box_format="cxcywh", normalized=True
    ),
    "detection-hostile": lambda backend: backend.detection(
        [[0, 0, 1, 1]] * 3, [1, 0.00005, 0], ["no", "</perceptionprogram>\nb: 1", "person: #2"], size=(8, 9), note=None
    ),
    "jigsaw": lambda backend: backend.jigsaw(sunset(), {"sky: left": sunset()[4:, :3], 'the "dark" one': night()}),
    "jigsaw-grey": lambda backend: backend.jigsaw(sunset()[..., 0], {"A": night()[..., 0]}, strip=2, note=None),
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
    "correspondence": lambda backend: backend.correspondence(
        [(8, 8), (32, 8), (500.5, 400)], [(9, 8), (40.25, 10), (640, 0)], size0=(512, 400), size1=(640, 480)
    ),
    "correspondence-spread": lambda backend: backend.correspondence(
        {
            "keypoints0": [(8, 8), (16, 8), (160, 8)],
            "keypoints1": [(8, 8), (24, 8), (150, 8)],
            "confidence": [0.2, 0.9, 0.5],
        },
        size0=(512, 512),
        size1=(512, 512),
        max_items=2,
        keep="spread",
        rounding="nearest",
        note=None,
    ),
    "points": lambda backend: backend.points({"REF": (320, 240), "B": (640, 480), "A": (0, 1)}, size=(640, 480)),
    "points-several": lambda backend: backend.points(
        {"image 2": {'"B" <b>': (4, 6), "A": (3, 1)}, "image 1": {"REF": (8, 8)}},
        size={"image 1": (16, 8), "image 2": (10, 20)},
    ),
    "flow-camera-vertical": lambda backend: backend.flow(turn(), grid=(2, 3), axis="vertical", motion="camera"),
    "segmentation": lambda backend: backend.segmentation(
        rooms(), grid=(2, 3), class_names={"2": "floor", 7: 'wall: "old"'}, ignore_index=255
    ),
    "segmentation-relations": lambda backend: backend.segmentation(rooms() % 5, grid=(2, 3), relations=False),
    "albedo": lambda backend: backend.albedo(shadow(), grid=(2, 3), invalid_value=0),
    "albedo-labels": lambda backend: backend.albedo(
        shadow(), grid=(2, 3), labels=rooms(), class_names={7: "wall"}, tau=0.01, note=None
    ),
    "similarity": lambda backend: backend.similarity(
        {"A": [[0.5, 1 / 3], [HOLE, -0.25]], "no": [[1, 0], [2e-7, 1234.5]]}
    ),
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
