"""Labels and medians of cells, and programs of them, against NumPy, SciPy and the reference."""

import numpy as np
import pytest

import percepts as pc

HEIGHT, WIDTH, GRID = 480, 640, 10


def areas(dtype, labels=300):
    """A map as a segmenter makes it: areas of some ten pixels."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    return ((y // 23 * 31 + (x + y // 3) // 37 * 17) % labels).astype(dtype)


def noise(dtype, labels=300):
    return np.random.default_rng(0).integers(0, labels, (HEIGHT, WIDTH)).astype(dtype)


def cells_of(field):
    blocks = field.reshape(GRID, HEIGHT // GRID, GRID, WIDTH // GRID).swapaxes(1, 2)
    return blocks.reshape(GRID * GRID, -1)


def numpy_modes(labels):
    """Dominant labels and their shares with one bincount a cell, the fastest that NumPy has for small labels."""
    counts = [np.bincount(cell) for cell in cells_of(labels)]
    return [int(count.argmax()) for count in counts], [count.max() / count.sum() for count in counts]


@pytest.mark.parametrize("make", [areas, noise])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64"])
def test_label_mode(compare, make, dtype):
    labels = make(dtype, 250 if dtype == "uint8" else 300)
    assert pc.kernels.label_mode(labels)[0].ravel().tolist() == numpy_modes(labels)[0]
    compare(
        f"label_mode, {make.__name__}, {dtype}: numpy.bincount",
        lambda: pc.kernels.label_mode(labels),
        lambda: numpy_modes(labels),
    )


@pytest.mark.parametrize("make", [areas, noise])
def test_label_mode_against_scipy(compare, make):
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed: pip install '.[bench]'")
    labels = make("int32")
    compare(
        f"label_mode, {make.__name__}, int32: scipy.stats.mode",
        lambda: pc.kernels.label_mode(labels),
        lambda: stats.mode(cells_of(labels), axis=1),
        rounds=7,
    )


def smooth(dtype):
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    values = 0.5 + 0.3 * np.sin(x / 130) * np.cos(y / 90) + np.random.default_rng(0).normal(0, 0.01, x.shape)
    return (values * (np.iinfo(dtype).max if np.dtype(dtype).kind == "u" else 1)).astype(dtype)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float16", "float32", "float64"])
def test_cell_median(compare, dtype):
    field = smooth(dtype)
    expected = np.median(cells_of(field).astype(np.float64), axis=1).astype(pc.kernels.cell_median(field).dtype)
    assert pc.kernels.cell_median(field).ravel().tolist() == expected.tolist()
    compare(
        f"cell_median {dtype}: numpy.median",
        lambda: pc.kernels.cell_median(field),
        lambda: np.median(cells_of(field), axis=1),
        rounds=15,
    )


def test_cell_median_of_noise(compare):
    field = np.random.default_rng(0).random((HEIGHT, WIDTH), dtype=np.float32)
    compare(
        "cell_median float32, noise: numpy.median",
        lambda: pc.kernels.cell_median(field),
        lambda: np.median(cells_of(field), axis=1),
        rounds=15,
    )


def similarity_maps():
    return {name: np.random.default_rng(0).random((32, 32)) for name in "ABCD"}


@pytest.mark.parametrize(
    ("modality", "make"),
    [
        ("segmentation", lambda: areas("uint8", 250)),
        ("albedo", lambda: smooth("float32")),
        ("similarity", similarity_maps),
    ],
)
def test_programs(compare, modality, make):
    values = make()
    core, reference = (getattr(module, modality) for module in (pc, pc.reference))
    assert str(core(values)) == str(reference(values))
    compare(f"{modality} to text: reference", lambda: str(core(values)), lambda: str(reference(values)), rounds=7)
