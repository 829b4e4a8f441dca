"""Similarity of features at points: by hand, against torch's sampling, and the core against the reference."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from strategies import layouts

BACKENDS = [pytest.param(pc.kernels, id="core"), pytest.param(pc.reference.kernels, id="reference")]
DTYPES = ["float16", "float32", "float64", "int8", "uint8"]  # bfloat16 comes from torch, below


@pytest.fixture(params=BACKENDS)
def kernels(request):
    return request.param


def bits(scores):
    return np.asarray(scores).view(np.uint64).tolist()


# Two channels, so that each cell is an angle: 0, 90 and 45 degrees in a row.
ANGLES = np.array([[[1, 0, 1]], [[0, 2, 1]]], np.float32)


def test_cells_by_hand(kernels):
    scores = kernels.feature_similarity(ANGLES, ANGLES, (0, 0), [(0, 0), (1, 0), (2, 0)])
    assert scores.dtype == np.float64
    assert scores.tolist() == [1.0, 0.0, 1 / math.sqrt(2)]


def test_between_two_cells(kernels):
    # Half way between (1, 0) and (0, 2) are the features (0.5, 1).
    (score,) = kernels.feature_similarity(ANGLES, ANGLES, (0, 0), [(0.5, 0)])
    assert score == 0.5 / math.sqrt(0.5**2 + 1)


def test_between_four_cells(kernels):
    field = np.array([[[1, 0], [0, 0]], [[0, 0], [0, 1]]], np.float64)
    # A quarter to the right and three quarters down: (0.75 * 0.25, 0.25 * 0.75) are the weights of the two features.
    (score,) = kernels.feature_similarity(field, field, (0, 0), [(0.25, 0.75)])
    assert score == pytest.approx(1 / math.sqrt(2), abs=1e-15)


@pytest.mark.parametrize(
    ("pixel", "cell"),
    [
        (0, 0.0),  # left of the first centre, which is at pixel 1.5 of 4 a cell
        (1.5, 0.0),
        (2, 0.125),
        (3.5, 0.5),
        (5.5, 1.0),
        (9.5, 2.0),
        (11, 2.0),
        (12, 2.0),  # the right edge
    ],
)
def test_pixels_and_cells_have_their_centres_at_a_half(kernels, pixel, cell):
    in_pixels = kernels.feature_similarity(ANGLES, ANGLES, (0, 0), [(pixel, 0)], (12, 4), (12, 4))
    in_cells = kernels.feature_similarity(ANGLES, ANGLES, (0, 0), [(cell, 0)])
    assert in_pixels.tolist() == pytest.approx(in_cells.tolist(), abs=1e-15)


def test_each_image_has_its_own_size(kernels):
    wide = np.repeat(ANGLES, 2, 2)
    scores = kernels.feature_similarity(ANGLES, wide, (2.9, 0), [(0, 0), (299, 9)], (3, 1), (300, 10))
    assert scores == pytest.approx([1 / math.sqrt(2), 1.0], abs=1e-15)


def test_the_channels_may_come_last(kernels):
    last = np.moveaxis(ANGLES, 0, -1)
    expected = kernels.feature_similarity(ANGLES, ANGLES, (0, 0), [(1.25, 0)]).tolist()
    for array in (last, np.ascontiguousarray(last)):
        assert kernels.feature_similarity(array, array, (0, 0), [(1.25, 0)], layout="hwc").tolist() == expected


def test_a_batch_of_one_and_nested_lists_are_maps(kernels):
    scores = kernels.feature_similarity(ANGLES[None], ANGLES.tolist(), [0, 0], [[1, 0]])
    assert scores.tolist() == [0.0]


def test_no_targets(kernels):
    for none in ([], np.empty((0, 2))):
        assert kernels.feature_similarity(ANGLES, ANGLES, (0, 0), none).shape == (0,)


def test_a_vector_of_zeros_is_like_nothing(kernels):
    zeros = np.zeros((2, 1, 3))
    assert kernels.feature_similarity(ANGLES, zeros, (0, 0), [(1, 0)]).tolist() == [0.0]
    assert kernels.feature_similarity(zeros, ANGLES, (0, 0), [(1, 0), (2, 0)]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("hole", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_similarity_but_does_not_reach_further(kernels, hole):
    field = ANGLES.copy()
    field[1, 0, 1] = hole
    scores = kernels.feature_similarity(field, field, (0, 0), [(0, 0), (0.01, 0), (1, 0), (1.99, 0), (2, 0)])
    assert np.isnan(scores).tolist() == [False, True, True, True, False]
    assert np.isnan(kernels.feature_similarity(field, field, (1, 0), [(0, 0), (2, 0)])).all()


def test_the_same_features_are_exactly_alike(kernels):
    rng = np.random.default_rng(5)
    for _ in range(50):
        field = rng.standard_normal((33, 2, 2))
        assert kernels.feature_similarity(field, field, (1, 0), [(1, 0)]).tolist() == [1.0]
        assert kernels.feature_similarity(field, -field, (1, 0), [(1, 0)]).tolist() == [-1.0]


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-160, 1e160, 1e300])
def test_very_short_and_very_long_vectors_have_directions(kernels, scale):
    field = np.array([[[3.0, 4.0]], [[4.0, 3.0]]]) * scale
    (score,) = kernels.feature_similarity(field, field, (0, 0), [(1, 0)])
    assert score == pytest.approx(24 / 25, abs=1e-3 if scale < 1e-310 else 1e-15)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"features0": np.zeros((4, 3))}, ValueError, "features0 must be C×h×w with layout='chw', got shape (4, 3)"),
        ({"features1": np.zeros((2, 2, 3, 3))}, ValueError, "features1 must be C×h×w with layout='chw', got shape (2,"),
        ({"features1": np.zeros((5, 1, 3))}, ValueError, "as many channels as each other, got 2 and 5"),
        (
            {"features0": np.zeros((2, 0, 3))},
            ValueError,
            "features0 must have at least one channel and one cell, got 2x0x3",
        ),
        (
            {"features0": np.zeros((0, 1, 3))},
            ValueError,
            "at least one channel and one cell, got 0x1x3 (channels x hei",
        ),
        ({"features0": "map"}, TypeError, "features0 must be an array or nested lists of numbers, got str"),
        (
            {"features0": ANGLES.astype(complex)},
            TypeError,
            "features0 must be boolean, integer or floating point of up",
        ),
        (
            {"features0": np.ma.masked_equal(ANGLES, 2)},
            ValueError,
            "features0 must have a value everywhere, got a masked",
        ),
        ({"source": (4, 0)}, ValueError, "source must be within 0 <= x <= 3 and 0 <= y <= 1, got (4, 0)"),
        ({"source": (math.nan, 0)}, ValueError, "source must be within 0 <= x <= 3 and 0 <= y <= 1, got (nan, 0)"),
        ({"source": (1, 2, 3)}, ValueError, "source must be a point (x, y), got shape (3,)"),
        ({"source": None}, TypeError, "source must be an array or nested lists of numbers, got NoneType"),
        ({"source": ("1", "2")}, TypeError, "source must be boolean, integer or floating point"),
        (
            {"targets": [(0, 0), (0, -0.5)]},
            ValueError,
            "targets[1] must be within 0 <= x <= 3 and 0 <= y <= 1, got (0, -0",
        ),
        ({"targets": [(0, math.inf)]}, ValueError, "got (0, inf)"),
        ({"targets": (0, 0)}, ValueError, "targets must be N×2, of (x, y), got shape (2,)"),
        ({"targets": [(0, 0, 0)]}, ValueError, "targets must be N×2, of (x, y), got shape (1, 3)"),
        ({"targets": [(0, 0), (1,)]}, ValueError, "targets must be a rectangular array"),
        (
            {"targets": np.zeros((0, 2, 2))},
            ValueError,
            "targets must be N×2, of (x, y), got shape (0, 2, 2",
        ),
        ({"size0": (0, 5)}, ValueError, "size0 must be (width, height) of 1 to 2147483647 pixels each, got (0, 5)"),
        (
            {"size1": (5, 2**31)},
            ValueError,
            "size1 must be (width, height) of 1 to 2147483647 pixels each, got (5, 2147483648)",
        ),
        ({"size1": (5.0, 5)}, TypeError, "size1 must be an int, got float"),
        ({"size1": 5}, TypeError, "size1 (width, height) must be a pair, got 5"),
        ({"layout": "whc"}, ValueError, "layout must be 'chw' or 'hwc', got 'whc'"),
        ({"layout": None}, TypeError, "layout must be a str, got NoneType"),
    ],
)
def test_bad_arguments(kernels, arguments, error, message):
    good = {"features0": ANGLES, "features1": ANGLES, "source": (0, 0), "targets": [(0, 0)]}
    with pytest.raises(error, match=re.escape(message)):
        kernels.feature_similarity(**{**good, **arguments})


def test_no_argument_is_changed(kernels):
    field, targets = ANGLES.copy(), np.array([[1.0, 0.0]])
    for array in (field, targets):
        array.flags.writeable = False
    kernels.feature_similarity(field, field, np.zeros(2), targets)
    assert (field == ANGLES).all()


# ---------------------------------------------------------------------------------------------- against torch


def test_it_is_what_torch_samples(kernels):
    """grid_sample(align_corners=False, padding_mode="border") is the definition of sampling."""
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(0)
    for channels, cells0, cells1, size0, size1 in [
        (64, (12, 9), (12, 9), (300, 200), (300, 200)),
        (3, (1, 1), (5, 40), (17, 4), (1000, 1)),
        (768, (37, 37), (16, 24), (518, 518), (640, 480)),
    ]:
        maps = [torch.from_numpy(rng.standard_normal((channels, *cells))) for cells in (cells0, cells1)]
        source = rng.uniform(0, size0)
        targets = np.vstack([rng.uniform(0, size1, (40, 2)), [(0, 0), size1]])

        def sampled(features, points, size):
            grid = torch.from_numpy(2 * (points + 0.5) / np.array(size) - 1)[None, None]
            picked = torch.nn.functional.grid_sample(
                features[None], grid, mode="bilinear", padding_mode="border", align_corners=False
            )
            return picked[0, :, 0].T

        expected = torch.nn.functional.cosine_similarity(
            sampled(maps[0], source[None], size0), sampled(maps[1], targets, size1), dim=-1
        )
        scores = kernels.feature_similarity(*maps, source, targets, size0, size1)
        assert np.abs(np.asarray(scores) - expected.numpy()).max() < 1e-12


def test_results_are_of_the_library_of_the_first_map():
    torch = pytest.importorskip("torch")
    field = torch.from_numpy(ANGLES)
    scores = pc.kernels.feature_similarity(field, ANGLES, torch.tensor([0, 0]), torch.tensor([[0.0, 0], [1, 0]]))
    assert isinstance(scores, torch.Tensor)
    assert scores.dtype == torch.float64
    assert scores.tolist() == [1.0, 0.0]
    assert isinstance(pc.kernels.feature_similarity(ANGLES, field, (0, 0), [(1, 0)]), np.ndarray)


# ------------------------------------------------------------------------------------- core against reference


@st.composite
def questions(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    channels = draw(st.sampled_from([1, 2, 3, 17, 128]))
    last = draw(st.booleans())
    maps, sizes = [], []
    for _ in range(2):
        cells = draw(st.integers(1, 9)), draw(st.integers(1, 9))
        array = rng.standard_normal((channels, *cells)) * draw(st.sampled_from([1e-6, 1.0, 40.0]))
        if draw(st.booleans()):
            array.reshape(-1)[rng.integers(0, array.size)] = draw(st.sampled_from([math.nan, math.inf, 0.0]))
        maps.append(
            draw(layouts(as_dtype(np.moveaxis(array, 0, -1) if last else array, draw(st.sampled_from(DTYPES)))))
        )
        sizes.append(draw(st.none() | st.tuples(st.integers(1, 2000), st.integers(1, 2000))))
    cells = [array.shape[:2] if last else array.shape[1:] for array in maps]
    within = [size or extent[::-1] for size, extent in zip(sizes, cells, strict=True)]

    def point(size):
        coordinate = [st.integers(0, end) | st.floats(0, end) for end in size]
        return draw(st.tuples(*coordinate))

    targets = [point(within[1]) for _ in range(draw(st.integers(0, 4)))]
    return *maps, point(within[0]), targets, *sizes, "hwc" if last else "chw"


def as_dtype(array, dtype):
    if dtype in ("int8", "uint8"):
        return np.nan_to_num(array * 20, posinf=0, neginf=0).astype(np.int64).astype(dtype)
    with np.errstate(over="ignore"):
        return array.astype(dtype)


@given(questions())
def test_the_core_gives_the_bits_of_the_reference(question):
    assert bits(pc.kernels.feature_similarity(*question)) == bits(pc.reference.kernels.feature_similarity(*question))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_dtypes_of_torch(dtype):
    torch = pytest.importorskip("torch")
    generator = torch.Generator().manual_seed(0)
    field = torch.randn(48, 7, 6, generator=generator).to(getattr(torch, dtype))
    last = field.permute(1, 2, 0).contiguous()
    question = (3.3, 2), [(0, 0), (17.5, 4)], (20, 20), (40, 30)
    expected = bits(pc.reference.kernels.feature_similarity(field.double(), field.double(), *question))
    assert bits(pc.kernels.feature_similarity(field, field, *question)) == expected
    assert bits(pc.kernels.feature_similarity(last, last, *question, layout="hwc")) == expected
    assert bits(pc.kernels.feature_similarity(last.permute(2, 0, 1), field, *question)) == expected
