"""Maps of given similarities."""

from __future__ import annotations

import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from strategies import DTYPES, layouts, values_of, with_holes

HOSTILE = ["no", "</perceptionprogram>", "a\nb: 1", "深度", "\ud800", "", "person: #2", 'a"b', "1:30", "null"]


def test_by_hand(backend):
    program = backend.similarity({"A": [[0.5, 0.25, 1]], "B": [[-0.125, 2 / 3, math.nan]]}, note=None)
    assert (
        program.to_text()
        == """<perceptionprogram>
modality: similarity
granularity: patch
grid:
  rows: 1
  cols: 3
items:
  - p: 1
    c: "A"
    r: 0.500000
  - p: 2
    c: "A"
    r: 0.250000
  - p: 3
    c: "A"
    r: 1.000000
  - p: 4
    c: "B"
    r: -0.125000
  - p: 5
    c: "B"
    r: 0.666667
  - p: 6
    c: "B"
    r: unknown
</perceptionprogram>"""
    )
    assert program.grid == (1, 3)
    assert program.arrays["similarity"].shape == (2, 1, 3)
    assert program.arrays["similarity"][1, 0, 1] == 2 / 3
    assert math.isnan(program.arrays["similarity"][1, 0, 2])


def test_there_is_no_location(backend):
    program = backend.similarity({"A": [[0.5]]})
    if backend is pc:
        with pytest.raises(ValueError, match="reading_at needs items with a location"):
            program.reading_at(1, 1)
    assert set(program.arrays) == {"similarity"}
    assert "c: the candidate." in program.note


def test_what_is_not_data_is_unknown(backend):
    masked = np.ma.MaskedArray([[0.5, 0.25]], mask=[[False, True]])
    assert [item.r for item in backend.similarity({"A": masked}).items] == [0.5, pc.UNKNOWN]
    assert [item.r for item in backend.similarity({"A": [[-math.inf, 0.0]]}).items] == [pc.UNKNOWN, 0]


def test_values_are_printed_as_given(backend):
    assert [item.r for item in backend.similarity({"A": np.array([[200, 0]], np.uint8)}).items] == [200, 0]
    assert "r: 0.000000\n" in backend.similarity({"A": [[-1e-9]]}).to_text()
    assert "r: 16777216.000000\n" in backend.similarity({"A": [[16777217]]}).to_text()


@pytest.mark.parametrize("style", ["paper", "json", "compact"])
def test_hostile_names_come_back(backend, style):
    maps = {name: [[k / 7, -k]] for k, name in enumerate(HOSTILE)}
    program = backend.similarity(maps, note=HOSTILE[1])
    assert backend.parse(program.to_text(style)) == program
    assert program.to_text(style) == pc.reference.similarity(maps, note=HOSTILE[1]).to_text(style)
    if style == "paper":
        assert yaml.safe_load("\n".join(program.to_text().split("\n")[1:-1])) == program.to_dict()


@given(data=st.data())
def test_core_equals_reference(data):
    shape = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 7)))
    maps = {}
    for name in data.draw(st.lists(st.text(max_size=4), min_size=1, max_size=4, unique=True)):
        dtype = data.draw(st.sampled_from(DTYPES))
        values = data.draw(values_of(dtype, shape))
        if values.dtype.kind == "f":
            values = data.draw(with_holes(values * 3 - 1, [math.nan, math.inf, -0.0]))
        maps[name] = data.draw(layouts(values))
    core, reference = pc.similarity(maps), pc.reference.similarity(maps)
    for style in ("paper", "json", "compact"):
        assert core.to_text(style) == reference.to_text(style)
        assert pc.parse(core.to_text(style)) == core
    np.testing.assert_array_equal(core.arrays["similarity"], reference.arrays["similarity"], strict=True)


@pytest.mark.parametrize(
    ("maps", "error", "message"),
    [
        ([[0.5]], TypeError, "maps must be a mapping of names to H×W arrays, got list"),
        ({}, ValueError, "maps must have at least one map, got none"),
        ({1: [[0.5]]}, TypeError, "maps must have names that are str, got int"),
        ({"A": [0.5]}, ValueError, "maps['A'] must be H×W, got shape (1,)"),
        ({"A": np.zeros((2, 2, 2))}, ValueError, "maps['A'] must be H×W, got shape (2, 2, 2)"),
        ({"A": np.zeros((0, 2))}, ValueError, "maps must have at least one pixel, got shape (0, 2)"),
        ({"A": [["x"]]}, TypeError, "maps['A'] must be boolean, integer or floating point"),
        (
            {"A": [[1.0]], "B": [[1.0, 2]]},
            ValueError,
            "maps must have one shape, got (1, 1) for 'A' and (1, 2) for 'B'",
        ),
        ({"A": [[1e39]]}, ValueError, "readings must fit float32, got 1e+39"),
    ],
)
def test_bad_input(backend, maps, error, message):
    with pytest.raises(error) as caught:
        backend.similarity(maps)
    assert message in str(caught.value)
    with pytest.raises(TypeError, match="note must be a str or None, got int"):
        backend.similarity({"A": [[0.5]]}, note=3)
