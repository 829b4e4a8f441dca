"""Completion in zsh."""

from __future__ import annotations

from collections.abc import Iterator

from percepts.cli.completion.grammar import Command, Grammar, Option, Value


def script(grammar: Grammar) -> str:
    """Write the script, to be evaluated after compinit or to lie as _percepts in $fpath."""
    return "\n".join(
        [
            "#compdef percepts",
            "_percepts() {",
            '    local curcontext="$curcontext" state line',
            "    local -a commands=(",
            *(f"        {_quoted(f'{command.name}:{_plain(command.summary)}')}" for command in grammar.commands),
            "    )",
            "    _arguments -C \\",
            *(f"        {spec} \\" for spec in _specs(grammar.program)),
            "        '1:command:->command' '*::argument:->argument'",
            "    case $state in",
            "        command) _describe -t commands command commands ;;",
            "        argument)",
            "            case $line[1] in",
            *(f"                {line}" for command in grammar.commands for line in _case(command)),
            "            esac ;;",
            "    esac",
            "}",
            'if [[ $funcstack[1] == _percepts ]]; then _percepts "$@"; else compdef _percepts percepts; fi',
            "",
        ]
    )


def _case(command: Command) -> Iterator[str]:
    specs = [*_specs(command)]
    if command.argument is not None:
        specs.append(_quoted(f"*{_value(command.argument)}"))
    yield f"{command.name}) _arguments \\"
    yield from (f"    {spec} \\" for spec in specs)
    yield "    ;;"


def _specs(command: Command) -> Iterator[str]:
    for option in command.options:
        yield from (_spec(option, spelling) for spelling in option.spellings)


def _spec(option: Option, spelling: str) -> str:
    others = " ".join(option.spellings)
    repeated = "*" if option.repeats else f"({others})"
    joint = "=" if option.values and spelling.startswith("--") and len(option.values) == 1 else ""
    values = "".join(map(_value, option.values))
    return _quoted(f"{repeated}{spelling}{joint}[{_plain(option.description)}]{values}")


def _value(value: Value) -> str:
    action = f"({' '.join(value.choices)})" if value.choices else " "
    if value.is_file:
        action = "_files"
    elif value.is_directory:
        action = "_files -/"
    return f":{_plain(value.name)}:{action}"


def _plain(text: str) -> str:
    r"""Escape what ends a description: brackets and colons."""
    return "".join(f"\\{char}" if char in r"[]:\\" else char for char in text)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", r"'\''") + "'"
