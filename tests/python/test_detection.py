"""Detections: formats, clipping, budgets, labels and what detectors return (paper, 3.2.5)."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from test_program import HOSTILE

SIZE = (640, 480)
STYLES = ["paper", "json", "compact"]
MODULES = {"core": pc, "reference": pc.reference}


def coordinates(program):
    return [item.c for item in program.items]


def test_a_box_by_hand(backend):
    """1000·24/640 = 37.5, 1000·60/480 = 125, 1000·96/640 = 150, 1000·240/480 = 500."""
    program = backend.detection([[24, 60, 96, 240]], [0.72114], ["chair"], size=SIZE)
    (item,) = program.items
    assert (item.p, item.c, item.r, item.b, item.i) == (1, [37, 125, 150, 500], 0.7211, "chair", None)
    assert program.to_text().splitlines()[-6:] == [
        "items:",
        "  - p: 1",
        "    c: [37, 125, 150, 500]",
        "    r: 0.7211",
        '    b: "chair"',
        "</perceptionprogram>",
    ]
    assert (program.modality, program.granularity, program.grid) == ("object-detection", "bounding-box", None)
    np.testing.assert_array_equal(program.arrays["boxes"], [[24.0, 60.0, 96.0, 240.0]])
    np.testing.assert_array_equal(program.arrays["scores"], [0.72114])


@pytest.mark.parametrize(
    ("box_format", "normalized", "box"),
    [
        ("xyxy", False, [64, 48, 320, 240]),
        ("xywh", False, [64, 48, 256, 192]),
        ("cxcywh", False, [192, 144, 256, 192]),
        ("xyxy", True, [0.1, 0.1, 0.5, 0.5]),
        ("xywh", True, [0.1, 0.1, 0.4, 0.4]),
        ("cxcywh", True, [0.3, 0.3, 0.4, 0.4]),
    ],
)
def test_formats_of_one_box(backend, box_format, normalized, box):
    program = backend.detection([box], size=SIZE, box_format=box_format, normalized=normalized)
    np.testing.assert_allclose(program.arrays["boxes"], [[64, 48, 320, 240]], rtol=1e-12)
    if not normalized:  # in fractions 0.1 and its like lie on either side of a whole number
        assert coordinates(program) == [[100, 100, 500, 500]]


@pytest.mark.parametrize("box_format", ["xyxy", "xywh", "cxcywh"])
def test_whole_images_reach_1000(backend, box_format):
    box = [0, 0, 640, 480] if box_format != "cxcywh" else [320, 240, 640, 480]
    assert coordinates(backend.detection([box], size=SIZE, box_format=box_format)) == [[0, 0, 1000, 1000]]


def test_width_and_height_are_not_mixed_up(backend):
    assert coordinates(backend.detection([[100, 100, 200, 200]], size=(1000, 200))) == [[100, 500, 200, 1000]]


def test_boxes_are_clipped_to_the_image(backend):
    boxes = [[-10, -1e300, 1e300, 500], [700, 10, 800, 20], [-5, -5, -1, -0.0]]
    program = backend.detection(boxes, size=SIZE)
    assert coordinates(program) == [[0, 0, 1000, 1000], [1000, 20, 1000, 41], [0, 0, 0, 0]]
    assert program.arrays["boxes"].tolist() == [[0, 0, 640, 480], [640, 10, 640, 20], [0, 0, 0, 0]]
    assert not np.signbit(program.arrays["boxes"]).any()


def test_sums_beyond_float64_are_clipped(backend):
    program = backend.detection([[1e308, 1e308, 1.7e308, 1.7e308]], size=SIZE, box_format="xywh", normalized=True)
    assert coordinates(program) == [[1000, 1000, 1000, 1000]]


def test_without_scores_and_labels(backend):
    program = backend.detection([[0, 0, 1, 1]], size=(2, 2))
    (item,) = program.items
    assert (item.r, item.b) == (None, None)
    assert set(program.arrays) == {"boxes"}
    assert program.note.count(" r: ") == program.note.count(" b: ") == 0
    both = backend.detection([[0, 0, 1, 1]], [1], [0], size=(2, 2)).note
    assert both.startswith(program.note)
    assert both.count(" r: ") == both.count(" b: ") == 1


@pytest.mark.parametrize("boxes", [[], np.empty((0, 4), np.float32), ()])
@pytest.mark.parametrize("labels", [None, [], np.empty(0, str), np.empty(0, np.int64)])
def test_nothing_found(backend, boxes, labels):
    program = backend.detection(boxes, [], labels, size=SIZE)
    assert program.items == ()
    assert "items: []" in str(program)
    assert program.arrays["boxes"].shape == (0, 4)
    assert program.arrays["scores"].shape == (0,)
    assert backend.detection(boxes, size=SIZE, max_items=0).items == ()


def test_readings_are_rounded_to_float32_first(backend):
    """0.00005 in float64 lies above one half of the last place, the nearest float32 below it."""
    scores = [0.00005, 0.72114, 0.99996, 1, 0, -0.0, 5e-324]
    program = backend.detection([[0, 0, 1, 1]] * 7, scores, size=(1, 1), note=None)
    printed = [line.split()[1] for line in str(program).splitlines() if line.startswith("    r:")]
    assert printed == ["0.0000", "0.7211", "1.0000", "1.0000", "0.0000", "0.0000", "0.0000"]
    assert program.arrays["scores"][0] == 0.00005
    assert not np.signbit(program.arrays["scores"]).any()


def test_min_score_keeps_what_is_equal(backend):
    program = backend.detection([[k, 0, 9, 9] for k in range(4)], [0.5, 0.49, 0.51, 0.5], size=(10, 10), min_score=0.5)
    assert [item.p for item in program.items] == [1, 2, 3]
    assert [box[0] for box in program.arrays["boxes"]] == [0, 2, 3]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_min_score_is_compared_in_the_dtype_of_the_scores(backend, dtype):
    """0.7 in float32 is below 0.7 in float64."""
    scores = np.array([0.7, 0.6], dtype)
    assert len(backend.detection([[0, 0, 1, 1]] * 2, scores, size=(1, 1), min_score=0.7).items) == 1


def test_max_items_keeps_the_most_confident_in_their_order(backend):
    scores = [0.2, 0.9, 0.5, 0.9, 0.5, 0.1]
    kept = {
        count: [
            item.b
            for item in backend.detection(
                [[0, 0, 1, 1]] * 6, scores, list("abcdef"), size=(1, 1), max_items=count
            ).items
        ]
        for count in range(8)
    }
    assert kept[0] == []
    assert kept[1] == ["b"]
    assert kept[2] == ["b", "d"]
    assert kept[3] == ["b", "c", "d"]
    assert kept[4] == ["b", "c", "d", "e"]
    assert kept[6] == kept[7] == list("abcdef")


def test_max_items_without_scores_keeps_the_first(backend):
    program = backend.detection([[k, 0, 9, 9] for k in range(4)], size=(10, 10), max_items=2)
    assert [item.c[0] for item in program.items] == [0, 100]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_labels_of_any_integer_dtype(backend, dtype):
    labels = np.array([7, 0, 7, 90], dtype)
    names = {7: "cat", "0": "no", 1: "unused"}
    program = backend.detection([[0, 0, 1, 1]] * 4, None, labels, size=(1, 1), class_names=names)
    assert [item.b for item in program.items] == ["cat", "no", "cat", "class_90"]
    listed = backend.detection([[0, 0, 1, 1]] * 4, None, labels.tolist(), size=(1, 1), class_names=["no", "dog"])
    assert [item.b for item in listed.items] == ["class_7", "no", "class_7", "class_90"]


def test_labels_beyond_32_bits(backend):
    labels = np.array([2**64 - 1, 2**40], np.uint64)
    program = backend.detection([[0, 0, 1, 1]] * 2, None, labels, size=(1, 1), class_names={2**64 - 1: "void"})
    assert [item.b for item in program.items] == ["void", "class_1099511627776"]
    assert backend.detection([[0, 0, 1, 1]], None, [-1], size=(1, 1)).items[0].b == "class_-1"


@pytest.mark.parametrize("make", [list, tuple, np.array, lambda names: np.array(names, object)])
def test_labels_that_are_names(backend, make):
    program = backend.detection([[0, 0, 1, 1]] * 3, None, make(["cat", "fire hydrant", "cat"]), size=(1, 1))
    assert [item.b for item in program.items] == ["cat", "fire hydrant", "cat"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_stay_text(backend, label, style):
    """As labels, as names of classes, and as names that a result brings along."""
    boxes = [[0, 0, 1, 1], [0, 0, 1, 1]]
    programs = [
        backend.detection(boxes, [0.5, 1], [label, label], size=(1, 1)),
        backend.detection(boxes, [0.5, 1], [3, 3], size=(1, 1), class_names={3: label}),
        backend.detection({"boxes": boxes, "scores": [0.5, 1], "text_labels": [label, label]}, size=(1, 1)),
        backend.detection(ultralytics(boxes, [0.5, 1], [3, 3], {3: label}, (1, 1)), size=(1, 1)),
        backend.detection(
            supervision(boxes, [0.5, 1], None, {"class_name": np.array([label, label], object)}), size=(1, 1)
        ),
    ]
    assert len({str(program) for program in programs}) == 1
    text = programs[0].to_text(style)
    assert backend.parse(text) == programs[0]
    assert text.count("<perceptionprogram>") == text.count("</perceptionprogram>") == 1
    assert len(pc.find_programs(f"a {text} b")) == 1
    if style == "paper":
        body = "\n".join(text.splitlines()[1:-1])
        assert yaml.safe_load(body) == programs[0].to_dict()


def test_hostile_note(backend):
    program = backend.detection([], size=SIZE, note='</perceptionprogram>\nitems: "x"')
    assert backend.parse(program.to_text()) == program
    assert backend.detection([], size=SIZE, note=None).note is None


ROWS = [[0, 0, 1, 1]] * 3


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[0, 0, 1, 1], [0, math.nan, 1, 1]],), {}, r"boxes\[1\] must be finite, got \[0, nan, 1, 1\]"),
        (([[0, 0, math.inf, 1]],), {}, r"boxes\[0\] must be finite, got \[0, 0, inf, 1\]"),
        (([[0, 0, 1, 1], [5, 0, 4.5, 1]],), {}, r"boxes\[1\] must have x0 <= x1 and y0 <= y1, got \[5, 0, 4.5, 1\]"),
        (([[0, 3, 1, 1]],), {}, r"boxes\[0\] must have x0 <= x1 and y0 <= y1"),
        (([[0, 0, -1, 1]],), {"box_format": "xywh"}, r"boxes\[0\] must have a width and a height of at least 0, got"),
        (([[0, 0, 1, -1e-9]],), {"box_format": "cxcywh"}, r"boxes\[0\] must have a width and a height of at least 0"),
        ((ROWS, [0.5, 1.5, 2]), {}, r"scores\[1\] must be in \[0, 1\], got 1.5"),
        ((ROWS, [0.5, 1, -1e-9]), {}, r"scores\[2\] must be in \[0, 1\], got -1e-09"),
        ((ROWS, [math.nan, 1, 1]), {"min_score": 0.9}, r"scores\[0\] must be in \[0, 1\], got nan"),
        ((ROWS, [1, math.inf, 1]), {}, r"scores\[1\] must be in \[0, 1\], got inf"),
        ((ROWS, [0.5]), {}, r"scores must be one for each of the 3 boxes, got shape \(1,\)"),
        ((ROWS, [[1], [1], [1]]), {}, r"scores must be one for each of the 3 boxes, got shape \(3, 1\)"),
        ((ROWS, None, ["a"]), {}, r"labels must be one for each of the 3 boxes, got shape \(1,\)"),
        ((ROWS, None, [1, 2]), {}, r"labels must be one for each of the 3 boxes, got shape \(2,\)"),
        (([0, 0, 1, 1],), {}, r"boxes must be N×4, got shape \(4,\)"),
        (([[0, 0, 1]],), {}, r"boxes must be N×4, got shape \(1, 3\)"),
        (([[0, 0, 1], [0, 0, 1, 1]],), {}, "boxes must be a rectangular array"),
        ((np.ma.masked_equal([[0, 0, 1, 1]], 0),), {}, "boxes must have every element"),
        ((ROWS,), {"size": (0, 5)}, r"size must be \(width, height\) of 1 to 2147483647 pixels each, got \(0, 5\)"),
        ((ROWS,), {"size": (2**31, 5)}, r"size must be \(width, height\) of 1 to 2147483647 pixels each"),
        ((ROWS,), {"box_format": "yxyx"}, "box_format must be 'xyxy', 'xywh' or 'cxcywh', got 'yxyx'"),
        ((ROWS, [1, 1, 1]), {"min_score": 1.5}, r"min_score must be in \[0, 1\], got 1.5"),
        ((ROWS, [1, 1, 1]), {"min_score": math.nan}, r"min_score must be in \[0, 1\], got nan"),
        ((ROWS,), {"min_score": 0.5}, "min_score needs scores, got min_score=0.5 without"),
        ((ROWS,), {"max_items": -1}, "max_items must be at least 0, got -1"),
        ((ROWS, None, [0, 1, 2]), {"class_names": {"x": "a"}}, "class_names must have labels as keys"),
        ((ROWS, None, ["a", "b", "c"]), {"class_names": ["x"]}, "class_names must be left out where labels are names"),
        (({"scores": []},), {}, r"boxes must be an array, or a result with 'boxes', got a mapping with \['scores'\]"),
        (({"boxes": ROWS}, [1, 1, 1]), {}, "scores and labels must be left out where the first argument is a result"),
        (([{"boxes": ROWS}],), {}, "boxes must be the detections of one image, got a list of 1"),
    ],
)
def test_bad_values(backend, arguments, options, message):
    with pytest.raises(ValueError, match=message):
        backend.detection(*arguments, **{"size": SIZE, **options})


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("boxes",), {}, "boxes must be an array or nested lists of numbers, got str"),
        ((None,), {}, "boxes must be an array or nested lists of numbers, got NoneType"),
        ((np.ones((1, 4), bool),), {}, "boxes must be numbers, got bool"),
        ((np.ones((1, 4), complex),), {}, "complex"),
        ((ROWS, np.ones(3, bool)), {}, "scores must be numbers, got bool"),
        ((ROWS, None, [1, "a", 2]), {}, r"labels\[0\] must be a str as the others are, got int"),
        ((ROWS, None, [0.0, 1.0, 2.0]), {}, "labels must be integers or str, got float64"),
        ((ROWS, None, [0, 1, 2]), {"class_names": {0: 5}}, "class_names must be names, got int for label 0"),
        ((ROWS, None, [0, 1, 2]), {"class_names": "abc"}, "class_names must be a mapping or a sequence"),
        ((ROWS,), {"size": 640}, r"size \(width, height\) must be a pair"),
        ((ROWS,), {"size": (640.0, 480)}, "size must be an int, got float"),
        ((ROWS,), {"normalized": "no"}, "normalized must be True or False, got str"),
        ((ROWS,), {"box_format": 3}, "box_format must be a str, got int"),
        ((ROWS,), {"max_items": 2.5}, "max_items must be an int, got float"),
        ((ROWS,), {"note": 3}, "note must be a str or None, got int"),
    ],
)
def test_bad_types(backend, arguments, options, message):
    with pytest.raises(TypeError, match=message):
        backend.detection(*arguments, **{"size": SIZE, **options})


def test_arguments_are_not_changed(backend):
    boxes, scores = np.array([[5.0, -5, 900, 900]]), np.array([0.5])
    backend.detection(boxes, scores, size=SIZE)
    assert boxes.tolist() == [[5.0, -5, 900, 900]]
    program = backend.detection(boxes, scores, size=(1000, 1000))
    boxes[:] = 0
    assert program.arrays["boxes"].tolist() == [[5, 0, 900, 900]]
    with pytest.raises(ValueError):
        program.arrays["boxes"][0] = 1


# What detectors return, with the attributes that their libraries document.


def ultralytics(boxes, conf, cls, names, orig_shape, *, oriented=False):
    held = SimpleNamespace(
        xyxy=np.array(boxes, np.float32).reshape(-1, 4), conf=np.array(conf, np.float32), cls=np.array(cls, np.float32)
    )
    return SimpleNamespace(
        boxes=None if oriented else held, obb=held if oriented else None, names=names, orig_shape=orig_shape
    )


def supervision(xyxy, confidence, class_id, data):
    return SimpleNamespace(
        xyxy=np.array(xyxy, np.float32).reshape(-1, 4),
        confidence=None if confidence is None else np.array(confidence, np.float32),
        class_id=None if class_id is None else np.array(class_id),
        data=data,
    )


BOXES, SCORES = [[0, 0, 320, 240], [64, 48, 640, 480]], [0.25, 0.75]


@pytest.fixture
def expected(backend):
    return backend.detection(BOXES, SCORES, ["cat", "dog"], size=SIZE)


class Output(dict):
    """A dict with a class of its own, as transformers has them."""


@pytest.mark.parametrize("kind", [dict, Output])
def test_dicts_of_torchvision_and_transformers(backend, expected, kind):
    result = kind(boxes=np.array(BOXES), scores=np.array(SCORES), labels=np.array([1, 2]))
    assert backend.detection(result, size=SIZE, class_names={1: "cat", 2: "dog"}) == expected
    grounded = kind(boxes=BOXES, scores=SCORES, labels=["cat", "dog"])
    assert backend.detection(grounded, size=SIZE) == expected
    grounded["text_labels"], grounded["labels"] = grounded["labels"], np.array([1, 2])
    assert backend.detection(grounded, size=SIZE) == expected
    renamed = backend.detection(grounded, size=SIZE, class_names={1: "feline"})
    assert [item.b for item in renamed.items] == ["feline", "class_2"]
    grounded["text_labels"] = None
    assert [item.b for item in backend.detection(grounded, size=SIZE).items] == ["class_1", "class_2"]


def test_dicts_may_be_normalized(backend, expected):
    """transformers leaves boxes so where it is not told the size of the image."""
    result = {"boxes": [[0, 0, 0.5, 0.5], [0.1, 0.1, 1, 1]], "scores": SCORES, "labels": ["cat", "dog"]}
    program = backend.detection(result, size=SIZE, normalized=True)
    np.testing.assert_allclose(program.arrays["boxes"], expected.arrays["boxes"])


def test_supervision_detections(backend, expected):
    names = {"class_name": np.array(["cat", "dog"])}
    assert backend.detection(supervision(BOXES, SCORES, [1, 2], names), size=SIZE) == expected
    assert backend.detection(supervision(BOXES, SCORES, None, names), size=SIZE) == expected
    numbered = supervision(BOXES, SCORES, [1, 2], {})
    assert backend.detection(numbered, size=SIZE, class_names=["", "cat", "dog"]) == expected
    renamed = backend.detection(supervision(BOXES, SCORES, [1, 2], names), size=SIZE, class_names={2: "hound"})
    assert [item.b for item in renamed.items] == ["class_1", "hound"]
    bare = backend.detection(supervision(BOXES, None, None, {}), size=SIZE)
    assert [(item.r, item.b) for item in bare.items] == [(None, None)] * 2
    assert backend.detection(supervision([], [], [], {"class_name": np.empty(0, str)}), size=SIZE).items == ()


@pytest.mark.parametrize("oriented", [False, True])
def test_ultralytics_results(backend, expected, oriented):
    result = ultralytics(BOXES, SCORES, [1, 2], {1: "cat", 2: "dog"}, (480, 640), oriented=oriented)
    assert backend.detection(result, size=SIZE) == expected
    renamed = backend.detection(result, size=SIZE, class_names={1: "cat", 2: "hound"})
    assert [item.b for item in renamed.items] == ["cat", "hound"]
    with pytest.raises(ValueError, match=r"size must be .*\(640, 480\), got \(480, 640\)"):
        backend.detection(result, size=(480, 640))
    with pytest.raises(ValueError, match="got a list of 1"):
        backend.detection([result], size=SIZE)
    assert backend.detection(ultralytics([], [], [], {}, (480, 640)), size=SIZE).items == ()


def test_ultralytics_results_of_other_tasks(backend):
    result = ultralytics([], [], [], {}, (480, 640))
    result.boxes = None
    with pytest.raises(ValueError, match="got a result of ultralytics without boxes"):
        backend.detection(result, size=SIZE)
    with pytest.raises(ValueError, match="labels must be whole numbers"):
        backend.detection(ultralytics([[0, 0, 1, 1]], [1], [math.nan], {}, (480, 640)), size=SIZE)


@pytest.mark.parametrize("options", [{"box_format": "xywh"}, {"normalized": True}])
def test_results_that_know_their_format(backend, options):
    for result in (supervision(BOXES, SCORES, None, {}), ultralytics(BOXES, SCORES, [1, 2], {}, (480, 640))):
        with pytest.raises(ValueError, match="box_format must be 'xyxy', and normalized False"):
            backend.detection(result, size=SIZE, **options)


# The core's text is the reference's, byte for byte.

SIDES = st.one_of(st.integers(1, 5000), st.just(2**31 - 1))
COORDINATES = st.one_of(
    st.floats(-50, 5500, width=32), st.integers(-5, 5000).map(float), st.floats(allow_nan=False, allow_infinity=False)
)
LABELS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=8))


@st.composite
def calls(draw):
    count = draw(st.integers(0, 12))
    rows = st.lists(st.tuples(*[COORDINATES] * 4), min_size=count, max_size=count)
    box_format = draw(st.sampled_from(["xyxy", "xywh", "cxcywh"]))
    boxes = np.array(draw(rows), np.float64).reshape(-1, 4)
    if box_format == "xyxy":
        boxes = np.concatenate([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], axis=1)
    else:
        boxes[:, 2:] = np.abs(boxes[:, 2:])
    score = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
    scores = draw(st.one_of(st.none(), st.lists(score, min_size=count, max_size=count)))
    labels = draw(
        st.one_of(
            st.none(),
            st.lists(LABELS, min_size=count, max_size=count),
            st.lists(st.integers(-3, 9), min_size=count, max_size=count),
        )
    )
    if scores is not None and draw(st.booleans()):
        scores = np.array(scores, draw(st.sampled_from(["float16", "float32"])))
    return (boxes, scores, labels), {
        "size": (draw(SIDES), draw(SIDES)),
        "box_format": box_format,
        "normalized": draw(st.booleans()),
        "min_score": 0.0 if scores is None else draw(st.sampled_from([0.0, 0.25, 0.7, 1.0])),
        "max_items": draw(st.one_of(st.none(), st.integers(0, 13))),
    }


@given(calls())
def test_core_equals_reference(call):
    arguments, options = call
    ours, definition = (module.detection(*arguments, **options) for module in MODULES.values())
    assert str(ours) == definition.to_text()
    for name, array in definition.arrays.items():
        np.testing.assert_array_equal(ours.arrays[name], array, strict=True)
    for style in STYLES:
        text = ours.to_text(style)
        assert text == definition.to_text(style)
        assert pc.parse(text) == ours
    body = "\n".join(str(ours).split("\n")[1:-1])
    assert yaml.safe_load(body) == ours.to_dict() == json.loads(ours.to_json())


@given(st.lists(st.tuples(*[st.floats(width=32)] * 5), max_size=6), st.sampled_from(["xyxy", "xywh", "cxcywh"]))
def test_core_refuses_what_the_reference_refuses(rows, box_format):
    numbers = np.array(rows, np.float32).reshape(-1, 5)
    outcomes = []
    for module in MODULES.values():
        try:
            outcome = str(module.detection(numbers[:, :4], numbers[:, 4], size=SIZE, box_format=box_format))
        except ValueError as error:
            outcome = str(error)
        outcomes.append(outcome)
    assert outcomes[0] == outcomes[1]


def test_quoted_detections(data_path, backend):
    """Boxes and confidences as the research release quotes them, from boxes of an image of 1000×1000."""
    examples = json.loads(data_path("conformance/examples.json").read_text(encoding="utf-8"))
    quoted = [found for program in examples["quoted_programs"] for found in program.get("detections", [])]
    assert len(quoted) == 3
    for found in quoted:
        program = backend.detection([found["c"]], [float(found["r"])], [found["b"]], size=(1000, 1000))
        lines = [f"    c: {found['c']}", f"    r: {found['r']}", f'    b: "{found["b"]}"']
        assert str(program).splitlines()[-4:-1] == lines
