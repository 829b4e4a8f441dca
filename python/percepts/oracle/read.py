"""Programs as oracles take them."""

from __future__ import annotations

from percepts.program import Program, parse


def as_program(program: object, name: str, modality: str) -> Program:
    """Take a program of this modality, or its text.

    Raises
    ------
    TypeError
        When it is neither a program nor a text.
    ValueError
        When a text is not one program, or the modality is another.
    """
    if isinstance(program, str):
        program = parse(program)
    if not isinstance(program, Program):
        raise TypeError(f"{name} must be a Program or its text, got {type(program).__name__}")
    if program.modality != modality:
        raise ValueError(f"{name} must be a program of the modality {modality!r}, got {program.modality!r}")
    return program
