"""The core reads any text as the reference does: the same programs, the same refusals."""

from __future__ import annotations

from pathlib import Path

import percepts as pc

CORPUS = Path(__file__).parent / "corpus" / "text"


def seeds() -> list[bytes]:
    """Texts of the committed corpus."""
    return [path.read_bytes() for path in sorted(CORPUS.iterdir())]


def dictionary() -> list[bytes]:
    """The words that the C++ targets use."""
    lines = (CORPUS.parents[1] / "text.dict").read_text().splitlines()
    words = (line[1:-1] for line in lines if line.startswith('"'))
    return [word.encode().decode("unicode_escape").encode() for word in words]


def one_input(data: bytes) -> None:
    """Compare what both make of a text."""
    text = data.decode("utf-8", "surrogateescape")
    assert outcome(pc, text) == outcome(pc.reference, text)
    found, expected = (module.find_programs(text) for module in (pc, pc.reference))
    assert [str(program) for program in found] == [program.to_text() for program in expected]


def outcome(module: object, text: str) -> tuple[str, object]:
    """What parsing gives: the program's text and values, or the message of the refusal."""
    try:
        program = module.parse(text)
    except ValueError as error:
        return str(error), None
    return program.to_text(), program.to_dict()
