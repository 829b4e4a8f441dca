"""The style compact: what it leaves out, what it keeps, and what its parser refuses (docs/compact.md)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import percepts as pc
from blocks import CLOSING, IMPLEMENTATIONS, OPENING, block, for_every_implementation, message
from mutations import PROGRAMS, check_verdicts, damaged
from test_program import NUMBERS, SCALARS, TEXTS, VALUES, check_text

FIRST = "compact depth patch"
VALUE = "must be a number, a word or a double-quoted string, or several with commas between them"
NUMBER = "must be a number such as 12, -0.5 or 1.0e-05, or in double quotes"
QUOTED = "must be in double quotes, since YAML has another meaning for this word"
LEGEND = "a line of relations must start with a symbol (>, = or ~) and its predicate, each symbol once, and : behind the last"
PAIR = "a relation must be two ends with a symbol of its line between them"
ROWS = "a line must be y= and a number before the items of each row, and only there"
COLUMNS = "a line must have only p, i, c, r, b, p=1..N for p, and x=X,X for c behind items:, none twice"


@pytest.fixture(params=["core", "reference"])
def make(request):
    return pc.Program if request.param == "core" else pc.reference.Program.by_hand


def lines_of(program) -> list[str]:
    lines = program.to_text("compact").split("\n")
    assert lines[0] == OPENING
    assert lines[-1] == CLOSING
    check_text(program)
    return lines[1:-1]


class TestLayout:
    def test_a_grid(self, backend):
        program = backend.depth([[0.0, 0.25, 0.5], [0.75, 1.0, 0.5]], grid=(2, 3), note="n", tau=0.45)
        assert lines_of(program) == [
            "compact depth patch 2x3",
            'note "n"',
            "items: p=1..6 x=0,333,666 r",
            "y=0",
            "0,0",
            ".25,.25",
            ".5,.5",
            "y=500",
            ".75,.75",
            "1,1",
            ".5,.5",
            "> in_front_of: 4>1 5>2 5>6",
        ]

    def test_words_without_a_grid(self, make):
        items = [
            {"p": 1, "c": [10, 20], "b": "chair"},
            {"p": 2, "c": [30, 40], "b": "dining table"},
            {"p": 3, "c": [5, 6]},
        ]
        assert lines_of(make("object-detection", "bounding-box", items)) == [
            "compact object-detection bounding-box",
            "items: p=1..3 c b",
            "10,20 chair",
            '30,40 "dining table"',
            "5,6 -",
        ]

    def test_names_as_ids(self, make):
        items = [{"p": "left", "i": "A", "c": [0, 0, 62, 1000], "r": 0.5}, {"p": "top", "i": "A", "r": -0.25}]
        assert lines_of(make("jigsaw", "border", items)) == [
            "compact jigsaw border",
            "items: p i c r",
            "left A 0,0,62,1000 .5",
            "top A - -.25",
        ]

    @pytest.mark.parametrize(
        ("value", "printed"),
        [
            ([], "[]"), ([1], "[1]"), (["a"], "[a]"), (["-", 0.5], '"-",.5'), (0.0, "0"), (1e-5, "1.0e-05"),
            (-0.5, "-.5"), (0.5, ".5"), (10.5, "10.5"), ("-", '"-"'), ("0.5", '"0.5"'), ("no", '"no"'), ("N", '"N"'),
            ("nan", '"nan"'), ("a-b_c9", "a-b_c9"), ("9a", '"9a"'), ("a b", '"a b"'), ("é", '"é"'), ("", '""'),
            ("y=1", '"y=1"'), ("a,b", '"a,b"'), ("a>b", '"a>b"'), ("<", '"\\u003C"'), ("note", "note"),
            ("relations", "relations"),
        ],
    )  # fmt: skip
    def test_values(self, make, value, printed):
        assert lines_of(make("heat", "patch", [{"b": value}])) == ["compact heat patch", "items: b", printed]

    @pytest.mark.parametrize(
        ("items", "lines"),
        [
            ([], ["items:"]),
            ([{}], ["items: p", "-"]),
            ([{}, {}], ["items: p", "-", "-"]),
            ([{"p": 1}, {"p": 2}], ["items: p", "1", "2"]),
            ([{"p": 1, "r": 5}, {"p": 2}], ["items: p=1..2 r", "5", "-"]),
            ([{"p": 1, "r": 5}, {"p": 3}], ["items: p r", "1 5", "3 -"]),
            ([{"p": 1, "r": 5}, {"r": 6}], ["items: p r", "1 5", "- 6"]),
            ([{"p": 1, "r": 5}, {"p": "2"}], ["items: p r", "1 5", '"2" -']),
            ([{"p": [1], "r": 5}], ["items: p r", "[1] 5"]),
            ([{"r": 5}, {"b": "x"}], ["items: r b", "5 -", "- x"]),
        ],
    )
    def test_ids_that_count_are_said_once(self, make, items, lines):
        assert lines_of(make("heat", "patch", items)) == ["compact heat patch", *lines]

    @pytest.mark.parametrize(
        ("grid", "centers", "lines"),
        [
            ((2, 2), [[0, 0], [5, 0], [0, 9], [5, 9]], ["items: x=0,5 r", "y=0", "7", "7", "y=9", "7", "7"]),
            ((1, 2), [[0.5, 0.25], [5, 0.25]], ["items: x=.5,5 r", "y=.25", "7", "7"]),
            ((1, 2), [[0, 0], [5, 1]], ["items: c r", "0,0 7", "5,1 7"]),
            ((2, 1), [[0, 0], [0, 5]], ["items: c r", "0,0 7", "0,5 7"]),
            ((2, 2), [[0, 0], [5, 0]], ["items: c r", "0,0 7", "5,0 7"]),
            ((1, 2), [["A", 0], [5, 0]], ["items: c r", "A,0 7", "5,0 7"]),
            ((1, 2), [[0, 0, 0], [5, 0, 0]], ["items: c r", "0,0,0 7", "5,0,0 7"]),
            ((1, 2), [0, 5], ["items: c r", "0 7", "5 7"]),
            ((1, 2), [None, [5, 0]], ["items: c r", "- 7", "5,0 7"]),
            (None, [[0, 0], [5, 0]], ["items: c r", "0,0 7", "5,0 7"]),
        ],
    )
    def test_centres_on_a_lattice_are_said_by_column_and_row(self, make, grid, centers, lines):
        program = make("heat", "patch", [{"c": c, "r": 7} for c in centers], (), grid)
        assert lines_of(program)[1:] == lines

    def test_centres_stay_where_nothing_else_is_left_for_the_lines(self, make):
        program = make("heat", "patch", [{"p": 1, "c": [0, 0]}, {"p": 2, "c": [5, 0]}], (), (1, 2))
        assert lines_of(program)[1:] == ["items: p=1..2 c", "0,0", "5,0"]

    @pytest.mark.parametrize(
        ("predicates", "lines"),
        [
            (["near", "near"], ["> near: 1>2 1>2"]),
            (["is darker than", "about the same as"], ["> is darker than, = about the same as: 1>2 1=2"]),
            (["about the same as", "is darker than"], ["= about the same as, > is darker than: 1=2 1>2"]),
            (["a", "b", "about the same as"], ["> a, = b, ~ about the same as: 1>2 1=2 1~2"]),
            (["a", "b", "a", "c", "d", "a"], ["> a, = b, ~ c: 1>2 1=2 1>2 1~2", "> d, = a: 1>2 1=2"]),
            (["no", "a: b, c", ""], ['> "no", = "a: b, c", ~ "": 1>2 1=2 1~2']),
        ],
    )
    def test_relations(self, make, predicates, lines):
        program = make("heat", "patch", [], [pc.Relation(1, predicate, 2) for predicate in predicates])
        assert lines_of(program)[2:] == lines

    def test_ends_of_relations(self, make):
        relations = [pc.Relation("A", "near", "a b"), pc.Relation(0.5, "near", "1"), pc.Relation("x>y", "near", -0.5)]
        program = make("heat", "patch", [{"p": "1"}], relations)
        assert lines_of(program)[1:] == ["items: p", '"1"', '> near: A>"a b" .5>"1" "x>y">-.5']


@st.composite
def grids(draw):
    """Programs whose centres lie on a lattice, or almost."""
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    xs, ys = (draw(st.lists(st.one_of(NUMBERS, SCALARS), min_size=n, max_size=n)) for n in (cols, rows))
    items = [{"p": k + 1, "c": [xs[k % cols], ys[k // cols]]} for k in range(rows * cols)]
    for item in items:
        item.update(draw(st.fixed_dictionaries({}, optional={"r": VALUES, "b": VALUES})))
    if draw(st.booleans()):
        items[draw(st.integers(0, len(items) - 1))].update(
            draw(st.fixed_dictionaries({}, optional={"p": TEXTS, "c": st.lists(NUMBERS, max_size=3)}))
        )
    return "heat", "patch", items, (), draw(st.sampled_from([(rows, cols), (cols, rows), None])), None


@given(args=grids())
def test_grids_of_any_values(args):
    try:
        program = pc.Program(*args)
    except ValueError:
        return
    assert program.to_text("compact") == pc.reference.Program.by_hand(*args).to_text("compact")
    check_text(program)


@given(text=damaged("compact"))
def test_damaged_texts(text):
    check_verdicts(pc, IMPLEMENTATIONS["reference"], text)


@pytest.mark.parametrize("program", [PROGRAMS[0], PROGRAMS[1], pc.depth([[0.5] * 40] * 30)])
def test_it_is_the_shortest(program):
    assert len(program.to_text("compact")) < len(program.to_text("json")) < len(program.to_text())
    assert len(program.to_text("compact")) < len(json.dumps(program.to_dict(), separators=(",", ":")))


@for_every_implementation
class TestRead:
    def test_more_than_is_printed(self, implementation):
        text = block(
            "  compact depth  patch 1x2",
            "",
            '  note  "n"\t',
            "  items:  r  p=1..2   x=0.5,10",
            "  y=-.5",
            "  [0.25,1]",
            '  "unknown"  ',
            "  ~ near,>  x y:   1~2  2>1",
            "  = near: 2=1",
        ).replace("\n", "\r\n")
        assert implementation.parse(text).to_text() == block(
            "modality: depth",
            "granularity: patch",
            "grid:",
            "  rows: 1",
            "  cols: 2",
            'note: "n"',
            "items:",
            "  - p: 1",
            "    c: [0.5, -0.5]",
            "    r: [0.25, 1]",
            "  - p: 2",
            "    c: [10, -0.5]",
            "    r: unknown",
            "relations:",
            '  - [p=1, "near", p=2]',
            '  - [p=2, "x y", p=1]',
            '  - [p=2, "near", p=1]',
        )

    def test_in_prose(self, implementation):
        text = PROGRAMS[0].to_text("compact")
        assert [p.to_text("compact") for p in implementation.find_programs(f"So {text} and {text}.")] == [text, text]


@for_every_implementation
@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], "line 3: a line must not end the program before items:, got '</perceptionprogram>'"),
        (["x"], "line 3: a line must be items: and the names of its columns, got 'x'"),
        (["items"], "line 3: a line must be items: and the names of its columns, got 'items'"),
        (["items:r"], "line 3: a line must be items: and the names of its columns, got 'items:r'"),
        (["note x"], "line 3: note must be a double-quoted string, got 'x'"),
        (['note "a"'], "line 4: a line must not end the program before items:, got '</perceptionprogram>'"),
        (["items: q"], f"line 3: {COLUMNS}, got 'q'"),
        (["items: r r"], f"line 3: {COLUMNS}, got 'r'"),
        (["items: p p=1..2 r"], f"line 3: {COLUMNS}, got 'p=1..2'"),
        (["items: x=1,2 c r"], f"line 3: {COLUMNS}, got 'c'"),
        (["items: p=1..0 r"], "line 3: p must be a whole number from 1 to 2147483647, got '0'"),
        (["items: p=1.."], "line 3: p must be a whole number from 1 to 2147483647, got ''"),
        (["items: x=1,a r"], f"line 3: x {NUMBER}, got 'a'"),
        (["items: x= r"], f"line 3: x {NUMBER}, got ''"),
        (["items: p=1..2"], "line 3: a line must have a column with values on the lines below, got 'items: p=1..2'"),
        (["items:", "5"], "line 4: a line must not be an item, got '5'"),
        (["items: r", " 5"], "line 4: a line must not be indented in its program, got ' 5'"),
        (["items: r b", "5"], "line 4: a line must have values for r, b, got '5'"),
        (["items: r b", "5 6 7"], "line 4: a line must have values for r, b, got '5 6 7'"),
        (["items: r", "--"], f"line 4: r {NUMBER}, got '--'"),
        (["items: r", "5x"], f"line 4: r {NUMBER}, got '5x'"),
        (["items: r", "5,"], f"line 4: r {VALUE}, got ''"),
        (["items: r", "5,,6"], f"line 4: r {VALUE}, got ''"),
        (["items: r", "5, 6"], f"line 4: r {VALUE}, got ''"),
        (["items: r", "no"], f"line 4: r {QUOTED}, got 'no'"),
        (["items: r", "nan"], f"line 4: r {QUOTED}, got 'nan'"),
        (["items: r", "a>b"], f"line 4: r {VALUE}, got '>b'"),
        (["items: r", "[5"], "line 4: r must be one flat list that ends with ], got ''"),
        (["items: r", "[5]6"], f"line 4: r {VALUE}, got '6'"),
        (["items: r", "[[5]]"], f"line 4: r {VALUE}, got '[5'"),
        (["items: r", '"a'], "line 4: r must end with a double quote, got '\"a'"),
        (
            ["items: r", '"a"b'],
            "line 4: r must be one double-quoted string with the quotes inside it escaped, got '\"a\"b'",
        ),
        (["items: r", "y=1"], f"line 4: {ROWS}, got 'y=1'"),
        (["items: x=1,2 r", "5"], f"line 4: {ROWS}, got '5'"),
        (["items: x=1,2 r", "y=a"], f"line 4: y {NUMBER}, got 'a'"),
        (["items: x=1,2 r", "y=1", "5", "y=2"], f"line 6: {ROWS}, got 'y=2'"),
        (["items: x=1,2 r", "y=1", "5", "6", "7"], f"line 7: {ROWS}, got '7'"),
        (
            ["items: x=1,2 r", "y=1", "5"],
            "line 6: a line must come behind the 2 items of a row, got '</perceptionprogram>'",
        ),
        (["items: p=1..2 r", "5"], "line 5: a line must come behind 2 items, not 1, got '</perceptionprogram>'"),
        (
            ["items: p=1..1 r", "5", "6", "> a: 1>2"],
            "line 6: a line must come behind 1 items, not 2, got '> a: 1>2'",
        ),
        (["items:", "> a 1>2"], "line 4: a predicate must be a double-quoted string or a bare word, got 'a 1>2'"),
        (["items:", "> a"], f"line 4: {LEGEND}, got ''"),
        (["items:", "> a, > b: 1>2"], f"line 4: {LEGEND}, got '> b: 1>2'"),
        (["items:", "> a, b: 1>2"], f"line 4: {LEGEND}, got 'b: 1>2'"),
        (["items:", "> no: 1>2"], f"line 4: a predicate {QUOTED}, got 'no'"),
        (["items:", "> a:"], f"line 4: {PAIR}, got ''"),
        (["items:", "> a: 1=2"], f"line 4: {PAIR}, got '=2'"),
        (["items:", "> a: 1>2>3"], f"line 4: {PAIR}, got '>3'"),
        (["items:", "> a: 1 > 2"], f"line 4: {PAIR}, got ' > 2'"),
        (["items:", "> a: 1>"], f"line 4: an end of a relation {VALUE}, got ''"),
        (["items:", "> a: 1>2", "5"], f"line 5: {LEGEND}, got '5'"),
        (["items: p", "1", "", "1", "> a: 1>2"], "line 6: p must be unique within a program, got 1 more than once"),
        (["items: p", "1", "1", "5"], "line 5: p must be unique within a program, got 1 more than once"),
        (["items: p", "1", "1", "> a: 1=2"], f"line 6: {PAIR}, got '=2'"),
    ],
)
def test_refused(implementation, lines, problem):
    assert message(implementation, block(FIRST, *lines)) == problem


@for_every_implementation
@pytest.mark.parametrize(
    ("first", "problem"),
    [
        ("compact", "a line must have one of the keys modality, granularity, grid, note, items, relations"),
        ("compact depth", "a line must be compact, a modality, a granularity and, for a grid, ROWSxCOLS"),
        ("compact depth>patch", "a line must be compact, a modality, a granularity and, for a grid, ROWSxCOLS"),
        ("compact depth patch>", "a line must be compact, a modality, a granularity and, for a grid, ROWSxCOLS"),
        ("compact depth patch 10", "a line must be compact, a modality, a granularity and, for a grid, ROWSxCOLS"),
        ("compact depth patch 10x", "cols must be a whole number from 1 to 2147483647"),
        ("compact depth patch 10x10 5", "cols must be a whole number from 1 to 2147483647"),
        ("compact depth patch 0x1", "rows must be a whole number from 1 to 2147483647"),
        ("compact 5 patch", f"modality {VALUE}"),
    ],
)
def test_refused_first_lines(implementation, first, problem):
    assert message(implementation, block(first, "items:")).startswith(f"line 2: {problem}, got '")


@for_every_implementation
@pytest.mark.parametrize(
    "lines",
    [
        ["items: r", "[" * 300_000],
        ["items: r", "1," * 150_000],
        ["items: r", '"' + '\\"' * 150_000],
        ["items: " + "x=" + "1," * 150_000],
        ["items: r", *["5"] * 60_000, "5 5"],
        ["items:", "> a: " + "1>2 " * 60_000 + "3"],
        ["items:", *["> a: 1>2"] * 50_000, ">"],
        ["items:" + " " * 300_000 + "q"],
    ],
    ids=range(8),
)
def test_long_texts_that_are_no_program(implementation, lines):
    assert message(implementation, block(FIRST, *lines)).startswith("line ")
