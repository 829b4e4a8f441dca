"""The box that fits what a detector found."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc

SIZE = (1000, 1000)
A, B = (0, 0, 100, 100), (0, 0, 100, 50)


def test_quoted_questions(data_path):
    """Questions whose answers the research release quotes, with their exact overlaps."""
    examples = json.loads(data_path("conformance/examples.json").read_text(encoding="utf-8"))
    questions = [program for program in examples["quoted_programs"] if "iou_exact" in program]
    assert len(questions) == 3
    for question in questions:
        (found,) = question["detections"]
        program = pc.detection([found["c"]], [float(found["r"])], [found["b"]], size=SIZE)
        answer = pc.oracle.best_box(program, {"A": question["A"], "B": question["B"]}, label=found["b"])
        assert (answer.choice, answer.tied) == (question["model"], False)
        assert {label: round(score, 4) for label, score in answer.scores.items()} == question["iou_exact"]
        assert answer.evidence == {"A": program.items[0], "B": program.items[0]}


def test_overlaps_by_hand():
    """Of A: 50·100 of 100·100. Of C: 50·50 shared, 100·100 + 50·100 - 50·50 together."""
    program = pc.detection([B], size=SIZE)
    answer = pc.oracle.best_box(program, {"A": A, "C": (50, 0, 150, 100), "D": (200, 0, 300, 1), "B": B})
    assert answer.scores == {"A": 0.5, "C": 2500 / 12500, "D": 0.0, "B": 1.0}
    assert answer.choice == "B"
    assert answer.evidence["D"] is None


def test_the_best_detection_of_each_box_counts():
    program = pc.detection([[0, 0, 100, 90], B, A], [0.1, 0.9, 0.5], ["x", "x", "y"], size=SIZE)
    answer = pc.oracle.best_box(program, {"A": A, "B": B})
    assert (answer.choice, answer.tied, answer.scores) == (None, True, {"A": 1.0, "B": 1.0})
    assert [item.p for item in answer.evidence.values()] == [3, 2]
    labelled = pc.oracle.best_box(program, {"A": A, "B": B}, label="x")
    assert (labelled.choice, labelled.scores) == ("B", {"A": 0.9, "B": 1.0})
    assert labelled.evidence["A"].p == 1


def test_labels_match_whatever_their_case():
    program = pc.detection([A], None, ["Fire Hydrant"], size=SIZE)
    assert pc.oracle.best_box(program, {"A": A, "B": B}, label=" fire hydrant ").choice == "A"


@pytest.mark.parametrize("label", ["hydrant", "", "class_0"])
def test_without_a_matching_detection_nothing_is_chosen(label):
    program = pc.detection([A], None, ["fire hydrant"], size=SIZE)
    answer = pc.oracle.best_box(program, {"A": A, "B": B}, label=label)
    assert (answer.choice, answer.tied, answer.scores, answer.evidence) == (None, False, {}, {"A": None, "B": None})
    assert pc.oracle.best_box(pc.detection([], size=SIZE), {"A": A}).choice is None


def test_no_overlap_at_all_is_a_tie():
    answer = pc.oracle.best_box(pc.detection([A], size=SIZE), {"A": (500, 500, 600, 600), "B": (0, 100, 100, 200)})
    assert (answer.choice, answer.tied, answer.scores) == (None, True, {"A": 0.0, "B": 0.0})


def test_boxes_without_area():
    answer = pc.oracle.best_box(pc.detection([[5, 5, 5, 5]], size=SIZE), {"A": (5, 5, 5, 5), "B": (0, 0, 10, 10)})
    assert answer.scores == {"A": 0.0, "B": 0.0}


@pytest.mark.parametrize("style", ["paper", "json", "compact"])
def test_texts(style):
    program = pc.detection([A], [0.5], ["x"], size=SIZE)
    boxes = {"A": A, "B": np.array(B)}
    assert pc.oracle.best_box(program.to_text(style), boxes) == pc.oracle.best_box(program, boxes)


CORNERS = st.tuples(*[st.integers(0, 12)] * 4).map(
    lambda v: (min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3]))
)


def overlap(a, b):
    """Count the unit squares."""
    inside = [{(x, y) for x in range(box[0], box[2]) for y in range(box[1], box[3])} for box in (a, b)]
    return len(inside[0] & inside[1]) / len(inside[0] | inside[1]) if inside[0] | inside[1] else 0.0


@given(st.lists(st.tuples(st.lists(CORNERS, max_size=4), st.lists(CORNERS, min_size=1, max_size=4)), max_size=5))
def test_many_questions_at_once(questions):
    programs = [pc.detection(found, size=SIZE) for found, _ in questions]
    options = [dict(zip("ABCD", boxes, strict=False)) for _, boxes in questions]
    answers = pc.oracle.best_box(programs, options)
    assert answers == [pc.oracle.best_box(*question) for question in zip(programs, options, strict=True)]
    for answer, (found, boxes) in zip(answers, questions, strict=True):
        expected = (
            {label: max(overlap(box, each) for each in found) for label, box in zip("ABCD", boxes, strict=False)}
            if found
            else {}
        )
        assert answer.scores == pytest.approx(expected)


def test_labels_of_many_questions():
    programs = [pc.detection([A, B], None, ["a", "b"], size=SIZE)] * 3
    boxes = [{"A": A, "B": B}] * 3
    choices = [answer.choice for answer in pc.oracle.best_box(programs, boxes, ["a", "b", None])]
    assert choices == ["A", "B", None]
    assert [answer.choice for answer in pc.oracle.best_box(programs, boxes, "b")] == ["B"] * 3


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((7, {"A": A}), TypeError, "detections must be a program or its text, or several"),
        (([7], [{"A": A}]), TypeError, r"detections\[0\] must be a Program or its text, got int"),
        ((pc.detection([A], size=SIZE), [A]), TypeError, "boxes must be a mapping of labels to boxes, got list"),
        ((pc.detection([A], size=SIZE), {}), ValueError, "boxes must have a box at least"),
        ((pc.detection([A], size=SIZE), {"A": A}, 3), TypeError, "label must be a str, got int"),
        ((pc.detection([A], size=SIZE), {"A": (0, 0, 1)}), ValueError, r"boxes\['A'\] must be \(x0, y0, x1, y1\)"),
        ((pc.detection([A], size=SIZE), {"A": (0, 0, math.nan, 1)}), ValueError, r"boxes\['A'\] must be finite"),
        ((pc.detection([A], size=SIZE), {"A": (2, 0, 1, 1)}), ValueError, r"boxes\['A'\] must be finite with x0 <= x1"),
        ((pc.detection([A], size=SIZE), {"A": ("0", 0, 1, 1)}), TypeError, r"boxes\['A'\] must be a number, got str"),
        ((pc.detection([A], size=SIZE), {"A": (0, 0, 1, 10**400)}), ValueError, r"boxes\['A'\] must fit a float64"),
        ((pc.Program("object-detection", "x", [{"p": 1, "c": [0, 0, 1, 10**400]}]), {"A": A}), ValueError, "float64"),
        (("text", {"A": A}), ValueError, "line"),
        ((pc.depth([[0.5]], grid=1), {"A": A}), ValueError, "modality 'object-detection', got 'depth'"),
        ((pc.Program("object-detection", "x", [{"p": 1}]), {"A": A}), ValueError, "c of item 1 of detections must be"),
        (([pc.detection([A], size=SIZE)], []), TypeError, "with as many mappings of boxes"),
        (([pc.detection([A], size=SIZE)], [{"A": A}], ["a", "b"]), ValueError, "label must be one for each of the 1"),
    ],
)
def test_what_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        pc.oracle.best_box(*arguments)
