"""Matches as matchers and OpenCV give them, as the first argument of percepts.correspondence."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import percepts as pc

SIZE = (640, 480)
POINTS0 = np.array([[8, 16], [32, 40], [64, 8], [100, 90]], np.float32)
POINTS1 = np.array([[10, 16], [35, 44], [61, 9]], np.float32)
PAIRS = np.array([[0, 1], [3, 2]])  # of POINTS0 and POINTS1
SCORES = np.array([0.75, 0.5], np.float32)


def read(result, **options):
    program = pc.correspondence(result, **{"size0": SIZE, "size1": SIZE, **options})
    defined = pc.reference.correspondence(result, **{"size0": SIZE, "size1": SIZE, **options})
    assert str(program) == str(defined)
    return tuple(array.tolist() for array in program.arrays.values())


CHOSEN = (POINTS0[PAIRS[:, 0]].tolist(), POINTS1[PAIRS[:, 1]].tolist())
MATCHED = (*CHOSEN, SCORES.tolist())


@pytest.mark.parametrize(
    "result",
    [
        {"keypoints0": CHOSEN[0], "keypoints1": CHOSEN[1], "confidence": SCORES, "batch_indexes": [0, 0]},
        {"mkpts0_f": CHOSEN[0], "mkpts1_f": CHOSEN[1], "mconf": SCORES, "m_bids": np.zeros(2, int)},
        {"mkpts0_f": CHOSEN[0], "mkpts1_f": CHOSEN[1], "mkpts0_c": [[0, 0]], "mconf": SCORES, "hw0_i": (1, 1)},
        {"points0": CHOSEN[0], "points1": CHOSEN[1], "confidence": SCORES},
        {"keypoints0": CHOSEN[0], "keypoints1": CHOSEN[1], "matching_scores": SCORES},
        {"keypoints0": POINTS0, "keypoints1": POINTS1, "matches": PAIRS, "scores": SCORES},
        {"keypoints0": POINTS0[None], "keypoints1": POINTS1[None], "matches": [PAIRS], "scores": [SCORES]},
        {
            "keypoints0": POINTS0,
            "keypoints1": POINTS1,
            "matches0": [1, -1, -1, 2],
            "matching_scores0": [0.75, 9, 9, 0.5],
        },
        {
            "keypoints0": POINTS0,
            "keypoints1": POINTS1,
            "matches": [1, -1, -1, 2],
            "match_confidence": [0.75, 9, 9, 0.5],
        },
        {
            "keypoints0": POINTS0[None],
            "keypoints1": POINTS1[None],
            "matches0": np.array([[1, -1, -1, 2]], np.int16),
            "matching_scores0": np.array([[0.75, 9, 9, 0.5]]),
        },
        (
            {"keypoints": POINTS0[None], "image_size": np.array([[640.0, 480.0]])},
            {"keypoints": POINTS1[None]},
            {"matches": [PAIRS], "scores": [SCORES], "matches0": [[1, -1, -1, 2]], "stop": 9},
        ),
    ],
)
def test_results(result):
    assert read(result) == MATCHED


def test_an_own_confidence_goes_first():
    result = {"keypoints0": POINTS0, "keypoints1": POINTS1, "matches": PAIRS, "scores": SCORES}
    assert read(result, confidence=[1, 2])[2] == [1, 2]
    assert read(result, max_items=1) == ([CHOSEN[0][0]], [CHOSEN[1][0]], [0.75])
    assert read((POINTS0, POINTS1, PAIRS)) == CHOSEN
    assert read((POINTS0, POINTS1, np.empty((0, 2), int))) == ([], [])
    assert read((POINTS0, POINTS1, [])) == ([], [], [])


@pytest.mark.parametrize(
    "sizes",
    [
        {"size0": (640, 480), "size1": (320, 200)},
        {"image_size0": np.array([[640.0, 480.0]]), "image_size1": np.array([320, 200])},
        {"hw0_i": (480, 640), "hw1_i": np.array([200, 320])},
    ],
)
def test_sizes_that_a_result_states(sizes):
    result = {"keypoints0": [(320, 240)], "keypoints1": [(80, 100)], **sizes}
    assert [(item.c, item.r) for item in pc.correspondence(result).items] == [([500, 500], [250, 500])]
    assert pc.correspondence(result, size1=(320, 200)) == pc.correspondence(result)
    with pytest.raises(
        ValueError, match=r"^size1 must be the size that the matches state, \(320, 200\), got \(200, 320\)$"
    ):
        pc.correspondence(result, size1=(200, 320))


def test_sizes_of_features():
    features = [
        {"keypoints": points, "image_size": [size]} for points, size in ((POINTS0, (1000, 500)), (POINTS1, (100, 50)))
    ]
    assert pc.correspondence((*features, {"matches": PAIRS})).items[0].c == [8, 32]


def test_the_size_of_a_resized_image_is_not_that_of_the_points():
    result = {"mkpts0_f": [(9, 9)], "mkpts1_f": [(9, 9)], "hw0_i": (4, 4), "hw1_i": (4, 4), "scale0": [[2.5, 2.5]]}
    with pytest.raises(
        ValueError, match=r"^size0 must be given, as \(width, height\) in pixels: these matches do not state it$"
    ):
        pc.correspondence(result)


def keypoints(points):
    return tuple(SimpleNamespace(pt=tuple(map(float, point)), size=3.0) for point in points)


def dmatch(query, train, distance):
    return SimpleNamespace(queryIdx=query, trainIdx=train, distance=distance, imgIdx=0)


BEST = [dmatch(0, 1, 12.5), dmatch(3, 2, 40.0)]


@pytest.mark.parametrize(
    "matches",
    [
        BEST,
        tuple(BEST),
        [[match] for match in BEST],
        ((BEST[0], dmatch(0, 2, 99.0)), (), (BEST[1], dmatch(3, 0, 99.0))),
    ],
)
def test_opencv(matches):
    result = (keypoints(POINTS0), list(keypoints(POINTS1)), matches)
    assert read(result) == (*CHOSEN, [-12.5, -40])
    assert read(result, max_items=1)[0] == [CHOSEN[0][0]]
    assert read((POINTS0, POINTS1, matches)) == (*CHOSEN, [-12.5, -40])


@pytest.mark.parametrize("none", [(), [], [[], []]])
def test_opencv_without_matches(none):
    assert read((keypoints(POINTS0), keypoints(POINTS1), none)) == ([], [], [])
    assert read(((), (), none)) == ([], [], [])


def test_real_opencv(library):
    cv2 = library("cv2")
    rng = np.random.default_rng(0)
    image = np.zeros((200, 300), np.uint8)
    for x, y, grey in zip(rng.integers(20, 270, 60), rng.integers(20, 180, 60), rng.integers(50, 255, 60), strict=True):
        cv2.rectangle(image, (int(x), int(y)), (int(x) + 9, int(y) + 7), int(grey), -1)
    orb = cv2.ORB_create(200)
    found0, features0 = orb.detectAndCompute(image, None)
    found1, features1 = orb.detectAndCompute(np.roll(image, 7, 1), None)
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
    matches = matcher.match(features0, features1)
    size = {"size0": (300, 200), "size1": (300, 200)}
    program = pc.correspondence((found0, found1, matches), **size)
    assert program.arrays["points0"].tolist() == [list(found0[match.queryIdx].pt) for match in matches]
    assert program.arrays["points1"].tolist() == [list(found1[match.trainIdx].pt) for match in matches]
    assert pc.correspondence((found0, found1, matcher.knnMatch(features0, features1, 2)), **size) == program
    shift = np.median(program.arrays["points1"] - program.arrays["points0"], axis=0)
    assert shift.tolist() == pytest.approx([7, 0], abs=0.5)


def test_torch(library):
    torch = library("torch")
    lightglue = (
        {"keypoints": torch.tensor(POINTS0)[None], "image_size": torch.tensor([[640.0, 480.0]])},
        {"keypoints": torch.tensor(POINTS1)[None], "image_size": torch.tensor([[640.0, 480.0]])},
        {
            "matches": [torch.tensor(PAIRS)],
            "scores": [torch.tensor(SCORES)],
            "matches0": torch.tensor([[1, -1, -1, 2]]),
        },
    )
    assert read(lightglue, size0=None, size1=None) == MATCHED
    loftr = {
        "mkpts0_f": torch.tensor(CHOSEN[0]),
        "mkpts1_f": torch.tensor(CHOSEN[1]),
        "mconf": torch.tensor(SCORES).to(torch.float16),
        "m_bids": torch.zeros(2, dtype=torch.int64),
        "hw0_i": torch.Size([480, 640]),
        "hw1_i": torch.Size([480, 640]),
    }
    assert read(loftr, size0=None, size1=None) == MATCHED


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (
            {},
            ValueError,
            "^a result must hold the points of both images as one of mkpts0_f and mkpts1_f, .* keys none$",
        ),
        ({"keypoints0": POINTS0, "matches": PAIRS}, ValueError, "got the keys keypoints0, matches$"),
        (
            {"keypoints0": POINTS0, "keypoints1": POINTS1},
            ValueError,
            "^points0 and points1 must be as many, got 4 and 3$",
        ),
        (
            {"keypoints0": POINTS1, "keypoints1": POINTS1, "batch_indexes": [0, 0, 1]},
            ValueError,
            "^a result must be of one pair of images, got batch_indexes of several: select the matches of one$",
        ),
        (
            (POINTS0, POINTS1, [[0, 3]]),
            ValueError,
            "^matches must be indices of the 3 keypoints of image 2, got 3 to 3$",
        ),
        (
            (POINTS0, POINTS1, [[-1, 2]]),
            ValueError,
            "^matches must be indices of the 4 keypoints of image 1, got -1 to -1$",
        ),
        (
            (POINTS0, POINTS1, [0, 1]),
            ValueError,
            r"^matches must be K×2, or one index for each of the 4 keypoints .* \(2,\)$",
        ),
        ((POINTS0, POINTS1, [[0.0, 1.0]]), TypeError, "^matches must be integers, got float64$"),
        (
            (POINTS0, POINTS1, {"pairs": PAIRS}),
            ValueError,
            "^matches must hold matches or matches0, got the keys pairs$",
        ),
        (({"kpts": POINTS0}, POINTS1, PAIRS), ValueError, "^keypoints0 must hold keypoints, got the keys kpts$"),
        (
            (keypoints(POINTS0), keypoints(POINTS1), [dmatch(4, 0, 1)]),
            ValueError,
            "of the 4 keypoints of image 1, got 4 to 4$",
        ),
        (
            {"keypoints0": POINTS1, "keypoints1": POINTS1, "confidence": [1]},
            ValueError,
            "^confidence must have a value for",
        ),
        (
            {"keypoints0": POINTS1, "keypoints1": POINTS1, "size0": [1.5, 2], "size1": [1, 2]},
            ValueError,
            "^size0 must be whole",
        ),
        ((POINTS0, POINTS1), TypeError, r"^points1 must be given, or points0 be one result: .* got tuple$"),
        (POINTS0, TypeError, r"^points1 must be given, or points0 be one result: .* got ndarray$"),
    ],
)
def test_bad_results(backend, result, error, message):
    with pytest.raises(error, match=message):
        backend.correspondence(result, size0=SIZE, size1=SIZE)
