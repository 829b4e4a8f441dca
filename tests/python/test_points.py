"""Programs of the labelled points of a question."""

from __future__ import annotations

import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc

STYLES = ("paper", "json", "compact")
HOSTILE = [
    "no", "1:30", "null", "person: #2", 'a"b', "it's", "{x}", "x\n  - c: [0, 0]", "</perceptionprogram>", "\U0001f600",
    "木", "שלום", "\0", "\u2028", "\ud800", "", "1", "A" * 10_000, "<perceptionprogram>", "unknown", "left",
]  # fmt: skip


def outcome(module, *args, **options):
    """Text and arrays, or the error with its message."""
    try:
        program = module.points(*args, **options)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return program.to_text(), program.arrays["points"].tolist()


def check_same(*args, **options):
    core, reference = (outcome(module, *args, **options) for module in (pc, pc.reference))
    assert core == reference
    return core


def check_text(text):
    """The text holds what it is to hold in every style, and YAML finds it."""
    program = pc.parse(text)
    assert all(pc.parse(program.to_text(style)) == program for style in STYLES)
    assert yaml.safe_load(text.split("\n", 1)[1].rsplit("\n", 1)[0]) == program.to_dict()
    return program


def test_one_image(backend):
    program = backend.points({"REF": (320, 240), "B": (639, 479), "A": (0, 480)}, size=(640, 480), note=None)
    assert str(program) == (
        "<perceptionprogram>\n"
        "modality: point-detection\n"
        "granularity: pixels\n"
        "items:\n"
        "  - c: [0, 1000]\n"
        '    b: "A"\n'
        "  - c: [998, 997]\n"
        '    b: "B"\n'
        "  - c: [500, 500]\n"
        '    b: "REF"\n'
        "</perceptionprogram>"
    )
    assert program.arrays["points"].tolist() == [[0, 480], [639, 479], [320, 240]]


def test_several_images(backend):
    program = backend.points(
        {"image 2": {"B": (5, 5), "A": (1, 2)}, "image 1": {"REF": (4, 3)}},
        size={"image 1": (8, 6), "image 2": (10, 20)},
        note=None,
    )
    assert str(program) == (
        "<perceptionprogram>\n"
        "modality: point-detection\n"
        "granularity: pixels\n"
        "items:\n"
        '  - i: "image 1"\n'
        "    c: [500, 500]\n"
        '    b: "REF"\n'
        '  - i: "image 2"\n'
        "    c: [100, 100]\n"
        '    b: "A"\n'
        '  - i: "image 2"\n'
        "    c: [500, 250]\n"
        '    b: "B"\n'
        "</perceptionprogram>"
    )


def test_as_the_release_prints_it(backend):
    """Points in round brackets, a note without escapes."""
    text = (
        '<perceptionprogram>\nmodality: point-detection\ngranularity: pixels\nnote: "the "points" of it"\nitems:\n'
        '  - i: "image 1"\n    c: (500, 500)\n    b: "REF"\n  - i: "image 2"\n    c: (100, 100)\n    b: "A"\n'
        "</perceptionprogram>"
    )
    points = {"image 1": {"REF": (4, 3)}, "image 2": {"A": (1, 2)}}
    sizes = {"image 1": (8, 6), "image 2": (10, 20)}
    assert backend.parse(text) == backend.points(points, size=sizes, note='the "points" of it')


def test_sorted_as_strings(backend):
    labels = ["b", "10", "9", "B", "é", "z", "\U0001f600", "\uffff", "A", "AB"]
    program = backend.points(dict.fromkeys(labels, (0, 0)), size=(1, 1))
    assert [item.b for item in program.items] == ["10", "9", "A", "AB", "B", "b", "z", "é", "\uffff", "\U0001f600"]


def test_notes_say_whether_there_are_several(backend):
    one = backend.points({"A": (0, 0)}, size=(1, 1))
    several = backend.points({"x": {"A": (0, 0)}}, size={"x": (1, 1)})
    assert "i: the image" not in one.note
    assert "i: the image" in several.note
    assert backend.points({"A": (0, 0)}, size=(1, 1), note="mine").note == "mine"


def test_no_points(backend):
    assert str(backend.points({}, size=(4, 4), note=None)).endswith("items: []\n</perceptionprogram>")
    assert backend.points({"x": {}, "y": {}}, size={"x": (1, 1), "y": (2, 2)}).items == ()


def test_outside(backend):
    with pytest.raises(
        ValueError, match=r'^the point "A" must lie within its image of 8x6 pixels \(width x height\), got'
    ):
        backend.points({"A": (9, 1)}, size=(8, 6))
    with pytest.raises(ValueError, match=r'^the point "A" of "x" must lie within its image of 8x6 .* got \(-1, 2\)'):
        backend.points({"x": {"A": (-1, 2)}}, size={"x": (8, 6)})
    program = backend.points({"A": (9, -1)}, size=(8, 6), outside="clip")
    assert (program.items[0].c, program.arrays["points"].tolist()) == ([1000, 0], [[8, 0]])


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_and_images(label):
    text, _ = check_same({label: (1, 2), "A": (0, 0)}, size=(4, 4))
    known = label if label != "\ud800" else "\ufffd"
    assert {item.b for item in check_text(text).items} == {known, "A"}
    text, _ = check_same({label: {"A": (1, 2)}, "x": {label: (0, 0)}}, size={label: (4, 4), "x": (1, 1)}, note=label)
    program = check_text(text)
    assert {(item.i, item.b) for item in program.items} == {(known, "A"), ("x", known)}
    assert check_same({label: (9, 2)}, size=(4, 4))[0] is ValueError


@given(
    st.dictionaries(
        st.text(max_size=4),
        st.dictionaries(st.text(max_size=3), st.tuples(st.floats(-1, 42), st.integers(0, 40)), max_size=4),
        min_size=1,
        max_size=3,
    ),
    st.tuples(st.integers(1, 40), st.integers(1, 40)),
    st.sampled_from(["error", "clip"]),
)
def test_core_equals_reference(images, size, outside):
    text, _ = check_same(images, size=dict.fromkeys(images, size), outside=outside)
    if isinstance(text, str):
        check_text(text)
    text, _ = check_same(next(iter(images.values())), size=size, outside=outside)
    if isinstance(text, str):
        check_text(text)


@pytest.mark.parametrize("point", [np.array([1, 2]), [np.float32(1), 2], (1, 2.0), np.array([1, 2], np.uint8)])
def test_kinds_of_points(backend, point):
    assert backend.points({"A": point}, size=(4, 4)).items[0].c == [250, 500]


def test_torch(library):
    torch = library("torch")
    assert pc.points({"A": torch.tensor([1.0, 2.0])}, size=(4, 4)).items[0].c == [250, 500]


@pytest.mark.parametrize(
    ("points", "size", "error", "message"),
    [
        ([(1, 2)], (4, 4), TypeError, "^points must be a mapping, got list$"),
        ({1: (1, 2)}, (4, 4), TypeError, "^each key of points must be a str, got int$"),
        ({"A": (1, 2)}, 4, TypeError, "^size "),
        (
            {"A": (1, 2)},
            (4, 0),
            ValueError,
            r"^size must be \(width, height\) of 1 to 2147483647 pixels each, got \(4, 0\)$",
        ),
        ({"A": (1, 2), "x": {"A": (1, 2)}}, (4, 4), TypeError, "^points must be a mapping of labels, or of images"),
        ({"x": {"A": (1, 2)}}, (4, 4), TypeError, "^size of several images must be a mapping, got tuple$"),
        ({"x": {"A": (1, 2)}}, {"y": (4, 4)}, ValueError, r"^size must have .* of each image, got none for 'x'$"),
        ({"x": {"A": (1, 2)}}, {"x": (4, 0)}, ValueError, r"^size of 'x' must be \(width, height\)"),
        ({"A": (1, 2, 3)}, (4, 4), ValueError, r"^the point 'A' must be a point \(x, y\), got shape \(3,\)$"),
        ({"A": ("1", "2")}, (4, 4), TypeError, "^the point 'A' must be"),
        ({"A": (1, math.nan)}, (4, 4), ValueError, r'^the point "A" must be finite, got \(1, nan\)$'),
        ({"A": None}, (4, 4), TypeError, "^the point 'A' must be"),
    ],
)
def test_bad_input(backend, points, size, error, message):
    with pytest.raises(error, match=message):
        backend.points(points, size=size)


def test_bad_options(backend):
    with pytest.raises(ValueError, match=r"^outside must be 'error' or 'clip', got 'drop'$"):
        backend.points({"A": (1, 2)}, size=(4, 4), outside="drop")
    with pytest.raises(TypeError, match=r"^note must be a str or None, got int$"):
        backend.points({"A": (1, 2)}, size=(4, 4), note=1)
