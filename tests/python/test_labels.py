"""Dominant labels of cells, and their names in programs."""

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from dlpack_producer import Producer

BFLOAT = 4
"""DLPack's code of the type."""
INTEGERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.fixture
def backend(every_backend):
    """Each implementation, those on CUDA devices included."""
    return every_backend


def test_label_mode_by_hand(backend):
    labels = np.array([[3, 3, 9, 1], [3, 7, 9, 1]])
    label, share = backend.kernels.label_mode(labels, grid=(1, 2))
    assert label.tolist() == [[3, 1]], "the lowest label on a tie"
    assert share.tolist() == [[0.75, 0.5]]
    assert label.dtype == labels.dtype
    assert share.dtype == np.float64


def test_ignored_pixels_count_neither_above_nor_below(backend):
    labels = np.array([[255, 255, 255, 4], [255, 255, 2, 4]], np.uint8)
    label, share = backend.kernels.label_mode(labels, grid=(1, 2), ignore_index=255)
    assert label.tolist() == [[255, 4]]
    assert np.isnan(share[0, 0])
    assert share[0, 1] == 2 / 3


@pytest.mark.parametrize("dtype", INTEGERS)
def test_extreme_labels_of_every_dtype(backend, dtype):
    low, high = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    labels = np.array([[low, low, high], [high, high, low]], dtype)
    label, _ = backend.kernels.label_mode(labels, grid=(1, 3))
    assert label.tolist() == [[low, low, low]]
    assert backend.kernels.label_mode(labels, grid=1, ignore_index=low)[0].tolist() == [[high]]


@given(data=st.data(), dtype=st.sampled_from(INTEGERS), distinct=st.sampled_from([2, 5, 300, 5000]))
def test_the_core_is_the_reference(data, dtype, distinct):
    height, width = data.draw(st.integers(1, 20)), data.draw(st.integers(1, 20))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    labels = rng.integers(0, distinct, (height, width)).astype(dtype)
    labels = data.draw(st.sampled_from([labels, labels[::-1], labels[:, ::-1], np.asfortranarray(labels)]))
    grid = data.draw(st.integers(1, height)), data.draw(st.integers(1, width))
    ignored = data.draw(st.sampled_from([None, int(labels[0, 0])]))
    for ours, definition in zip(
        pc.kernels.label_mode(labels, grid, ignored),
        pc.reference.kernels.label_mode(labels, grid, ignored),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, definition, strict=True)


NAMES = {0: "floor", "7": "chair", 9: "table: #2", -1: "void"}


def test_names_in_programs(backend):
    labels = np.array([[0, 7, 9, 3]])
    program = backend.depth(np.full((1, 4), 0.5), grid=(1, 4), labels=labels, class_names=NAMES)
    assert [item.b for item in program.items] == ["floor", "chair", "table: #2", "class_3"]
    assert '    b: "table: #2"\n' in program.to_text()
    assert "b: the most frequent label in the patch." in program.note
    flow = backend.flow(np.ones((1, 4, 2)), grid=(1, 4), labels=labels, class_names=["a", "b"])
    assert [item.b for item in flow.items] == ["a", "class_7", "class_9", "class_3"]
    assert "b: the most frequent label" in flow.note


def test_labels_are_over_all_pixels(backend):
    depth = np.array([[np.nan, np.nan, 0.5]])
    program = backend.depth(depth, grid=1, labels=[[4, 4, 5]])
    assert program.items[0].b == "class_4"


HOSTILE = ["no", "</perceptionprogram>", "a\nb: 1", "深度", "\ud800", ""]


@pytest.fixture
def labelled():
    """A map and its labels, of which one has no name."""
    rng = np.random.default_rng(0)
    return rng.random((20, 30)), rng.integers(0, len(HOSTILE) + 1, (20, 30))


@pytest.mark.parametrize("style", ["paper", "json", "compact"])
def test_labelled_programs_come_back(backend, labelled, style):
    depth, labels = labelled
    program = backend.depth(depth, labels=labels, class_names=HOSTILE)
    parse = (pc.reference if backend is pc.reference else pc).parse
    assert parse(program.to_text(style)) == program
    assert program.to_text(style) == pc.reference.depth(depth, labels=labels, class_names=HOSTILE).to_text(style)
    if style == "paper":
        assert yaml.safe_load("\n".join(program.to_text().split("\n")[1:-1])) == program.to_dict()


def test_labels_of_batches(backend):
    labels = np.arange(12).reshape(3, 2, 2)
    batch = backend.depth(np.full((3, 2, 2), 0.5), grid=1, labels=labels)
    assert [program.items[0].b for program in batch] == ["class_0", "class_4", "class_8"]
    shared = backend.depth(np.full((3, 2, 2), 0.5), grid=1, labels=labels[1])
    assert [program.items[0].b for program in shared] == ["class_4"] * 3
    several = backend.depth([np.full((2, 2), 0.5), np.full((1, 2), 0.5)], grid=1, labels=[labels[0], labels[2, :1]])
    assert [program.items[0].b for program in several] == ["class_0", "class_8"]
    label, share = backend.kernels.label_mode(labels, grid=2)
    assert label.tolist() == labels.tolist()
    assert share.shape == (3, 2, 2)


@pytest.mark.parametrize(
    ("labels", "names", "error", "message"),
    [
        (np.zeros((4, 5), int), None, ValueError, "labels must have the shape of the map, (5, 4), got (4, 5)"),
        (np.zeros((5, 4)), None, TypeError, "labels must be integers, got float64"),
        (np.zeros((5, 4), int), "chair", TypeError, "class_names must be a mapping or a sequence of str, got str"),
        (np.zeros((5, 4), int), {0: 5}, TypeError, "class_names must be names, got int for label 0"),
        (np.zeros((5, 4), int), {9: 5}, TypeError, "class_names must be names, got int for label 9"),
        (
            np.zeros((5, 4), int),
            {9: "x", "9": "y"},
            ValueError,
            "class_names must have one name for a label, got 'x' and 'y' for '9'",
        ),
        *(
            (
                np.zeros((5, 4), int),
                {key: "x"},
                ValueError,
                f"class_names must have labels as keys, {example}, got {key!r}",
            )
            for key in ("01", "x", "", "-0", "+1", " 1", "1.0", "١", 1.5, None, (1,))
            for example in ("such as 7 or '7'",)
        ),
    ],
)
def test_bad_labels(backend, labels, names, error, message):
    with pytest.raises(error) as caught:
        backend.depth(np.full((5, 4), 0.5), grid=2, labels=labels, class_names=names)
    assert message in str(caught.value)


def test_names_by_any_kind_of_label(backend):
    labels = np.array([[-3, 0, 7, 8]])
    names = {
        "-3": "a",
        np.int16(0): "b",
        "7": "c",
        7: "c",
        99: "not there",
        "12345678901234567890": "nor this",
        8: None,
    }
    program = backend.depth(np.full((1, 4), 0.5), grid=(1, 4), labels=labels, class_names=names)
    assert [item.b for item in program.items] == ["a", "b", "c", "class_8"]
    shown = backend.depth(np.full((1, 1), 0.5), grid=1, labels=np.array([[True]]), class_names={False: "a", True: "b"})
    assert shown.items[0].b == "b"


def test_bad_labels_of_kernels(backend):
    for shape in ((0, 4, 4), (0, 1, 4, 4)):
        with pytest.raises(TypeError, match=r"^labels must be integers, got float32$"):
            backend.kernels.label_mode(np.zeros(shape, np.float32), grid=2)
    for shape in ((0, 4, 4), (1, 4, 4)):
        with pytest.raises(TypeError, match=r"^labels must be integers, got bfloat16$"):
            backend.kernels.label_mode(Producer(np.zeros(shape, np.uint16), code=BFLOAT), grid=2)
    with pytest.raises(TypeError, match="labels must be integers, got float64"):
        backend.kernels.label_mode(np.zeros((4, 4)), grid=2)
    with pytest.raises(ValueError, match="ignore_index must be a label that uint8 can hold, got 256"):
        backend.kernels.label_mode(np.zeros((4, 4), np.uint8), grid=2, ignore_index=256)
    with pytest.raises(TypeError, match="ignore_index must be an int"):
        backend.kernels.label_mode(np.zeros((4, 4), np.uint8), grid=2, ignore_index="x")
    with pytest.raises(ValueError, match="every cell must hold a pixel"):
        backend.kernels.label_mode(np.zeros((4, 4), np.uint8), grid=5)


def test_masked_labels_are_refused(backend):
    labels = np.ma.MaskedArray(np.zeros((2, 2), int), mask=[[True, False], [False, False]])
    with pytest.raises(ValueError, match="labels must have a label for every pixel, got a masked array"):
        backend.depth(np.full((2, 2), 0.5), grid=1, labels=labels)
