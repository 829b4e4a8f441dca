"""Albedo: medians, and which of two neighbours is darker."""

from __future__ import annotations

import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from strategies import DTYPES, FLOATS, layouts, shapes_and_grids, values_of, with_holes


def relations_of(program):
    return [(relation.a, relation.predicate, relation.b) for relation in program.relations]


def test_by_hand(backend):
    program = backend.albedo([[0.5, 0.1, 0.2, 0.9], [0.3, 0.2, 0.9, 0.8]], grid=(1, 2))
    assert (program.modality, program.granularity, program.grid) == ("albedo", "patch", (1, 2))
    assert [(item.p, item.c, item.r, item.b) for item in program.items] == [
        (1, [0, 0], 0.25, None),
        (2, [500, 0], 0.85, None),
    ]
    assert relations_of(program) == [(1, "is darker than", 2)]
    assert program.arrays["median"].dtype == np.float64
    assert program.arrays["valid"].tolist() == [[1, 1]]


def test_the_darker_one_comes_first(backend):
    values = [[0.5, 0.2], [0.55, 0.9]]
    assert relations_of(backend.albedo(values, grid=2)) == [
        (2, "is darker than", 1),
        (1, "about the same as", 3),
        (2, "is darker than", 4),
        (3, "is darker than", 4),
    ]
    assert relations_of(backend.albedo(values, grid=2, relations=False)) == []


def test_tau_itself_is_about_the_same(backend):
    assert relations_of(backend.albedo([[0.25, 0.5]], grid=(1, 2), tau=0.25)) == [(1, "about the same as", 2)]
    assert relations_of(backend.albedo([[0.5, 0.5]], grid=(1, 2), tau=0)) == [(1, "about the same as", 2)]
    assert relations_of(backend.albedo([[0.5, 0.5 + 1e-9]], grid=(1, 2), tau=0)) == [(1, "is darker than", 2)]


def test_medians_are_limited_not_pixels(backend):
    """The median of -3, 0.4 and 7 is 0.4; one of 1.5 reads 1, and is compared as 1."""
    program = backend.albedo([[-3, 0.4, 7, 1.5, 1.6, 0.2, -2, -1, -0.5]], grid=(1, 3), tau=0.65)
    assert [item.r for item in program.items] == [0.4, 1, 0]
    assert program.arrays["median"].tolist() == [[0.4, 1, 0]]
    assert relations_of(program) == [(1, "about the same as", 2), (3, "is darker than", 2)]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
def test_unsigned_integers_are_divided(backend, dtype):
    most = np.iinfo(dtype).max
    program = backend.albedo(np.array([[0, most // 5, most]], dtype), grid=(1, 3))
    assert [item.r for item in program.items] == [0, 0.2, 1]


def test_other_types_are_not(backend):
    assert backend.albedo(np.array([[0, 1]], np.int16), grid=(1, 2)).items[1].r == 1
    assert [item.r for item in backend.albedo(np.array([[True, False]]), grid=(1, 2)).items] == [1, 0]


def test_holes(backend):
    program = backend.albedo([[math.nan, math.inf, 0.5, 0.25]], grid=(1, 4), invalid_value=0.25)
    assert [item.r for item in program.items] == [pc.UNKNOWN, pc.UNKNOWN, 0.5, pc.UNKNOWN]
    assert program.relations == ()
    assert program.arrays["valid"].tolist() == [[0, 0, 1, 0]]
    masked = backend.albedo([[0.1, 0.9]], grid=1, mask=np.array([[True, False]]))
    assert masked.items[0].r == 0.1


def test_labels(backend):
    program = backend.albedo([[0.1, 0.9]], grid=(1, 2), labels=[[3, 1]], class_names=["sky", 'a "wall"'])
    assert [item.b for item in program.items] == ["class_3", 'a "wall"']
    assert "b: the most frequent label in the patch." in program.note
    batch = backend.albedo(np.full((2, 1, 2), 0.5), grid=1, labels=np.array([[[3, 3]], [[4, 5]]]))
    assert [program.items[0].b for program in batch] == ["class_3", "class_4"]


def test_batches(backend):
    maps = np.random.default_rng(0).random((3, 8, 6))
    batch = backend.albedo(maps, grid=2, tau=0.1)
    assert list(batch) == [backend.albedo(one, grid=2, tau=0.1) for one in maps]
    assert batch.arrays["median"].shape == (3, 2, 2)
    assert list(backend.albedo([maps[0], maps[1, 2:]], grid=2))[1] == backend.albedo(maps[1, 2:], grid=2)
    assert len(backend.albedo(maps[:0], grid=2)) == 0


def test_threads_make_the_same_batch():
    maps = np.random.default_rng(0).integers(0, 255, (9, 60, 80)).astype(np.uint8)
    try:
        pc.set_num_threads(4)
        batch = pc.albedo(maps)
    finally:
        pc.set_num_threads(None)
    assert batch.texts() == [str(pc.albedo(one)) for one in maps]


@given(data=st.data())
def test_core_equals_reference(data):
    shape, grid = data.draw(shapes_and_grids())
    dtype = data.draw(st.sampled_from(DTYPES))
    values = data.draw(values_of(dtype, shape))
    if dtype in FLOATS:
        values = data.draw(with_holes(values, [math.nan, math.inf, -0.0, 3.0, -3.0]))
    elif dtype.startswith("int"):
        values = values % 2  # others are refused
    options = {
        "grid": grid,
        "tau": data.draw(st.sampled_from([0, 0.08, 0.25])),
        "relations": data.draw(st.booleans()),
        "invalid_value": data.draw(st.sampled_from([None, 0, (0, 1)])),
        "mask": data.draw(st.sampled_from([None, np.random.default_rng(1).random(shape) < 0.6])),
    }
    core = pc.albedo(data.draw(layouts(values)), **options)
    reference = pc.reference.albedo(values, **options)
    for style in ("paper", "json", "compact"):
        text = core.to_text(style)
        assert text == reference.to_text(style)
        assert pc.parse(text) == core
    assert yaml.safe_load("\n".join(core.to_text().split("\n")[1:-1])) == core.to_dict()
    for name, array in reference.arrays.items():
        np.testing.assert_array_equal(core.arrays[name], array, strict=True)


def test_a_real_picture(backend, data_path):
    field = pc.read_depth(data_path("opencv/aloeGT.png"))
    program = backend.albedo(field, grid=4, invalid_value=0)
    known = field.data[: field.data.shape[0] // 4, : field.data.shape[1] // 4]
    assert program.arrays["median"][0, 0] == np.median(known[known > 0]) / 255
    assert pc.parse(program.to_text("compact")).to_text() == program.to_text()


@pytest.mark.parametrize(
    ("values", "options", "error", "message"),
    [
        (np.zeros((4, 4), complex), {}, TypeError, "albedo must be boolean, integer or floating point"),
        (np.zeros(4), {}, ValueError, "albedo must be H×W"),
        (np.zeros((4, 4)), {"tau": -1}, ValueError, "tau must be finite and at least 0, got -1"),
        (np.zeros((4, 4)), {"tau": "x"}, TypeError, "tau must be a number, got str"),
        (np.zeros((4, 4)), {"tau": math.nan}, ValueError, "tau must be finite and at least 0, got nan"),
        (np.zeros((4, 4)), {"grid": 5}, ValueError, "every cell must hold a pixel"),
        (np.zeros((2, 4, 4)), {"grid": 5}, ValueError, "map 0 of the batch: every cell must hold a pixel"),
        (np.zeros((4, 4)), {"relations": None}, TypeError, "relations must be True or False, got NoneType"),
        (np.zeros((4, 4)), {"mask": np.zeros((4, 3), bool)}, ValueError, "mask must have the shape of the map"),
        (np.zeros((4, 4)), {"labels": np.zeros((3, 4), int)}, ValueError, "labels must have the shape of the map"),
    ],
)
def test_bad_input(backend, values, options, error, message):
    with pytest.raises(error) as caught:
        backend.albedo(values, **{"grid": 2, **options})
    assert message in str(caught.value)


@pytest.mark.parametrize("values", [[[51, 204]], np.array([[-1, 1]], np.int8)])
def test_whole_numbers_of_an_unknown_scale_are_refused(backend, values):
    with pytest.raises(
        ValueError, match=r"albedo of int(8|64) must be in \[0, 1\], got a cell with a median of (51|-1); "
    ):
        backend.albedo(values, grid=(1, 2))
