"""What can be completed, read off the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an option, or an argument: its name, and what it can be."""

    name: str
    choices: tuple[str, ...]

    @property
    def is_file(self) -> bool:
        """Whether it names a file."""
        return self.name.endswith("FILE")

    @property
    def is_directory(self) -> bool:
        """Whether it names a directory."""
        return self.name == "DIR"


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its spellings, what it does, and its values."""

    spellings: tuple[str, ...]
    description: str
    values: tuple[Value, ...]
    repeats: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand, or the program itself: name, summary, options, and its argument if it takes some."""

    name: str
    summary: str
    options: tuple[Option, ...]
    argument: Value | None

    @property
    def spellings(self) -> tuple[str, ...]:
        """All spellings of all options."""
        return tuple(spelling for option in self.options for spelling in option.spellings)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The program and its subcommands."""

    program: Command
    commands: tuple[Command, ...]


def grammar_of(parser: argparse.ArgumentParser, command_parsers: Mapping[str, argparse.ArgumentParser]) -> Grammar:
    """Read the options off the parsers."""
    return Grammar(
        _command("percepts", parser),
        tuple(_command(name, command_parser) for name, command_parser in command_parsers.items()),
    )


def _command(name: str, parser: argparse.ArgumentParser) -> Command:
    options = []
    argument = None
    for action in parser._actions:
        if action.option_strings:
            options.append(_option(action))
        elif not isinstance(action, argparse._SubParsersAction):
            argument = _value(action, str(action.metavar or action.dest))
    return Command(name, (parser.description or "").removesuffix("."), tuple(options), argument)


def _option(action: argparse.Action) -> Option:
    names: tuple[str, ...] = ()
    if action.nargs != 0:
        names = action.metavar if isinstance(action.metavar, tuple) else (action.metavar or action.dest.upper(),)
    values = tuple(_value(action, name) for name in names)
    return Option(tuple(action.option_strings), action.help or "", values, isinstance(action, argparse._AppendAction))


def _value(action: argparse.Action, name: str) -> Value:
    return Value(name, tuple(map(str, action.choices or ())))
