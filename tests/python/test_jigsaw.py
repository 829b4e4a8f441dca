"""Jigsaw programs: strips, similarities and readings that can be checked by hand, on every backend."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from strategies import layouts

DTYPES = ["uint8", "float16", "float32", "float64"]
NAMES = ["structure", "color", "edge", "similarity"]


def readings(program):
    return {(item.i, item.p): item.r for item in program.items}


def similarities(backend, strips0, strips1):
    return [float(value) for value in backend.kernels.strip_similarity(strips0, strips1)]


@pytest.fixture
def image():
    """Noise, 11 × 13, of which the last 6 rows and 5 columns are missing."""
    return np.random.default_rng(1).integers(0, 256, (11, 13, 3), np.uint8)


@pytest.fixture
def piece():
    return np.random.default_rng(2).integers(0, 256, (6, 5, 3), np.uint8)


def test_layout_of_the_program(backend, image, piece):
    program = backend.jigsaw(image, {"A": piece, "B": piece[::-1]}, strip=2)
    assert (program.modality, program.granularity, program.grid, program.relations) == ("jigsaw", "border", None, ())
    assert [(item.i, item.p, item.c) for item in program.items] == [
        ("A", "left", [0, 0, 400, 1000]),
        ("A", "top", [0, 0, 1000, 333]),
        ("B", "left", [0, 0, 400, 1000]),
        ("B", "top", [0, 0, 1000, 333]),
    ]
    assert {name: array.shape for name, array in program.arrays.items()} == dict.fromkeys(NAMES, (2, 2))
    for item, similarity in zip(program.items, program.arrays["similarity"].ravel(), strict=True):
        assert f"r: {similarity:.6f}" in program.to_text()
        assert item.r == pytest.approx(similarity, abs=1e-6)


def test_the_reading_is_the_mean_of_the_three(backend, image, piece):
    arrays = backend.jigsaw(image, {"A": piece}).arrays
    mean = (arrays["structure"] + arrays["color"] + arrays["edge"]) / 3
    np.testing.assert_array_equal(arrays["similarity"], mean)


@pytest.mark.parametrize("lines", [1, 2, 5])
def test_a_mirror_image_across_a_border_fits_fully(backend, image, piece, lines):
    """Lines are paired by their distance from the border; the image leaves 8 columns and 5 rows beside the hole."""
    left, top = piece.copy(), piece.copy()
    for k in range(lines):
        left[:, k] = image[5:, 7 - k]
        top[k] = image[4 - k, 8:]
    found = readings(backend.jigsaw(image, {"left": left, "top": top}, strip=lines))
    assert found["left", "left"] == found["top", "top"] == 1
    assert found["left", "top"] < 0.9
    assert found["top", "left"] < 0.9


def test_a_strip_is_as_wide_as_there_are_lines(backend, image, piece):
    """8 by default; the piece is 5 columns wide, above it are 5 rows."""
    program = backend.jigsaw(image, {"A": piece})
    assert [item.c for item in program.items] == [[0, 0, 1000, 1000], [0, 0, 1000, 833]]
    assert program == backend.jigsaw(image, {"A": piece}, strip=10**30)
    wide = np.zeros((40, 60), np.uint8)
    assert [item.c for item in backend.jigsaw(wide, {"A": wide[:20, :30]}).items] == [
        [0, 0, 266, 1000],
        [0, 0, 1000, 400],
    ]


def test_the_strips_are_what_the_kernel_gets(backend, image, piece):
    arrays = backend.jigsaw(image, {"A": piece}, strip=3).arrays
    left = similarities(backend, image[5:, 5:8][:, ::-1].swapaxes(0, 1), piece[:, :3].swapaxes(0, 1))
    top = similarities(backend, image[2:5, 8:][::-1], piece[:3])
    for k, name in enumerate(NAMES[:3]):
        assert arrays[name].tolist() == [[left[k], top[k]]]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_stands_in_the_hole_is_not_looked_at(backend, image, piece, dtype):
    image, piece = (image / 255).astype(dtype), (piece / 255).astype(dtype)
    expected = backend.jigsaw(image, {"A": piece}, strip=2)
    image[5:, 8:] = np.nan
    image[:3] = 7
    piece[2:, 2:] = -1
    assert backend.jigsaw(image, {"A": piece}, strip=2) == expected


def test_dtypes_may_be_mixed(backend, image, piece):
    expected = backend.jigsaw(image, {"A": piece}).arrays
    mixed = backend.jigsaw(image / 255, {"A": piece}).arrays
    np.testing.assert_allclose(mixed["structure"], expected["structure"], rtol=1e-12)
    np.testing.assert_allclose(mixed["edge"], expected["edge"], rtol=1e-12)


def test_grey_beside_colour_is_colour(backend, image, piece):
    grey = piece[..., 1]
    as_color = np.repeat(grey[..., None], 3, axis=2)
    assert backend.jigsaw(image, {"A": grey, "B": piece}) == backend.jigsaw(image, {"A": as_color, "B": piece})
    all_grey = backend.jigsaw(image[..., 1], {"A": grey}).arrays
    assert all_grey["color"].tolist() != backend.jigsaw(image[..., 1], {"A": as_color}).arrays["color"].tolist()


def test_no_pieces(backend, image):
    program = backend.jigsaw(image, {}, note=None)
    assert program.to_text().split("\n")[-2] == "items: []"
    assert program.arrays == {}


class TestSimilarities:
    """Hand-made strips. C1 is 1e-4, C2 9e-4, of white squared."""

    @pytest.mark.parametrize("shape", [(1, 1), (1, 9), (8, 1), (2, 3), (8, 40), (1, 1, 3), (9, 30, 3)])
    @pytest.mark.parametrize("dtype", DTYPES)
    def test_equal_strips(self, backend, shape, dtype):
        strip = (np.random.default_rng(0).random(shape) * (255 if dtype == "uint8" else 1)).astype(dtype)
        assert similarities(backend, strip, strip) == [1, 1, 1]

    def test_black_and_white(self, backend):
        black, white = np.zeros((7, 7), np.uint8), np.full((7, 7), 255, np.uint8)
        structure, color, edge = similarities(backend, black, white)
        assert structure == pytest.approx((1 + 1e-4 / (1 + 1e-4)) / 2, rel=1e-14)
        assert (color, edge) == (0, 1)  # both are without gradients

    def test_structure_of_single_lines_is_that_of_brightness(self, backend):
        structure, *_ = similarities(backend, [[0.0, 0.5, 1.0]], [[1.0, 0.5, 0.0]])
        assert structure == pytest.approx((1 + (1 + 2 * (1e-4 / (1 + 1e-4))) / 3) / 2, rel=1e-14)

    def test_structure_of_a_negative(self, backend):
        """Nine pixels of mean 4/9, deviations that are opposite: covariance −variance."""
        checks = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.uint8) * 255
        mean0, mean1, variance = 4 / 9, 5 / 9, 4 / 9 - (4 / 9) ** 2
        ssim = (2 * mean0 * mean1 + 1e-4) / (mean0**2 + mean1**2 + 1e-4) * (9e-4 - 2 * variance)
        ssim /= 2 * variance + 9e-4
        assert similarities(backend, checks, 255 - checks)[0] == pytest.approx((1 + ssim) / 2, rel=1e-13)

    def test_windows_are_inside_the_strip(self, backend):
        """Of 8 lines, the windows that begin in the first and in the second: one differs, the other not."""
        strip = np.zeros((8, 7), np.uint8)
        other = strip.copy()
        other[0] = 255
        mean, variance = 1 / 7, 1 / 7 - 1 / 49
        ssim = 1e-4 / (mean**2 + 1e-4) * 9e-4 / (variance + 9e-4)
        assert similarities(backend, strip, other)[0] == pytest.approx((1 + (ssim + 1) / 2) / 2, rel=1e-13)

    def test_chi_square_of_intensities(self, backend):
        """Shares of ½, ½ and ¼, ¾: 1 − ½ (1/16 / (3/4) + 1/16 / (5/4))."""
        color = similarities(backend, np.uint8([[0, 0, 255, 255]]), np.uint8([[0, 255, 255, 255]]))[1]
        assert color == pytest.approx(1 - 1 / 15, rel=1e-15)

    @pytest.mark.parametrize(("level", "same"), [(7, True), (8, False), (15, False)])
    def test_32_intensities(self, backend, level, same):
        color = similarities(backend, np.uint8([[0]]), np.uint8([[level]]))[1]
        assert color == (1 if same else 0)

    @pytest.mark.parametrize(
        ("pixel", "other", "same"),
        [
            ((255, 0, 0), (255, 191, 0), True),  # hue 0 to below 45°
            ((255, 0, 0), (255, 192, 0), False),
            ((255, 0, 0), (255, 0, 1), False),  # just below 360°
            ((0, 255, 255), (0, 254, 255), True),  # 180° and just above
            ((0, 255, 255), (0, 255, 254), False),
            ((0, 0, 255), (64, 0, 255), True),  # 240° and 255°
            ((255, 255, 255), (255, 224, 224), True),  # saturation 0 and just below 1/8
            ((255, 255, 255), (255, 223, 223), False),
            ((0, 0, 0), (31, 31, 31), True),  # value below 1/8
            ((0, 0, 0), (32, 32, 32), False),
        ],
    )
    @pytest.mark.parametrize("dtype", ["uint8", "float64"])
    def test_hsv_bins(self, backend, pixel, other, same, dtype):
        strips = [np.array([[color]]) / (1 if dtype == "uint8" else 255) for color in (pixel, other)]
        assert similarities(backend, *(strip.astype(dtype) for strip in strips))[1] == (1 if same else 0)

    def test_a_hue_at_the_end_of_a_bin_is_in_the_next(self, backend):
        """45° is exact for uint8: 3 of 4."""
        edge, inside, before = (np.uint8([[color]]) for color in [(4, 3, 0), (3, 3, 0), (5, 3, 0)])
        assert similarities(backend, edge, inside)[1] == 1
        assert similarities(backend, edge, before)[1] == 0

    def test_gradients_of_a_line(self, backend):
        """Gradients 0, 4, 4, 0 and 4, 4, 0, 0 do not correlate; a negative has the same gradients."""
        step, earlier = np.uint8([[0, 0, 255, 255]]), np.uint8([[0, 255, 255, 255]])
        assert similarities(backend, step, earlier)[2] == 0.5
        assert similarities(backend, step, 255 - step)[2] == 1

    def test_gradients_across_lines(self, backend):
        """A step between lines, (0, 4, 4, 0) times white, against one between columns of a square: ±½ each, sum 0."""
        across = np.repeat(np.uint8([[0], [0], [255], [255]]), 4, axis=1)
        assert similarities(backend, across, across.T)[2] == 0.5

    def test_one_strip_without_edges(self, backend):
        strip = np.random.default_rng(0).random((8, 20))
        assert similarities(backend, strip, np.full((8, 20), 0.3))[2] == 0.5
        assert similarities(backend, np.full((8, 20), 0.7), np.full((8, 20), 0.3))[2] == 1

    def test_batches(self, backend):
        rng = np.random.default_rng(0)
        strips0, strips1 = rng.random((2, 4, 5, 9, 3)), rng.random((2, 4, 5, 9, 3))
        batch = backend.kernels.strip_similarity(strips0, strips1)
        assert all(array.shape == (2, 4) and array.dtype == np.float64 for array in batch)
        assert [array[1, 2] for array in batch] == similarities(backend, strips0[1, 2], strips1[1, 2])
        assert all(array.shape == (0,) for array in backend.kernels.strip_similarity(strips0[0, :0], strips1[0, :0]))

    @pytest.mark.parametrize(
        ("strips0", "strips1", "error", "message"),
        [
            (np.zeros((2, 3)), np.zeros((2, 4)), ValueError, r"the same shape, got \(2, 3\) and \(2, 4\)"),
            (np.zeros(3), np.zeros(3), ValueError, r"strips0 must be \(..., lines, length\).*got shape \(3,\)"),
            (np.zeros((2, 0)), np.zeros((2, 0)), ValueError, r"at least one pixel, got shape \(2, 0\)"),
            (np.zeros((2, 3)), np.full((2, 3), 1.5), ValueError, r"strips1 must have values in \[0, 1\], got 1.5"),
            (np.zeros((2, 3), int), np.zeros((2, 3)), TypeError, "strips0 must be uint8 or floating point.*got int64"),
        ],
    )
    def test_bad_strips(self, backend, strips0, strips1, error, message):
        with pytest.raises(error, match=message):
            backend.kernels.strip_similarity(strips0, strips1)


@pytest.mark.parametrize("bad", [-0.25, 1.0001, np.nan, np.inf, 255.0])
def test_values_outside_0_and_1(backend, bad):
    image, piece = np.zeros((8, 8), np.float32), np.zeros((4, 4), np.float32)
    piece[3, 1] = bad
    with pytest.raises(ValueError, match=r'^piece "no: \\u003C/b>" must have values in \[0, 1\], got ') as caught:
        backend.jigsaw(image, {"A": image[:4, :4], "no: </b>": piece})
    assert str(caught.value).endswith(f"got {np.float32(bad).item():.9g}")
    image[7, 0] = bad
    with pytest.raises(ValueError, match=r"^image must have values in \[0, 1\]"):
        backend.jigsaw(image, {"A": piece})


BAD = [
    ({"image": np.zeros((9, 9), np.int32)}, TypeError, "image must be uint8 or floating point in [0, 1], got int32"),
    ({"image": np.zeros((9, 9), bool)}, TypeError, "got bool"),
    ({"image": np.zeros((9, 9), np.uint16)}, TypeError, "got uint16"),
    ({"image": np.zeros(9)}, ValueError, "image must be H×W or H×W×3 (RGB), got shape (9,)"),
    ({"image": np.zeros((3, 9, 9))}, ValueError, "got shape (3, 9, 9): move the channels to the end"),
    ({"image": np.zeros((9, 9, 1))}, ValueError, "got shape (9, 9, 1): squeeze the last dimension"),
    ({"image": np.zeros((9, 9, 4))}, ValueError, "got shape (9, 9, 4): leave the alpha channel out"),
    ({"image": np.zeros((0, 9))}, ValueError, "image must have at least one pixel, got shape (0, 9)"),
    ({"image": np.ma.MaskedArray(np.zeros((9, 9)), np.eye(9))}, ValueError, "got a masked array with pixels masked"),
    ({"image": "cat.png"}, TypeError, "image must be an array or nested lists of numbers, got str"),
    ({"pieces": [np.zeros((4, 4))]}, TypeError, "pieces must be a mapping of labels to images, got list"),
    ({"pieces": {1: np.zeros((4, 4))}}, TypeError, "labels of pieces must be str, got int"),
    ({"pieces": {"A": np.zeros((4, 4, 2))}}, ValueError, "pieces['A'] must be H×W or H×W×3 (RGB), got shape (4, 4, 2)"),
    (
        {"pieces": {"A": np.zeros((4, 9))}},
        ValueError,
        "pieces['A'] must be smaller than the image on both sides, which is 9x9 (width x height), got 9x4",
    ),
    (
        {"pieces": {"A": np.zeros((4, 5)), "B": np.zeros((5, 4))}},
        ValueError,
        "pieces must be of one size, got 5x4 (width x height) for 'A' and 4x5 for 'B'",
    ),
    ({"pieces": dict.fromkeys(["\ud800", "\udc00"], np.zeros((4, 4)))}, ValueError, "labels of pieces must differ"),
    ({"strip": 0}, ValueError, "strip must be at least 1, got 0"),
    ({"strip": 8.0}, TypeError, "strip must be an int, got float"),
    ({"note": 1}, TypeError, "note must be a str or None, got int"),
]


@pytest.mark.parametrize(("changes", "error", "message"), BAD)
def test_bad_input(backend, changes, error, message):
    arguments = {"image": np.zeros((9, 9)), "pieces": {"A": np.zeros((4, 4))}, **changes}
    image, pieces = arguments.pop("image"), arguments.pop("pieces")
    with pytest.raises(error) as caught:
        backend.jigsaw(image, pieces, **arguments)
    assert message in str(caught.value)


def test_hostile_labels_come_back(backend, image, piece):
    labels = ["A", "no", "1:30", 'a"b', "x\n  - p: top", "</perceptionprogram>", "", "\U0001f600", "left"]
    program = backend.jigsaw(image, dict.fromkeys(labels, piece), note="r: 1\n</perceptionprogram>")
    for style in ("paper", "json", "compact"):
        parsed = backend.parse(program.to_text(style))
        assert parsed == program
        assert [item.i for item in parsed.items[::2]] == labels


def test_inputs_are_not_changed_and_may_be_read_only(backend, image, piece):
    before = image.copy(), piece.copy()
    image.flags.writeable = piece.flags.writeable = False
    backend.jigsaw(image, {"A": piece})
    np.testing.assert_array_equal(image, before[0])
    np.testing.assert_array_equal(piece, before[1])


@st.composite
def images(draw, height, width):
    dtype = draw(st.sampled_from(DTYPES))
    shape = (height, width, 3) if draw(st.booleans()) else (height, width)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    levels = rng.integers(0, draw(st.sampled_from([1, 2, 5, 256])), shape, np.uint8, endpoint=False)
    if draw(st.booleans()):
        levels = np.sort(levels, axis=draw(st.integers(0, 1)))
    if dtype == "uint8":
        return draw(layouts(levels))
    values = (levels / 255).astype(dtype)
    if draw(st.integers(0, 19)) == 0:
        values.reshape(-1)[draw(st.integers(0, values.size - 1))] = draw(st.sampled_from([np.nan, -1, 2]))
    return draw(layouts(values))


@st.composite
def questions(draw):
    height, width = draw(st.integers(2, 40)), draw(st.integers(2, 40))
    h, w = draw(st.integers(1, height - 1)), draw(st.integers(1, width - 1))
    pieces = {label: draw(images(h, w)) for label in draw(st.lists(st.text(max_size=3), max_size=3, unique=True))}
    return draw(images(height, width)), pieces, draw(st.sampled_from([1, 2, 7, 8, 50]))


def outcome(backend, image, pieces, strip):
    try:
        program = backend.jigsaw(image, pieces, strip=strip)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return program.to_text(), {name: array.tolist() for name, array in program.arrays.items()}


@given(questions())
def test_the_core_is_the_reference_to_the_last_bit(question):
    assert outcome(pc, *question) == outcome(pc.reference, *question)


@given(questions())
def test_readings_are_between_0_and_1_and_texts_come_back(question):
    yaml = pytest.importorskip("yaml")
    image, pieces, strip = question
    try:
        program = pc.jigsaw(image, pieces, strip=strip)
    except ValueError:
        return
    assert all(0 <= array.min() <= array.max() <= 1 for array in program.arrays.values())
    for style in ("paper", "json", "compact"):
        assert pc.parse(program.to_text(style)) == program
    for style in ("paper", "json"):
        body = program.to_text(style).removeprefix("<perceptionprogram>").removesuffix("</perceptionprogram>")
        assert yaml.safe_load(body) == program.to_dict()


def test_what_the_release_prints_is_the_same_kind_of_program(backend):
    """Its blocks and ours differ in the way c and r are printed; both read alike."""
    released = """<perceptionprogram>
modality: jigsaw
granularity: border
items:
  - p: left
    i: A
    c: 0,0,400,1000
    r: {'similarity': 0.8333333333333334}
  - p: top
    i: A
    c: 0,0,1000,333
    r: {'similarity': 0.25}
</perceptionprogram>"""
    items = backend.parse(released).items
    ours = backend.jigsaw(np.zeros((11, 13)), {"A": np.zeros((6, 5))}, strip=2, note=None)
    assert [(item.p, item.i, item.c) for item in items] == [(item.p, item.i, item.c) for item in ours.items]
    assert [item.r for item in items] == [0.8333333333333334, 0.25]
    assert pc.oracle.jigsaw(released).scores == {"A": (0.8333333333333334 + 0.25) / 2}


class TestOracle:
    def test_the_highest_mean_wins(self, image, piece):
        fitting = piece.copy()
        fitting[:, 0] = image[5:, 7]
        choice = pc.oracle.jigsaw(pc.jigsaw(image, {"A": piece, "B": fitting}, strip=1))
        assert (choice.choice, choice.tied) == ("B", False)
        assert choice.evidence["B"].p == "left"
        assert choice.evidence["B"].r == 1

    def test_a_tie(self, image, piece):
        choice = pc.oracle.jigsaw(str(pc.jigsaw(image, {"A": piece, "B": piece})))
        assert (choice.choice, choice.tied) == (None, True)
        assert choice.scores["A"] == choice.scores["B"]

    def test_no_reading_no_score(self):
        items = [pc.Item(p="left", i="A", r="unknown"), pc.Item(p="left", i="B", r=0.1)]
        choice = pc.oracle.jigsaw(pc.Program("jigsaw", "border", items))
        assert (choice.choice, choice.scores) == ("B", {"B": 0.1})
        assert choice.evidence["A"] is None
        assert pc.oracle.jigsaw(pc.Program("jigsaw", "border", [])).choice is None

    def test_what_it_takes(self):
        with pytest.raises(ValueError, match="must name its piece"):
            pc.oracle.jigsaw(pc.Program("jigsaw", "border", [pc.Item(p="left", r=0.5)]))
        with pytest.raises(ValueError, match="modality 'jigsaw', got 'flow'"):
            pc.oracle.jigsaw(pc.Program("flow", "patch", []))
