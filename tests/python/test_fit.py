"""Programs within a budget of tokens, and the coarser grids that are made of finer ones."""

from __future__ import annotations

import copy
import math
import pickle
import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc

STEPS = np.repeat(np.repeat(np.arange(100).reshape(10, 10) / 99, 12, 0), 16, 1).astype(np.float32)
"""A map of 120×160 that is one value in each of 10×10 cells, rising from the upper left."""


def merged(program, factor):
    return pc.Program._of(program._printed.merged(factor))


def matches(count, note=None, confidence=None):
    rng = np.random.default_rng(0)
    places = rng.integers(0, 1001, (count, 2)).tolist()
    items = [pc.Item(p=k + 1, c=c, r=[c[1], c[0]]) for k, c in enumerate(places)]
    return pc.Program("correspondence", "keypoint", items, note=note)


# ------------------------------------------------------------------------------------------------- whole cells


OPTIONS = [
    {},
    {"tau": 0.02},
    {"kind": "disparity"},
    {"kind": "metric", "scale": 2, "invalid_value": 0},
    {"kind": "metric", "normalize": False, "invalid_value": (), "tau": 0.05},
    {"kind": "metric", "depth_range": (0.2, 0.7), "invalid_value": 0, "max_relations": 3},
    {"relations": False, "note": "mine"},
]


@st.composite
def maps(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    factor, rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    shape = draw(st.integers(rows * factor, 60)), draw(st.integers(cols * factor, 60))
    values = rng.random(shape).astype(draw(st.sampled_from(["float32", "float64"])))
    values[rng.random(shape) < draw(st.sampled_from([0, 0.3, 0.95]))] = math.nan
    return values, factor, (rows, cols)


@given(maps(), st.sampled_from(OPTIONS))
def test_merged_cells_of_depth_are_those_of_the_coarser_grid(case, options):
    values, factor, (rows, cols) = case
    fine = pc.depth(values, grid=(rows * factor, cols * factor), **options)
    coarse = pc.depth(values, grid=(rows, cols), **options)
    ours = merged(fine, factor)
    assert ours.items == coarse.items
    assert ours.relations == coarse.relations
    assert (ours.note, ours.grid) == (coarse.note, coarse.grid)
    for name in ("center", "min", "max", "valid"):
        assert np.array_equal(ours.arrays[name], coarse.arrays[name], equal_nan=True)
    assert np.allclose(ours.arrays["mean"], coarse.arrays["mean"], rtol=0, atol=1e-6, equal_nan=True)


@given(maps(), st.sampled_from(["scene", "camera"]))
def test_merged_cells_of_flow_are_those_of_the_coarser_grid(case, motion):
    values, factor, (rows, cols) = case
    field = np.stack([values - 0.5, values], -1)
    fine = pc.flow(field, grid=(rows * factor, cols * factor), motion=motion, layout="hwc")
    coarse = pc.flow(field, grid=(rows, cols), motion=motion, layout="hwc")
    ours = merged(fine, factor)
    assert ours == coarse
    assert np.array_equal(ours.arrays["valid"], coarse.arrays["valid"])
    assert np.allclose(ours.arrays["mean"], coarse.arrays["mean"], rtol=0, atol=1e-6, equal_nan=True)


def test_cells_of_several_sizes_count_by_their_pixels():
    # 5 columns in 4 cells: 1, 1, 1 and 2 pixels, one of them a hole.
    row = np.array([[1, 4, 5, math.nan, 11]]) / 20
    ours = merged(pc.depth(row, grid=(1, 4)), 1)
    assert ours == pc.depth(row, grid=(1, 4))
    halves = pc.depth(np.vstack([row, row]), grid=(2, 4))
    two = merged(halves, 2)
    assert two.arrays["mean"].tolist() == [[2.5 / 20, 8 / 20]]
    assert two.arrays["valid"].tolist() == [[1.0, 2 / 3]]


def test_sums_beyond_float64_have_means():
    field = np.full((2, 2, 2), 1.7e308)
    assert merged(pc.flow(field, grid=2, layout="hwc"), 2).arrays["mean"].tolist() == [[1.7e308]]


def test_what_cannot_be_merged():
    program = pc.depth(STEPS)
    labelled = pc.depth(STEPS, labels=np.zeros(STEPS.shape, np.uint8))
    by_hand = pc.Program("depth", "patch", [], grid=(10, 10))
    for fixed in (labelled, pc.parse(str(program)), pickle.loads(pickle.dumps(program)), by_hand):
        assert fixed._printed.merged(2) is None
    assert [factor for factor in range(-1, 12) if program._printed.merged(factor)] == [1, 2, 5, 10]
    assert copy.copy(program)._printed.merged(2)


# -------------------------------------------------------------------------------------------------- the order


def test_what_fits_stays_as_it_is():
    program = pc.depth(STEPS)
    tokens = program.count_tokens()
    fitted = pc.fit(program, tokens)
    assert fitted == pc.Fitted(str(program), program, "paper", tokens, ())
    assert fitted.program is program


def test_each_step_is_taken_when_the_one_before_does_not_fit():
    program = pc.depth(STEPS, tau=0.05, grid=(10, 10))
    half, bare = pc.depth(STEPS, tau=0.05, grid=5), pc.depth(STEPS, tau=0.05, relations=False, grid=5)
    assert len(program.relations) > len(half.relations) > 0
    to_half, left = "10x10 cells merged to 5x5", "style paper left for compact"
    dropped = f"{len(program.relations)} relations dropped"
    expected = [
        (half, "paper", (to_half,)),
        (bare, "paper", (dropped, to_half)),
        (half, "compact", (to_half, left)),
        (bare, "compact", (dropped, to_half, left)),
        (merged(program, 5), "compact", ("10x10 cells merged to 2x2", left)),
        (merged(program, 10), "compact", ("10x10 cells merged to 1x1", left)),
        (pc.depth(STEPS, relations=False, grid=1), "compact", (dropped, "10x10 cells merged to 1x1", left)),
    ]
    seen = []
    least = pc.depth(STEPS, relations=False, grid=1).count_tokens("compact")
    with pytest.raises(
        ValueError, match=f"max_tokens must be at least {least} for this depth program, got {least - 1}"
    ):
        pc.fit(program, least - 1)
    budget = program.count_tokens() - 1
    while True:
        if budget + 1 == least:
            break
        fitted = pc.fit(program, budget)
        assert fitted.text == fitted.program.to_text(fitted.style)
        assert fitted.tokens == fitted.program.count_tokens(fitted.style) <= budget
        seen.append(fitted)
        budget = fitted.tokens - 1
    assert [(fitted.program, fitted.style, fitted.dropped) for fitted in seen] == expected


def test_compact_keeps_everything_where_it_can():
    program = pc.depth(STEPS, tau=0.02, grid=7)  # which has nothing between 7×7 and 1×1
    fitted = pc.fit(program, program.count_tokens("compact"))
    assert (fitted.program, fitted.style, fitted.dropped) == (program, "compact", ("style paper left for compact",))


def test_the_note_that_is_printed_does_not_speak_of_relations_that_are_not():
    program = pc.depth(STEPS, tau=0.02, grid=7)  # 7×7 cannot be merged but to 1×1
    bare = pc.depth(STEPS, relations=False, grid=7)
    assert bare.note in program.note
    fitted = pc.fit(program, bare.count_tokens())
    assert fitted.program == bare
    assert fitted.dropped == (f"{len(program.relations)} relations dropped",)
    assert np.array_equal(fitted.program.arrays["mean"], program.arrays["mean"])
    own = pc.depth(STEPS, tau=0.02, grid=7, note="Mine. Relations: see below.")
    assert pc.fit(own, bare.count_tokens()).program.note == own.note


def test_other_styles():
    program = pc.depth(STEPS)
    assert pc.fit(program, 10**6, style="json").text == program.to_text("json")
    fitted = pc.fit(program, program.count_tokens("compact"), style="json")
    assert (fitted.style, fitted.dropped) == ("compact", ("style json left for compact",))
    assert pc.fit(program, 600, style="compact").dropped == ("10x10 cells merged to 5x5",)


def test_the_encoding_decides():
    program = pc.depth(STEPS)
    other = program.count_tokens(encoding="cl100k_base")
    assert pc.fit(program, other, encoding="cl100k_base").dropped == ()
    assert pc.fit(program, other, encoding="cl100k_base").tokens == other


def test_parsed_programs_keep_their_grid():
    parsed = pc.parse(str(pc.depth(STEPS, tau=0.02)))
    fitted = pc.fit(parsed, parsed.count_tokens() - 1)
    assert fitted.program.grid == (10, 10)
    assert fitted.dropped == (f"{len(parsed.relations)} relations dropped",)
    with pytest.raises(ValueError, match=r"max_tokens must be at least \d{3} for this depth program, got 50"):
        pc.fit(parsed, 50)


@pytest.mark.parametrize("style", ["paper", "json", "compact"])
def test_a_grid_that_a_text_only_claims_costs_no_time(style):
    program = pc.Program("depth", "patch", [pc.Item(p=1, r=[0, 1])], grid=(2**31 - 1, 2**31 - 1))
    parsed = pc.parse(program.to_text(style))
    start = time.perf_counter()
    with pytest.raises(ValueError, match="max_tokens must be at least"):
        pc.fit(parsed, 1)
    assert time.perf_counter() - start < 10


# ------------------------------------------------------------------------------------------------------ matches


def test_matches_are_thinned_to_as_many_as_fit():
    program = matches(200)
    fitted = pc.fit(program, program.count_tokens() // 2)
    kept = len(fitted.program.items)
    assert fitted.style == "paper"
    assert fitted.dropped == (f"{200 - kept} of 200 matches dropped",)
    assert 90 < kept < 105
    assert [item.p for item in fitted.program.items] == list(range(1, kept + 1))
    originals = [(item.c, item.r) for item in program.items]
    at = [originals.index((item.c, item.r)) for item in fitted.program.items]
    assert at == sorted(at)


def test_fewer_than_a_quarter_are_for_the_compact_style():
    program = matches(400)
    fitted = pc.fit(program, program.count_tokens() // 8)
    assert (fitted.style, len(fitted.program.items) > 150) == ("compact", True)
    few = pc.fit(program, 100)
    assert (few.style, 3 <= len(few.program.items) < 20) == ("compact", True)
    with pytest.raises(ValueError, match=r"max_tokens must be at least \d\d for this correspondence program, got 3"):
        pc.fit(program, 3)


def test_thinned_matches_are_spread():
    corners = [[0, 0], [1000, 0], [0, 1000], [1000, 1000]]
    crowd = [[500 + k % 7, 500 + k // 7] for k in range(40)]
    items = [pc.Item(p=f"m{k}", c=c, r=c) for k, c in enumerate(crowd + corners)]
    program = pc.Program("correspondence", "keypoint", items)
    fitted = pc.fit(program, program.count_tokens() * 2 // 5)
    places = [item.c for item in fitted.program.items]
    assert all(corner in places for corner in corners)
    assert places[-4:] == corners
    assert fitted.program.items[0].p == "m0"  # names stay


def test_items_without_a_place_are_thinned_in_their_order():
    program = pc.Program("mine", "keypoint", [pc.Item(p=k, c=f"place {k}", r=k) for k in range(100)])
    fitted = pc.fit(program, program.count_tokens() // 2)
    assert fitted.program.items == program.items[: len(fitted.program.items)]


def test_relations_go_before_matches():
    items = matches(60).items
    program = pc.Program("correspondence", "keypoint", items, [pc.Relation(1, "near", 2)])
    fitted = pc.fit(program, program.count_tokens() - 1)
    assert fitted.dropped == ("1 relation dropped",)
    assert len(fitted.program.items) == 60
    assert fitted.program.relations == ()


def test_many_matches_take_little_time_and_what_cannot_be_counted_does_not_fit():
    program = matches(40_000)
    with pytest.raises(ValueError, match="less than 1000000 characters"):
        program.count_tokens()
    fitted = pc.fit(program, 1000)
    assert fitted.tokens <= 1000
    assert len(fitted.program.items) > 50


def test_what_cannot_be_counted_in_any_form():
    long = pc.Program("heat", "patch", [], note="x" * 1_000_000)
    with pytest.raises(ValueError, match="this heat program is too long for its tokens to be counted in any form"):
        pc.fit(long, 10)


def test_other_items_all_stay():
    program = pc.semantic_scores(dict.fromkeys("ABCD", 0.5), dict.fromkeys("ABCD", (0, 0)), size=(1, 1), note=None)
    fitted = pc.fit(program, program.count_tokens("compact"))
    assert (fitted.program, fitted.style) == (program, "compact")
    with pytest.raises(
        ValueError, match=f"at least {fitted.tokens} for this semantic program, got {fitted.tokens - 1}"
    ):
        pc.fit(program, fitted.tokens - 1)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("text", 5), TypeError, "program must be a Program, got str"),
        ((pc.depth(STEPS), 5.5), TypeError, "max_tokens must be an int, got float"),
        ((pc.depth(STEPS), -1), ValueError, "max_tokens must be at least 0, got -1"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        pc.fit(*arguments)


def test_bad_options():
    with pytest.raises(ValueError, match="style must be 'paper', 'json' or 'compact', got 'xml'"):
        pc.fit(pc.depth(STEPS), 500, style="xml")
    with pytest.raises(ValueError, match="encoding must be one of"):
        pc.fit(pc.depth(STEPS), 500, encoding="o900k")


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64"])
def test_motions_that_cancel_out_stay_still(dtype):
    field = np.zeros((14, 14, 2), dtype)
    field[0, 0, 0], field[0, 7, 0], field[7, 0, 0] = 1, 2, -3
    program = pc.flow(field, grid=2, note=None)
    merged = pc.fit(program, program.count_tokens() - 1).program
    assert merged == pc.flow(field, grid=1, note=None)
    assert merged.items[0].r == "right"
    assert merged.arrays["mean"].tolist() == [[0]]
