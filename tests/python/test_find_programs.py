"""Programs found in prose, and what holds for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks import CLOSING, IMPLEMENTATIONS, OPENING, for_every_implementation
from percepts.reference.program import Program as ReferenceProgram


def named(name: str) -> str:
    return f'{OPENING}\nmodality: depth\ngranularity: "{name}"\nitems: []\n{CLOSING}'


def found(implementation, text: str) -> list[str]:
    return [program.granularity for program in implementation.find_programs(text)]


@for_every_implementation
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", []),
        ("The answer is (A).", []),
        (named("a"), ["a"]),
        (f"First:\n{named('a')}\nthen\n\n{named('b')}\nDone.", ["a", "b"]),
        (named("a") + named("b"), ["a", "b"]),
        (f"Program: {named('a')}. That is all.", ["a"]),
        (f"```yaml\n{named('a')}\n```", ["a"]),
        (f"A block starts with {OPENING} and ends with {CLOSING}:\n{named('a')}", ["a"]),
        (f"A block starts with {OPENING}:\n{named('a')}", ["a"]),
        (f"{named('a')}\nA block ends with {CLOSING}.\n{named('b')}", ["a", "b"]),
        (f"{named('a')}\n{OPENING}\nmodality: depth\n", ["a"]),
        (f"{named('a').replace('items', 'things')}\n{named('b')}", ["b"]),
        (named("a").replace("\n" + CLOSING, CLOSING), []),
        (named("a").replace("depth", "\ud83d"), []),
        (f"\ud83d{named('a')}\x00\r", ["a"]),
        ("> " + named("a").replace("\n", "\r\n"), ["a"]),
    ],
)
def test_blocks_in_prose(implementation, text, names):
    assert found(implementation, text) == names


@for_every_implementation
@pytest.mark.parametrize("before", ["", "Program: ", "    "])
def test_indented_block(implementation, before):
    text = before + named("a").replace("\n", "\n    ")
    assert found(implementation, f"- so:\n\n{text}\n\n- and {named('b')}") == ["a", "b"]


@for_every_implementation
def test_programs_are_whole(implementation):
    (program,) = implementation.find_programs(f"So: {named('a')}!")
    assert program == implementation.parse(named("a"))


@given(pieces=st.lists(st.sampled_from([OPENING, CLOSING, named("a"), "\n", " ", "items:", '"', "\r", "\ud83d"])))
def test_never_raises(pieces):
    text = "".join(pieces)
    for implementation in IMPLEMENTATIONS.values():
        assert found(implementation, text) == found(IMPLEMENTATIONS["reference"], text)


@for_every_implementation
@pytest.mark.parametrize(
    "text",
    [
        OPENING * 50_000 + CLOSING,
        CLOSING * 50_000,
        (OPENING + "\n") * 50_000 + CLOSING,
        f"{OPENING}\n{CLOSING}\n" * 20_000,
        f"{named('a')[:-1]}\n" * 10_000,
        OPENING + "\n" + '"' * 1_000_000 + "\n" + CLOSING,
        OPENING + '\nnote: "' + "a\n" * 200_000 + CLOSING,
        OPENING + "\nitems:\n- c: " + "[" * 1_000_000 + "\n" + CLOSING,
        OPENING + "\nitems:\n- c: [" + " " * 1_000_000 + "\n" + CLOSING,
    ],
    ids=range(9),
)
def test_long_texts_without_a_program(implementation, text):
    assert implementation.find_programs(text) == []


texts = st.text(st.characters(codec=None, exclude_categories=[]), max_size=12)
scalars = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
    st.sampled_from(["no", "1:30", "null", "# x", CLOSING, "a\nitems:", '"', "\\", "unknown", "left", "nan", ""]),
)
values = st.one_of(scalars, st.lists(scalars, max_size=4))
items = st.fixed_dictionaries({}, optional={"i": values, "c": values, "r": values, "b": values})
relations = st.fixed_dictionaries({"a": scalars, "predicate": texts, "b": scalars})


@given(
    modality=st.one_of(texts, st.sampled_from(["depth", "jigsaw"])),
    granularity=texts,
    items=st.lists(items, max_size=4),
    relations=st.lists(relations, max_size=3),
    grid=st.none() | st.tuples(st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1)),
    note=st.none() | texts,
)
def test_every_printed_program_is_read_back(modality, granularity, items, relations, grid, note):
    numbered = [{"p": k, **item} for k, item in enumerate(items)]
    program = ReferenceProgram.by_hand(modality, granularity, numbered, relations, grid, note)
    for implementation in IMPLEMENTATIONS.values():
        for parsed in (implementation.parse(program.to_text()), *found_in_prose(implementation, program)):
            assert parsed.to_text() == program.to_text()
            assert parsed.to_dict() == program.to_dict()


def found_in_prose(implementation, program):
    programs = implementation.find_programs(f"So: {program.to_text()} and so on, {OPENING}")
    assert len(programs) == 1
    return programs


@given(text=st.text())
def test_any_other_text_is_a_value_error(text):
    for implementation in IMPLEMENTATIONS.values():
        for candidate in (text, f"{OPENING}\n{text}\n{CLOSING}"):
            with pytest.raises(ValueError, match=r"^line [1-9][0-9]*: .* must .*, got '"):
                implementation.parse(candidate)
