"""``percepts jigsaw``: an image, its candidates, and what goes wrong with them."""

from __future__ import annotations

import imagecodecs
import numpy as np
import pytest

import percepts as pc
from command_line import call


@pytest.fixture
def files(tmp_path):
    """An image of 9×12 and two pieces of 4×5, as arrays and as files."""
    rng = np.random.default_rng(0)
    arrays = [rng.integers(0, 256, (*size, 3), np.uint8) for size in [(9, 12), (4, 5), (4, 5)]]
    paths = [str(tmp_path / name) for name in ("image.png", "a=1.png", "b.png")]
    for array, path in zip(arrays, paths, strict=True):
        with open(path, "wb") as file:
            file.write(imagecodecs.png_encode(array))
    return arrays, paths


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ([], {}),
        (["--strip", "2"], {"strip": 2}),
        (["--note", "fits?"], {"note": "fits?"}),
        (["--no-note"], {"note": None}),
    ],
)
@pytest.mark.parametrize("style", ["paper", "json", "compact"])
def test_the_program_is_printed(capsys, files, options, keywords, style):
    (image, a, b), paths = files
    status, out, err = call(capsys, "jigsaw", paths[0], *options, f"A={paths[1]}", f"1:30={paths[2]}", "--style", style)
    assert (status, err) == (0, [])
    assert out == pc.jigsaw(image, {"A": a, "1:30": b}, **keywords).to_text(style) + "\n"


def test_files_after_two_dashes(capsys, files):
    (image, a, _), paths = files
    status, out, err = call(capsys, "jigsaw", "--no-note", "--", paths[0], f"--A={paths[1]}")
    assert (status, out, err) == (0, f"{pc.jigsaw(image, {'--A': a}, note=None)}\n", [])


def test_ppm(capsys, files, tmp_path):
    (image, a, _), _ = files
    paths = [tmp_path / name for name in ("image.ppm", "a.ppm")]
    for array, path in zip((image, a), paths, strict=True):
        path.write_bytes(b"P6 %d %d 255\n" % array.shape[1::-1] + array.tobytes())
    assert call(capsys, "jigsaw", paths[0], f"A={paths[1]}") == (0, f"{pc.jigsaw(image, {'A': a})}\n", [])


def test_failures_are_one_line_a_file(capsys, files, tmp_path):
    _, paths = files
    (tmp_path / "text.png").write_text("no image")
    missing, text = str(tmp_path / "none.jpg"), str(tmp_path / "text.png")
    status, out, err = call(capsys, "jigsaw", paths[0], f"A={missing}", f"B={text}", f"C={text}")
    assert (status, out) == (1, "")
    assert err == [
        f"percepts: {missing}: No such file or directory",
        f"percepts: {text}: the format is not known: the first bytes are b'no image'; "
        "read_image reads PNG, JPEG, PGM and PPM, grey or RGB of 8 bits",
    ]
    status, out, err = call(capsys, "jigsaw", paths[1], f"A={paths[0]}")
    assert (status, out) == (1, "")
    assert err == [
        f"percepts: {paths[1]}: pieces['A'] must be smaller than the image on both sides, "
        "which is 5x4 (width x height), got 12x9"
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["image.png"], "the following arguments are required: LABEL=FILE"),
        (["image.png", "a.png"], "argument LABEL=FILE: must be LABEL=FILE, such as A=left.jpg, got 'a.png'"),
        (["image.png", "=a.png"], "must be LABEL=FILE, such as A=left.jpg, got '=a.png'"),
        (["image.png", "A="], "must be LABEL=FILE, such as A=left.jpg, got 'A='"),
        (["image.png", "A=a.png", "A=b.png"], "argument LABEL=FILE: every piece needs a label of its own"),
        (["image.png", "A=a.png", "--strip", "0"], "argument --strip: must be at least 1, got 0"),
        (["image.png", "A=a.png", "--strip", "-3"], "argument --strip: must be at least 1, got -3"),
        (["image.png", "A=a.png", "--strip", "1_0"], "argument --strip: must be a whole number, got '1_0'"),
    ],
)
def test_wrong_usage(capsys, arguments, message):
    status, out, err = call(capsys, "jigsaw", *arguments)
    assert (status, out) == (2, "")
    assert message in err[-1]
