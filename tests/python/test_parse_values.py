"""Values in a block: numbers, words, strings, lists, relations; and what is refused."""

from __future__ import annotations

import pytest

from blocks import for_every_implementation, message, with_item, with_relation
from percepts.items import Relation

pytestmark = for_every_implementation

NUMBER = "must be a number such as 12, -0.5 or 1.0e-05, or in double quotes"
VALUE = "must be a double-quoted string, a number, a bare word or a flat list of these"
QUOTED = "must be in double quotes, since YAML has another meaning for this word"
CLOSED = "must be one double-quoted string with the quotes inside it escaped"
BRACES = "must be like {'similarity': 0.83} when it is in braces"
RELATION = "a relation must be a list of p=, a predicate and p="
END = 'an end of a relation must be p= and a number, or "p=..." in double quotes'


def field(implementation, line: str):
    """Value of the one field of the one item."""
    (item,) = implementation.parse(with_item(line)).items
    return getattr(item, line[0])


class TestValues:
    @pytest.mark.parametrize(
        ("text", "printed"),
        [
            ("12", "12"),
            ("-3", "-3"),
            ("0.50", "0.50"),
            ("1e-05", "1.0e-05"),
            ("1E5", "1.0e+5"),
            ("1.5E+07", "1.5e+07"),
            ("2.50e3", "2.50e+3"),
            ("-0", "0"),
            ("-0.00", "0.00"),
            ("-0e-7", "0.0e-7"),
            ("-0.001", "-0.001"),
            ("1e-999", "1.0e-999"),
            ("0e999", "0.0e+999"),
            ("0." + "0" * 400 + "1e400", "0." + "0" * 400 + "1e+400"),
            ("1" + "0" * 400 + ".5e-400", "1" + "0" * 400 + ".5e-400"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("9" * 4300, "9" * 4300),
        ],
    )
    def test_numbers(self, implementation, text, printed):
        program = implementation.parse(with_item(f"p: {text}"))
        assert program.to_text() == with_item(f"p: {printed}")
        assert implementation.parse(program.to_text()) == program

    @pytest.mark.parametrize(
        "text",
        [
            *("0x1F", "0o7", "007", "00", "1_000", "1:30", "+1", ".5", "1.", "-.5", "-", "--", "-a"),
            *("1e", "1e+", "--1", "1-2", "1,0"),
            *("1e5.0", "1.e5", "2001-01-01", ".nan", ".inf", "1 2", "1 # c", "1\u0661"),
        ],
    )
    def test_what_only_starts_like_a_number(self, implementation, text):
        assert message(implementation, with_item(f"p: {text}")) == f"line 5: p {NUMBER}, got '{text}'"

    @pytest.mark.parametrize("text", ["1e309", "-1e309", "1.7976931348623159e308", "1e99999999999999999999"])
    def test_reals_must_be_finite(self, implementation, text):
        assert message(implementation, with_item(f"r: {text}")) == (
            f"line 5: r must be finite in double precision, got '{text}'"
        )

    @pytest.mark.parametrize("text", ["1" * 4301, "0." + "1" * 4299, "1" * 4297 + "e1"])
    def test_numbers_have_an_end(self, implementation, text):
        assert message(implementation, with_item(f"p: {text}")) == (
            f"line 5: p must have at most 4300 characters as a number, got '{text[:37]}...'"
        )

    @pytest.mark.parametrize(
        "text", ["nan", "NaN", "inf", "-inf", "INF", "-Inf", "[nan, nan]", "[ inf,-inf ]", '{"a":nan}']
    )
    def test_readings_that_are_not_finite_are_unknown(self, implementation, text):
        assert field(implementation, f"r: {text}") == "unknown"

    def test_half_of_a_reading_is_unknown(self, implementation):
        assert field(implementation, "r: [nan, 0.5]") == ["unknown", 0.5]
        assert field(implementation, "r: [unknown, unknown]") == ["unknown", "unknown"]

    @pytest.mark.parametrize("text", ["nan", "inf", "[nan, 1]", "-inf", "NaN"])
    @pytest.mark.parametrize("name", ["p", "i", "c", "b"])
    def test_other_fields_must_be_finite(self, implementation, name, text):
        assert message(implementation, with_item(f"{name}: {text}")).startswith(f"line 5: {name} must be ")

    @pytest.mark.parametrize(
        "text", ["unknown", "left", "object-detection", "is darker than", "a1 2-b", "nO", "x_", "infinity"]
    )
    def test_bare_words(self, implementation, text):
        assert field(implementation, f"r: {text}") == text

    @pytest.mark.parametrize(
        "text",
        [
            *("~", "y", "Y", "n", "N"),
            *(f(w) for w in ("null", "true", "false", "yes", "no", "on", "off") for f in (str, str.title, str.upper)),
        ],
    )
    @pytest.mark.parametrize("form", ["{}", "[1, {}]"])
    def test_words_with_another_meaning(self, implementation, text, form):
        refused, accepted = form.format(text), form.format(f'"{text}"')
        assert message(implementation, with_item(f"b: {refused}")) == f"line 5: b {QUOTED}, got '{text}'"
        assert field(implementation, f"b: {accepted}") in (text, [1, text])

    @pytest.mark.parametrize(
        "text",
        [
            *("", "a  b", "a # b", "# a", "&a b", "*a", "!a", "!!str a", "|", ">", "|-", "'a'", "%a"),
            *("@a", "`a`", "? a", "a: b", "a:", "{a: 1}", "{}", "_a", "größe", "a,b", "a\tb", "<<", "="),
            *("<a>", "a\u00a0b", "</perceptionprogram>"),
        ],
    )
    def test_refused_scalars(self, implementation, text):
        assert message(implementation, with_item(f"b: {text}")) == f"line 5: b {VALUE}, got '{text}'".replace(
            "\t", "\\u0009"
        )

    @pytest.mark.parametrize("text", ["[[1], 2]", "[1, [2]]", "[(1, 2)]", "[1, ]", "[,]", "[1 2]", "['a']", "[a: 1]"])
    def test_refused_lists(self, implementation, text):
        assert message(implementation, with_item(f"b: {text}")).startswith("line 5: b must ")

    @pytest.mark.parametrize(
        ("line", "problem"),
        [
            ("r: [1, 2", "r must be one flat list that ends with ], got '[1, 2'"),
            ('r: ["a, 2]', "r must be one flat list that ends with ], got '[\"a, 2]'"),
            ("r: [1] 2", "r must be one flat list that ends with ], got '[1] 2'"),
            ("r: [[1], 2]", "r must be one flat list that ends with ], got '[[1], 2]'"),
            ("c: (1, 2, 3)", "c must have two numbers between ( and ), got '(1, 2, 3)'"),
            ("c: (1, 2", "c must be one flat list that ends with ), got '(1, 2'"),
            ("c: (a, b)", f"c {NUMBER}, got 'a'"),
            ("r: {'a': 1, 'b': 2}", f"r {NUMBER}, got '1, 'b': 2'"),
            ("r: {'a': b}", f"r {NUMBER}, got 'b'"),
            ("r: {a: 1}", f"r {BRACES}, got '{{a: 1}}'"),
            ("r: {'a': 1", f"r {BRACES}, got '{{'a': 1'"),
            ("r: {", f"r {BRACES}, got '{{'"),
            ("r: {}", f"r {BRACES}, got '{{}}'"),
            ("r: 1,2", f"r {NUMBER}, got '1,2'"),
            ("c: 1,,2", f"c {NUMBER}, got ''"),
        ],
    )
    def test_what_is_wrong_with_a_value(self, implementation, line, problem):
        assert message(implementation, with_item(line)) == f"line 5: {problem}"

    def test_lists(self, implementation):
        assert field(implementation, 'b: [ 1,"a, ]\\"" ,is  ]') == [1, 'a, ]"', "is"]
        assert field(implementation, "b: []") == field(implementation, "r: [  ]") == []


class TestStrings:
    @pytest.mark.parametrize(
        ("escaped", "text"),
        [
            (r"\0\a\b\t\n\v\f\r\e", "\0\a\b\t\n\v\f\r\x1b"),
            (r"\ \"\/\\\N\_\L\P", ' "/\\\x85\xa0\u2028\u2029'),
            (r"\x41\xe9\u20AC\U0001F600\U0010ffff", "Aé€😀\U0010ffff"),
            (r"\uD83D\uDE00\ud83d\ude00", "😀😀"),
            (r"\U0000D83D\uDE00", "😀"),
            (r"\uD83D", "\ufffd"),
            (r"\uDE00\uD83D", "\ufffd\ufffd"),
            (r"\uD83D \uDE00", "\ufffd \ufffd"),
            (r"\uD83D\uD83D\uDE00", "\ufffd😀"),
            (r"\uD83Dé\uDE00", "\ufffdé\ufffd"),
            ("# & * : <a> 'x'\t größe 😀 שלום\x7f\u2028", "# & * : <a> 'x'\t größe 😀 שלום\x7f\u2028"),
            ("</perceptionprogram>", "</perceptionprogram>"),
            ("", ""),
        ],
    )
    def test_escapes(self, implementation, escaped, text):
        assert field(implementation, f'b: "{escaped}"') == text

    @pytest.mark.parametrize(
        "escape",
        [
            r"\q",
            r"\x4",
            r"\x4g",
            r"\u12 4",
            r"\u004",
            r"\U00110000",
            r"\UFFFFFFFF",
            r"\u+041",
            r"\u00４1",
            "\\é",
        ],
    )
    def test_escapes_that_yaml_does_not_know(self, implementation, escape):
        assert message(implementation, with_item(f'b: "a{escape}"')) == (
            f"line 5: b must have only escapes that YAML knows, got '{escape}\"'"
        )

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ('"a', "must end with a double quote"),
            ('"', "must end with a double quote"),
            ('"a\\"', "must end with a double quote"),
            ('"a" b', CLOSED),
            ('"a"b"', CLOSED),
            ('"a" # b', CLOSED),
        ],
    )
    def test_where_a_string_ends(self, implementation, text, problem):
        assert message(implementation, with_item(f"b: {text}")) == f"line 5: b {problem}, got '{text}'"

    def test_halves_of_surrogate_pairs_in_the_text(self, implementation):
        assert field(implementation, 'b: "\ud83d\ude00 \ud83d"') == "😀 \ufffd"


class TestRelations:
    @pytest.mark.parametrize(
        ("text", "relation"),
        [
            ("[p=1, in_front_of, p=2]", Relation(1, "in_front_of", 2)),
            ("[ p=1,is darker than,p=-2.5 ]", Relation(1, "is darker than", -2.5)),
            ('["p=A", "holds, \\"x\\"", "p=1"]', Relation("A", 'holds, "x"', 1)),
            ('["p=", about the same as, p=1e5]', Relation("", "about the same as", 1e5)),
        ],
    )
    def test_read(self, implementation, text, relation):
        program = implementation.parse(with_relation(text))
        assert list(program.relations) == [relation]
        assert implementation.parse(program.to_text()) == program

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("[p=1, in_front_of]", f"{RELATION}, got '[p=1, in_front_of]'"),
            ("[p=1, a, p=2, p=3]", f"{RELATION}, got '[p=1, a, p=2, p=3]'"),
            ("p=1", f"{RELATION}, got 'p=1'"),
            ("[]", f"{RELATION}, got '[]'"),
            ("[1, a, p=2]", f"{END}, got '1'"),
            ('["A", a, p=2]', f"{END}, got '\"A\"'"),
            ("[p=1, a, q=2]", f"{END}, got 'q=2'"),
            ("[p=A, a, p=2]", f"an end of a relation {NUMBER}, got 'A'"),
            ("[p=nan, a, p=2]", f"an end of a relation {NUMBER}, got 'nan'"),
            ("[p=1, 2, p=2]", "a predicate must be a double-quoted string or a bare word, got '2'"),
            ("[p=1, no, p=2]", f"a predicate {QUOTED}, got 'no'"),
        ],
    )
    def test_refused(self, implementation, text, problem):
        assert message(implementation, with_relation(text)) == f"line 6: {problem}"
