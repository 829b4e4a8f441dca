"""Completion in fish."""

from __future__ import annotations

from collections.abc import Iterator

from percepts.cli.completion.grammar import Command, Grammar, Option, Value


def script(grammar: Grammar) -> str:
    """Write the script."""
    return "".join(f"complete -c percepts {line}\n" for line in _lines(grammar))


def _lines(grammar: Grammar) -> Iterator[str]:
    at_first = "-n __fish_use_subcommand"
    for command in grammar.commands:
        yield f"-f {at_first} -a {command.name} -d {_quoted(command.summary)}"
    for option in grammar.program.options:
        yield f"{at_first} {_option(option)}"
    for command in grammar.commands:
        yield from _of_command(command)


def _of_command(command: Command) -> Iterator[str]:
    within = f"-n '__fish_seen_subcommand_from {command.name}'"
    if command.argument is None:
        yield f"-f {within}"
    elif command.argument.choices:
        yield f"-f {within} -a {_quoted(' '.join(command.argument.choices))}"
    for option in command.options:
        yield f"{within} {_option(option)}"


def _option(option: Option) -> str:
    spellings = (f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.spellings)
    values = f" {_value(option.values[0])}" if option.values else ""
    return f"{' '.join(spellings)}{values} -d {_quoted(option.description)}"


def _value(value: Value) -> str:
    if value.is_file:
        return "-r"
    if value.is_directory:
        return "-x -a '(__fish_complete_directories)'"
    return f"-x -a {_quoted(' '.join(value.choices))}" if value.choices else "-x"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
