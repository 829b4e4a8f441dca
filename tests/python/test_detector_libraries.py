"""Results that the libraries themselves make."""

from __future__ import annotations

import warnings
from types import SimpleNamespace

import numpy as np
import pytest

SIZE = (640, 480)
BOXES = np.array([[64, 48, 320, 240], [10.5, 20.25, 700, 500]], np.float32)
SCORES = np.array([0.25, 0.75], np.float32)
LABELS = np.array([2, 1])
NAMES = {1: "cat", 2: "dog"}


@pytest.fixture
def torch(library):
    return library("torch")


@pytest.fixture
def expected(backend):
    return backend.detection(BOXES, SCORES, ["dog", "cat"], size=SIZE)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_tensors(backend, torch, dtype):
    boxes = torch.from_numpy(BOXES).to(getattr(torch, dtype))
    scores = torch.from_numpy(SCORES).to(getattr(torch, dtype))
    program = backend.detection(boxes, scores, torch.from_numpy(LABELS), size=SIZE, class_names=NAMES)
    exact = backend.detection(boxes.to(torch.float64).numpy(), SCORES, ["dog", "cat"], size=SIZE)
    assert program == exact


def test_tensors_that_require_grad(backend, torch, expected):
    boxes = torch.from_numpy(BOXES).requires_grad_()
    scores = torch.from_numpy(SCORES).requires_grad_() * 1
    result = {"boxes": boxes * 1, "scores": scores, "labels": torch.from_numpy(LABELS)}
    assert backend.detection(result, size=SIZE, class_names=NAMES) == expected
    assert backend.detection(boxes, scores, ["dog", "cat"], size=SIZE) == expected
    assert boxes.grad is None


def test_strided_and_integer_tensors(backend, torch):
    rows = torch.arange(24.0).reshape(4, 6)
    program = backend.detection(rows[:, :4].flip(0).flip(0), rows[:, 4] / 100, rows[:, 5].long(), size=(100, 100))
    assert program.items[1].c == [60, 70, 80, 90]
    assert (program.items[1].r, program.items[1].b) == (0.1, "class_11")
    whole = torch.tensor([[1, 2, 3, 4]], dtype=torch.int32)
    assert backend.detection(whole, size=(4, 4)).items[0].c == [250, 500, 750, 1000]
    assert backend.detection(torch.empty(0, 4), torch.empty(0), torch.empty(0).long(), size=SIZE).items == ()


def bounding_boxes(torch, boxes, box_format):
    """Make a tensor with the attributes of ``torchvision.tv_tensors.BoundingBoxes``."""

    class BoundingBoxes(torch.Tensor):
        pass

    made = torch.as_tensor(boxes).as_subclass(BoundingBoxes)
    made.format, made.canvas_size = SimpleNamespace(value=box_format), (480, 640)
    return made


def test_boxes_that_state_their_format(backend, torch, expected):
    corners = bounding_boxes(torch, BOXES, "XYXY")
    assert backend.detection(corners, SCORES, ["dog", "cat"], size=SIZE) == expected
    with pytest.raises(ValueError, match=r"size must be .* \(640, 480\), got \(480, 640\)"):
        backend.detection(corners, size=(480, 640))
    sides = bounding_boxes(torch, BOXES - [0, 0, 64, 48], "XYWH")
    with pytest.raises(ValueError, match="box_format must be 'xywh', and normalized False"):
        backend.detection({"boxes": sides}, size=SIZE)
    program = backend.detection({"boxes": sides}, size=SIZE, box_format="xywh")
    assert program.items[0].c == expected.items[0].c


def test_tensors_elsewhere(backend, torch):
    with pytest.raises(TypeError, match="boxes"):
        backend.detection(torch.empty(1, 4, device="meta"), size=SIZE)


@pytest.fixture
def supervision(library):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has to do without OpenCV
        return library("supervision")


def test_detections_of_supervision(backend, supervision, expected):
    detections = supervision.Detections(
        BOXES, confidence=SCORES, class_id=LABELS, data={"class_name": np.array(["dog", "cat"])}
    )
    assert backend.detection(detections, size=SIZE) == expected
    assert backend.detection(detections, size=SIZE, class_names=NAMES) == expected
    assert backend.detection(detections[detections.confidence > 0.5], size=SIZE).items[0].b == "cat"
    assert backend.detection(supervision.Detections.empty(), size=SIZE).items == ()
    bare = backend.detection(supervision.Detections(BOXES), size=SIZE)
    assert (bare.items[0].r, bare.items[0].b) == (None, None)


def test_depth_maps_of_supervision(backend, supervision):
    values = np.array([[0.0, 1.5], [3, np.nan]], np.float32)
    metres = supervision.DepthMap(values, kind="depth_m")
    assert backend.depth(metres, grid=1) == backend.depth(values, grid=1, kind="metric", invalid_value=0)
    assert backend.depth(metres, grid=1, kind="metric", normalize=False).items[0].r == [1.5, 3.0]
    nearer = supervision.DepthMap(values, kind="disparity_px")
    assert backend.depth(nearer, grid=1) == backend.depth(values, grid=1, kind="disparity", invalid_value=0)
    relative = supervision.DepthMap(values / 3, kind="relative_inverse")
    assert backend.depth(relative, grid=1).items[0].r == [0.0, 1.0]
