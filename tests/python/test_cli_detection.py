"""``percepts detection``: options, sizes, images, directories."""

from __future__ import annotations

import json

import pytest

import percepts as pc
from command_line import call, files_below

RESULTS = [
    {"image_id": 42, "category_id": 18, "bbox": [64, 48, 256, 192], "score": 0.75},
    {"image_id": 42, "category_id": 1, "bbox": [0, 0, 64, 48], "score": 0.5},
]
DATASET = {
    "images": [{"id": 42, "file_name": "a.jpg", "width": 640, "height": 480}, {"id": 7, "file_name": "-1.jpg"}],
    "categories": [{"id": 18, "name": "dog"}],
    "annotations": RESULTS,
}


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(RESULTS))
    return path


@pytest.fixture
def dataset(tmp_path):
    path = tmp_path / "instances.json"
    path.write_text(json.dumps(DATASET))
    return path


def test_results_need_a_size(capsys, results):
    status, out, err = call(capsys, "detection", results)
    assert (status, out) == (1, "")
    assert err == [f"percepts: {results}: the file does not say how large the image is: give --size WIDTHxHEIGHT"]
    status, out, err = call(capsys, "detection", results, "--size", "640x480")
    assert (status, err) == (0, [])
    assert out == f"{pc.detection(pc.read_detections(results), size=(640, 480))}\n"


def test_options(capsys, dataset):
    status, out, err = call(capsys, "detection", "--image", "a.jpg", "--min-score", "0.6", "--no-note", dataset)
    assert (status, err) == (0, [])
    assert [(item.c, item.r, item.b) for item in pc.parse(out).items] == [([100, 100, 500, 500], 0.75, "dog")]
    assert pc.parse(out).note is None
    status, out, err = call(
        capsys, "detection", "--image", 42, "--max-items", 1, "--style", "compact", "--note", "x", dataset
    )
    assert (status, err) == (0, [])
    program = pc.detection(pc.read_detections(dataset, 42), size=(640, 480), max_items=1, note="x")
    assert out == f"{program.to_text('compact')}\n"


def test_a_size_that_contradicts_the_file(capsys, dataset):
    status, out, (err,) = call(capsys, "detection", dataset, "--image", "42", "--size", "480x640")
    assert (status, out) == (1, "")
    assert (
        err
        == f"percepts: {dataset}: size must be the (width, height) that the result states, (640, 480), got (480, 640)"
    )


def test_images_there_are(capsys, dataset):
    status, _, (err,) = call(capsys, "detection", dataset)
    assert status == 1
    assert err == f"percepts: {dataset}: image must name one of the 2 images in this file: 'a.jpg', '-1.jpg'"


def test_directories_and_json_lines(capsys, tmp_path, results, dataset):
    (tmp_path / "notes.txt").write_text("no JSON")
    status, out, err = call(capsys, "detection", tmp_path, "--image", 42, "--size", "640x480", "--jsonl")
    assert status == 0
    assert [json.loads(line)["file"] for line in out.splitlines()] == [str(dataset), str(results)]
    assert err == ["percepts: 1 file was skipped below directories, having no reader for detection"]
    status, out, err = call(capsys, "detection", results, "--size", "640x480", "--out", tmp_path / "out")
    assert (status, out, err) == (0, "", [])
    assert files_below(tmp_path / "out") == ["results.json.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "0x5"], "size must be (width, height) of 1 to 2147483647 pixels each, got (0, 5)"),
        (["--size", "640"], "argument --size: must be WIDTHxHEIGHT in pixels, such as 640x480, got '640'"),
        (["--size", "6.5x5"], "argument --size: must be WIDTHxHEIGHT in pixels, such as 640x480, got '6.5x5'"),
        (["--min-score", "nan"], "min_score must be in [0, 1], got nan"),
        (["--min-score", "-1e-3"], "min_score must be in [0, 1], got -0.001"),
        (["--max-items", "-1"], "max_items must be at least 0, got -1"),
        (["--plot", "x.svg"], "unrecognized arguments: --plot"),
        (["--name", "x"], "unrecognized arguments: --name"),
    ],
)
def test_wrong_usage(capsys, results, options, message):
    status, out, err = call(capsys, "detection", results, *options)
    assert (status, out) == (2, "")
    assert message in err[-1]


def test_damaged_files_do_not_stop_the_others(capsys, tmp_path, results):
    damaged = tmp_path / "damaged.json"
    damaged.write_text("[{")
    status, out, (err,) = call(capsys, "detection", damaged, results, "--size", "640x480")
    assert status == 1
    assert len(pc.find_programs(out)) == 1
    assert err.startswith(f"percepts: {damaged}: JSON in COCO's format is needed")
