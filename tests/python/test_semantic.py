"""Semantic similarity: programs by hand, the core against the reference, hostile labels, the oracle."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from command_line import call

BACKENDS = [pytest.param(pc, id="core"), pytest.param(pc.reference, id="reference")]
# Channels of three cells: (1, 0), (0, 2) and (1, 1).
FEATURES = np.array([[[1, 0, 1]], [[0, 2, 1]]], np.float32)
SIZES = {"size0": (30, 10), "size1": (300, 100)}
STYLES = ["paper", "json", "compact"]


@pytest.fixture(params=BACKENDS)
def backend(request):
    return request.param


def test_text(backend):
    program = backend.semantic(
        FEATURES, FEATURES, (4, 4), {"A": (50, 99.5), "B": (150, 0), "C": (300, 100)}, **SIZES, note=None
    )
    # Pixel 50 is 0.005 cells beyond the first centre: (0.995, 0.01) against (1, 0), 0.99994950.
    # Pixel 150 is 0.005 cells beyond the centre of the middle one: (0.005, 1.995) against (1, 0).
    assert str(program) == (
        "<perceptionprogram>\n"
        "modality: semantic\n"
        "granularity: point\n"
        "items:\n"
        '  - p: "A"\n'
        "    c: [166, 995]\n"
        "    r: 0.999950\n"
        '  - p: "B"\n'
        "    c: [500, 0]\n"
        "    r: 0.002506\n"
        '  - p: "C"\n'
        "    c: [1000, 1000]\n"
        "    r: 0.707107\n"
        "</perceptionprogram>"
    )
    assert program.arrays["score"].dtype == np.float64
    assert program.arrays["score"][2] == 1 / math.sqrt(2)


def test_compact_text(backend):
    program = backend.semantic_scores({"A": 0.5, "B": math.nan}, {"A": (0, 0), "B": (5, 7)}, size=(10, 10), note=None)
    assert program.to_text("compact") == (
        "<perceptionprogram>\ncompact semantic point\nitems: p c r\nA 0,0 .500000\nB 500,700 unknown\n</perceptionprogram>"
    )


def test_scores_in_the_order_of_the_candidates(backend):
    program = backend.semantic_scores({"B": -0.25, "A": 12.5}, {"A": (1, 2), "B": (10, 20)}, size=(10, 20))
    assert [(item.p, item.c, item.r) for item in program.items] == [
        ("A", [100, 100], 12.5),
        ("B", [1000, 1000], -0.25),
    ]
    assert program.arrays["score"].tolist() == [12.5, -0.25]


def test_what_is_not_finite_is_unknown(backend):
    field = FEATURES.copy()
    field[0, 0, 1] = math.inf
    program = backend.semantic(FEATURES, field, (4, 4), {"A": (10, 10), "B": (140, 10)}, **SIZES)
    assert [item.r for item in program.items] == [1.0, pc.UNKNOWN]
    scores = {"A": math.nan, "B": math.inf, "C": -math.inf}
    ready = backend.semantic_scores(scores, dict.fromkeys(scores, (0, 0)), size=(1, 1))
    assert [item.r for item in ready.items] == [pc.UNKNOWN] * 3
    assert np.isnan(ready.arrays["score"]).all()


def test_without_candidates(backend):
    assert "items: []" in str(backend.semantic(FEATURES, FEATURES, (0, 0), {}, **SIZES))
    assert backend.semantic_scores({}, {}, size=(1, 1)).items == ()


def test_the_note(backend):
    text = str(backend.semantic_scores({"A": 1}, {"A": (0, 0)}, size=(1, 1)))
    assert 'note: "Each item is one candidate point in the second image.' in text
    assert backend.semantic_scores({}, {}, size=(1, 1), note="<mine>").note == "<mine>"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"candidates": {"A": (301, 0)}},
            ValueError,
            "candidates['A'] must be within 0 <= x <= 300 and 0 <= y <= 100, got (30",
        ),
        ({"candidates": {"A": (math.nan, 0)}}, ValueError, "candidates['A'] must be within"),
        ({"candidates": {"A": (0, 0, 0)}}, ValueError, "candidates['A'] must be a point (x, y), got shape (3,)"),
        ({"candidates": {"A": "B"}}, TypeError, "candidates['A'] must be an array or nested lists of numbers, got str"),
        ({"candidates": {1: (0, 0)}}, TypeError, "a label of candidates must be a str, got int"),
        ({"candidates": [("A", (0, 0))]}, TypeError, "candidates must be a mapping of label to point (x, y), got list"),
        ({"candidates": dict.fromkeys(["\ud800", "\udbff"], (0, 0))}, ValueError, "p must be unique within a program"),
        ({"source": (30, 10.1)}, ValueError, "source must be within 0 <= x <= 30 and 0 <= y <= 10, got (30, 10.1)"),
        ({"size0": (30, 0)}, ValueError, "size0 must be (width, height) of 1 to 2147483647 pixels each, got (30, 0)"),
        ({"size1": None}, TypeError, "size1 (width, height) must be a pair, got None"),
        ({"features1": np.zeros((3, 1, 1))}, ValueError, "as many channels as each other, got 2 and 3"),
        ({"layout": "nchw"}, ValueError, "layout must be 'chw' or 'hwc', got 'nchw'"),
        ({"note": 5}, TypeError, "note must be a str or None, got int"),
    ],
)
def test_bad_arguments(backend, arguments, error, message):
    good = {"features0": FEATURES, "features1": FEATURES, "source": (0, 0), "candidates": {"A": (0, 0)}, **SIZES}
    with pytest.raises(error, match=re.escape(message)):
        backend.semantic(**{**good, **arguments})


@pytest.mark.parametrize(
    ("scores", "candidates", "size", "error", "message"),
    [
        (
            {"A": 1},
            {"B": (0, 0)},
            (1, 1),
            ValueError,
            "scores and candidates must have the same labels, got 'A' in one",
        ),
        ({}, {"B": (0, 0)}, (1, 1), ValueError, "must have the same labels, got 'B' in one of them only"),
        ([0.5], {"B": (0, 0)}, (1, 1), TypeError, "scores must be a mapping of label to number, got list"),
        ({"A": "1"}, {"A": (0, 0)}, (1, 1), TypeError, "scores['A'] must be a number, got str"),
        ({"A": 1e300}, {"A": (0, 0)}, (1, 1), ValueError, "scores must fit float32, got 1e+300"),
        (
            {"A": 1},
            {"A": (0, 2)},
            (1, 1),
            ValueError,
            "candidates['A'] must be within 0 <= x <= 1 and 0 <= y <= 1, got (0, 2)",
        ),
        (
            {"A": 1},
            {"A": (0, 0)},
            (0, 1),
            ValueError,
            "size must be (width, height) of 1 to 2147483647 pixels each, got (0, 1)",
        ),
    ],
)
def test_bad_scores(backend, scores, candidates, size, error, message):
    with pytest.raises(error, match=re.escape(message)):
        backend.semantic_scores(scores, candidates, size=size)


# ------------------------------------------------------------------------------------- core against reference


LABELS = st.text(max_size=12) | st.sampled_from(
    [
        "no",
        "1:30",
        "null",
        "# x",
        "</perceptionprogram>",
        'a"b\\c',
        "a\nb: c",
        "\u2028",
        "\u202e",
        "\ufeff",
        "é",
        "日本",
        "😀",
    ]
)


@given(st.data())
def test_the_core_prints_what_the_reference_prints(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    maps = [rng.standard_normal((5, *rng.integers(1, 6, 2))).astype(np.float32) for _ in range(2)]
    size0, size1 = (tuple(rng.integers(1, 700, 2).tolist()) for _ in range(2))
    labels = data.draw(st.lists(LABELS, max_size=5, unique_by=lambda label: label.encode("utf-16", "surrogatepass")))
    candidates = {label: tuple(rng.uniform(0, size1)) for label in labels}
    ours, definition = (
        backend.semantic(*maps, rng_point, candidates, size0=size0, size1=size1)
        for rng_point in [tuple(rng.uniform(0, size0))]
        for backend in (pc, pc.reference)
    )
    for style in STYLES:
        assert ours.to_text(style) == definition.to_text(style)
        assert pc.parse(ours.to_text(style)) == ours
    assert ours.arrays["score"].tolist() == definition.arrays["score"].tolist()
    for style in ("paper", "json"):
        assert yaml.safe_load("\n".join(ours.to_text(style).splitlines()[1:-1])) == ours.to_dict()


@given(
    st.dictionaries(
        LABELS, st.tuples(st.floats(width=32) | st.integers(-(10**9), 10**9), st.floats(0, 640), st.integers(0, 480))
    )
)
def test_ready_scores_print_what_the_reference_prints(given_points):
    scores = {label: score for label, (score, _, _) in given_points.items()}
    points = {label: (x, y) for label, (_, x, y) in given_points.items()}
    ours, definition = (each.semantic_scores(scores, points, size=(640, 480)) for each in (pc, pc.reference))
    for style in STYLES:
        assert ours.to_text(style) == definition.to_text(style)
        assert pc.parse(ours.to_text(style)) == ours


# ----------------------------------------------------------------------------------------------------- oracle


def ready(**scores):
    return pc.semantic_scores(scores, dict.fromkeys(scores, (0, 0)), size=(1, 1))


def test_the_oracle_takes_the_most_similar():
    program = ready(A=0.25, B=0.75, C=math.nan)
    for given_program in (program, *map(program.to_text, STYLES)):
        choice = pc.oracle.semantic(given_program)
        assert (choice.choice, choice.tied) == ("B", False)
        assert choice.scores == {"A": 0.25, "B": 0.75}
        assert choice.evidence == dict(zip("AB", program.items, strict=False))


def test_the_oracle_reads_what_is_printed():
    choice = pc.oracle.semantic(ready(A=0.1234561, B=0.1234562))
    assert (choice.choice, choice.tied) == (None, True)


def test_the_oracle_without_readings():
    assert pc.oracle.semantic(ready(A=math.nan)) == pc.Choice(None, tied=False)


def test_what_the_oracle_refuses():
    with pytest.raises(ValueError, match="program must be a program of the modality 'semantic', got 'flow'"):
        pc.oracle.semantic(pc.Program("flow", "patch", []))
    with pytest.raises(ValueError, match=r"the reading of 'A' must be a number or 'unknown', got 'high'"):
        pc.oracle.semantic(pc.Program("semantic", "point", [pc.Item(p="A", r="high")]))
    with pytest.raises(ValueError, match=r"items\[0\] must have a label as p, got None"):
        pc.oracle.semantic(pc.Program("semantic", "point", [pc.Item(r=0.5)]))


# ----------------------------------------------------------------------------------------------- command line


@pytest.fixture
def question(tmp_path):
    path = tmp_path / "question.npz"
    np.savez(path, features0=FEATURES, features1=FEATURES, source=(4, 4), targets=[(50, 99.5), (150, 0)])
    return path


def test_the_command_prints_what_the_function_makes(question, capsys):
    candidates = {"A": (50, 99.5), "B": (150, 0)}
    expected = pc.semantic(FEATURES, FEATURES, (4, 4), candidates, **SIZES, note=None).to_text("compact")
    options = ("--size0", "30x10", "--size1", "300x100", "--no-note", "--style", "compact")
    assert call(capsys, "semantic", question, *options) == (0, f"{expected}\n", [])


def test_the_command_takes_channels_last_and_ready_scores(tmp_path, capsys):
    last = np.moveaxis(FEATURES, 0, -1)
    np.savez(tmp_path / "last.npz", features0=last, features1=last, source=(4, 4), targets=[(50, 10)])
    expected = pc.semantic(FEATURES, FEATURES, (4, 4), {"A": (50, 10)}, **SIZES)
    sizes = ("--size0", "30x10", "--size1", "300x100")
    assert call(capsys, "semantic", tmp_path / "last.npz", *sizes, "--layout", "hwc")[1] == f"{expected}\n"

    np.savez(tmp_path / "scores.npz", scores=np.arange(28) / 4, targets=np.zeros((28, 2)))
    status, out, _ = call(capsys, "semantic", tmp_path / "scores.npz", "--size1", "300x100")
    items = pc.parse(out).items
    assert (status, [item.p for item in items[:2] + items[25:]], items[27].r) == (0, ["A", "B", "Z", "AA", "AB"], 6.75)


def test_what_the_command_refuses(question, tmp_path, capsys):
    status, out, err = call(capsys, "semantic", question, "--size1", "300x100")
    assert (status, out) == (1, "")
    assert err == [f"percepts: {question}: the size of the image is needed: say --size0 WIDTHxHEIGHT"]
    np.savez(tmp_path / "odd.npz", features0=FEATURES)
    assert "or scores and targets; it has features0" in call(capsys, "semantic", tmp_path / "odd.npz")[2][0]
    np.savez(tmp_path / "few.npz", scores=[1.0], targets=[(0, 0), (1, 1)])
    assert "got shape (1,) for 2 targets" in call(capsys, "semantic", tmp_path / "few.npz", "--size1", "9x9")[2][0]
    (tmp_path / "text.npz").write_text("no archive")
    assert (
        "features are read from a .npz archive, this file is none"
        in call(capsys, "semantic", tmp_path / "text.npz")[2][0]
    )
    status, _, err = call(capsys, "semantic", question, "--size1", "300")
    assert (status, err[-1]) == (
        2,
        "percepts semantic: error: argument --size1: must be WIDTHxHEIGHT in pixels, such as 640x480, got '300'",
    )
    assert call(capsys, "semantic", question, "--size1", "0x5")[0] == 2
