"""Programs read back from text: what `to_text` prints, what the research release prints, and nothing else."""

from __future__ import annotations

import pytest
import yaml

from blocks import CLOSING, HEAD, OPENING, block, for_every_implementation, message, with_item
from percepts.items import Item, Relation

pytestmark = for_every_implementation

START = f"a line must be {OPENING} at the start of a program"
END = f"a line must be {CLOSING} at the end of a program"
KEYS = "a line must have one of the keys modality, granularity, grid, note, items, relations"
FIELDS = "a line must have one of the keys p, i, c, r, b"
INDENTED = "a line must be indented like its list or block"
AFTER = "a line must be blank after the program"
CONTROL = "a line must not hold control characters"
ENTRIES = "must be [] or have its entries on the lines below"
COUNTS = "grid must have rows: and cols: on the lines below"

PAPER = block(
    *HEAD,
    "grid:",
    "  rows: 2",
    "  cols: 1",
    r'note: "p is the \"patch\".\nSecond line."',
    "items:",
    "  - p: 1",
    "    c: [500, 250]",
    "    r: [0.1234, 1.0e-05]",
    r'    b: "a \"chair\", or \u003Cb>"',
    "  - p: 2",
    "    c: [500, 750]",
    "    r: unknown",
    "relations:",
    "  - [p=1, in_front_of, p=2]",
)
LAST = PAPER.count("\n") + 1


class TestPaperStyle:
    def test_every_part_is_read(self, implementation):
        program = implementation.parse(PAPER)
        assert program.modality == "depth"
        assert program.granularity == "patch"
        assert tuple(program.grid) == (2, 1)
        assert program.note == 'p is the "patch".\nSecond line.'
        assert list(program.items) == [
            Item(p=1, c=[500, 250], r=[0.1234, 1e-05], b='a "chair", or <b>'),
            Item(p=2, c=[500, 750], r="unknown"),
        ]
        assert list(program.relations) == [Relation(1, "in_front_of", 2)]

    def test_text_comes_back_unchanged(self, implementation):
        assert implementation.parse(PAPER).to_text() == PAPER

    def test_content_is_what_yaml_reads(self, implementation):
        body = "\n".join(PAPER.split("\n")[1:-1])
        assert implementation.parse(PAPER).to_dict() == yaml.safe_load(body)

    def test_equal_programs_are_equal(self, implementation):
        program = implementation.parse(PAPER)
        assert program == implementation.parse(PAPER)
        assert program != implementation.parse(PAPER.replace("r: unknown", "r: 0"))

    @pytest.mark.parametrize("around", ["{}", "\n\n{}\n", " \t\r\n{}\r\n \n", "  {}  "])
    def test_white_space_around(self, implementation, around):
        assert implementation.parse(around.format(PAPER)).to_text() == PAPER

    def test_line_ends_may_be_crlf(self, implementation):
        assert implementation.parse(PAPER.replace("\n", "\r\n")).to_text() == PAPER

    @pytest.mark.parametrize("indentation", ["  ", "      ", "\t"])
    def test_indented_block(self, implementation, indentation):
        text = "\n".join(indentation + line for line in PAPER.split("\n"))
        assert implementation.parse(text).to_text() == PAPER

    def test_blank_lines_and_white_space_at_line_ends(self, implementation):
        assert implementation.parse(PAPER.replace("\n", " \t\n\n  \n")).to_text() == PAPER

    def test_keys_in_any_order(self, implementation):
        text = block(
            "relations:",
            "- [p=1, adjacent_to, p=2]",
            "items:",
            '- i: "A"',
            "  p: left",
            'note: ""',
            "granularity: border",
            "grid:",
            "    cols: 3",
            "    rows: 2147483647",
            'modality: "jigsaw"',
        )
        program = implementation.parse(text)
        assert tuple(program.grid) == (2147483647, 3)
        assert program.note == ""
        assert list(program.items) == [Item(p="left", i="A")]
        assert program.to_text().split("\n")[1] == "modality: jigsaw"

    def test_items_without_anything(self, implementation):
        program = implementation.parse(block(*HEAD, "items:", "- {}", "- p: 1", "- {}"))
        assert list(program.items) == [Item(), Item(p=1), Item()]

    def test_no_items_and_no_relations(self, implementation):
        program = implementation.parse(block(*HEAD, "items: []", "relations: []"))
        assert len(program.items) == len(program.relations) == 0
        assert program.grid is None
        assert program.note is None
        assert program.to_text() == block(*HEAD, "items: []")


class TestReleaseStyle:
    def test_note_over_several_lines(self, implementation):
        text = block(
            *HEAD,
            'note: "An item says:',
            '    - r: the motion, "left" or "right"',
            "",
            '    Paths like C:\\data stay. "',
            "items:",
            "  - p: 1",
        )
        note = 'An item says:\n    - r: the motion, "left" or "right"\n\n    Paths like C:\\data stay. '
        program = implementation.parse(text)
        assert program.note == note
        assert implementation.parse(program.to_text()) == program

    @pytest.mark.parametrize(
        ("lines", "note"),
        [
            (['note: "say "left" now"'], 'say "left" now'),
            (['note: "', '"'], "\n"),
            (['note: "a', '"', "", " \t"], "a\n"),
            (['note: "a', '  b"  '], "a\n  b"),
            (['note: "a"b""'], 'a"b"'),
            (['note: "a', 'items: no"'], "a\nitems: no"),
        ],
    )
    @pytest.mark.parametrize("items", ["items: []", "items: []  "])
    def test_unescaped_notes(self, implementation, lines, note, items):
        assert implementation.parse(block(*HEAD, *lines, items)).note == note

    def test_unescaped_note_in_an_indented_block_with_crlf(self, implementation):
        lines = block(*HEAD, 'note: "a', '  "b"', "", 'c"', "items: []").split("\n")
        text = "\r\n".join(f"    {line}" if line else "" for line in lines)
        assert implementation.parse(text).note == 'a\n  "b"\n\nc'

    def test_jigsaw(self, implementation):
        text = block(
            "modality: jigsaw",
            "granularity: border",
            "items:",
            "  - p: left",
            '    i: "A"',
            "    c: 0,0,1000,62",
            "    r: {'similarity': 0.8333333333333334}",
            "  - p: left",
            '    i: "B"',
            "    c: 0, 0, 62, 1000",
            "    r: {'similarity': nan}",
        )
        assert list(implementation.parse(text).items) == [
            Item(p="left", i="A", c=[0, 0, 1000, 62], r=0.8333333333333334),
            Item(p="left", i="B", c=[0, 0, 62, 1000], r="unknown"),
        ]

    @pytest.mark.parametrize("text", ["(12, 900)", "(12,900)", "( 12 , 900 )"])
    def test_points(self, implementation, text):
        (item,) = implementation.parse(with_item(f"c: {text}")).items
        assert item.c == [12, 900]

    @pytest.mark.parametrize("text", ["0.0745", "0", "0.8353", "1", "0.07059", "0.7211", "0.830000"])
    def test_numbers_stay_as_printed(self, implementation, text):
        assert f"r: [{text}, {text}]" in implementation.parse(with_item(f"r: [{text}, {text}]")).to_text()


class TestRefusedBlocks:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", f"line 1: {START}, got ''"),
            ("\n \n", f"line 3: {START}, got ''"),
            (f"\nHere: {PAPER}", f"line 2: {START}, got 'Here: {OPENING}'"),
            (f"{OPENING}{PAPER}", f"line 1: {START}, got '{OPENING}{OPENING}'"),
            (f"{OPENING}\nmodality: depth", f"line 2: {END}, got 'modality: depth'"),
            (f"{PAPER}.", f"line {LAST}: {END}, got '{CLOSING}.'"),
            (f"{PAPER}\n\nso", f"line {LAST + 2}: {AFTER}, got 'so'"),
            (
                f"{PAPER}\n{PAPER}",
                f"line {LAST + 1}: a line must be blank after the program, got '{OPENING}'",
            ),
            (block(*HEAD, "items: []", "a\rb"), f"line 5: {CONTROL}, got '\\u000D'"),
            (f"{PAPER}\r", f"line {LAST}: {CONTROL}, got '\\u000D'"),
            (f"{PAPER}\0", f"line {LAST}: {CONTROL}, got '\\u0000'"),
            (with_item('b: "\x1b"'), f"line 5: {CONTROL}, got '\\u001B'"),
        ],
    )
    def test_around(self, implementation, text, problem):
        assert message(implementation, text) == problem

    @pytest.mark.parametrize(
        ("lines", "missing"),
        [((), "modality"), (HEAD[:1], "granularity"), (HEAD, "items"), ((HEAD[1], "items: []"), "modality")],
    )
    def test_missing_key(self, implementation, lines, missing):
        assert message(implementation, block(*lines)) == (
            f"line {len(lines) + 2}: a line must not end the program before {missing}:, got '{CLOSING}'"
        )

    @pytest.mark.parametrize(
        "lines",
        [
            ["modality: depth"],
            ["granularity: patch"],
            ["items: []", "items: []"],
            ["relations: []", "relations: []"],
            ['note: ""', 'note: ""'],
            ["grid:", "  rows: 1", "  rows: 1"],
            ["items:", "  - p: 1", "    p: 2"],
        ],
    )
    def test_key_given_twice(self, implementation, lines):
        key = lines[-1].split(":")[0].strip()
        assert message(implementation, block(*HEAD, *lines)) == (
            f"line {3 + len(lines)}: a line must not give {key}: a second time, got '{lines[-1]}'"
        )

    @pytest.mark.parametrize(
        ("lines", "problem"),
        [
            (["title: x"], f"{KEYS}, got 'title: x'"),
            (["# x"], f"{KEYS}, got '# x'"),
            (["---"], f"{KEYS}, got '---'"),
            (["items"], f"{KEYS}, got 'items'"),
            (['"items": []'], f"{KEYS}, got '\"items\": []'"),
            (["items:[]"], "a line must have a space after items:, got 'items:[]'"),
            (["  items: []"], f"{INDENTED}, got '  items: []'"),
            (["items: {}"], f"items {ENTRIES}, got '{{}}'"),
            (["items: []", "relations: x"], f"relations {ENTRIES}, got 'x'"),
            (["items:", "  - p: 1", " - p: 2"], f"{INDENTED}, got ' - p: 2'"),
            (["items:", "  - p: 1", "   c: 2"], f"{INDENTED}, got '   c: 2'"),
            (["items:", "  - {}", "    p: 1"], f"{INDENTED}, got '    p: 1'"),
            (["items:", "  - p: 1", "    q: 2"], f"{FIELDS}, got 'q: 2'"),
            (["items:", "  -   p: 1"], f"{FIELDS}, got '  p: 1'"),
            (["items:", "  - <<: *a"], f"{FIELDS}, got '<<: *a'"),
            (["items:", "  - ? p"], f"{FIELDS}, got '? p'"),
            (["grid: {rows: 1, cols: 1}"], f"{COUNTS}, got '{{rows: 1, cols: 1}}'"),
            (["grid:", "  rows: 1", "   cols: 1"], f"{INDENTED}, got '   cols: 1'"),
            (["grid:", "  cells: 1"], "a line must have one of the keys rows, cols, got 'cells: 1'"),
            (["note: plain"], "note must be a double-quoted string, got 'plain'"),
            (["note:"], "note must be a double-quoted string, got ''"),
            ([r'note: "C:\q"'], "note must have only escapes that YAML knows, got '\\q\"'"),
        ],
    )
    def test_last_line(self, implementation, lines, problem):
        assert message(implementation, block(*HEAD, *lines)) == f"line {3 + len(lines)}: {problem}"

    @pytest.mark.parametrize(
        ("lines", "problem"),
        [
            (["items:"], f"line 4: items {ENTRIES}, got ''"),
            (["items:", "relations: []"], f"line 4: items {ENTRIES}, got ''"),
            (["items: []", "relations:"], f"line 5: relations {ENTRIES}, got ''"),
            (["grid:"], f"line 4: {COUNTS}, got ''"),
            (["grid:", "  rows: 1"], f"line 4: {COUNTS}, got 'rows'"),
            (["grid:", "  cols: 1", "items: []"], f"line 4: {COUNTS}, got 'cols'"),
            (['note: "', "items: []"], "line 4: note must end with a double quote, got ''"),
            (['note: "a', "b", "", "items: []"], "line 5: note must end with a double quote, got 'b'"),
            (
                ['note: "a', 'b"'],
                "line 4: note must be one escaped string or be followed by items:, got 'note: \"a'",
            ),
        ],
    )
    def test_unfinished(self, implementation, lines, problem):
        assert message(implementation, block(*HEAD, *lines)) == problem

    @pytest.mark.parametrize("count", ["0", "-1", "1.0", "01", "+1", "2147483648", "1" * 30, '"1"', "ten", ""])
    @pytest.mark.parametrize("lines", [("  rows: {}", "  cols: 1"), ("  rows: 1", "  cols: {}")])
    def test_grid_counts(self, implementation, lines, count):
        text = block(*HEAD, "grid:", *(line.format(count) for line in lines), "items: []")
        name = "rows" if "{}" in lines[0] else "cols"
        line = 5 if name == "rows" else 6
        assert message(implementation, text) == (
            f"line {line}: {name} must be a whole number from 1 to 2147483647, got '{count}'"
        )

    def test_less_indentation_than_the_first_line(self, implementation):
        text = block("  modality: depth", " granularity: patch", "  items: []")
        assert message(implementation, text) == (
            "line 3: a line must be indented at least like the first line of its program, got ' granularity: patch'"
        )

    @pytest.mark.parametrize(
        ("items", "line", "key"),
        [
            (["- p: 1", "- p: 2", "- p: 1"], 7, "1"),
            (["- p: 1", "", "- b: 2", "  p: 1", "- p: 1"], 7, "1"),
            (["- p: 1e5", "- p: 1.0E+5"], 6, "1.0e+5"),
            (["- p: a", '- p: "a"'], 6, '"a"'),
            (["- p: [1, a]", "- p: (1, 2)", "- p: [1, 2]"], 7, "[1, 2]"),
        ],
    )
    def test_p_is_unique(self, implementation, items, line, key):
        assert message(implementation, block(*HEAD, "items:", *items)) == (
            f"line {line}: p must be unique within a program, got {key} more than once"
        )

    def test_found_text_is_cut_and_printable(self, implementation):
        shown = "\\u200F\\uFEFF\\u0085" + "é" * 34 + "..."
        text = with_item("b: " + "\u200f\ufeff\x85" + "é" * 38)
        assert message(implementation, text).endswith(f"a flat list of these, got '{shown}'")

    @pytest.mark.parametrize("text", [b"", None, 1, ["a"]])
    def test_text_must_be_a_str(self, implementation, text):
        for function in (implementation.parse, implementation.find_programs):
            with pytest.raises(TypeError, match=f"^text must be a str, got {type(text).__name__}$"):
                function(text)
