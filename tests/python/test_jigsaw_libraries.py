"""scikit-image and OpenCV, given the same strips, find the same similarities."""

from __future__ import annotations

import numpy as np
import pytest

import percepts as pc

SHAPES = [(8, 110), (8, 200), (7, 7), (16, 33), (5, 40)]
SAME = 1e-9
"""How far structure and edges may be from scikit-image's, which works in means of float64."""
SAME_IN_FLOAT32 = 1e-5
"""How far they may be from OpenCV's, which counts and correlates in float32."""

SAME_HUES = 0.001
"""How far colours may be from OpenCV's, whose hues are of float32 and may fall on the other side of a bin's end."""


@pytest.fixture(params=SHAPES, ids=str)
def strips(request):
    """A photograph's like: smooth brightness, noise, colours."""
    lines, length = request.param
    rng = np.random.default_rng(lines * length)
    smooth = np.cumsum(rng.normal(0, 9, (2, lines, length, 3)), axis=2) + 120
    return [np.clip(strip + rng.normal(0, 5, strip.shape), 0, 255).astype(np.uint8) for strip in smooth]


@pytest.fixture(params=SHAPES, ids=str)
def colors(request):
    """Colours of all kinds, none of them at the end of a bin."""
    return np.random.default_rng(sum(request.param)).random((2, *request.param, 3)) ** 2


def luma(strip):
    return strip @ np.array([0.299, 0.587, 0.114])


def chi_square(counts0, counts1, size):
    p, q = counts0 / size, counts1 / size
    filled = p + q > 0
    return 1 - 0.5 * ((p - q)[filled] ** 2 / (p + q)[filled]).sum()


def test_structure_is_scikit_images(library, strips):
    ssim = library("skimage.metrics").structural_similarity
    side = min(7, *strips[0].shape[:2])
    expected = ssim(*map(luma, strips), win_size=side - (side + 1) % 2, data_range=255, use_sample_covariance=False)
    assert pc.kernels.strip_similarity(*strips)[0] == pytest.approx((expected + 1) / 2, abs=SAME)


def test_color_is_scikit_images(library, colors):
    rgb2hsv = library("skimage.color").rgb2hsv
    counts = [np.histogramdd(rgb2hsv(strip).reshape(-1, 3), 8, [(0, 1)] * 3)[0] for strip in colors]
    expected = chi_square(*counts, colors[0][..., 0].size)
    assert pc.kernels.strip_similarity(*colors)[1] == pytest.approx(expected, abs=SAME)


def test_edges_are_scikit_images(library, strips):
    sobel = library("skimage.filters").sobel
    expected = np.corrcoef(*(sobel(luma(strip)).ravel() for strip in strips))[0, 1]
    assert pc.kernels.strip_similarity(*strips)[2] == pytest.approx((expected + 1) / 2, abs=SAME)


def test_color_is_opencvs(library, colors):
    cv2 = library("cv2")
    counts = []
    for strip in colors:
        hsv = cv2.cvtColor(strip.astype(np.float32), cv2.COLOR_RGB2HSV)
        ranges = [0, 360, 0, 1.0001, 0, 1.0001]
        counts.append(cv2.calcHist([hsv], [0, 1, 2], None, [8, 8, 8], ranges).ravel())
    size = colors[0][..., 0].size
    expected = 1 - cv2.compareHist(*(each / size for each in counts), cv2.HISTCMP_CHISQR_ALT) / 4
    assert pc.kernels.strip_similarity(*colors)[1] == pytest.approx(expected, abs=SAME_HUES)


def test_intensities_are_opencvs(library, colors):
    cv2 = library("cv2")
    grey = [strip[..., 1] for strip in colors]
    counts = [cv2.calcHist([each.astype(np.float32)], [0], None, [32], [0, 1]) / each.size for each in grey]
    expected = 1 - cv2.compareHist(*counts, cv2.HISTCMP_CHISQR_ALT) / 4
    assert pc.kernels.strip_similarity(*grey)[1] == pytest.approx(expected, abs=SAME_IN_FLOAT32)


def test_edges_are_opencvs(library, strips):
    cv2 = library("cv2")
    gradients = []
    for strip in map(luma, strips):
        gx, gy = (cv2.Sobel(strip, cv2.CV_64F, dx, 1 - dx, borderType=cv2.BORDER_REPLICATE) for dx in (1, 0))
        gradients.append(cv2.magnitude(gx, gy).astype(np.float32))
    expected = cv2.matchTemplate(*gradients, cv2.TM_CCOEFF_NORMED)[0, 0]
    assert pc.kernels.strip_similarity(*strips)[2] == pytest.approx((expected + 1) / 2, abs=SAME_IN_FLOAT32)


def test_torch_tensors(library, strips):
    torch = library("torch")
    tensors = [torch.from_numpy(strip) for strip in strips]
    similarities = pc.kernels.strip_similarity(*tensors)
    assert all(isinstance(similarity, torch.Tensor) for similarity in similarities)
    assert [float(s) for s in similarities] == [float(s) for s in pc.kernels.strip_similarity(*strips)]
    image = torch.rand(40, 50, 3, dtype=torch.bfloat16)
    pieces = {"A": image[:20, :20], "B": image[5:25, 7:27]}
    widened = {label: piece.float().numpy() for label, piece in pieces.items()}
    assert pc.jigsaw(image, pieces) == pc.jigsaw(image.float().numpy(), widened)
    assert str(pc.jigsaw(image, pieces)) == pc.reference.jigsaw(image, pieces).to_text()
