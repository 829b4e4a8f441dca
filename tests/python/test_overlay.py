"""Drawings of grid programs: what is where, and that any text is safe in them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from percepts.overlay import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"

HOSTILE = [
    "</svg><script>alert(1)</script>",
    'a" onload="alert(1)',
    "it's",
    "&amp; <b>",
    "]]>",
    "<!-- --",
    "no",
    "a\nb\tc",
    "\x00\x01\x1b[31m\x7f",
    "\ud800",
    "\ufffe\uffff",
    "\u2028\u202eright to left",
    "深度地图の名前はとても長い",
    "👩‍👩‍👧‍👦" * 20,
    "x" * 10_000,
    "",
]


def drawn(program: pc.Program, width: int = 640, height: int = 480, **options) -> ET.Element:
    return ET.fromstring(svg(program, width, height, **options))


def all_of(root: ET.Element, tag: str) -> list[ET.Element]:
    return list(root.iter(f"{NAMESPACE}{tag}"))


def patches(*readings, grid, relations=(), labels=None) -> pc.Program:
    labels = labels or [None] * len(readings)
    items = [pc.Item(p=p, c=[0, 0], r=r, b=b) for p, (r, b) in enumerate(zip(readings, labels, strict=True), start=1)]
    return pc.Program("heat", "patch", items, relations, grid)


def points(polygon: ET.Element) -> np.ndarray:
    return np.array([pair.split(",") for pair in polygon.get("points").split()], float)


def tip_and_middle(polygon: ET.Element) -> tuple[np.ndarray, np.ndarray]:
    """Tip of an arrow, and the point that it is drawn around."""
    outline = points(polygon)
    tip, tail = outline[3], (outline[0] + outline[-1]) / 2
    return tip, (tip + tail) / 2


def test_depth_texts_stand_in_their_cells():
    depth = np.linspace(0, 1, 480 * 640).reshape(480, 640)
    program = pc.depth(depth)
    root = drawn(program)
    texts = all_of(root, "text")
    assert [float(text.text) for text in texts] == [value for item in program.items for value in item.r]
    for k, text in enumerate(texts):
        row, column = divmod(k // 2, 10)
        assert float(text.get("x")) == 64 * column + 32
        assert 48 * row < float(text.get("y")) < 48 * (row + 1)


def test_text_is_readable_and_fits():
    program = pc.depth(np.random.default_rng(0).random((480, 640)))
    (group,) = [group for group in all_of(drawn(program), "g") if group.get("font-size")]
    size = float(group.get("font-size"))
    longest = max(len(text.text) for text in all_of(group, "text"))
    assert size >= 8
    assert longest * size * 0.62 < 64


def test_size_and_grid_lines():
    root = drawn(pc.depth(np.zeros((48, 64)), grid=(2, 4)), 641, 479)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("641", "479", "0 0 641 479")
    assert all_of(root, "path")[0].get("d") == "M160 0V479M320 0V479M480 0V479M0 239H641"


def test_arrows_lead_from_front_to_back_across_the_shared_edge():
    program = pc.depth([[1.0, 0.0], [0.5, 0.5]], grid=2)
    relations = [(relation.a, relation.b) for relation in program.relations]
    assert relations == [(1, 2), (1, 3), (4, 2)]
    arrows = [tip_and_middle(arrow) for arrow in all_of(drawn(program, 200, 100), "polygon")]
    assert [middle.tolist() for _, middle in arrows] == [[100, 25], [50, 50], [150, 50]]
    assert [np.sign(tip - middle).tolist() for tip, middle in arrows] == [[1, 0], [0, 1], [0, -1]]


@pytest.mark.parametrize(("word", "way"), [("left", [-1, 0]), ("right", [1, 0]), ("up", [0, -1]), ("down", [0, 1])])
def test_directions_are_arrows(word, way):
    root = drawn(patches(word, "unknown", grid=(1, 2)), 200, 100)
    (arrow,) = all_of(root, "polygon")
    tip, middle = tip_and_middle(arrow)
    assert middle.tolist() == [50, 50]
    assert np.sign(tip - middle).tolist() == way
    assert [text.text for text in all_of(root, "text")] == ["unknown"]


def test_flow_of_both_axes():
    field = np.zeros((4, 4, 2), np.float32)
    field[:, :2] = (-1, 3)
    assert len(all_of(drawn(pc.flow(field, grid=2, layout="hwc")), "polygon")) == 4
    vertical = drawn(pc.flow(field, grid=2, layout="hwc", axis="vertical"))
    assert {title.text.split("r: ")[1] for title in all_of(vertical, "title")} == {"down"}


def test_titles_tell_the_whole_item():
    root = drawn(patches(0.125, 2, grid=(1, 2), labels=["a label that is too long to draw", None]))
    assert [title.text for title in all_of(root, "title")] == [
        "p: 1, c: [0, 0], r: 0.125, b: a label that is too long to draw",
        "p: 2, c: [0, 0], r: 2",
    ]
    assert [text.text for text in all_of(root, "text")] == ["0.125", "a label tha…", "2"]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_safe(text):
    relations = [pc.Relation(1, text, 2), pc.Relation(1, "in_front_of", 2)]
    program = patches(0.5, text, grid=(1, 2), labels=[text, text], relations=relations)
    root = drawn(program)
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= {
        "svg", "g", "path", "rect", "title", "text", "polygon"
    }  # fmt: skip
    assert not any(name.startswith("on") for element in root.iter() for name in element.keys())  # noqa: SIM118
    assert len(all_of(root, "polygon")) == 1
    assert all(len(text.text or "") <= 60 for text in all_of(root, "text"))


@given(reading=st.text(), label=st.text())
def test_any_text_gives_well_formed_xml(reading, label):
    assert len(all_of(drawn(patches(reading, grid=1, labels=[label])), "title")) == 1


@pytest.mark.parametrize("text", ["</svg>", 'a" b', "it's", "&amp;"])
def test_text_is_drawn_as_it_is(text):
    assert [element.text for element in all_of(drawn(patches(text, grid=1)), "text")] == [text]


def test_what_xml_cannot_hold_is_replaced():
    assert [element.text for element in all_of(drawn(patches("a\x00\x1b\ufffe", grid=1)), "text")] == [
        "a\ufffd\ufffd\ufffd"
    ]


def test_names_as_ids():
    items = [pc.Item(p="near", r=1), pc.Item(p="far", r=0)]
    program = pc.Program("heat", "patch", items, [pc.Relation("near", "in_front_of", "far")], (1, 2))
    assert len(all_of(drawn(program), "polygon")) == 1


def test_relations_between_what_is_not_there_are_left_out():
    relations = [pc.Relation(1, "in_front_of", 9), pc.Relation(1, "in_front_of", 1)]
    assert all_of(drawn(patches(1, 2, grid=(1, 2), relations=relations)), "polygon") == []


def test_background_lies_under_everything():
    root = drawn(pc.depth(np.zeros((10, 10))), 10, 10, background='<image href="room.png"/>')
    assert root[0].tag == f"{NAMESPACE}image"


def test_a_fine_grid_leaves_the_text_out():
    root = drawn(pc.depth(np.zeros((480, 640)), grid=96))
    assert all_of(root, "text") == []
    assert len(all_of(root, "title")) == 96 * 96


def test_several_drawings_fit_one_page():
    assert " id=" not in svg(pc.depth(np.eye(10)), 10, 10)


@pytest.mark.parametrize(
    "program",
    [
        pc.Program("point-detection", "pixels", [pc.Item(c=[1, 2], b="cup")]),
        pc.Program("similarity", "patch", [pc.Item(p=p, c="A", r=0.5) for p in range(1, 4)], grid=(1, 2)),
    ],
)
def test_other_programs_are_refused(program):
    with pytest.raises(ValueError, match="one item per cell of its grid, got <Program"):
        svg(program, 640, 480)


@pytest.mark.parametrize("size", [(9, 480), (640, 9), (0, 0), (-640, 480)])
def test_an_image_smaller_than_the_grid_is_refused(size):
    with pytest.raises(ValueError, match="width and height must be at least 10x10"):
        svg(pc.depth(np.zeros((10, 10))), *size)


def test_a_size_is_whole():
    with pytest.raises(TypeError):
        svg(pc.depth(np.zeros((10, 10))), 640.5, 480)


def test_an_enlarged_drawing_keeps_the_cells_of_the_image():
    program = pc.depth(np.zeros((4, 8)), grid=3)
    root = drawn(program, 8, 4, scale=10)
    assert (root.get("width"), root.get("height")) == ("80", "40")
    assert all_of(root, "path")[0].get("d") == "M20 0V40M50 0V40M0 10H80M0 20H80"


def test_a_drawing_is_not_made_smaller():
    with pytest.raises(ValueError, match="scale must be at least 1, got 0"):
        svg(pc.depth(np.zeros((10, 10))), 10, 10, scale=0)
