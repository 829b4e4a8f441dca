"""Depth programs: values that can be checked by hand, on every backend."""

import math

import numpy as np
import pytest

import percepts as pc

HOLES = [math.nan, math.inf, -math.inf]


@pytest.fixture
def backend(every_backend):
    """Each implementation, those on CUDA devices included."""
    return every_backend


def readings(program):
    return [item.r for item in program.items]


def relations(program):
    return [(relation.a, relation.b) for relation in program.relations]


def test_readings_are_the_range_of_each_cell(backend):
    depth = np.array([[0.1, 0.2, 0.9, 0.8], [0.3, 0.4, 0.7, 0.6]], np.float32)
    program = backend.depth(depth, grid=(1, 2))
    assert readings(program) == [[0.1, 0.4], [0.6, 0.9]]
    assert relations(program) == [(2, 1)]
    assert [item.p for item in program.items] == [1, 2]
    assert (program.modality, program.granularity, program.grid) == ("depth", "patch", (1, 2))


def test_cells_of_an_uneven_grid(backend):
    depth = np.arange(35).reshape(5, 7) / 100
    program = backend.depth(depth, grid=(2, 3))
    # Rows [0, 2) and [2, 5), columns [0, 2), [2, 4) and [4, 7).
    assert readings(program) == [
        [0.0, 0.08], [0.02, 0.1], [0.04, 0.13], [0.14, 0.29], [0.16, 0.31], [0.18, 0.34]
    ]  # fmt: skip
    assert [item.c for item in program.items] == [
        [0, 0], [285, 0], [714, 0], [0, 600], [285, 600], [714, 600]
    ]  # fmt: skip


def test_centers_of_the_design_example(backend):
    program = backend.depth(np.zeros((480, 640), np.float32))
    assert program.items[0].c == [48, 47]
    assert program.items[99].c == [948, 947]


def test_relations_right_then_below_in_row_major_order(backend):
    depth = np.array([[0.9, 0.1], [0.5, 0.3]])
    program = backend.depth(depth, grid=2)
    assert relations(program) == [(1, 2), (1, 3), (4, 2), (3, 4)]
    assert {relation.predicate for relation in program.relations} == {"in_front_of"}
    assert relations(backend.depth(depth, grid=2, max_relations=2)) == [(1, 2), (1, 3)]
    assert relations(backend.depth(depth, grid=2, max_relations=0)) == []
    assert len(relations(backend.depth(depth, grid=2, max_relations=10**20))) == 4
    assert relations(backend.depth(depth, grid=2, relations=False)) == []


def test_no_relations_leave_the_key_out(backend):
    text = backend.depth([[0.5, 0.5]], grid=(1, 2)).to_text()
    assert "relations" not in text
    assert text.endswith("  - p: 2\n    c: [500, 0]\n    r: [0.5, 0.5]\n</perceptionprogram>")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_difference_of_exactly_tau_is_no_relation(backend, dtype):
    depth = np.array([[0.75, 0.5]], dtype)
    assert relations(backend.depth(depth, grid=(1, 2), tau=0.25)) == []
    assert relations(backend.depth(depth, grid=(1, 2), tau=0.25 - 1e-15)) == [(1, 2)]


@pytest.mark.parametrize(
    ("dtype", "maximum"), [("uint8", 255), ("uint16", 65535), ("uint32", 2**32 - 1), ("uint64", 2**64 - 1)]
)
def test_unsigned_integers_are_divided_by_their_maximum(backend, dtype, maximum):
    depth = np.array([[0, maximum // 5, maximum]], dtype)
    assert readings(backend.depth(depth, grid=1)) == [[0, 1]]
    assert readings(backend.depth(depth, grid=(1, 3)))[1] == [0.2, 0.2]


def test_uint16_above_255_keeps_its_bits(backend):
    assert readings(backend.depth(np.array([[256, 65535]], np.uint16), grid=(1, 2)))[0] == [
        0.003906,
        0.003906,
    ]


def test_relative_maps_of_bool_and_signed_integers_are_taken_as_they_are(backend):
    assert readings(backend.depth(np.array([[True, False]]), grid=(1, 2))) == [[1, 1], [0, 0]]
    assert readings(backend.depth(np.array([[1, 0]], np.int8), grid=(1, 2))) == [[1, 1], [0, 0]]


def test_metric_depth_reads_one_at_the_nearest(backend):
    depth = np.array([[1.0, 2.0], [3.0, 5.0]])
    assert readings(backend.depth(depth, grid=2, kind="metric")) == [[1, 1], [0.75, 0.75], [0.5, 0.5], [0, 0]]
    assert relations(backend.depth(depth, grid=2, kind="metric")) == [(1, 2), (1, 3), (2, 4), (3, 4)]


def test_disparity_reads_one_at_the_largest(backend):
    depth = np.array([[1.0, 2.0], [3.0, 5.0]])
    assert readings(backend.depth(depth, grid=2, kind="disparity")) == [
        [0, 0], [0.25, 0.25], [0.5, 0.5], [1, 1]
    ]  # fmt: skip


def test_disparity_may_be_negative(backend):
    assert readings(backend.depth([[-4.0, 0.0, 4.0]], grid=(1, 3), kind="disparity")) == [
        [0, 0], [0.5, 0.5], [1, 1]
    ]  # fmt: skip


def test_scale_comes_before_the_range(backend):
    depth = np.array([[500, 1000, 2000, 4000]], np.uint16)
    program = backend.depth(depth, grid=(1, 4), kind="metric", scale=1000, depth_range=(1, 3))
    assert readings(program) == [[1, 1], [1, 1], [0.5, 0.5], [0, 0]]


def test_depth_range_keeps_frames_comparable(backend):
    options = {"grid": (1, 2), "kind": "disparity", "depth_range": (8, 0)}
    assert readings(backend.depth([[2.0, 4.0]], **options)) == [[0.25, 0.25], [0.5, 0.5]]
    assert readings(backend.depth([[2.0, 8.0]], **options)) == [[0.25, 0.25], [1, 1]]


def test_pixels_are_clipped_before_they_are_averaged(backend):
    # Clipped, the left cell averages (1 + 0.5) / 2 = 0.75; unclipped it would be (51 + 0.5) / 2.
    program = backend.depth([[51.0, 0.5, 0.5, 0.75]], grid=(1, 2), kind="disparity", depth_range=(1, 0), tau=0.12)
    assert program.arrays["mean"].tolist() == [[0.75, 0.625]]
    assert relations(program) == [(1, 2)]


def test_metres_are_kept_without_normalisation(backend):
    depth = np.array([[1500, 2500, 2550]], np.uint16)
    program = backend.depth(depth, grid=(1, 3), kind="metric", scale=1000, normalize=False, tau=0.1)
    assert readings(program) == [[1.5, 1.5], [2.5, 2.5], [2.55, 2.55]]
    assert relations(program) == [(1, 2)]
    assert "larger is farther" in program.note


def test_a_constant_map_reads_one_half(backend):
    for kind in ("metric", "disparity"):
        program = backend.depth(np.full((3, 4), 7.0), grid=2, kind=kind)
        assert readings(program) == [[0.5, 0.5]] * 4
        assert relations(program) == []


def test_a_cell_without_data_in_a_constant_map(backend):
    program = backend.depth([[np.nan, 7.0]], grid=(1, 2), kind="metric", tau=0)
    assert readings(program) == ["unknown", [0.5, 0.5]]
    assert np.isnan(program.arrays["mean"]).tolist() == [[True, False]]
    assert relations(program) == []


def test_one_valid_pixel(backend):
    depth = np.full((4, 4), np.nan)
    depth[1, 2] = 3.0
    assert readings(backend.depth(depth, grid=2, kind="metric")) == [
        "unknown",
        [0.5, 0.5],
        "unknown",
        "unknown",
    ]


@pytest.mark.parametrize(
    ("kind", "normalize"), [("relative", True), ("disparity", True), ("metric", True), ("metric", False)]
)
def test_a_map_of_holes(backend, kind, normalize):
    program = backend.depth(np.full((20, 30), np.nan, np.float32), kind=kind, normalize=normalize)
    assert readings(program) == ["unknown"] * 100
    assert relations(program) == []
    assert np.isnan(program.arrays["mean"]).all()
    assert (program.arrays["valid"] == 0).all()


@pytest.mark.parametrize("hole", HOLES)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_hole_anywhere_stays_out_of_its_cell(backend, hole, dtype):
    clean = np.full((3, 37), 0.25, dtype)
    clean[:, 20:] = 0.75
    for x in range(37):
        for y in (0, 1, 2):
            depth = clean.copy()
            depth[y, x] = hole
            program = backend.depth(depth, grid=1)
            assert readings(program) == [[0.25, 0.75]]
            values = np.delete(clean.astype(float).ravel(), y * 37 + x)
            assert program.arrays["mean"][0, 0] == pytest.approx(values.mean(), abs=1e-12)
            assert program.arrays["valid"][0, 0] == 110 / 111


def test_holes_written_in_five_ways_mix(backend):
    depth = np.array([[np.nan, 1.2, np.inf, 0.4, -np.inf, 0.0, 65535.0, 0.8]], np.float32)
    program = backend.depth(depth, grid=(1, 4), kind="metric", invalid_value=(0, 65535))
    assert readings(program) == [[0, 0], [1, 1], "unknown", [0.5, 0.5]]


def test_sentinels_are_compared_in_the_arrays_own_dtype(backend):
    depth = np.array([[0.1, 0.5]], np.float32)
    assert readings(backend.depth(depth, grid=(1, 2), invalid_value=0.1)) == ["unknown", [0.5, 0.5]]
    big = np.array([[2**53 + 1, 2**53]], np.int64)
    program = backend.depth(big, grid=(1, 2), kind="disparity", invalid_value=2**53 + 1)
    assert readings(program) == ["unknown", [0.5, 0.5]]
    assert readings(backend.depth(np.array([[-0.0, 0.5]]), grid=(1, 2), invalid_value=0))[0] == "unknown"


@pytest.mark.parametrize(("dtype", "value"), [("uint16", -1), ("uint8", 256), ("int64", 0.5), ("uint8", 10**30)])
def test_a_sentinel_that_the_dtype_cannot_hold(backend, dtype, value):
    with pytest.raises(ValueError, match=f"invalid_value must be a value that {dtype} can hold, got {value}"):
        backend.depth(np.zeros((10, 10), dtype), invalid_value=value)


def test_sentinels_that_are_no_numbers_hold_for_every_dtype(backend):
    depth = np.array([[0, 255]], np.uint8)
    assert readings(backend.depth(depth, grid=(1, 2), invalid_value=(math.nan, math.inf, 0))) == [
        "unknown",
        [1, 1],
    ]


def test_mask_says_what_to_use(backend):
    depth = np.array([[0.1, 0.9], [0.2, 0.8]])
    mask = np.array([[True, False], [False, False]])
    assert readings(backend.depth(depth, grid=(1, 2), mask=mask)) == [[0.1, 0.1], "unknown"]
    assert readings(backend.depth(depth, grid=(1, 2), mask=mask[::-1, ::-1])) == ["unknown", [0.8, 0.8]]


def test_masked_arrays_mean_the_opposite(backend):
    depth = np.ma.MaskedArray([[0.1, 0.9]], mask=[[True, False]])
    assert readings(backend.depth(depth, grid=(1, 2))) == ["unknown", [0.9, 0.9]]
    assert readings(backend.depth(depth, grid=(1, 2), mask=[[True, False]])) == ["unknown", "unknown"]
    assert readings(backend.depth(np.ma.MaskedArray([[0.1, 0.9]]), grid=(1, 2))) == [[0.1, 0.1], [0.9, 0.9]]


def test_a_mask_covers_what_would_be_refused(backend):
    depth = np.array([[7.0, 0.5]])
    assert readings(backend.depth(depth, grid=(1, 2), mask=[[False, True]])) == ["unknown", [0.5, 0.5]]
    metric = np.array([[0.0, 0.5]])
    assert readings(backend.depth(metric, grid=(1, 2), kind="metric", mask=[[False, True]]))[1] == [0.5, 0.5]


def test_arrays_hold_full_precision(backend):
    depth = np.array([[0.123456789, 0.3], [np.nan, 0.7]])
    arrays = backend.depth(depth, grid=(1, 2)).arrays
    assert arrays["min"].dtype == arrays["max"].dtype == np.float32
    assert arrays["mean"].dtype == arrays["valid"].dtype == np.float64
    assert arrays["min"].tolist() == [[np.float32(0.123456789), np.float32(0.3)]]
    assert arrays["max"].tolist() == [[np.float32(0.123456789), np.float32(0.7)]]
    assert arrays["mean"].tolist() == [[0.123456789, 0.5]]
    assert arrays["valid"].tolist() == [[0.5, 1.0]]
    assert arrays["center"].tolist() == [[[0, 0], [500, 0]]]


def test_mean_of_large_integers_is_exact(backend):
    depth = np.full((100, 100), 2**32 - 1, np.uint32)
    depth[0, 0] -= 10000
    mean = backend.depth(depth, grid=1, kind="metric", normalize=False).arrays["mean"][0, 0]
    assert mean == 2**32 - 2


def test_sums_that_would_overflow(backend):
    half = np.full((300, 300), 60000, np.float16)
    assert backend.kernels.grid_stats(half, grid=1).mean[0, 0] == np.float16(60000)
    huge = np.array([[1.7e308, 1.6e308, 1.5e308]])
    assert backend.kernels.grid_stats(huge, grid=1).mean[0, 0] == pytest.approx(1.6e308)
    largest = np.full((7, 9), np.finfo(float).max)
    assert backend.kernels.grid_stats(largest, grid=1).mean[0, 0] == np.finfo(float).max


def test_a_range_that_overflows(backend):
    depth = np.array([[-1.7e308, 0.0, 1.7e308]])
    assert readings(backend.depth(depth, grid=(1, 3), kind="disparity")) == [[0, 0], [0.5, 0.5], [1, 1]]


def test_negative_zero_and_small_exponents_are_yaml_numbers(backend):
    text = backend.depth(np.array([[-0.0, 1e-5]], np.float32), grid=(1, 2)).to_text()
    assert "r: [0, 0]" in text
    assert "r: [1.0e-05, 1.0e-05]" in text


def test_readings_are_rounded_once_to_float32(backend):
    # The float64 prints 0.1235, its float32 neighbour 0.1234: the printed type is fixed.
    value = 0.12345000001
    assert f"{value:.4g}" == "0.1235"
    expected = float(f"{np.float32(value):.4g}")
    assert readings(backend.depth([[value]], grid=1)) == [[expected, expected]]


def test_note_is_replaced_or_left_out(backend):
    assert "nearest" in backend.depth([[0.5]], grid=1).note
    assert backend.depth([[0.5]], grid=1, note="mine").note == "mine"
    assert backend.depth([[0.5]], grid=1, note=None).note is None
    assert "note" not in backend.depth([[0.5]], grid=1, note=None).to_text()


def test_the_argument_is_never_changed(backend):
    depth = np.random.default_rng(0).random((20, 20))
    depth[3, 4] = np.nan
    before = depth.copy()
    depth.flags.writeable = False
    backend.depth(depth, kind="metric", invalid_value=0.5, mask=np.ones((20, 20), bool))
    np.testing.assert_array_equal(depth, before)


BAD_OPTIONS = [
    ({"grid": 0}, ValueError, "grid must be at least 1x1"),
    ({"grid": (3, -1)}, ValueError, "grid must be at least 1x1 (rows x columns), got 3x-1"),
    (
        {"grid": (11, 10)},
        ValueError,
        "grid 11x10 (rows x columns) needs at least as many pixels, got a map of 10x12",
    ),
    ({"grid": (10, 13)}, ValueError, "got a map of 10x12 (height x width)"),
    ({"grid": 2**40}, ValueError, "grid may have at most"),
    ({"grid": 2.5}, TypeError, "grid must be an int, got float"),
    ({"grid": True}, TypeError, "grid must be an int, got bool"),
    ({"grid": "10"}, TypeError, "grid must be an int, got str"),
    ({"grid": (1, 2, 3)}, TypeError, "grid must be an int or (rows, cols), got (1, 2, 3)"),
    ({"tau": -0.1}, ValueError, "tau must be finite and at least 0, got -0.1"),
    ({"tau": math.nan}, ValueError, "tau must be finite and at least 0, got nan"),
    ({"tau": "0.1"}, TypeError, "tau must be a number, got str"),
    ({"tau": 10**400}, ValueError, "tau must fit a float64, got ~1e400"),
    ({"tau": -(10**5000)}, ValueError, "tau must fit a float64, got ~-1e5000"),
    ({"grid": 10**5000}, ValueError, "got ~1e5000x~1e5000 (rows x columns)"),
    ({"grid": (-(10**5000), 2)}, ValueError, "got ~-1e5000x2"),
    ({"kind": "inverse"}, ValueError, "kind must be 'relative', 'disparity' or 'metric', got 'inverse'"),
    ({"kind": None}, TypeError, "kind must be a str, got NoneType"),
    ({"scale": 1000}, ValueError, "scale needs kind='disparity' or kind='metric', got scale=1000"),
    ({"kind": "metric", "scale": 0}, ValueError, "scale must be finite and above 0, got 0"),
    ({"kind": "metric", "scale": -5}, ValueError, "scale must be finite and above 0, got -5"),
    ({"kind": "metric", "scale": math.inf}, ValueError, "scale must be finite and above 0, got inf"),
    ({"depth_range": (1, 2)}, ValueError, "depth_range needs kind='disparity' or kind='metric'"),
    ({"kind": "metric", "depth_range": (2, 1)}, ValueError, "near < far for kind='metric', got (2, 1)"),
    ({"kind": "metric", "depth_range": (1, 1)}, ValueError, "near < far for kind='metric', got (1, 1)"),
    ({"kind": "disparity", "depth_range": (1, 2)}, ValueError, "near > far for kind='disparity', got (1, 2)"),
    ({"kind": "metric", "depth_range": (1, math.nan)}, ValueError, "got (1, nan)"),
    ({"kind": "metric", "depth_range": 3}, TypeError, "depth_range must be a pair, got 3"),
    ({"normalize": False}, ValueError, "normalize=False needs kind='metric'"),
    ({"normalize": "no"}, TypeError, "normalize must be True or False, got str"),
    (
        {"kind": "metric", "normalize": False, "depth_range": (1, 2)},
        ValueError,
        "depth_range needs normalize=True",
    ),
    ({"relations": 1}, TypeError, "relations must be True or False, got int"),
    ({"max_relations": -1}, ValueError, "max_relations must be at least 0, got -1"),
    ({"max_relations": 1.0}, TypeError, "max_relations must be an int, got float"),
    ({"note": 7}, TypeError, "note must be a str or None, got int"),
    ({"invalid_value": "0"}, TypeError, "invalid_value must be a number or several, got '0'"),
    ({"mask": np.ones((10, 12), np.uint8)}, TypeError, "mask must be boolean, got uint8"),
    (
        {"mask": np.ones((12, 10), bool)},
        ValueError,
        "mask must have the shape of the map, (10, 12), got (12, 10)",
    ),
]


@pytest.mark.parametrize("kind", ["metric", "disparity"])
def test_a_map_of_one_value_with_an_empty_cell(backend, kind):
    arrays = backend.depth([[math.nan, 2.5]], grid=(1, 2), kind=kind).arrays
    for name in ("min", "max", "mean"):
        np.testing.assert_array_equal(arrays[name], [[math.nan, 0.5]])


@pytest.mark.parametrize(("options", "error", "message"), BAD_OPTIONS)
def test_bad_options_say_what_is_required_and_what_came(backend, options, error, message):
    with pytest.raises(error) as caught:
        backend.depth(np.full((10, 12), 0.5), **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (1.5, "[0.5, 1.5]"),
        (-0.25, "[-0.25, 0.5]"),
        (np.float32(1.0000001), "[0.5, 1.00000012]"),
        (1 + 2**-40, "[0.5, 1.0000000000009"),
        (-1e-300, "[-1e-300, 0.5]"),
    ],
)
def test_relative_values_outside_0_1(backend, value, found):
    with pytest.raises(ValueError, match="kind='relative' needs values in") as caught:
        backend.depth([[0.5, value]], grid=1)
    assert found in str(caught.value)
    assert "'disparity'" in str(caught.value)
    assert "'metric'" in str(caught.value)


@pytest.mark.parametrize("value", [0.0, -0.5])
def test_metric_values_of_zero_or_less_need_an_answer(backend, value):
    with pytest.raises(ValueError, match="kind='metric' needs values above 0 unless invalid_value is given"):
        backend.depth([[value, 2.0]], grid=1, kind="metric")
    program = backend.depth([[value, 2.0]], grid=(1, 2), kind="metric", invalid_value=())
    assert readings(program) == [[1, 1], [0, 0]]
    program = backend.depth([[value, 2.0]], grid=(1, 2), kind="metric", invalid_value=value)
    assert readings(program) == ["unknown", [0.5, 0.5]]


def test_readings_beyond_float32(backend):
    with pytest.raises(ValueError, match=r"readings must fit float32, got 1e\+300"):
        backend.depth([[1e300]], grid=1, kind="metric", normalize=False)
    with pytest.raises(ValueError, match="values divided by scale must stay finite"):
        backend.depth([[1e300, 1.0]], grid=1, kind="metric", scale=1e-100)


def test_public_names():
    assert pc.UNKNOWN == "unknown"
    assert pc.depth([[np.nan]], grid=1).items[0].r == pc.UNKNOWN
