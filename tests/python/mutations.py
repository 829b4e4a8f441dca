"""Valid texts of programs with a few damages, for hypothesis: most are refused, some are other programs."""

from __future__ import annotations

from hypothesis import strategies as st

import percepts as pc

PIECES = [
    *'{}[]",:=><~-+.0159eEnu\\/ \n\t\rpicrbxy',
    "é", "\u2028", "\ud83d", "\0", "p=", "y=1", "x=1,2", "p=1..2", "items:", "note ", "compact ", "null", "nan", "NaN",
    "\\u00", "\\ud83d", "\\x41", "1e400", "0.", "-.5", '"p=1"', '"p":', "unknown", "1" * 50, "</perceptionprogram>",
    "<perceptionprogram>", "true", "//", "01", "- ", '""',
]  # fmt: skip

PROGRAMS = [
    pc.Program(
        "albedo",
        "patch",
        [
            {"p": 1, "r": 0.5, "b": "x y"},
            {"p": "A", "c": [1, 2.5], "r": [-0.25, "unknown"]},
            {"c": [], "b": "\ud83d\ude00<a\n\t"},
            {"c": [1e-7], "i": "no"},
            {},
        ],
        [
            pc.Relation(1, "is darker than", 2),
            pc.Relation(2, "about the same as", "A"),
            pc.Relation(-0.5, "x: y, z", 1e30),
            pc.Relation("1", "near", ""),
        ],
        (3, 4),
        'no"te',
    ),
    pc.depth([[0.0, 0.25, 0.5], [0.75, 1.0, 0.5]], grid=(2, 3), note="n"),
    pc.flow([[[1.0, 0.0], [-1.0, 0.0]]], grid=(1, 2), note=None),
    pc.Program("heat", "patch", []),
]


@st.composite
def damaged(draw: st.DrawFn, style: str) -> str:
    """Text in a style, or a bare object, after one to four changes."""
    program = draw(st.sampled_from(PROGRAMS))
    bare = style == "json" and draw(st.booleans())
    text = program.to_json() if bare else program.to_text(style)
    for _ in range(draw(st.integers(1, 4))):
        text = draw(st.sampled_from([with_piece, without_some, with_lines_changed]))(draw, text)
    return text


def with_piece(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from(PIECES)) + text[at + draw(st.integers(0, 2)) :]


def without_some(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, len(text)))
    return text[:at] + text[at + draw(st.integers(1, 12)) :]


def with_lines_changed(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    lines[at : at + draw(st.integers(0, 1))] = [draw(st.sampled_from(lines))] * draw(st.integers(0, 2))
    return "\n".join(lines)


def verdict(implementation, text: str):
    """What a parser makes of a text: the program in every style, or the message."""
    try:
        program = implementation.parse(text)
    except ValueError as error:
        return str(error)
    return [program.to_text(style) for style in ("paper", "json", "compact")]


def check_verdicts(core, reference, text: str):
    """Both parsers say the same, and what they read comes back from every style."""
    said = verdict(core, text)
    assert said == verdict(reference, text)
    if isinstance(said, list):
        for printed in said:
            assert verdict(core, printed) == said
    return said
