"""Programs of matches between two images (paper, 3.2.3)."""

from __future__ import annotations

import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc

SIZE = (512, 400)
STYLES = ("paper", "json", "compact")


def correspondence(backend, points0, points1=None, **options):
    return backend.correspondence(points0, points1, **{"size0": SIZE, "size1": SIZE, "note": None, **options})


def outcome(module, *args, **options):
    """Text and arrays, or the error with its message."""
    try:
        program = module.correspondence(*args, **options)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return program.to_text(), {name: array.tolist() for name, array in program.arrays.items()}


def check_same(*args, **options):
    core, reference = (outcome(module, *args, **options) for module in (pc, pc.reference))
    assert core == reference
    return core


def test_text(backend):
    program = backend.correspondence(
        [(0, 0), (511, 399)], [(256, 100.5), (512, 400)], size0=SIZE, size1=SIZE, note=None
    )
    assert str(program) == (
        "<perceptionprogram>\n"
        "modality: correspondence\n"
        "granularity: keypoint\n"
        "items:\n"
        "  - p: 1\n"
        "    c: [0, 0]\n"
        "    r: [500, 251]\n"
        "  - p: 2\n"
        "    c: [998, 997]\n"
        "    r: [1000, 1000]\n"
        "</perceptionprogram>"
    )


def test_two_sizes_width_first(backend):
    (item,) = correspondence(backend, [(320, 120)], [(50, 300)], size0=(640, 480), size1=(100, 600)).items
    assert (item.p, item.c, item.r) == (1, [500, 250], [500, 500])


def test_rounding(backend):
    """8-pixel LoFTR points on 512 pixels: halves, which go to the even neighbour in the release."""
    points = [(32, 8), (160, 8), (288, 8), (416, 8), (96, 8)]
    columns = {
        rounding: [item.c[0] for item in correspondence(backend, points, points, rounding=rounding).items]
        for rounding in ("floor", "nearest")
    }
    assert columns == {"floor": [62, 312, 562, 812, 187], "nearest": [62, 312, 562, 812, 188]}


def test_the_release_prints_points_rounded_to_the_nearest(backend, data_path):
    """All `c` of the quoted matches are points of LoFTR's grid of 8 pixels, on images of 512."""
    import json

    examples = json.loads(data_path("conformance/examples.json").read_text(encoding="utf-8"))
    quoted = [
        location[0]
        for program in examples["quoted_programs"]
        if "visual correspondence" in program.get("task", "")
        for location in program["items"].values()
    ]
    grid = [(x, x) for x in range(0, 513, 8)]
    rounded = {
        rounding: {
            item.c[0]
            for item in correspondence(backend, grid, grid, size0=(512, 512), rounding=rounding, outside="clip").items
        }
        for rounding in ("floor", "nearest")
    }
    values = {value for location in quoted for value in location}
    assert len(values) > 30
    assert {62, 312, 562, 812} <= values
    on_grid = {rounding: len(values & known) for rounding, known in rounded.items()}
    assert on_grid["nearest"] > on_grid["floor"] + 10


def test_arrays(backend):
    program = correspondence(backend, [(1, 2), (3, 4)], [(5.5, 6), (7, 8)], confidence=[0.5, 0.25])
    expected = {"points0": [[1, 2], [3, 4]], "points1": [[5.5, 6], [7, 8]], "confidence": [0.5, 0.25]}
    assert {name: array.tolist() for name, array in program.arrays.items()} == expected
    assert {array.dtype for array in program.arrays.values()} == {np.dtype("float64")}
    assert set(correspondence(backend, [(1, 2)], [(3, 4)]).arrays) == {"points0", "points1"}


def test_no_matches(backend):
    for none in ([], np.empty((0, 2)), np.empty((1, 0, 2), np.float32)):
        program = correspondence(backend, none, none, confidence=[])
        assert str(program).endswith("items: []\n</perceptionprogram>")
        assert program.arrays["points0"].shape == (0, 2)


def kept(backend, points, **options):
    return correspondence(backend, points, points, **options).arrays["points0"][:, 0].astype(int).tolist()


def test_the_most_confident_in_their_order(backend):
    points = [(x, 0) for x in range(6)]
    confidence = [0.1, 0.9, 0.5, 0.9, 0.5, 0.2]
    expected = {0: [], 1: [1], 2: [1, 3], 3: [1, 2, 3], 4: [1, 2, 3, 4], 6: [0, 1, 2, 3, 4, 5], 99: [0, 1, 2, 3, 4, 5]}
    for count, rows in expected.items():
        assert kept(backend, points, confidence=confidence, max_items=count) == rows
    assert kept(backend, points, max_items=2) == [0, 1]
    program = correspondence(backend, points, points, confidence=confidence, max_items=2)
    assert [item.p for item in program.items] == [1, 2]
    assert program.arrays["confidence"].tolist() == [0.9, 0.9]


def test_spread_over_image_1(backend):
    points = [(200, 0), (210, 0), (400, 0), (0, 0), (300, 0)]
    confidence = [0.5, 0.9, 0.1, 0.1, 0.1]
    # 210 first, then 0 (210 away, 400 is 190 away), then 400, then 300 (90 away), at last 200.
    order = [[210], [0, 210], [0, 210, 400], [0, 210, 300, 400], [0, 200, 210, 300, 400]]
    for count, expected in enumerate(order, start=1):
        assert sorted(kept(backend, points, confidence=confidence, max_items=count, keep="spread")) == expected
    assert kept(backend, points, confidence=confidence, max_items=3, keep="spread") == [210, 400, 0]
    # Without confidences from the first match on; 400 and 0 are as far from 200, and 400 stands first.
    assert kept(backend, points, max_items=2, keep="spread") == [200, 400]


def test_spread_looks_at_canonical_coordinates(backend):
    """100 pixels are more in the height of 200 than in the width of 1000."""
    points = [(0, 0), (300, 0), (0, 100)]
    program = correspondence(backend, points, points, size0=(1000, 200), size1=(1000, 200), max_items=2, keep="spread")
    assert program.arrays["points0"].tolist() == [[0, 0], [0, 100]]


def test_spread_over_points_in_one_place(backend):
    assert kept(backend, [(5, 5), (5, 5), (7, 5), (5, 5)], max_items=3, keep="spread") == [5, 5, 7]


def test_outside(backend):
    with pytest.raises(
        ValueError,
        match=r"^points1\[1\] must lie within its image of 512x400 pixels \(width x height\), got \(3, 400.5\); outside='clip'",
    ):
        correspondence(backend, [(1, 1), (2, 2)], [(512, 400), (3, 400.5)])
    program = correspondence(backend, [(-3, 900), (2, 2)], [(512, 400), (600, -0.5)], outside="clip")
    assert [(item.c, item.r) for item in program.items] == [([0, 1000], [1000, 1000]), ([3, 5], [1000, 0])]
    assert program.arrays["points1"].tolist() == [[512, 400], [512, 0]]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"size0": None},
            ValueError,
            r"^size0 must be given, as \(width, height\) in pixels: these matches do not state",
        ),
        (
            {"size1": (0, 5)},
            ValueError,
            r"^size1 must be \(width, height\) of 1 to 2147483647 pixels each, got \(0, 5\)$",
        ),
        ({"size1": (5.0, 5)}, TypeError, "^size1 must be an int, got float$"),
        ({"size1": 5}, TypeError, r"^size1 \(width, height\) must be a pair, got 5$"),
        ({"points1": [(1, 2), (3, 4)]}, ValueError, "^points0 and points1 must be as many, got 1 and 2$"),
        ({"points0": [(1, math.nan)]}, ValueError, r"^points0\[0\] must be finite, got \(1, nan\)$"),
        ({"points0": [(math.inf, 1)], "outside": "clip"}, ValueError, r"^points0\[0\] must be finite, got \(inf, 1\)$"),
        ({"points0": [1, 2]}, ValueError, r"^points0 must be N×2, of \(x, y\), got shape \(2,\)$"),
        ({"points0": [(1, 2), (3,)]}, ValueError, "^points0 must be a rectangular array"),
        (
            {"confidence": [1, 2]},
            ValueError,
            r"^confidence must have a value for each of the 1 matches, got shape \(2,\)$",
        ),
        ({"confidence": [math.nan]}, ValueError, r"^confidence\[0\] must be finite, got nan$"),
        ({"max_items": -1}, ValueError, "^max_items must be at least 0, got -1$"),
        ({"max_items": 1.5}, TypeError, "^max_items must be an int, got float$"),
        ({"keep": "best"}, ValueError, "^keep must be 'confidence' or 'spread', got 'best'$"),
        ({"keep": None}, TypeError, "^keep must be a str, got NoneType$"),
        ({"rounding": "up"}, ValueError, "^rounding must be 'floor' or 'nearest', got 'up'$"),
        ({"outside": "drop"}, ValueError, "^outside must be 'error' or 'clip', got 'drop'$"),
        ({"note": 7}, TypeError, "^note must be a str or None, got int$"),
        ({"points1": None}, TypeError, "^points1 must be given, or points0 be one result"),
        ({"points0": "ab"}, TypeError, "^points0 must be an array or nested lists of numbers, got str"),
    ],
)
def test_bad_input(backend, change, error, message):
    given = {"points0": [(1, 2)], "points1": [(3, 4)], "size0": SIZE, "size1": SIZE, **change}
    with pytest.raises(error, match=message):
        backend.correspondence(given.pop("points0"), given.pop("points1"), **given)


@given(
    seed=st.integers(0, 2**32),
    count=st.integers(0, 12),
    whole=st.booleans(),
    options=st.fixed_dictionaries(
        {
            "size0": st.tuples(st.integers(1, 40), st.integers(1, 40)),
            "size1": st.tuples(st.integers(1, 2**31 - 1), st.integers(1, 9)),
            "rounding": st.sampled_from(["floor", "nearest"]),
            "outside": st.sampled_from(["error", "clip", "clip"]),
            "keep": st.sampled_from(["confidence", "spread"]),
            "max_items": st.one_of(st.none(), st.integers(0, 14)),
        }
    ),
)
def test_core_equals_reference(seed, count, whole, options):
    rng = np.random.default_rng(seed)
    points = []
    for size in (options["size0"], options["size1"]):
        drawn = rng.random((count, 2)) * size * 1.02
        points.append(np.floor(drawn) if whole else drawn)
    confidence = rng.integers(0, 4, count) / 4 if rng.random() < 0.7 else None
    text, _ = check_same(*points, confidence=confidence, **options)
    if isinstance(text, str):
        program = pc.parse(text)
        assert all(pc.parse(program.to_text(style)) == program for style in STYLES)
        assert yaml.safe_load(text.split("\n", 1)[1].rsplit("\n", 1)[0]) == program.to_dict()


@given(x=st.integers(0, 2**31 - 1), width=st.integers(1, 2**31 - 1))
def test_whole_pixels_are_placed_as_integer_arithmetic_does(x, width):
    x %= width + 1
    program = pc.correspondence([(x, 0)], [(0, x)], size0=(width, 1), size1=(1, width))
    assert program.items[0].c == [1000 * x // width, 0]
    assert program.items[0].r == [0, 1000 * x // width]


@pytest.mark.parametrize("note", [..., None, 'x: "quoted" </perceptionprogram>\n# no', "\ud83d\ude00\ud800"])
def test_notes(note):
    text, _ = check_same([(1, 2)], [(3, 4)], size0=SIZE, size1=SIZE, note=note)
    program = pc.parse(text)
    assert all(pc.parse(program.to_text(style)) == program for style in STYLES)
    assert ("image 2" in text) == (note is ...)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int16", "int64", ">f4"])
def test_dtypes_and_strides(dtype):
    points = np.array([[1, 2], [30, 4], [5, 60]], dtype)
    expected = check_same(points, points, size0=SIZE, size1=SIZE)
    assert check_same(np.asfortranarray(points), points[::-1].copy()[::-1], size0=SIZE, size1=SIZE) == expected
    assert check_same(points[None], points.tolist(), size0=SIZE, size1=SIZE) == expected


def test_torch(library):
    torch = library("torch")
    points = torch.rand(1, 50, 2, generator=torch.Generator().manual_seed(0)) * 400
    expected = check_same(points.numpy(), points[0].numpy(), size0=SIZE, size1=SIZE, confidence=points[0, :, 0].numpy())
    assert check_same(points, points[0], size0=SIZE, size1=SIZE, confidence=points[:, :, 0]) == expected
    with torch.no_grad():
        assert check_same(points.requires_grad_(False), points, size0=SIZE, size1=SIZE)[0] == expected[0]
    with pytest.raises(TypeError, match="meta"):
        pc.correspondence(points.to("meta"), points, size0=SIZE, size1=SIZE)


def test_arguments_stay_as_they_are():
    points = np.array([[-1.0, 2.0]])
    pc.correspondence(points, points, size0=SIZE, size1=SIZE, outside="clip", confidence=np.ones(1))
    assert points.tolist() == [[-1.0, 2.0]]


def test_pickle_and_lookup():
    import pickle

    program = pc.correspondence([(0, 0), (500, 300)], [(3, 4), (5, 6)], size0=SIZE, size1=SIZE)
    again = pickle.loads(pickle.dumps(program))
    assert again == program
    assert again.arrays["points1"].tolist() == [[3, 4], [5, 6]]
    assert program.reading_at(900, 900).p == 2
