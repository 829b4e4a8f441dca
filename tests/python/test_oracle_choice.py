"""What oracles take and answer."""

import pytest

import percepts as pc
from percepts.oracle.choice import choice_of
from percepts.oracle.read import as_program

PROGRAM = pc.Program("semantic", "point", [pc.Item(p="A", c=[1, 2], r=0.5)])


def test_the_highest_score_is_chosen():
    choice = choice_of({"A": 0.5, "B": 0.75}, {"B": PROGRAM.items[0]})
    assert (choice.choice, choice.tied) == ("B", False)
    assert choice.evidence == {"B": PROGRAM.items[0]}


def test_a_tie_is_reported_as_a_tie():
    choice = choice_of({"A": 0.75, "B": 0.75, "C": 0.5}, {})
    assert (choice.choice, choice.tied) == (None, True)


def test_nothing_is_chosen_from_nothing():
    assert choice_of({}, {}) == pc.Choice(None, tied=False)


def test_programs_and_texts_are_taken():
    assert as_program(PROGRAM, "program", "semantic") is PROGRAM
    assert as_program(str(PROGRAM), "program", "semantic") == PROGRAM


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="program must be a Program or its text, got int"):
        as_program(7, "program", "semantic")
    with pytest.raises(ValueError, match="of the modality 'flow', got 'semantic'"):
        as_program(PROGRAM, "program", "flow")
    with pytest.raises(ValueError, match="perceptionprogram"):
        as_program("prose", "program", "flow")
