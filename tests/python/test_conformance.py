"""The numbers that the research release quotes, from conformance/examples.json."""

import json

import numpy as np
import pytest

import percepts as pc


@pytest.fixture(scope="module")
def examples(data_path):
    return json.loads(data_path("conformance/examples.json").read_text(encoding="utf-8"))


def quoted_patches(examples):
    """Patches of the quoted programs with their centre, minimum and maximum as printed."""
    for program in examples["quoted_programs"]:
        for name, (center, low, high) in program.get("patches", {}).items():
            if center is not None:
                yield int(name), center, low, high


def test_centers_of_patches_at_336_pixels(backend, examples):
    items = backend.depth(np.zeros((336, 336))).items
    patches = list(quoted_patches(examples))
    assert len(patches) > 30
    for p, center, _, _ in patches:
        assert items[p - 1].c == center


def test_ranges_as_printed(backend, examples):
    """The release's maps have 8 bits: its readings are k/255, printed with ``%.4g``."""
    for p, center, low, high in quoted_patches(examples):
        depth = np.full((336, 336), round(float(low) * 255), np.uint8)
        depth[:, 1::2] = round(float(high) * 255)
        text = backend.depth(depth).to_text()
        assert f"  - p: {p}\n    c: [{center[0]}, {center[1]}]\n    r: [{low}, {high}]\n" in text


def test_flow_fields_of_480_by_640(backend, examples):
    items = backend.flow(np.ones((640, 480, 2))).items
    quoted = [program["item"] for program in examples["quoted_programs"] if "item" in program]
    for item in examples["teaser_figure"]["items"] + quoted:
        ours = items[item["p"] - 1]
        assert (ours.p, ours.c, ours.r) == (item["p"], item["c"], item["r"])


def test_nearest_patches(examples):
    """What the in-context examples look up by hand; the one marked odd names other patches than the nearest."""
    program = pc.depth(np.zeros((336, 336)))
    checked = 0
    for example in examples["icl_examples"]:
        if "nearest_patch" not in example or "nearest patches are" in example.get("odd", ""):
            continue
        for label, point in example["points"].items():
            assert program.reading_at(*point).p == example["nearest_patch"][label]
            checked += 1
    assert checked == 11


def test_odd_lookup_is_what_the_note_says(examples):
    (example,) = [e for e in examples["icl_examples"] if "nearest patches are" in e.get("odd", "")]
    program = pc.depth(np.zeros((336, 336)))
    assert program.reading_at(*example["points"]["A"]).p == 63
    assert program.reading_at(*example["points"]["B"]).p == 35
