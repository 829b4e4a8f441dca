"""Completion in bash, also in the old one of macOS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from percepts.cli.completion.grammar import Command, Grammar


def script(grammar: Grammar) -> str:
    """Write the script; what it leaves open readline completes as the name of a file."""
    first_words = (*(command.name for command in grammar.commands), *grammar.program.spellings)
    return "\n".join(
        [
            "_percepts() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=",
            "    COMPREPLY=()",
            "    if [[ $current == = ]]; then",
            "        current=",
            "    elif [[ $previous == = ]]; then",
            "        previous=${COMP_WORDS[COMP_CWORD-2]}",
            "    fi",
            "    if ((COMP_CWORD == 1)); then",
            f"        words='{' '.join(first_words)}'",
            "    else",
            '        case "${COMP_WORDS[1]} $previous" in',
            *(f"            {line}" for line in _after_options(grammar.commands)),
            "            *)",
            '                case "${COMP_WORDS[1]} $current" in',
            *(f"                    {line}" for line in _options_and_arguments(grammar.commands)),
            "                esac ;;",
            "        esac",
            "    fi",
            '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "}",
            "complete -o default -F _percepts percepts",
            "",
        ]
    )


def _after_options(commands: Iterable[Command]) -> Iterator[str]:
    for command in commands:
        for option in command.options:
            if option.values:
                patterns = "|".join(f"'{command.name} {spelling}'" for spelling in option.spellings)
                yield f"{patterns}) words='{' '.join(option.values[0].choices)}' ;;"


def _options_and_arguments(commands: Iterable[Command]) -> Iterator[str]:
    for command in commands:
        yield f"'{command.name} -'*) words='{' '.join(command.spellings)}' ;;"
        if command.argument is not None and command.argument.choices:
            yield f"'{command.name} '*) words='{' '.join(command.argument.choices)}' ;;"
