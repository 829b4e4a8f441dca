"""Real questions with their answers: 75 of BLINK's validation set."""

from __future__ import annotations

import json

import numpy as np
import pytest

import percepts as pc
from percepts.cli import main
from percepts.readers import read_image

HOW_MANY = 75


@pytest.fixture(scope="module")
def questions(data_path):
    path = data_path("blink_jigsaw/questions.json")
    questions = json.loads(path.read_text())
    assert len(questions) == HOW_MANY
    return [
        (
            read_image(path.with_name(question["image"])).data,
            {label: read_image(path.with_name(name)).data for label, name in question["candidates"].items()},
            question["answer"],
        )
        for question in questions
    ]


def right(questions, prepare=lambda image: image, **options) -> int:
    programs = [
        pc.jigsaw(prepare(image), {label: prepare(piece) for label, piece in pieces.items()}, **options)
        for image, pieces, _ in questions
    ]
    answers = [answer for *_, answer in questions]
    return sum(pc.oracle.jigsaw(program).choice == answer for program, answer in zip(programs, answers, strict=True))


def test_all_are_right(questions):
    assert right(questions) == HOW_MANY


@pytest.mark.parametrize("strip", [1, 2, 4])
def test_narrower_strips(questions, strip):
    assert right(questions, strip=strip) == HOW_MANY


@pytest.mark.parametrize("strip", [16, 32])
def test_wider_strips_see_what_does_not_belong_together(questions, strip):
    assert right(questions, strip=strip) == HOW_MANY - 1


def test_grey_images(questions):
    assert right(questions, lambda image: image.mean(axis=2).astype(np.uint8)) == HOW_MANY


def test_pieces_that_do_not_divide_the_image_evenly(questions):
    """An image cut off on the left and above; the pieces stay what they are."""
    assert right([(image[9:, 13:], pieces, answer) for image, pieces, answer in questions]) == HOW_MANY


def test_the_core_is_the_reference(questions):
    for image, pieces, _ in questions[::5]:
        assert str(pc.jigsaw(image, pieces)) == pc.reference.jigsaw(image, pieces).to_text()
        pieces = {label: (piece / 255).astype(np.float32) for label, piece in pieces.items()}
        assert str(pc.jigsaw(image / 255, pieces)) == pc.reference.jigsaw(image / 255, pieces).to_text()


def test_from_the_command_line(data_path, capsys):
    paths = [data_path(f"blink_jigsaw/val_Jigsaw_1_{k}.jpg") for k in (1, 2, 3)]
    assert main(["jigsaw", str(paths[0]), f"A={paths[1]}", f"B={paths[2]}"]) == 0
    out, err = capsys.readouterr()
    image, *pieces = (read_image(path) for path in paths)
    assert (out, err) == (f"{pc.jigsaw(image, dict(zip('AB', pieces, strict=True)))}\n", "")
    assert pc.oracle.jigsaw(out).choice == "B"
