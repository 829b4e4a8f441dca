"""Jigsaw questions against the same scores by scikit-image and OpenCV."""

import numpy as np
import pytest

import percepts as pc

STRIP = 8


def question(height=220, width=400):
    """A smooth picture in three channels, with noise, and two pieces of a quarter of it."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    waves = [128 + 90 * np.sin(x / (17 + 5 * k) + y / 23) for k in range(3)]
    image = np.clip(np.stack(waves, -1) + rng.normal(0, 6, (height, width, 3)), 0, 255).astype(np.uint8)
    return image, {"A": image[height // 2 :, width // 2 :].copy(), "B": image[: height // 2, : width // 2].copy()}


def strips(image, piece):
    """Strips on both sides of the left and of the top border, nearest line first."""
    (height, width), (h, w) = image.shape[:2], piece.shape[:2]
    beside = image[height - h :, width - w - STRIP : width - w][:, ::-1].swapaxes(0, 1)
    above = image[height - h - STRIP : height - h, width - w :][::-1]
    return [
        (np.ascontiguousarray(outside), np.ascontiguousarray(inside))
        for outside, inside in [(beside, piece[:, :STRIP].swapaxes(0, 1)), (above, piece[:STRIP])]
    ]


def with_scikit_image():
    """A function that gives the three scores of two strips."""
    metrics, color, filters = (
        pytest.importorskip(f"skimage.{name}", reason="pip install '.[test-libraries]'")
        for name in ("metrics", "color", "filters")
    )

    def counts(strip):
        return np.histogramdd(color.rgb2hsv(strip).reshape(-1, 3), 8, [(0, 1)] * 3)[0].ravel()

    def score(strip0, strip1):
        grey0, grey1 = (strip @ np.array([0.299, 0.587, 0.114]) for strip in (strip0, strip1))
        ssim = metrics.structural_similarity(grey0, grey1, win_size=7, data_range=255, use_sample_covariance=False)
        p, q = counts(strip0), counts(strip1)
        chi = ((p - q) ** 2 / np.maximum(p + q, 1)).sum() / (2 * p.sum())
        ncc = np.corrcoef(filters.sobel(grey0).ravel(), filters.sobel(grey1).ravel())[0, 1]
        return ((ssim + 1) / 2 + 1 - chi + (ncc + 1) / 2) / 3

    return score


def with_opencv():
    """The same, with OpenCV's building blocks; SSIM from box filters."""
    cv2 = pytest.importorskip("cv2", reason="pip install '.[test-libraries]'")

    def box(plane):
        return cv2.boxFilter(plane, cv2.CV_64F, (7, 7))[3:-3, 3:-3]

    def ssim(a, b):
        mean_a, mean_b = box(a), box(b)
        var_a, var_b = box(a * a) - mean_a**2, box(b * b) - mean_b**2
        cov = box(a * b) - mean_a * mean_b
        c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
        return np.mean(
            (2 * mean_a * mean_b + c1) * (2 * cov + c2) / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))
        )

    def counts(strip):
        hsv = cv2.cvtColor(strip.astype(np.float32) / 255, cv2.COLOR_RGB2HSV)
        found = cv2.calcHist([hsv], [0, 1, 2], None, [8, 8, 8], [0, 360, 0, 1.0001, 0, 1.0001])
        return found.ravel() / strip[..., 0].size

    def gradients(grey):
        gx, gy = (cv2.Sobel(grey, cv2.CV_64F, dx, 1 - dx, borderType=cv2.BORDER_REPLICATE) for dx in (1, 0))
        return cv2.magnitude(gx, gy).astype(np.float32)

    def score(strip0, strip1):
        grey0, grey1 = (strip @ np.array([0.299, 0.587, 0.114]) for strip in (strip0, strip1))
        chi = cv2.compareHist(counts(strip0), counts(strip1), cv2.HISTCMP_CHISQR_ALT) / 4
        ncc = cv2.matchTemplate(gradients(grey0), gradients(grey1), cv2.TM_CCOEFF_NORMED)[0, 0]
        return ((ssim(grey0, grey1) + 1) / 2 + 1 - chi + (ncc + 1) / 2) / 3

    return score


@pytest.mark.parametrize("library", ["scikit-image", "OpenCV", "reference"])
def test_question(compare, library):
    image, pieces = question()
    if library == "reference":
        other = lambda: pc.reference.jigsaw(image, pieces)  # noqa: E731
    else:
        score = with_scikit_image() if library == "scikit-image" else with_opencv()
        expected = pc.jigsaw(image, pieces).arrays["similarity"]
        found = [[score(*pair) for pair in strips(image, piece)] for piece in pieces.values()]
        np.testing.assert_allclose(found, expected, atol=0.01)  # hues at the ends of bins
        other = lambda: [score(*pair) for piece in pieces.values() for pair in strips(image, piece)]  # noqa: E731
    compare(f"jigsaw 400x220, 2 pieces, uint8; {library}", lambda: str(pc.jigsaw(image, pieces)), other, rounds=15)
