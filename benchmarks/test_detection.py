"""Programs of many boxes, as arrays and as a detector's result, and the choice among many boxes."""

import numpy as np
import pytest

import percepts as pc

SIZE = (1920, 1080)


def thousand_boxes():
    rng = np.random.default_rng(0)
    corners = rng.random((1000, 4), np.float32) * np.float32([960, 540, 960, 540])
    corners[:, 2:] += corners[:, :2]
    return corners, rng.random(1000, np.float32), rng.integers(0, 80, 1000)


def as_arrays(boxes, scores, labels):
    return boxes, scores, labels


def as_torchvision(boxes, scores, labels):
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[test-libraries]'")
    parts = {"boxes": boxes, "scores": scores, "labels": labels}
    return ({name: torch.from_numpy(part) for name, part in parts.items()},)


FORMS = {as_arrays: "NumPy", as_torchvision: "torch"}


@pytest.mark.parametrize("form", FORMS, ids=FORMS.values())
def test_program(compare, form):
    arguments = form(*thousand_boxes())
    compare(
        f"program of 1000 boxes, {FORMS[form]}",
        lambda: pc.detection(*arguments, size=SIZE),
        lambda: pc.reference.detection(*arguments, size=SIZE),
    )


def test_to_text(compare):
    arguments = thousand_boxes()
    compare(
        "1000 boxes, NumPy, to text",
        lambda: str(pc.detection(*arguments, size=SIZE)),
        lambda: pc.reference.detection(*arguments, size=SIZE).to_text(),
    )


def test_best_box(compare):
    """Many questions in one pass against one after another."""
    boxes, _, _ = thousand_boxes()
    programs = [pc.detection(some, size=SIZE) for some in boxes.reshape(100, 10, 4)]
    options = [{"A": (100, 100, 500, 500), "B": (300, 200, 700, 900)}] * 100
    compare(
        "best_box of 100 questions with 10 boxes each",
        lambda: pc.oracle.best_box(programs, options),
        lambda: [pc.oracle.best_box(*question) for question in zip(programs, options, strict=True)],
    )
