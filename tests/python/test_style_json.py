"""The style json: strict JSON that YAML readers find the same in, in any layout, and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

import percepts as pc
from blocks import CLOSING, IMPLEMENTATIONS, OPENING, block, for_every_implementation, message
from mutations import PROGRAMS, check_verdicts, damaged
from percepts._strings import joined

HEAD = '{"modality":"depth","granularity":"patch",'
KEYS = "must have only the keys modality, granularity, grid, note, items, relations"
VALUE = "must be a double-quoted string, a number or a flat list of these"
NUMBER = "must be a number such as 12, -0.5 or 1.0e-05, or in double quotes"
STRING = "must be a double-quoted string"
RELATION = 'a relation must be a list of "p=...", a predicate and "p=..."'


def with_item(item: str) -> str:
    """Text of an object with one item, on line 2."""
    return f'{HEAD}"items":[\n{item}]}}'


def with_relation(relation: str) -> str:
    """Text of an object with one relation, on line 2."""
    return f'{HEAD}"items":[],"relations":[\n{relation}]}}'


@pytest.fixture(params=["core", "reference"])
def make(request):
    return pc.Program if request.param == "core" else pc.reference.Program.by_hand


def test_the_layout(make):
    program = make(
        "depth",
        "patch",
        [pc.Item(p=1, c=[48, 47], r=[0.1234, 1e-5], b="a <b>"), {}, {"p": "A", "r": "unknown", "c": []}],
        [pc.Relation(1, "in_front_of", "A"), pc.Relation(2, "near", 1)],
        (10, 12),
        'a "note"\n',
    )
    body = (
        '{"modality":"depth","granularity":"patch","grid":{"rows":10,"cols":12},"note":"a \\"note\\"\\n","items":[\n'
        '{"p":1,"c":[48,47],"r":[0.1234,1.0e-05],"b":"a \\u003Cb>"},\n'
        "{},\n"
        '{"p":"A","c":[],"r":"unknown"}],"relations":[\n'
        '["p=1","in_front_of","p=A"],\n'
        '["p=2","near","p=1"]]}'
    )
    assert program.to_json() == body
    assert program.to_text("json") == f"{OPENING}\n{body}\n{CLOSING}"


def test_no_items(make):
    assert make("heat", "x y", []).to_json() == '{"modality":"heat","granularity":"x y","items":[]}'


@for_every_implementation
class TestAnyLayout:
    @pytest.mark.parametrize("program", PROGRAMS, ids=range(4))
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"indent": 2},
            {"indent": "\t", "ensure_ascii": False},
            {"separators": (" ,\n", "\n:\n")},
            {"sort_keys": True},
        ],
        ids=range(5),
    )
    def test_of_the_standard_library(self, implementation, program, options):
        text = json.dumps(program.to_dict(), **options)
        for form in (text, f"\n \t{text}\r\n\n", block(text), block(*("  " + line for line in text.split("\n")))):
            assert implementation.parse(form).to_dict() == program.to_dict()
        assert implementation.parse(text.replace("\n", "\r\n")).to_dict() == program.to_dict()

    def test_less_indented_lines_below(self, implementation):
        text = block("    " + HEAD, '  "items":[', "]}")
        assert implementation.parse(text).to_json() == f'{HEAD}"items":[]}}'

    def test_numbers(self, implementation):
        item = '{"r":[-0,0.50,1e5,1E+2,1.5e-7,12345678901234567890]}'
        assert implementation.parse(with_item(item)).to_json() == with_item(
            '{"r":[0,0.50,1.0e+5,1.0e+2,1.5e-7,12345678901234567890]}'
        )

    def test_strings(self, implementation):
        text = r'{"b":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00 \ud83d \u2028é😀"}'
        item = implementation.parse(with_item(text)).items[0]
        assert item.b == '"\\/\b\f\n\r\té😀 \ufffd \u2028é😀'

    def test_an_end_is_the_item_that_it_names(self, implementation):
        text = f'{HEAD}"relations":[["p=1","x","p=2"],["p=A","x","p=3"]],"items":[{{"p":"1"}},{{"p":2}}]}}'
        assert list(implementation.parse(text).relations) == [pc.Relation("1", "x", 2), pc.Relation("A", "x", 3)]

    def test_in_prose(self, implementation):
        text = PROGRAMS[0].to_text("json")
        found = implementation.find_programs(f"So {text} and {PROGRAMS[0].to_json()}, then\n{text}.")
        assert [program.to_text("json") for program in found] == [text, text]


@for_every_implementation
class TestRefused:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("{", "line 1: a key must be a double-quoted string, got ''"),
            ("{}", "line 1: a program must have the keys modality, granularity, items, got ''"),
            (
                '{"modality":"depth",\n"items":[]}',
                "line 2: a program must have the keys modality, granularity, items, got 'modality, items'",
            ),
            ('{"modality":"depth",}', f"line 1: a key {STRING}, got '}}'"),
            ('{"mode":1}', f"line 1: a program {KEYS}, got 'mode'"),
            ('{"note":"a","note":"b"}', "line 1: a program must not have a key twice, got 'note'"),
            ('{"note" "a"}', "line 1: note must have a : behind its key, got '\"a\"}'"),
            ('{"note":"a" "b"}', "line 1: a program must go on with , or }, got '\"b\"}'"),
            ('{"note":null}', f"line 1: note {STRING}, got 'null}}'"),
            ('{"note":"a\tb"}', "line 1: note must have its control characters escaped, got '\"a\\u0009b\"'"),
            ('{"note":"a\nb"}', "line 1: note must end with a double quote on its line, got '\"a'"),
            ('{"note":"a\\x41"}', "line 1: note must have only escapes that JSON knows, got '\\x41\"'"),
            ('{"note":"\\u12"}', "line 1: note must have only escapes that JSON knows, got '\\u12\"'"),
            ('{"grid":[1,2]}', "line 1: grid must start with {, got '[1,2]}'"),
            ('{"grid":{"rows":1}}', "line 1: grid must have the keys rows, cols, got 'rows'"),
            ('{"grid":{"rows":0,"cols":1}}', "line 1: rows must be a whole number from 1 to 2147483647, got '0'"),
            ('{"grid":{"rows":1.0,"cols":1}}', "line 1: rows must be a whole number from 1 to 2147483647, got '1.0'"),
            ('{"items":{}}', "line 1: items must start with [, got '{}}'"),
            ('{"items":[1]}', "line 1: an item must start with {, got '1]}'"),
            (HEAD + '"items":[]}\n\n{}', "line 3: a line must be blank after the program, got '{}'"),
            (HEAD + '"items":[]', "line 1: a program must go on with , or }, got ''"),
            ("[]", f"line 1: a line must be {OPENING} at the start of a program, got '[]'"),
            ("\v{}", "line 1: a line must not hold control characters, got '\\u000B'"),
        ],
    )
    def test_programs(self, implementation, text, problem):
        assert message(implementation, text) == problem

    @pytest.mark.parametrize(
        ("item", "problem"),
        [
            ('{"q":1}', "an item must have only the keys p, i, c, r, b, got 'q'"),
            ('{"p":1,"p":2}', "an item must not have a key twice, got 'p'"),
            ('{"r":nan}', f"r {VALUE}, got 'nan}}]}}'"),
            ('{"r":NaN}', f"r {VALUE}, got 'NaN}}]}}'"),
            ('{"r":Infinity}', f"r {VALUE}, got 'Infinity}}]}}'"),
            ('{"r":-Infinity}', f"r {NUMBER}, got '-Infinity'"),
            ('{"r":true}', f"r {VALUE}, got 'true}}]}}'"),
            ('{"r":{}}', f"r {VALUE}, got '{{}}}}]}}'"),
            ('{"r":[[1]]}', f"r {VALUE}, got '[1]]}}]}}'"),
            ('{"r":[1,]}', f"r {VALUE}, got ']}}]}}'"),
            ('{"r":[1 2]}', "r must go on with , or ], got '2]}]}'"),
            ('{"r":01}', f"r {NUMBER}, got '01'"),
            ('{"r":+1}', f"r {NUMBER}, got '+1'"),
            ('{"r":.5}', f"r {NUMBER}, got '.5'"),
            ('{"r":1.}', f"r {NUMBER}, got '1.'"),
            ('{"r":1e400}', "r must be finite in double precision, got '1e400'"),
            ("{'r':1}", f"a key {STRING}, got ''r':1}}]}}'"),
            ("// x", "an item must start with {, got '// x]}'"),
        ],
    )
    def test_items(self, implementation, item, problem):
        assert message(implementation, with_item(item)) == f"line 2: {problem}"

    @pytest.mark.parametrize(
        ("relation", "problem"),
        [
            ('["p=1","x"]', f"{RELATION}, got 'p=1, x'"),
            ('["p=1","x","p=2","y"]', f"{RELATION}, got 'p=1, x, p=2, y'"),
            ("[]", f"{RELATION}, got ''"),
            ('["","x"]', f"{RELATION}, got ', x'"),
            ('["1","x","p=2"]', "an end of a relation must be \"p=...\" in double quotes, got '1'"),
            ('["p=1",2,"p=2"]', f"a part of a relation {STRING}, got '2,\"p=2\"]]}}'"),
            ('{"a":1}', "a relation must start with [, got '{\"a\":1}]}'"),
        ],
    )
    def test_relations(self, implementation, relation, problem):
        assert message(implementation, with_relation(relation)) == f"line 2: {problem}"

    def test_ids_twice(self, implementation):
        text = f'\n{HEAD}"items":[{{"p":1}},\n\n{{"b":2,\n"p":"1"}}]}}'
        assert message(implementation, text) == (
            f'line {4 + HEAD.count(chr(10))}: p must be unique within a program, got "1" more than once'
        )

    def test_within_tags_the_end_is_the_tag(self, implementation):
        assert message(implementation, block(HEAD)) == f"line 3: a key {STRING}, got '{CLOSING}'"


@given(text=damaged("json"))
def test_damaged_texts(text):
    """The core says what the reference says, and takes only what the standard library reads the same in."""
    if isinstance(check_verdicts(pc, IMPLEMENTATIONS["reference"], text), list):
        body = text.strip().removeprefix(OPENING).removesuffix(CLOSING)
        read = json.loads(joined(json.dumps(json.loads(body), ensure_ascii=False)))
        if not read.get("relations", True):
            del read["relations"]  # no relations are printed as no key
        assert pc.parse(text).to_dict() == read


@for_every_implementation
@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        '{"items":' + "[" * 1_000_000,
        '{"items":[{"r":' + "[" * 1_000_000,
        '{"note":"' + "\\\\" * 150_000,
        "{" + "\n" * 150_000,
        "{" + " " * 1_000_000,
        '{"items":[' + '{"r":[' + "1," * 150_000,
        '{"items":[' + "{}," * 100_000,
    ],
    ids=range(8),
)
def test_long_texts_that_are_no_program(implementation, text):
    assert message(implementation, text).startswith("line ")


@for_every_implementation
def test_a_long_program(implementation):
    text = with_item("{}," * 50_000 + '{"r":[' + "1," * 50_000 + "1]}")
    assert len(implementation.parse(text).items) == 50_001
