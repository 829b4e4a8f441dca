"""The point nearest to a query: exact decisions, the lowest index on a tie, whatever the dtype and library."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import percepts as pc

DTYPES = ["float16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.fixture(params=["core", "reference"])
def nearest_match(request):
    return (pc if request.param == "core" else pc.reference).kernels.nearest_match


def check_same(points, queries):
    core, reference = (module.kernels.nearest_match(points, queries) for module in (pc, pc.reference))
    for ours, defined in zip(core, reference, strict=True):
        np.testing.assert_array_equal(ours, defined, strict=True)
    return core[0]


def test_by_hand(nearest_match):
    index, distance = nearest_match([(0, 0), (10, 0), (3, 4)], [(9, 1), (3, 0), (0, 0), (3, 9)])
    assert index.tolist() == [1, 0, 0, 2]
    np.testing.assert_array_equal(distance, [math.sqrt(2), 3, 0, 5])
    assert (index.dtype, distance.dtype) == (np.int64, np.float64)


def test_the_lowest_index_on_a_tie(nearest_match):
    around = [(7, 5), (5, 7), (3, 5), (5, 3), (5, 3), (7, 5)]
    assert nearest_match(around, [(5, 5), (6, 6), (4, 4)])[0].tolist() == [0, 0, 2]
    assert nearest_match([(0.1, 0.2)] * 1000, [(5, 5)])[0].tolist() == [0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(nearest_match, dtype):
    points = np.array([[1, 2], [100, 3], [5, 120]], dtype)
    assert nearest_match(points, np.array([[99, 0], [7, 100]], dtype))[0].tolist() == [1, 2]


def test_no_cancellation_at_a_million():
    """|p|² − 2pq + |q|² in float32 is off by thousands here, and in float64 by enough to lose the last case."""
    points = np.array([[1e6, 1e6], [1e6 - 0.0625, 1e6], [1e6, 1e6 - 0.125]], np.float32)
    queries = points + np.float32(0)
    assert pc.kernels.nearest_match(points, queries)[0].tolist() == [0, 1, 2]
    assert pc.kernels.nearest_match(points, [[1e6 - 0.03125001, 1e6]])[0].tolist() == [1]
    assert pc.kernels.nearest_match(points, [[1e6 - 0.03124999, 1e6]])[0].tolist() == [0]


def test_decisions_that_float64_would_round_away(nearest_match):
    """The squared distances differ by less than their last digit in float64."""
    far = 2.0**40
    points = [(far, 2.0**-20), (far, 0)]
    assert far * far + 2.0**-40 == far * far
    assert nearest_match(points, [(0, 0)])[0].tolist() == [1]
    assert nearest_match([(3.0, 1e-30), (3.0, 0.0)], [(0.0, 0.0)])[0].tolist() == [1]
    third = 1 / 3
    assert nearest_match([(third, 0), (math.nextafter(third, 1), 0)], [(0, 0), (1, 0)])[0].tolist() == [0, 1]


@settings(max_examples=200)
@given(
    seed=st.integers(0, 2**32),
    count=st.sampled_from([1, 2, 15, 255, 256, 257, 600]),
    dtype=st.sampled_from(["float32", "float64", "int32"]),
    kind=st.sampled_from(["grid", "fine", "offset", "wide"]),
)
def test_core_equals_reference(seed, count, dtype, kind):
    rng = np.random.default_rng(seed)
    queries = int(rng.integers(1, 4)) if count > 20 else 70
    draw = {
        "grid": lambda n: rng.integers(0, 12, (n, 2)),
        "fine": lambda n: rng.random((n, 2)) * 1000,
        "offset": lambda n: 1e6 + rng.integers(0, 40, (n, 2)) / 16,
        "wide": lambda n: rng.normal(size=(n, 2)) * 10.0 ** rng.integers(-9, 9, (n, 2)),
    }[kind]
    check_same(draw(count).astype(dtype), draw(queries).astype(dtype))


@given(st.lists(st.tuples(*[st.floats(-1e100, 1e100)] * 2), min_size=1, max_size=6), st.floats(-1e100, 1e100))
def test_any_float64(points, x):
    check_same(points, [(x, -x), (0, x), points[0]])


@given(st.lists(st.tuples(*[st.floats(width=32, allow_nan=False, allow_infinity=False)] * 2), min_size=1, max_size=6))
def test_any_float32(points):
    check_same(np.array(points, np.float32), np.array([(0, 0), points[-1]], np.float32))


def test_points_on_a_circle():
    """All integer points at distance 65, and one just inside: exact ties by the hundred."""
    circle = [(x, y) for x in range(-65, 66) for y in range(-65, 66) if x * x + y * y == 65 * 65]
    assert len(circle) > 30
    points = np.array(circle * 30, np.float64) + 1e6
    assert pc.kernels.nearest_match(points, [[1e6, 1e6]])[0].tolist() == [0]
    points[777] -= math.copysign(1e-9, points[777, 0] - 1e6), 0
    assert pc.kernels.nearest_match(points, [[1e6, 1e6]])[0].tolist() == [777]


def test_strides_and_layouts():
    rng = np.random.default_rng(0)
    points = rng.random((50, 2)).astype(np.float32)
    queries = rng.random((9, 2))
    expected = check_same(points, queries)
    swapped = np.asfortranarray(points)[::-1][::-1].astype(">f4")
    np.testing.assert_array_equal(pc.kernels.nearest_match(swapped, queries.tolist())[0], expected)
    np.testing.assert_array_equal(pc.kernels.nearest_match(points[None], np.ma.array(queries))[0], expected)


def test_torch(library):
    torch = library("torch")
    points = torch.tensor([[1.5, 2], [8, 9]], dtype=torch.bfloat16, requires_grad=False)
    index, distance = pc.kernels.nearest_match(points, torch.tensor([[8.0, 8.0]]))
    assert isinstance(index, torch.Tensor)
    assert (index.tolist(), distance.tolist()) == ([1], [1.0])
    assert (index.dtype, distance.dtype) == (torch.int64, torch.float64)


def test_no_queries(nearest_match):
    for points in ([], [(1, 2)]):
        index, distance = nearest_match(points, np.empty((0, 2)))
        assert index.shape == distance.shape == (0,)


@pytest.mark.parametrize(
    ("points", "queries", "error", "message"),
    [
        ([], [(1, 2)], ValueError, r"^nearest_match needs at least one point, got none$"),
        ([(1, 2, 3)], [(1, 2)], ValueError, r"^points must be N×2, of \(x, y\), got shape \(1, 3\)$"),
        ([(1, 2)], (1, 2), ValueError, r"^queries must be N×2, of \(x, y\), got shape \(2,\)$"),
        (
            [(1, math.nan)],
            [(1, 2)],
            ValueError,
            r"^points must be finite and at most 1e100 in magnitude, got nan in row",
        ),
        ([(1, 2)], [(0, 0), (-math.inf, 2)], ValueError, "^queries must be finite .* got -inf in row 1$"),
        ([(1, 2e100)], [(1, 2)], ValueError, r"^points must be .* got 2e\+100 in row 0$"),
        (np.ones((2, 2), bool), [(1, 2)], TypeError, "^points must be numbers, got bool$"),
        (
            np.array([[2**53, 1]]),
            [(1, 2)],
            ValueError,
            r"^points must be below 2\*\*53 in magnitude where they are int64",
        ),
        (np.ma.masked_equal([(1, 2)], 2), [(1, 2)], ValueError, "^points must have every value, got a masked array"),
        ("points", [(1, 2)], TypeError, "^points must be an array"),
        ([(1, 2)], [("a", "b")], TypeError, "^queries must be"),
    ],
)
def test_bad_input(nearest_match, points, queries, error, message):
    with pytest.raises(error, match=message):
        nearest_match(points, queries)


def test_arguments_stay_as_they_are():
    points = np.array([[1e-300, 2.0]])
    pc.kernels.nearest_match(points, points)
    assert points.tolist() == [[1e-300, 2.0]]
