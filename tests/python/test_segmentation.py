"""Segmentation: dominant labels, their shares, and which neighbours differ."""

from __future__ import annotations

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from strategies import SIGNED, UNSIGNED, layouts, shapes_and_grids

HOSTILE = ["no", "</perceptionprogram>", "a\nb: 1", "深度", "\ud800", "", "person: #2", 'a"b', "1:30", "null"]


def test_by_hand(backend):
    labels = np.array([[7, 7, 2, 2, 9, 255], [7, 1, 2, 3, 255, 255]], np.uint8)
    program = backend.segmentation(labels, grid=(1, 3), class_names=["a", "b", "floor"], ignore_index=255)
    assert (program.modality, program.granularity, program.grid) == ("segmentation", "patch", (1, 3))
    assert [(item.p, item.c, item.r, item.b) for item in program.items] == [
        (1, [0, 0], 0.75, "class_7"),
        (2, [333, 0], 0.75, "floor"),
        (3, [666, 0], 1, "class_9"),
    ]
    assert [(r.a, r.predicate, r.b) for r in program.relations] == [(1, "adjacent_to", 2), (2, "adjacent_to", 3)]
    assert program.arrays["label"].tolist() == [[7, 2, 9]]
    assert program.arrays["label"].dtype == np.int64
    assert program.arrays["share"].tolist() == [[0.75, 0.75, 1]]
    assert program.arrays["center"].tolist() == [[[0, 0], [333, 0], [666, 0]]]


def test_relations_go_right_then_down(backend):
    program = backend.segmentation([[0, 1], [1, 1]], grid=2)
    assert [(relation.a, relation.b) for relation in program.relations] == [(1, 2), (1, 3)]
    assert backend.segmentation([[0, 1], [1, 1]], grid=2, relations=False).relations == ()


def test_the_lowest_label_of_a_tie(backend):
    program = backend.segmentation(np.array([[3, -5, 3, -5]], np.int16), grid=1)
    assert (program.items[0].b, program.items[0].r) == ("class_-5", 0.5)


def test_a_cell_of_ignored_pixels(backend):
    program = backend.segmentation([[4, 0], [4, 5]], grid=2, ignore_index=4)
    assert [(item.r, item.b) for item in program.items] == [
        (pc.UNKNOWN, None),
        (1, "class_0"),
        (pc.UNKNOWN, None),
        (1, "class_5"),
    ]
    assert [(relation.a, relation.b) for relation in program.relations] == [(2, 4)]
    assert program.arrays["label"].tolist() == [[4, 0], [4, 5]]
    assert np.isnan(program.arrays["share"][:, 0]).all()


def test_the_ignored_label_needs_no_name(backend):
    program = backend.segmentation([[4, 0]], grid=(1, 2), ignore_index=4, class_names={0: "sky", 4: None})
    assert [item.b for item in program.items] == [None, "sky"]


def test_shares_are_printed_in_four_digits(backend):
    labels = np.zeros((3, 1), int)
    labels[0] = 1
    assert "    r: 0.6667\n" in backend.segmentation(labels, grid=1).to_text()


def test_masked_pixels_do_not_count(backend):
    labels = np.ma.MaskedArray([[1, 1, 2, 3]], mask=[[True, True, False, True]])
    program = backend.segmentation(labels, grid=(1, 2))
    assert [(item.r, item.b) for item in program.items] == [(pc.UNKNOWN, None), (1, "class_2")]
    assert program.arrays["label"].tolist() == [[0, 2]]
    label, share = backend.kernels.label_mode(labels, grid=1)
    assert (label.tolist(), share.tolist()) == ([[2]], [[1]])


@pytest.mark.parametrize("style", ["paper", "json", "compact"])
@pytest.mark.parametrize("ignored", [None, 0])
def test_hostile_names_come_back(backend, style, ignored):
    labels = np.random.default_rng(0).integers(0, len(HOSTILE) + 1, (6, 8))
    program = backend.segmentation(labels, grid=(6, 8), class_names=HOSTILE, ignore_index=ignored, note=HOSTILE[2])
    assert backend.parse(program.to_text(style)) == program
    assert program.to_text(style) == pc.reference.segmentation(
        labels, grid=(6, 8), class_names=HOSTILE, ignore_index=ignored, note=HOSTILE[2]
    ).to_text(style)
    if style == "paper":
        assert yaml.safe_load("\n".join(program.to_text().split("\n")[1:-1])) == program.to_dict()


def test_batches(backend):
    labels = np.arange(2 * 4 * 6).reshape(2, 4, 6) // 5
    batch = backend.segmentation(labels, grid=2)
    assert list(batch) == [backend.segmentation(one, grid=2) for one in labels]
    assert batch.arrays["label"].shape == (2, 2, 2)
    several = backend.segmentation([labels[0], labels[1, :3]], grid=2, class_names={0: "sky"}, ignore_index=3)
    assert several[1] == backend.segmentation(labels[1, :3], grid=2, class_names={0: "sky"}, ignore_index=3)
    assert backend.segmentation(labels[:, None], grid=2) == batch
    assert len(backend.segmentation(labels[:0], grid=2)) == 0


def test_threads_make_the_same_batch():
    labels = np.random.default_rng(0).integers(0, 40, (9, 60, 80)).astype(np.int32)
    try:
        pc.set_num_threads(4)
        batch = pc.segmentation(labels)
    finally:
        pc.set_num_threads(None)
    assert batch.texts() == [str(pc.segmentation(one)) for one in labels]


def outcome(module, labels, options):
    """The program, or the error's message: wrapped around, small negative labels are too large."""
    try:
        return module.segmentation(labels, **options)
    except ValueError as error:
        return str(error)


@given(data=st.data())
def test_core_equals_reference(data):
    shape, grid = data.draw(shapes_and_grids())
    dtype = np.dtype(data.draw(st.sampled_from(UNSIGNED + SIGNED)))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    spread = data.draw(st.sampled_from([3, 300, 3000]))
    offset = data.draw(st.sampled_from([0, -2, 2**40, 2**62]))
    labels = (rng.integers(0, spread, shape) + offset).astype(dtype)
    ignored = data.draw(st.sampled_from([None, int(labels.flat[0])]))
    options = {"grid": grid, "ignore_index": ignored, "relations": data.draw(st.booleans())}
    core, reference = outcome(pc, data.draw(layouts(labels)), options), outcome(pc.reference, labels, options)
    if isinstance(reference, str):
        assert core == reference
        return
    for style in ("paper", "json", "compact"):
        assert core.to_text(style) == reference.to_text(style)
    for name, array in reference.arrays.items():
        np.testing.assert_array_equal(core.arrays[name], array, strict=True)


def test_labels_beyond_int64(backend):
    most = 2**64 - 1
    labels = np.array([[most, most - 1, most - 1, 7]], np.uint64)
    with pytest.raises(ValueError, match=f"labels must fit an int64, got {most - 1}"):
        backend.segmentation(labels, grid=1)
    assert backend.segmentation(labels, grid=1, ignore_index=most - 1).items[0].b == "class_7"
    program = backend.segmentation(labels[:, :1], grid=1, ignore_index=most)
    assert program.items[0].r == pc.UNKNOWN


def test_a_real_picture(backend, data_path):
    """A disparity map in 8 bits taken for labels: hundreds of them, and areas with ragged edges."""
    file = pc.read_labels(data_path("opencv/aloeGT.png"))
    program = backend.segmentation(file, grid=(3, 4), ignore_index=0)
    height, width = file.data.shape
    counts = np.bincount(file.data[: height // 3, : width // 4].ravel(), minlength=256)[1:]
    assert program.arrays["label"][0, 0] == 1 + counts.argmax()
    assert program.arrays["share"][0, 0] == counts.max() / counts.sum()
    assert pc.parse(program.to_text("compact")).to_text() == program.to_text()


@pytest.mark.parametrize(
    ("labels", "options", "error", "message"),
    [
        (np.zeros((4, 4)), {}, TypeError, "labels must be integers, got float64"),
        (np.zeros((4, 4, 1), int), {}, ValueError, "squeeze the last dimension"),
        (np.zeros((4, 4), np.uint8), {"ignore_index": -1}, ValueError, "a label that uint8 can hold, got -1"),
        (np.zeros((4, 4), np.uint8), {"ignore_index": "x"}, TypeError, "ignore_index must be an int, got str"),
        (np.zeros((4, 4), int), {"grid": 5}, ValueError, "every cell must hold a pixel"),
        (np.zeros((4, 4), int), {"class_names": "sky"}, TypeError, "class_names must be a mapping or a sequence"),
        (np.zeros((4, 4), int), {"class_names": {0: 5}}, TypeError, "class_names must be names, got int for label 0"),
        (np.zeros((4, 4), int), {"class_names": {"x": "a"}}, ValueError, "class_names must have labels as keys"),
        (np.zeros((4, 4), int), {"class_names": {0: "a", "0": "b"}}, ValueError, "got 'a' and 'b' for '0'"),
        (np.zeros((4, 4), int), {"relations": 1}, TypeError, "relations must be True or False, got int"),
        (np.zeros((4, 4), int), {"note": 1}, TypeError, "note must be a str or None, got int"),
        (np.zeros((2, 4, 4), int), {"grid": 5}, ValueError, "map 0 of the batch: every cell"),
        ([np.zeros((4, 4), int), np.zeros((4, 4))], {"grid": 2}, TypeError, "labels[1] must be integers, got float64"),
    ],
)
def test_bad_input(backend, labels, options, error, message):
    with pytest.raises(error) as caught:
        backend.segmentation(labels, **{"grid": 2, **options})
    assert message in str(caught.value)
