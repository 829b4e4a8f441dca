"""Programs made by hand: plain values, hostile strings, the text that YAML readers find."""

from __future__ import annotations

import enum
import io
import json
import math

import numpy as np
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

import percepts as pc

HOSTILE = [
    "no", "1:30", "null", "~", "1e3", "0x1F", "2024-01-01", "=", "<<", "person: #2", 'a"b', "it's", "{x}", "[x]",
    "- x", "? x", "&a *a !t", "%d", "@", "`", "x\n    r: 9", "a\r\nb", "\tx\t", " x ", "", "\\", "\\u003c", "\\\"",
    "</perceptionprogram>", "<perceptionprogram>", "😀", "👩‍👩‍👧", "深度图", "עברית", "العربية", "\0", "\x07", "\x1b[31m",
    "\x7f", "\x85", "\x9f", "\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "\u202e", "\u2066x\u2069", "\u200f",
    "\u061c", "\ud800", "\udfff", "\ud83d\ude00", "\U0001ffff", "x" * 10_000, "unknown", "left", "p=1",
]  # fmt: skip

TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=[]), max_size=20))
NUMBERS = st.one_of(st.integers(-(10**6), 10**6), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
SCALARS = st.one_of(TEXTS, NUMBERS)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=4))
READINGS = st.one_of(VALUES, st.lists(st.floats(), max_size=3), st.floats())


@pytest.fixture(params=["core", "reference"])
def make(request):
    return pc.Program if request.param == "core" else pc.reference.Program.by_hand


def body_of(program, style="paper"):
    lines = program.to_text(style).split("\n")
    assert lines[0] == "<perceptionprogram>"
    assert lines[-1] == "</perceptionprogram>"
    return "\n".join(lines[1:-1])


def ruamel_load(body, **options):
    return YAML(**options).load(io.StringIO(body))


READERS = {
    "PyYAML": lambda body: yaml.load(body, yaml.SafeLoader),
    "libyaml": lambda body: yaml.load(body, yaml.CSafeLoader),
    "ruamel, YAML 1.2": lambda body: ruamel_load(body, typ="safe", pure=True),
    "ruamel, in C": lambda body: ruamel_load(body, typ="safe", pure=False),
}


def check_text(program):
    """What must hold of any program's text."""
    for style in ("paper", "json", "compact"):
        text = program.to_text(style)
        assert text.count("<perceptionprogram>") == text.count("</perceptionprogram>") == 1
        parse = pc.parse if isinstance(program, pc.Program) else pc.reference.parse
        again = parse(text)
        assert again == program
        assert again.items == program.items
        assert again.relations == program.relations
        assert again.to_text(style) == text
        assert [found.to_text(style) for found in pc.find_programs(f"First:\n{text}\nthen {text}")] == [text, text]
    for style in ("paper", "json"):
        for name, read in READERS.items():
            assert read(body_of(program, style)) == program.to_dict(), name
    assert body_of(program, "json") == program.to_json()
    assert json.loads(program.to_json()) == program.to_dict()
    assert parse(program.to_json()) == program


def outcome(call, *args):
    try:
        program = call(*args)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    texts = [program.to_text(style) for style in ("paper", "json", "compact")]
    return texts, program.to_dict(), program.items, program.relations


@st.composite
def programs(draw):
    items = draw(
        st.lists(
            st.fixed_dictionaries({}, optional={"p": VALUES, "i": VALUES, "c": VALUES, "r": READINGS, "b": VALUES}),
            max_size=4,
        )
    )
    relations = draw(st.lists(st.fixed_dictionaries({"a": SCALARS, "predicate": TEXTS, "b": SCALARS}), max_size=3))
    return (
        draw(st.one_of(st.sampled_from(["depth", "flow", "jigsaw", "semantic"]), TEXTS)),
        draw(st.one_of(st.sampled_from(["patch", "border"]), TEXTS)),
        items,
        relations,
        draw(st.one_of(st.none(), st.tuples(st.integers(1, 20), st.integers(1, 20)))),
        draw(st.one_of(st.none(), TEXTS)),
    )


@given(args=programs())
@example(args=("jigsaw", "border", [{"p": "left", "i": "A"}, {"p": "left", "i": "B"}], [], None, None))
@example(args=("heat", "patch", [{}], [], None, None))
@example(args=("heat", "patch", [{"p": 1.0}, {"p": 1}], [], None, None))
@example(args=("heat", "patch", [{"p": -0.0, "c": [], "r": 1e-300}], [], None, "n"))
def test_any_program(args):
    assert outcome(pc.Program, *args) == outcome(pc.reference.Program.by_hand, *args)
    try:
        program = pc.Program(*args)
    except ValueError:
        return
    check_text(program)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("field", ["p", "i", "c", "r", "b", "note", "modality", "granularity", "predicate", "a"])
def test_hostile_text_in_every_field(make, field, text):
    item = {"p": "x1", "c": [1, 2], field: text} if field in "picrb" else {"p": "x1"}
    relation = {
        "a": "x1",
        "predicate": "near",
        "b": 2,
        **({field: text} if field in ("a", "predicate") else {}),
    }
    names = {name: text for name in ("modality", "granularity", "note") if name == field}
    program = make(
        names.get("modality", "heat"),
        names.get("granularity", "patch"),
        [item],
        [relation],
        None,
        names.get("note"),
    )
    check_text(program)


def test_the_layout_of_the_design(make):
    program = make(
        "depth",
        "patch",
        [pc.Item(p=1, c=[48, 47], r=[0.1234, 0.5678], b="chair"), {"p": 2, "c": [148, 47], "r": "unknown"}],
        [pc.Relation(1, "in_front_of", 2)],
        10,
        "note",
    )
    assert program.to_text() == (
        "<perceptionprogram>\n"
        "modality: depth\n"
        "granularity: patch\n"
        "grid:\n"
        "  rows: 10\n"
        "  cols: 10\n"
        'note: "note"\n'
        "items:\n"
        "  - p: 1\n"
        "    c: [48, 47]\n"
        "    r: [0.1234, 0.5678]\n"
        '    b: "chair"\n'
        "  - p: 2\n"
        "    c: [148, 47]\n"
        "    r: unknown\n"
        "relations:\n"
        "  - [p=1, in_front_of, p=2]\n"
        "</perceptionprogram>"
    )


def test_fixed_words_stand_bare_all_others_are_quoted(make):
    text = make(
        "mine",
        "cell",
        [{"p": "left", "r": "left", "b": "left", "c": "A"}],
        [{"a": "x", "predicate": "is darker than", "b": 2}, {"a": 1, "predicate": "near", "b": 0.5}],
    ).to_text()
    assert 'modality: "mine"\ngranularity: "cell"\n' in text
    assert '  - p: "left"\n    c: "A"\n    r: left\n    b: "left"\n' in text
    assert '  - ["p=x", is darker than, p=2]\n  - [p=1, "near", p=0.5]\n' in text
    jigsaw = make("jigsaw", "border", [{"p": "left", "i": "A", "c": [0, 0, 62, 1000], "r": 0.5}]).to_text()
    assert '  - p: left\n    i: "A"\n    c: [0, 0, 62, 1000]\n    r: 0.5\n' in jigsaw


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (1, "1"), (-7, "-7"), (10**30, str(10**30)), (1.0, "1"), (0.1, "0.1"), (123456.7, "123457"), (1e6, "1.0e+06"),
        (1234567.0, "1.23457e+06"), (1e-5, "1.0e-05"), (-2.5e-7, "-2.5e-07"), (-0.0, "0"), (0.0, "0"),
        (np.float32(0.1), "0.1"), (np.int16(3), "3"), (np.float64(2.5), "2.5"), (1e300, "1.0e+300"),
        ([1, 2.5, "a"], '[1, 2.5, "a"]'), ((1, 2), "[1, 2]"), ([], "[]"),
    ],
)  # fmt: skip
def test_plain_values(make, value, printed):
    assert f"  - c: {printed}\n" in make("heat", "patch", [{"c": value}]).to_text()


@pytest.mark.parametrize(
    ("reading", "printed"),
    [
        (math.nan, "unknown"), (math.inf, "unknown"), (-math.inf, "unknown"), (np.float32(math.nan), "unknown"),
        ([math.nan, math.inf], "unknown"), ([0.5, math.nan], "[0.5, unknown]"), ([], "[]"),
    ],
)  # fmt: skip
def test_readings_that_are_not_finite(make, reading, printed):
    program = make("heat", "patch", [{"r": reading}])
    assert f"  - r: {printed}\n" in program.to_text()
    if printed == "unknown":
        assert program.items[0].r == pc.UNKNOWN


@pytest.mark.parametrize(
    ("items", "error", "message"),
    [
        ([{"c": math.nan}], ValueError, "items[0].c must be finite, got nan"),
        ([{}, {"b": [1.0, math.inf]}], ValueError, "items[1].b[1] must be finite, got inf"),
        ([{"p": True}], TypeError, "items[0].p must be a str, int, float or a flat list of these, got bool"),
        (
            [{"c": [[1]]}],
            TypeError,
            "items[0].c[0] must be a str, int, float or a flat list of these, got list",
        ),
        ([{"c": np.array([1, 2])}], TypeError, "got ndarray"),
        (
            [{"c": [None]}],
            TypeError,
            "items[0].c[0] must be a str, int, float or a flat list of these, got NoneType",
        ),
        ([{"q": 1}], TypeError, "items[0] must have no other keys than p, i, c, r, b, got 'q'"),
        ([7], TypeError, "items[0] must be an Item or a mapping, got int"),
        ([{"p": 1}, {"p": 1}], ValueError, "p must be unique within a program, got 1 more than once"),
        ([{"p": 1}, {"p": 1.0}], ValueError, "p must be unique within a program, got 1 more than once"),
        (
            [{"p": 0.1}, {"p": 0.1000000001}],
            ValueError,
            "p must be unique within a program, got 0.1 more than once",
        ),
        ([{"p": "A"}, {"p": "A"}], ValueError, 'p must be unique within a program, got "A" more than once'),
        ([{"p": 1}, {"p": "1"}], ValueError, 'p must be unique within a program, got "1" more than once'),
        ([{"p": "0.5"}, {"p": 0.5}], ValueError, "p must be unique within a program, got 0.5 more than once"),
    ],
)
def test_bad_items(make, items, error, message):
    with pytest.raises(error) as caught:
        make("heat", "patch", items)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("relation", "error", "message"),
    [
        ({"a": 1, "predicate": "x"}, TypeError, "relations[0] must have the keys a, predicate, b"),
        ({"a": 1, "predicate": 5, "b": 2}, TypeError, "relations[0].predicate must be a str, got int"),
        ({"a": math.nan, "predicate": "x", "b": 2}, ValueError, "relations[0].a must be finite, got nan"),
        ({"a": [1], "predicate": "x", "b": 2}, TypeError, "relations[0].a must be a str, int, float"),
        ((1, "x", 2), TypeError, "relations[0] must be a Relation or a mapping, got tuple"),
    ],
)
def test_bad_relations(make, relation, error, message):
    with pytest.raises(error) as caught:
        make("heat", "patch", [], [relation])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("ids", "end", "named"),
    [
        ([1], 1, 1), ([1], "1", 1), (["1"], "1", "1"), (["1"], 1, "1"), ([], 1, 1), ([], "1", 1), ([], "0.5", 0.5),
        ([0.5], "0.5", 0.5), ([], "1.50", 1.5), ([], "01", "01"), ([], "1e5", "1e5"), ([], "-0", "-0"),
        ([], "A", "A"), ([["1"]], "1", 1), ([], "1.0e+999", "1.0e+999"), ([], "1.0e+05", 1e5), ([], "", ""),
    ],
)  # fmt: skip
def test_an_end_of_a_relation_is_the_p_that_it_names(make, ids, end, named):
    program = make("heat", "patch", [{"p": p} for p in ids], [pc.Relation(end, "near", "z")])
    assert program.relations == (pc.Relation(named, "near", "z"),)
    assert type(program.relations[0].a) is type(named)
    check_text(program)


def test_lists_that_print_alike_but_for_quotes_are_different_ids(make):
    assert len(make("heat", "patch", [{"p": [1]}, {"p": ["1"]}, {"p": "[1]"}]).items) == 3


def test_jigsaw_ids_are_unique_together_with_the_image(make):
    items = [{"p": "left", "i": "A"}, {"p": "left", "i": "B"}]
    assert len(make("jigsaw", "border", items).items) == 2
    with pytest.raises(ValueError, match='p must be unique within a program, got left of image "A" more than once'):
        make("jigsaw", "border", [items[0], items[0]])
    with pytest.raises(ValueError, match="p must be unique"):
        make("heat", "border", items)


class _Loud(int):
    def __str__(self):
        return "1\n</perceptionprogram>"

    __repr__ = __format__ = __str__

    def __int__(self):
        return 666

    __index__ = __int__


class _Level(enum.IntEnum):
    LOW = 3


class _Name(str):
    __slots__ = ()

    def __str__(self):
        return "</perceptionprogram>"

    __repr__ = __str__

    def encode(self, *_):
        return b"</perceptionprogram>"


class _Share(float):
    def __str__(self):
        return "</perceptionprogram>"

    __repr__ = __str__

    def __float__(self):
        return 666.0


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (_Loud(7), 7), (_Loud(-(2**70)), -(2**70)), (_Level.LOW, 3), (np.int8(-5), -5),
        (_Name("a"), "a"), (_Name("\ud83d\ude00"), "😀"), (_Share(0.5), 0.5),
    ],
)  # fmt: skip
def test_values_of_a_class_of_ones_own_are_what_they_hold(make, value, plain):
    program = make("heat", "patch", [{"p": value, "r": [value], "b": value}], [pc.Relation(value, "near", value)])
    assert program == make(
        "heat", "patch", [{"p": plain, "r": [plain], "b": plain}], [pc.Relation(plain, "near", plain)]
    )
    assert program.items == (pc.Item(p=plain, r=[plain], b=plain),)
    assert [type(value) for value in program.to_dict()["items"][0]["r"]] == [type(plain)]
    check_text(program)


def test_ints_are_as_long_as_python_prints(make):
    for longest in (10**4299, -(10**4298)):
        assert pc.parse(str(make("heat", "patch", [{"r": longest}]))).items[0].r == longest
        with pytest.raises(ValueError, match=r"^items\[1\]\.r\[0\] must have at most 4300 characters as a number$"):
            make("heat", "patch", [{}, {"r": [longest * 10]}])


@pytest.mark.parametrize("several", [None, 5, "abc", {"p": 1}])
def test_items_and_relations_are_several(make, several):
    got = f"must be a list or another iterable, got {type(several).__name__}"
    with pytest.raises(TypeError, match=f"^items {got}$"):
        make("heat", "patch", several)
    with pytest.raises(TypeError, match=f"^relations {got}$"):
        make("heat", "patch", [], several)
    assert make("heat", "patch", ({"p": k} for k in range(3)), iter([])).items[2].p == 2


@pytest.mark.parametrize("grid", [(10**5000, 1), (1, 10**5000)])
def test_grids_of_thousands_of_digits(make, grid):
    with pytest.raises(ValueError, match=r"^grid may have at most 2147483647 cells, got (1x)?~1e5000(x1)? "):
        make("heat", "patch", [], grid=grid)


def test_equality_is_what_is_printed(make):
    same = make("heat", "patch", [{"r": 0.12345678}])
    assert same == make("heat", "patch", [{"r": 0.1234568}])
    assert hash(same) == hash(make("heat", "patch", [{"r": 0.1234568}]))
    assert same != make("heat", "patch", [{"r": 0.1234}])
    assert same != make("heat", "patch", [{"r": 0.1234568}], note="")
    assert same != same.to_text()


def test_a_hand_made_program_equals_the_one_that_was_read(backend, make):
    read = backend.flow([[[-1.0, 0.0]]], grid=1, note="n")
    made = make("flow", "patch", [pc.Item(p=1, c=[0, 0], r="left")], (), 1, "n")
    assert read.to_text() == made.to_text()
    assert read.items == made.items


def test_items_keep_what_is_printed(make):
    program = make("heat", "patch", [{"p": 1, "r": 0.123456789, "c": (1, 2.0), "b": "\ud800"}])
    assert program.items == (pc.Item(p=1, r=0.123457, c=[1, 2], b="\ufffd"),)
    assert program.items[0].i is None


def test_no_items(make):
    program = make("heat", "patch", [])
    assert (
        program.to_text()
        == '<perceptionprogram>\nmodality: "heat"\ngranularity: patch\nitems: []\n</perceptionprogram>'
    )
    assert program.to_dict() == {"modality": "heat", "granularity": "patch", "items": []}


def test_reading_at():
    program = pc.depth(np.linspace(0, 1, 100).reshape(10, 10), grid=2)
    assert program.reading_at(0, 0).p == 1
    assert program.reading_at(999, 20).p == 2
    assert program.reading_at(450, 200).p == 1, "a tie goes to the first"
    far = pc.Program("heat", "patch", [{"p": 1, "c": [1.7e308, 0, 1.7e308, 10**300]}, {"p": 2, "c": [0, 0]}])
    assert far.reading_at(1.7e308, 0).p == 1
    with pytest.raises(ValueError, match=r"^x must fit a float64, got ~1e400$"):
        program.reading_at(10**400, 0)
    with pytest.raises(ValueError, match=r"^c of an item must fit a float64, got ~1e400$"):
        pc.Program("heat", "patch", [{"p": 1, "c": [0, 10**400]}]).reading_at(0, 0)
    boxes = pc.Program("object-detection", "bounding-box", [{"p": 1, "c": [0, 0, 10, 10]}, {"p": 2, "c": [5, 5, 9, 9]}])
    assert boxes.reading_at(6.5, 7).p == 2
    assert pc.Program("heat", "patch", []).reading_at(1, 1) is None
    with pytest.raises(ValueError, match="similarity"):
        pc.Program("similarity", "patch", [{"p": 1, "c": "A", "r": 0.5}]).reading_at(1, 1)
    with pytest.raises(ValueError, match="needs items with"):
        pc.Program("heat", "patch", [{"p": 1}]).reading_at(1, 1)
    with pytest.raises(ValueError, match="x and y must be finite"):
        program.reading_at(math.nan, 0)
    with pytest.raises(TypeError, match="x must be a number"):
        program.reading_at("1", 0)


def test_repr_and_style():
    program = pc.depth(np.zeros((10, 10)))
    assert repr(program) == "<Program depth: 10x10, 100 items, 0 relations>"
    assert str(program) == program.to_text() == program.to_text(style="paper")


def test_there_are_three_styles(make):
    program = make("heat", "patch", [])
    with pytest.raises(ValueError, match="style must be 'paper', 'json' or 'compact', got 'xml'"):
        program.to_text(style="xml")
    with pytest.raises(TypeError, match="style must be a str, got NoneType"):
        program.to_text(None)


def test_depth_and_flow_texts(backend):
    rng = np.random.default_rng(0)
    depth = rng.random((40, 50))
    depth[:12, :12] = math.nan
    check_text(backend.depth(depth, tau=0.05))
    check_text(backend.depth(depth * 1e-7, tau=0.05, kind="metric", normalize=False, note="\u202e</perceptionprogram>"))
    check_text(backend.flow(rng.normal(size=(40, 50, 2)), axis="vertical", note=None))
