"""The oracles of relative depth and of camera motion."""

from __future__ import annotations

import math

import numpy as np
import pytest

import percepts as pc

RAMP = pc.depth([[0.1, 0.9], [0.5, math.nan]], grid=2)


def points(**locations):
    return pc.Program("point-detection", "pixels", [pc.Item(c=list(c), b=name) for name, c in locations.items()])


def test_the_point_on_the_nearest_patch():
    choice = pc.oracle.closest_point(RAMP, points(A=(0, 0), B=(900, 10), C=(10, 900)))
    assert (choice.choice, choice.tied) == ("B", False)
    assert choice.scores == {"A": 0.1, "B": 0.9, "C": 0.5}
    assert {label: item.p for label, item in choice.evidence.items()} == {"A": 1, "B": 2, "C": 3}
    assert pc.oracle.closest_point(RAMP, points(A=(0, 0), C=(10, 900)), nearer="lower").choice == "A"


def test_texts_are_taken_in_any_style():
    asked = points(A=(0, 0), B=(900, 10))
    for style in ("paper", "json", "compact"):
        assert pc.oracle.closest_point(RAMP.to_text(style), asked.to_text(style)).choice == "B"


def test_the_middle_of_the_range_decides():
    depth = pc.depth([[0.1, 0.95, 0.5, 0.6]], grid=(1, 2))
    choice = pc.oracle.closest_point(depth, points(A=(0, 0), B=(900, 0)))
    assert (choice.choice, choice.scores) == ("B", {"A": (0.1 + 0.95) / 2, "B": (0.5 + 0.6) / 2})


def test_unknown_never_wins():
    choice = pc.oracle.closest_point(RAMP, points(A=(0, 0), D=(900, 900)))
    assert (choice.choice, choice.scores) == ("A", {"A": 0.1})
    assert choice.evidence["D"].r == pc.UNKNOWN
    assert pc.oracle.closest_point(RAMP, points(A=(0, 0), D=(900, 900)), nearer="lower").choice == "A"
    assert pc.oracle.closest_point(RAMP, points(D=(900, 900))) == pc.Choice(None, False, {}, {"D": RAMP.items[3]})


def test_a_tie_is_a_tie():
    choice = pc.oracle.closest_point(RAMP, points(A=(900, 0), B=(901, 0), C=(0, 0)))
    assert (choice.choice, choice.tied) == (None, True)
    printed_alike = pc.depth([[0.50001, 0.50002]], grid=(1, 2))
    assert pc.oracle.closest_point(printed_alike, points(A=(0, 0), B=(900, 0))).tied
    assert pc.oracle.closest_point(RAMP, points()) == pc.Choice(None, False)


@pytest.mark.parametrize(
    ("depth", "asked", "nearer", "error", "message"),
    [
        (RAMP, points(), "nearest", ValueError, "nearer must be 'higher' or 'lower', got 'nearest'"),
        (RAMP, points(), 1, TypeError, "nearer must be a str, got int"),
        (3, points(), "higher", TypeError, "depth must be a Program or its text, got int"),
        (points(), points(), "higher", ValueError, "depth must be a program of the modality 'depth'"),
        (RAMP, RAMP, "higher", ValueError, "points must be a program of the modality 'point-detection'"),
        (RAMP, pc.Program("point-detection", "pixels", [{"c": [1, 2]}]), "higher", ValueError, "a label as b"),
        (RAMP, pc.Program("point-detection", "pixels", [{"c": "x", "b": "A"}]), "higher", ValueError, "[x, y] as c"),
        (
            RAMP,
            pc.Program("point-detection", "pixels", [{"c": [1, 2], "b": "A"}, {"c": [3, 4], "b": "A"}]),
            "higher",
            ValueError,
            "'A' more than once",
        ),
        (
            pc.Program("depth", "patch", [pc.Item(p=1, c=[1, 2], r="near")]),
            points(A=(0, 0)),
            "higher",
            ValueError,
            "depth must have [min, max] as r",
        ),
    ],
)
def test_what_is_no_question(depth, asked, nearer, error, message):
    with pytest.raises(error) as caught:
        pc.oracle.closest_point(depth, asked, nearer)
    assert message in str(caught.value)


def test_the_majority_word():
    field = np.zeros((3, 3, 2))
    field[:2, :, 0] = -1
    field[0, 0] = math.nan
    program = pc.flow(field, grid=3)
    choice = pc.oracle.camera_motion(program)
    assert (choice.choice, choice.tied, choice.scores) == ("left", False, {"left": 5, "right": 3})
    assert choice.evidence == {"left": program.items[1], "right": program.items[6]}
    assert pc.oracle.camera_motion(program.to_text("compact")) == choice
    assert pc.oracle.camera_motion(pc.flow(field, grid=3, axis="vertical")).choice == "down"


def test_as_many_of_each_is_a_tie():
    choice = pc.oracle.camera_motion(pc.flow(np.array([[[1.0, 0], [-1, 0]]]), grid=(1, 2)))
    assert (choice.choice, choice.tied, choice.scores) == (None, True, {"right": 1, "left": 1})
    assert pc.oracle.camera_motion(pc.flow(np.full((2, 2, 2), np.nan), grid=2, layout="hwc")) == pc.Choice(None, False)


def test_what_is_no_flow():
    with pytest.raises(ValueError, match="flow must be a program of the modality 'flow', got 'depth'"):
        pc.oracle.camera_motion(RAMP)
    with pytest.raises(ValueError, match="flow must have a direction as r"):
        pc.oracle.camera_motion(pc.Program("flow", "patch", [pc.Item(p=1, r=3)]))


def test_points_of_two_images_are_not_of_one_map():
    depth = pc.depth([[0.9, 0.2]], grid=(1, 2))
    points = pc.points(
        {"image 1": {"A": (1, 1)}, "image 2": {"B": (9, 1)}}, size={"image 1": (10, 5), "image 2": (10, 5)}
    )
    with pytest.raises(ValueError, match="points must be of one image, got 'image 1' and 'image 2'"):
        pc.oracle.closest_point(depth, points)
