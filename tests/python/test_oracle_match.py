"""Oracle and Naive on visual correspondence (paper, 9.1)."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import percepts as pc

SIZE = (1000, 1000)


def question(reference, options, images=("image 1", "image 2")):
    return pc.points({images[0]: {"REF": reference}, images[1]: options}, size=dict.fromkeys(images, SIZE))


def matches_of(*pairs):
    return pc.correspondence([c for c, _ in pairs], [r for _, r in pairs], size0=SIZE, size1=SIZE)


MATCHES = matches_of(((100, 100), (300, 120)), ((500, 500), (700, 510)), ((900, 100), (100, 900)))
POINTS = question((480, 520), {"A": (480, 520), "B": (690, 520), "C": (100, 900)})


@pytest.mark.parametrize("form", [lambda program: program, str, lambda program: program.to_text("compact")])
def test_oracle(form):
    choice = pc.oracle.match(form(MATCHES), form(POINTS))
    assert (choice.choice, choice.tied) == ("B", False)
    assert choice.scores == {
        "A": -math.dist((700, 510), (480, 520)),
        "B": -math.dist((700, 510), (690, 520)),
        "C": -math.dist((700, 510), (100, 900)),
    }
    assert choice.evidence == dict.fromkeys("ABC", MATCHES.items[1])


def test_naive():
    choice = pc.oracle.naive_match(POINTS)
    assert (choice.choice, choice.tied, choice.scores["A"]) == ("A", False, 0)
    assert choice.evidence["B"].c == [690, 520]


def test_the_first_of_matches_as_near_decides():
    matches = matches_of(((400, 500), (10, 10)), ((600, 500), (20, 20)))
    choice = pc.oracle.match(matches, question((500, 500), {"A": (20, 20), "B": (10, 10)}))
    assert (choice.choice, choice.evidence["A"].p) == ("B", 1)


def test_a_tie_is_told_as_a_tie():
    points = question((500, 500), {"A": (690, 510), "B": (710, 510), "C": (0, 0)})
    choice = pc.oracle.match(MATCHES, points)
    assert (choice.choice, choice.tied, choice.scores["A"]) == (None, True, -10)
    naive = pc.oracle.naive_match(question((500, 500), {"A": (500, 510), "B": (510, 500)}))
    assert (naive.choice, naive.tied) == (None, True)


def test_without_matches_nothing_is_chosen():
    choice = pc.oracle.match(matches_of(), POINTS)
    assert (choice.choice, choice.tied, choice.scores, choice.evidence) == (None, False, {}, {})


def test_many_questions():
    rng = np.random.default_rng(0)
    matches = pc.correspondence(*(rng.integers(0, 1000, (300, 2)) for _ in range(2)), size0=SIZE, size1=SIZE)
    questions = [
        question(rng.integers(0, 1000, 2), dict(zip("ABCD", rng.integers(0, 1000, (4, 2)), strict=True)))
        for _ in range(20)
    ]
    items = matches.items
    for each, choice in zip(questions, pc.oracle.match(matches, questions), strict=True):
        locations = {item.b: item.c for item in each.items}
        nearest = min(items, key=lambda item: math.dist(item.c, locations["REF"]))
        options = {label: c for label, c in locations.items() if label != "REF"}
        assert choice.choice == min(options, key=lambda label: math.dist(options[label], nearest.r))
        assert choice.evidence["A"] == nearest
    one_each = pc.oracle.match([matches] * 20, questions)
    assert one_each == pc.oracle.match(matches, questions)
    assert pc.oracle.naive_match(questions)[3] == pc.oracle.naive_match(questions[3])
    assert pc.oracle.match(matches, []) == []


def test_the_reference_has_any_name_and_its_image_is_image_1():
    points = pc.points({"b": {"Q": (480, 520)}, "a": {"A": (700, 500), "B": (0, 0)}}, size={"a": SIZE, "b": SIZE})
    assert pc.oracle.match(MATCHES, points, reference="Q").choice == "A"


@pytest.mark.parametrize("task", ["visual correspondence 1", "visual correspondence 2", "visual correspondence 3"])
def test_questions_that_the_release_quotes(data_path, task):
    examples = json.loads(data_path("conformance/examples.json").read_text(encoding="utf-8"))
    (quoted,) = (program for program in examples["quoted_programs"] if program.get("task") == task)
    items = [pc.Item(p=int(p), c=c, r=r) for p, (c, r) in quoted["items"].items() if r is not None]
    matches = pc.Program("correspondence", "keypoint", items)
    points = question(quoted["REF"], {label: quoted[label] for label in "ABCD"})
    assert pc.oracle.match(matches, points).choice == quoted["answer"]
    assert pc.oracle.naive_match(points).choice == quoted["answer"]


@pytest.mark.parametrize(
    ("matches", "points", "error", "message"),
    [
        (POINTS, POINTS, ValueError, "^matches must be a program of the modality 'correspondence', got 'point-detection'$"),
        (MATCHES, MATCHES, ValueError, "^points must be a program of the modality 'point-detection'"),
        (3, POINTS, TypeError, "^matches must be a Program or its text, got int$"),
        ("text", POINTS, ValueError, "line 1"),
        ([MATCHES], [POINTS, POINTS], ValueError, "^matches must be as many as points, got 1 and 2$"),
        (MATCHES, pc.points({"REF": (1, 2), "A": (3, 4)}, size=SIZE), ValueError, "^points must be of two images, .* got 1, of"),
        (MATCHES, question((1, 2), {"REF": (3, 4)}), ValueError, "got 2, of which 2 hold it$"),
        (MATCHES, pc.points({"x": {"A": (1, 2)}, "y": {"A": (1, 2)}}, size={"x": SIZE, "y": SIZE}), ValueError, "of which 0"),
        (pc.Program("correspondence", "keypoint", [pc.Item(p=1, c="x", r=[1, 2])]), POINTS, ValueError, r"^c of a match must be \[x, y\], got 'x'$"),
        (pc.Program("correspondence", "keypoint", [pc.Item(p=1, c=[1, 2], r=math.nan)]), POINTS, ValueError, "^r of a match must be .* got 'unknown'$"),
        (pc.Program("correspondence", "keypoint", [pc.Item(p=1, c=[1, 10**400], r=[1, 2])]), POINTS, ValueError, "^c of a match must fit a float64"),
    ],
)  # fmt: skip
def test_bad_input(matches, points, error, message):
    with pytest.raises(error, match=message):
        pc.oracle.match(matches, points)


def test_a_label_twice():
    items = [pc.Item(i="x", c=[1, 2], b="REF"), pc.Item(i="y", c=[1, 2], b="A"), pc.Item(i="y", c=[3, 2], b="A")]
    with pytest.raises(ValueError, match=r"^points must have each label once in an image, got 'A' again$"):
        pc.oracle.naive_match(pc.Program("point-detection", "pixels", items))
    with pytest.raises(TypeError, match=r"^reference must be a str, got int$"):
        pc.oracle.naive_match(POINTS, reference=1)
