"""COCO's JSON: results and data sets, whole and damaged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from percepts.readers import takes_detections

RESULTS = [
    {"image_id": 42, "category_id": 18, "bbox": [10, 20, 30.5, 40], "score": 0.75},
    {"image_id": 73, "category_id": 1, "bbox": [0, 0, 5, 5], "score": 0.5},
    {"image_id": 42, "category_id": 90, "bbox": [1, 2, 0, 0], "score": 1},
]
DATASET = {
    "info": {"year": 2017},
    "images": [
        {"id": 42, "file_name": "000042.jpg", "width": 640, "height": 480},
        {"id": 73, "file_name": "sub/73.jpg", "width": 100, "height": 200},
        {"id": 99, "file_name": "empty.jpg"},
    ],
    "categories": [{"id": 18, "name": "dog"}, {"id": 1, "name": "person"}],
    "annotations": [{"id": 7, "image_id": 42, "category_id": 18, "bbox": [10, 20, 30.5, 40], "iscrowd": 0, "area": 9}],
}


@pytest.fixture
def write(tmp_path):
    def write(value) -> Path:
        path = tmp_path / "file.json"
        content = value if isinstance(value, bytes) else json.dumps(value).encode()
        path.write_bytes(content)
        return path

    return write


def test_results_of_one_image(write):
    path = write(RESULTS)
    found = pc.read_detections(path, image=42)
    assert found.boxes.tolist() == [[10, 20, 40.5, 60], [1, 2, 1, 2]]
    assert found.scores.tolist() == [0.75, 1.0]
    assert found.labels.tolist() == [18, 90]
    assert (found.boxes.dtype, found.scores.dtype, found.labels.dtype) == (np.float64, np.float64, np.int64)
    assert (found.names, found.image, found.size, found.path) == ({}, 42, None, str(path))
    assert repr(found) == f"DetectionFile({str(path)!r}, image 42, 2 boxes)"
    assert pc.read_detections(str(path), image="73").boxes.tolist() == [[0, 0, 5, 5]]
    assert pc.read_detections(path, image=np.int64(73)).image == 73


def test_a_data_set(write, backend):
    path = write(DATASET)
    for image in (42, "42", "000042.jpg"):
        found = pc.read_detections(path, image)
        assert (found.image, found.size, found.scores) == (42, (640, 480), None)
        assert found.names == {18: "dog", 1: "person"}
    program = backend.detection(found, size=found.size)
    assert [(item.c, item.r, item.b) for item in program.items] == [([15, 41, 63, 125], None, "dog")]
    assert repr(found) == f"DetectionFile({str(path)!r}, image 42, 1 boxes, 640x480 pixels)"


def test_an_image_without_annotations(write, backend):
    found = pc.read_detections(write(DATASET), "empty.jpg")
    assert (found.image, found.size, found.boxes.shape) == (99, None, (0, 4))
    assert backend.detection(found, size=(5, 5)).items == ()


def test_names_of_a_data_set_for_results(write, tmp_path, backend):
    names = pc.read_detections(write(DATASET), 42).names
    results = tmp_path / "results.json"
    results.write_text(json.dumps(RESULTS))
    program = backend.detection(pc.read_detections(results, 42), size=(640, 480), class_names=names)
    assert [(item.b, item.r) for item in program.items] == [("dog", 0.75), ("class_90", 1.0)]


def test_the_only_image_needs_no_name(write):
    assert pc.read_detections(write(RESULTS[1:2])).image == 73
    nothing = pc.read_detections(write([]))
    assert (nothing.image, len(nothing.boxes), nothing.scores.tolist()) == (None, 0, [])


def test_annotations_with_scores(write):
    scored = {"annotations": [{**RESULTS[0]}, {**RESULTS[2]}]}
    found = pc.read_detections(write(scored))
    assert (found.scores.tolist(), found.names) == ([0.75, 1.0], {})


def test_ids_of_other_writers(write):
    """Text ids, and whole numbers that went through a float."""
    results = [{"image_id": "a/b", "category_id": 18.0, "bbox": [0, 0, 1, 1], "score": 0}]
    found = pc.read_detections(write(results), "a/b")
    assert (found.image, found.labels.tolist()) == ("a/b", [18])
    assert pc.read_detections(write([{**RESULTS[0], "image_id": 42.0}]), 42).image == 42


def test_text_in_utf_8_with_a_mark(write):
    assert len(pc.read_detections(write(b"\xef\xbb\xbf" + json.dumps(RESULTS).encode()), 42).boxes) == 2


def test_a_size_that_contradicts_the_file(write, backend):
    found = pc.read_detections(write(DATASET), 42)
    with pytest.raises(ValueError, match=r"size must be .* \(640, 480\), got \(480, 640\)"):
        backend.detection(found, size=(480, 640))


@pytest.mark.parametrize(
    ("value", "image", "message"),
    [
        (RESULTS, None, "image must name one of the 2 images in this file: 42, 73"),
        (RESULTS, 43, "image 43 is not there; the file has 42, 73"),
        (RESULTS, "dog.jpg", "image 'dog.jpg' is not there; the file has 42, 73"),
        (DATASET, None, "image must name one of the 3 images in this file: '000042.jpg', 'sub/73.jpg', 'empty.jpg'"),
        (DATASET, "73.jpg", "image '73.jpg' is not there"),
        ([], 42, "image 42 is not there; the file has none"),
        ([*RESULTS, {**RESULTS[0], "image_id": "42"}], "42", "image '42' is ambiguous"),
        (b"", None, "the file is empty"),
        (b" \n", None, "the file is empty"),
        (b"[{", None, "JSON in COCO's format is needed"),
        (b"\x89PNG\r\n\x1a\n", None, "JSON in COCO's format is needed"),
        (b"[" * 100_000, None, "JSON must not be nested so deeply"),
        (b'[{"image_id": 1%s}]' % (b"0" * 5000), None, "JSON in COCO's format is needed"),
        ({"images": []}, None, "a COCO data set with annotations, is needed, got an object with 'images'"),
        (7, None, "a list of COCO results, .* is needed, got int"),
        ([7], None, r"\[0\] must be an object, got int"),
        ([{**RESULTS[0], "image_id": None}], None, r"\[0\].image_id must be a whole number, got None"),
        ([{**RESULTS[0], "image_id": True}], None, r"\[0\].image_id must be a whole number, got True"),
        ([{**RESULTS[0], "image_id": 1.5}], None, r"\[0\].image_id must be a whole number, got 1.5"),
        ([{**RESULTS[0], "category_id": 2**63}], None, r"\[0\].category_id must be a whole number"),
        ([{**RESULTS[0], "category_id": "dog"}], None, r"\[0\].category_id must be a whole number, got 'dog'"),
        ([{"image_id": 1, "category_id": 1, "segmentation": {}}], None, r"\[0\].bbox must be \[x, y, width, height\]"),
        ([RESULTS[0], {**RESULTS[0], "bbox": [1, 2, 3]}], None, r"\[1\].bbox must be \[x, y, width, height\]"),
        ([{**RESULTS[0], "bbox": [0, 0, "1", 1]}], None, r"\[0\].bbox must be \[x, y, width, height\] of finite"),
        (
            b'[{"image_id": 1, "category_id": 1, "bbox": [0, NaN, 1, 1], "score": 1}]',
            None,
            r"\[0\].bbox .* got \[0, nan",
        ),
        (b'[{"image_id": 1, "category_id": 1, "bbox": [0, 1e999, 1, 1], "score": 1}]', None, r"\[0\].bbox .* finite"),
        ([{**RESULTS[0], "bbox": [0, 10**400, 1, 1]}], None, r"\[0\].bbox must be .* of finite numbers"),
        ([{**RESULTS[0], "bbox": [9, 9, -1, 1]}], None, r"\[0\].bbox must have a width and a height of at least 0"),
        ([{**RESULTS[0], "bbox": [1e308, 9, 1e308, 1]}], None, r"\[0\].bbox must end within float64"),
        ([{**RESULTS[0], "score": 1.01}], None, r"\[0\].score must be in \[0, 1\], got 1.01"),
        ([RESULTS[0], {**RESULTS[2], "score": None}], None, r"\[1\].score must be in \[0, 1\], got None"),
        ({"annotations": [{}]}, None, r"annotations\[0\].image_id must be a whole number, got None"),
        ({**DATASET, "categories": [{"id": 1}]}, 42, r"categories\[0\].name must be a string, got None"),
        ({**DATASET, "categories": [3]}, 42, "categories must be a list of objects"),
        ({**DATASET, "images": {"id": 1}}, 42, "images must be a list of objects"),
        ({**DATASET, "images": [{"id": 1, "file_name": 3}]}, 42, r"images\[0\].file_name must be a string, got 3"),
        (
            {**DATASET, "images": [{"id": 1, "width": "w", "height": 3}]},
            42,
            r"images\[0\].width must be a whole number",
        ),
    ],
)
def test_what_is_refused(write, value, image, message):
    path = write(value)
    with pytest.raises(ValueError, match=message) as error:
        pc.read_detections(path, image)
    assert str(error.value).startswith(f"{path}: ")


def test_a_result_without_score_among_others_with(write):
    bare = {key: value for key, value in RESULTS[2].items() if key != "score"}
    with pytest.raises(ValueError, match=r"\[1\].score must be in \[0, 1\], got None"):
        pc.read_detections(write([RESULTS[0], bare]))


@pytest.mark.parametrize("argument", [7, None, b"x.json"])
def test_paths_of_another_type(argument):
    with pytest.raises(TypeError, match="path must be a str"):
        pc.read_detections(argument)


@pytest.mark.parametrize("image", [1.5, True, b"x"])
def test_images_of_another_type(write, image):
    with pytest.raises(TypeError, match="image must be an int"):
        pc.read_detections(write(RESULTS), image)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        pc.read_detections(tmp_path / "none.json")


def test_hostile_names_of_categories(write, backend):
    name = '</perceptionprogram>\nb: "x"\ud800'
    hostile = {**DATASET, "categories": [{"id": 18, "name": name}]}
    program = backend.detection(pc.read_detections(write(hostile), 42), size=(640, 480))
    assert program.items[0].b == name.replace("\ud800", "\ufffd")
    assert backend.parse(str(program)) == program


def test_hostile_names_of_images_do_not_fill_the_screen(write):
    images = [{"id": k, "file_name": f"{k}\x1b[31m" + "x" * 10_000} for k in range(1000)]
    with pytest.raises(ValueError, match="and 950 more") as error:
        pc.read_detections(write({"annotations": [], "images": images}))
    assert "\x1b" not in str(error.value)
    assert len(str(error.value)) < 10_000


def test_takes_detections():
    assert takes_detections(b'[{"image_id"')
    assert takes_detections(b'\xef\xbb\xbf \n{"images"')
    assert not takes_detections(b"\x89PNG")
    assert not takes_detections(b"")


def test_results_of_pycocotools(data_path, backend):
    path = data_path("tool_outputs/coco_instances_fakebbox100_results.json")
    results = json.loads(path.read_text())
    images = sorted({result["image_id"] for result in results})
    with pytest.raises(ValueError, match="image must name one of the 99 images"):
        pc.read_detections(path)
    boxes = 0
    for image in images:
        found = pc.read_detections(path, image)
        own = [result for result in results if result["image_id"] == image]
        program = backend.detection(found, size=(640, 640), class_names={18: "dog"})
        assert [item.r for item in program.items] == [round(result["score"], 4) for result in own]
        assert [item.b == "dog" for item in program.items] == [result["category_id"] == 18 for result in own]
        boxes += len(program.items)
    assert boxes == 734
    first = backend.detection(pc.read_detections(path, 42), size=(640, 480)).items[0]
    # x: 258.15 and 258.15+348.26 of 640, y: 41.29 and 41.29+243.78 of 480
    assert (first.c, first.r, first.b) == ([403, 86, 947, 593], 0.236, "class_18")
