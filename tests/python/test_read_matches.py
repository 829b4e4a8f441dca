"""Files that matches are kept in: .npz, COLMAP's database and text models."""

from __future__ import annotations

import sqlite3
import struct

import numpy as np
import pytest

import percepts as pc

POINTS0 = np.array([[8, 16], [32, 40], [64, 8]], np.float32)
POINTS1 = np.array([[10, 16], [35, 44], [61, 9]], np.float32)


def lists(matches):
    return matches.points0.tolist(), matches.points1.tolist()


def write_npz(path, **arrays):
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize(
    ("points", "confidence"), [("mkpts{}_f", "mconf"), ("keypoints{}", "confidence"), ("mkpts{}", "scores")]
)
def test_npz(tmp_path, points, confidence):
    arrays = {points.format(0): POINTS0, points.format(1): POINTS1, confidence: [0.5, 0.25, 1], "names": ["a", "b"]}
    matches = pc.read_matches(write_npz(tmp_path / "m.npz", **arrays))
    assert lists(matches) == (POINTS0.tolist(), POINTS1.tolist())
    assert matches.confidence.tolist() == [0.5, 0.25, 1]
    assert (matches.size0, matches.size1, matches.images, matches.format) == (None, None, None, "npz")
    assert repr(matches) == f"MatchFile({str(tmp_path / 'm.npz')!r}, npz, 3 matches)"


def test_npz_of_superglue(tmp_path):
    path = write_npz(
        tmp_path / "m.npz",
        keypoints0=POINTS0,
        keypoints1=POINTS1[:2],
        matches=np.array([-1, 1, 0]),
        match_confidence=np.array([0, 0.5, 0.75]),
        size0=np.array([640, 480]),
        size1=[320, 240],
    )
    matches = pc.read_matches(str(path))
    assert lists(matches) == (POINTS0[1:].tolist(), POINTS1[[1, 0]].tolist())
    assert matches.confidence.tolist() == [0.5, 0.75]
    program = pc.correspondence(matches, max_items=1)
    assert [(item.c, item.r) for item in program.items] == [([100, 16], [31, 66])]


def test_npz_without_matches(tmp_path):
    matches = pc.read_matches(write_npz(tmp_path / "m.npz", mkpts0=np.empty((0, 2)), mkpts1=np.empty((0, 2))))
    assert matches.points0.shape == (0, 2)
    assert pc.correspondence(matches, size0=(1, 1), size1=(1, 1)).items == ()


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"depth": POINTS0}, "no array is named as in a matcher's result, the names are 'depth'$"),
        ({"keypoints0": POINTS0, "scores": [1]}, "a result must hold the points of both images"),
        ({"keypoints0": POINTS0, "keypoints1": POINTS1[:2]}, "both images must have as many points, got 3 and 2$"),
        ({"keypoints0": np.array([{}, {}]), "keypoints1": POINTS1}, ".* Python objects, which are never unpickled$"),
        ({"keypoints0": POINTS0.astype(str), "keypoints1": POINTS1}, "an array of bool, of integers or of floating"),
        ({"keypoints0": POINTS0 > 9, "keypoints1": POINTS1}, "keypoints0 must be numbers, got bool$"),
    ],
)
def test_bad_npz(tmp_path, arrays, message):
    with pytest.raises(ValueError, match=rf"m\.npz: {message}"):
        pc.read_matches(write_npz(tmp_path / "m.npz", **arrays))


def blob(array, dtype):
    return np.ascontiguousarray(array, dtype).tobytes()


PAIR_12, PAIR_13 = 2147483647 + 2, 2147483647 + 3


@pytest.fixture
def database(tmp_path):
    """Two cameras and three images; 1 and 2 are verified, 1 and 3 are not."""
    path = tmp_path / "database.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE cameras (camera_id INTEGER PRIMARY KEY, model INTEGER, width INTEGER, height INTEGER, params BLOB);"
        "CREATE TABLE images (image_id INTEGER PRIMARY KEY, name TEXT UNIQUE, camera_id INTEGER);"
        "CREATE TABLE keypoints (image_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER, data BLOB);"
        "CREATE TABLE matches (pair_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER, data BLOB);"
        "CREATE TABLE two_view_geometries (pair_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER, data BLOB, F BLOB);"
        "INSERT INTO cameras VALUES (1, 0, 640, 480, NULL), (2, 0, 320, 200, NULL);"
        "INSERT INTO images VALUES (1, 'a.jpg', 1), (2, 'b.jpg', 2), (3, 'c.jpg', 1);"
    )
    six = np.hstack([POINTS0, np.ones((3, 4))])
    connection.execute("INSERT INTO keypoints VALUES (1, 3, 6, ?)", (blob(six, "<f4"),))
    connection.execute("INSERT INTO keypoints VALUES (2, 3, 2, ?), (3, 0, 6, NULL)", (blob(POINTS1, "<f4"),))
    connection.execute("INSERT INTO matches VALUES (?, 3, 2, ?)", (PAIR_12, blob([[0, 0], [1, 1], [2, 2]], "<u4")))
    connection.execute(
        "INSERT INTO two_view_geometries VALUES (?, 2, 2, ?, NULL)", (PAIR_12, blob([[0, 1], [2, 0]], "<u4"))
    )
    connection.commit()
    yield path, connection
    connection.close()


def test_database(database):
    path, _ = database
    before = path.read_bytes()
    matches = pc.read_matches(path)
    assert lists(matches) == (POINTS0[[0, 2]].tolist(), POINTS1[[1, 0]].tolist())
    assert (matches.size0, matches.size1) == ((640, 480), (320, 200))
    assert (matches.images, matches.confidence, matches.format) == (("a.jpg", "b.jpg"), None, "colmap-database")
    assert path.read_bytes() == before
    assert pc.correspondence(matches).items[0].r == [109, 220]


def test_the_order_of_a_pair(database):
    there, back = (pc.read_matches(database[0], pair) for pair in (("a.jpg", "b.jpg"), ["b.jpg", "a.jpg"]))
    assert lists(back) == lists(there)[::-1]
    assert (back.size0, back.images) == (there.size1, ("b.jpg", "a.jpg"))


def test_raw_matches_where_nothing_was_verified(database):
    path, connection = database
    connection.execute("DELETE FROM two_view_geometries")
    connection.commit()
    assert lists(pc.read_matches(path)) == (POINTS0.tolist(), POINTS1.tolist())
    connection.execute("INSERT INTO two_view_geometries VALUES (?, 0, 2, NULL, NULL)", (PAIR_12,))
    connection.commit()
    assert len(pc.read_matches(path, ("a.jpg", "b.jpg")).points0) == 0
    with pytest.raises(ValueError, match=r"database\.db: no two images have matches$"):
        pc.read_matches(path)


def test_images_without_matches_or_keypoints(database):
    path, connection = database
    assert len(pc.read_matches(path, ("a.jpg", "c.jpg")).points0) == 0
    connection.execute("INSERT INTO matches VALUES (?, 1, 2, ?)", (PAIR_13, blob([[0, 0]], "<u4")))
    connection.commit()
    message = r"database\.db: several pairs of images have matches, say pair= one of \('a.jpg', 'b.jpg'\), \('a.jpg', 'c.jpg'\)$"
    with pytest.raises(ValueError, match=message):
        pc.read_matches(path)
    with pytest.raises(ValueError, match=r"a match is of keypoint 0 of the image 'c.jpg', which has 0$"):
        pc.read_matches(path, ("a.jpg", "c.jpg"))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE keypoints SET rows = 4 WHERE image_id = 1", "the keypoints of 'a.jpg' must be 4×6 values of 4 bytes, got 72 bytes$"),
        ("UPDATE keypoints SET rows = -3, cols = -6 WHERE image_id = 1", "the keypoints of 'a.jpg' must be -3×-6 values"),
        ("UPDATE keypoints SET data = 'x' WHERE image_id = 1", "the keypoints of 'a.jpg' must be 3×6 values of 4 bytes, got 0"),
        ("UPDATE two_view_geometries SET cols = 3", "the matches of 'a.jpg' and 'b.jpg' must be 2×3 values"),
        ("UPDATE two_view_geometries SET rows = 'two'", "the matches of 'a.jpg' and 'b.jpg' must be 'two'×2 values"),
        ("UPDATE cameras SET width = 'wide'", "an image must have an id, a name and a size, got"),
        ("UPDATE images SET name = x'00ff'", "an image must have an id, a name and a size, got"),
        ("DROP TABLE images", "not a whole database of COLMAP: no such table: images$"),
    ],
)  # fmt: skip
def test_damaged_databases(database, statement, message):
    path, connection = database
    if "SET name" in statement:
        statement += " WHERE image_id = 1"
    connection.execute(statement)
    connection.commit()
    with pytest.raises(ValueError, match=rf"database\.db: {message}"):
        pc.read_matches(path)


def test_a_truncated_database(database, tmp_path):
    content = database[0].read_bytes()
    for size in (16, 100, 1000, len(content) // 2):
        path = tmp_path / "cut.db"
        path.write_bytes(content[:size])
        with pytest.raises(ValueError, match=r"cut\.db: "):
            pc.read_matches(path)


def test_a_name_with_special_characters(database, tmp_path):
    path = tmp_path / "a b?mode=rwc#%20é.db"
    path.write_bytes(database[0].read_bytes())
    assert len(pc.read_matches(path).points0) == 2


CAMERAS = "# Camera list\n1 PINHOLE 640 480 1 1 1 1\n2 SIMPLE_RADIAL 320 200 1 1 1 0\n"
IMAGES = (
    "# Image list with two lines of data per image:\n"
    "1 1 0 0 0 0 0 0 1 a.jpg\n"
    "1.5 2 7 3 4 -1 5 6 9 8 8 7 30 40 8\n"
    "2 1 0 0 0 0 0 0 2 dir/b c.jpg\n"
    "\n"
    "3 1 0 0 0 0 0 0 2 d.jpg\n"
    " 10 20 9 30 50 7 11 12 10\n"
)


@pytest.fixture
def model(tmp_path):
    def write(images=IMAGES, cameras=CAMERAS):
        (tmp_path / "images.txt").write_text(images, encoding="utf-8")
        (tmp_path / "cameras.txt").write_text(cameras, encoding="utf-8")
        return tmp_path

    return write


@pytest.mark.parametrize("name", ["", "images.txt", "cameras.txt", "points3D.txt"])
def test_text_model(model, name):
    matches = pc.read_matches(model() / name)
    assert lists(matches) == ([[1.5, 2], [5, 6]], [[30, 50], [10, 20]])
    assert (matches.size0, matches.size1) == ((640, 480), (320, 200))
    assert (matches.images, matches.format) == (("a.jpg", "d.jpg"), "colmap-text")


def test_pairs_of_a_text_model(model):
    path = model()
    there, back = (pc.read_matches(path, pair) for pair in (("a.jpg", "d.jpg"), ("d.jpg", "a.jpg")))
    assert sorted(zip(*lists(back), strict=True)) == sorted(zip(*lists(there)[::-1], strict=True))
    assert len(pc.read_matches(path, ("a.jpg", "dir/b c.jpg")).points0) == 0
    with pytest.raises(ValueError, match=r": no image named 'x.jpg', the images are 'a.jpg', 'dir/b c.jpg', 'd.jpg'$"):
        pc.read_matches(path, ("a.jpg", "x.jpg"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"images": "1 1 0 0 0 0 0 0 1\n\n"},
            "line 1 of images.txt must have IMAGE_ID, QW, .* got '1 1 0 0 0 0 0 0 1'$",
        ),
        (
            {"images": IMAGES.replace("5 6 9", "5 nan 9")},
            "line 3 of images.txt must have finite X, Y, POINT3D_ID of each point",
        ),
        ({"images": IMAGES.replace("30 40 8", "30 40")}, "line 3 of images.txt must have finite X"),
        ({"images": IMAGES.replace("10 20 9", "10 20 nine")}, "line 7 of images.txt must have finite X"),
        ({"images": IMAGES.replace("d.jpg", "a.jpg")}, "several images named 'a.jpg'"),
        ({"images": ""}, "no two images have matches$"),
        ({"cameras": "1 PINHOLE 640\n"}, "line 1 of cameras.txt must have CAMERA_ID, MODEL, WIDTH, HEIGHT, got"),
        ({"cameras": "1 PINHOLE 640 480\n"}, "the camera 2 of the image 'd.jpg' is not in "),
    ],
)
def test_damaged_text_models(model, files, message):
    with pytest.raises(ValueError, match=message):
        pc.read_matches(model(**files))


def test_a_real_text_model(data_path):
    path = data_path("tool_outputs/colmap_lund_images.txt")
    with pytest.raises(
        ValueError, match=r"several pairs of images have matches, say pair= one of \('DSC_0001.JPG', 'DSC_0002.JPG'\)"
    ):
        pc.read_matches(path)
    matches = pc.read_matches(path, ("DSC_0001.JPG", "DSC_0002.JPG"))
    assert (matches.size0, matches.size1) == ((760, 1135), (760, 1135))
    # The first point of both images is point 0, the second is point 1.
    assert matches.points0[:2].tolist() == [[718, 54], [706, 56]]
    assert matches.points1[:2].tolist() == [[727, 58], [715, 60]]
    observed = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    of_points = [{point for point in line[2::3] if point != "-1"} for line in observed[1::2][:2]]
    assert len(matches.points0) == len(of_points[0] & of_points[1]) > 1000
    program = pc.correspondence(matches)
    assert str(program) == str(pc.reference.correspondence(matches))
    assert program.items[0].c == [1000 * 718 // 760, 1000 * 54 // 1135]
    for keep in ("confidence", "spread"):
        few = pc.correspondence(matches, max_items=50, keep=keep)
        assert str(few) == str(pc.reference.correspondence(matches, max_items=50, keep=keep))
        assert len(few.items) == 50


def test_spread_covers_a_real_image(data_path):
    """The first 50 matches of the model lie at the top of the image; spread ones reach everywhere."""
    matches = pc.read_matches(data_path("tool_outputs/colmap_lund_images.txt"), ("DSC_0001.JPG", "DSC_0002.JPG"))

    def cells(**options):
        return {tuple(c // 200 for c in item.c) for item in pc.correspondence(matches, **options).items}

    assert cells(max_items=50, keep="spread") == cells()
    assert len(cells(max_items=50)) < len(cells()) / 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the format is not known: the first bytes are b''; read_matches reads"),
        (b"\x89PNG\r\n\x1a\n", "the format is not known: the first bytes are"),
        (b"PK\x03\x04" + bytes(60), "the .npz archive is truncated or damaged"),
        (b"SQLite format 3\0" + bytes(84), "not a whole database of COLMAP"),
        (struct.pack("<Q", 3), "the format is not known"),
    ],
)
def test_other_files(tmp_path, content, message):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ValueError, match=rf"file: {message}"):
        pc.read_matches(tmp_path / "file")


def test_directories_without_a_text_model(tmp_path):
    with pytest.raises(ValueError, match=r"the directory holds no images\.txt of a COLMAP text model$"):
        pc.read_matches(tmp_path)
    (tmp_path / "images.bin").write_bytes(b"")
    with pytest.raises(ValueError, match=r"convert it with colmap model_converter --output_type TXT$"):
        pc.read_matches(tmp_path)


@pytest.mark.parametrize(
    ("path", "pair", "error", "message"),
    [
        (7, None, TypeError, "^path must be a str or an os.PathLike of str, it is int$"),
        ("a\0b", None, ValueError, "^path must have no null character"),
        ("missing", None, FileNotFoundError, "missing"),
        ("missing/images.txt", None, FileNotFoundError, "cameras.txt"),
        ("x", "ab", TypeError, r"^pair \(names of two images\) must be a pair, got 'ab'$"),
        ("x", (1, 2), TypeError, "^pair must be the names of two images, got int$"),
        ("x", ("a", "a"), ValueError, "^pair must be the names of two images, got 'a' twice$"),
    ],
)
def test_bad_arguments(path, pair, error, message):
    with pytest.raises(error, match=message):
        pc.read_matches(path, pair)


def test_a_pair_of_npz(tmp_path):
    path = write_npz(tmp_path / "m.npz", mkpts0=POINTS0, mkpts1=POINTS1)
    with pytest.raises(ValueError, match=r"a .npz archive holds one pair of images and takes no pair"):
        pc.read_matches(path, ("a", "b"))
