"""``percepts completion``: the script with which a shell completes commands and options."""

from __future__ import annotations

import argparse

from percepts.cli.completion import bash, fish, zsh
from percepts.cli.completion.grammar import grammar_of
from percepts.cli.output import write

SUMMARY = "print the script with which bash, zsh or fish completes percepts"

_SCRIPTS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the shell."""
    parser.add_argument(
        "shell",
        choices=tuple(_SCRIPTS),
        help='bash, in ~/.bashrc: eval "$(percepts completion bash)"; '
        'zsh, in ~/.zshrc after compinit: eval "$(percepts completion zsh)"; '
        "fish: percepts completion fish > ~/.config/fish/completions/percepts.fish",
    )


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print the script and return the exit status."""
    from percepts.cli import parsers

    write(_SCRIPTS[arguments.shell](grammar_of(*parsers())))
    return 0
