"""The command line, ``percepts``: one module per subcommand, each with ``add_options`` and ``run``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType

from percepts.cli import (
    albedo,
    completion,
    correspondence,
    demo,
    depth,
    detection,
    flow,
    info,
    jigsaw,
    parse,
    points,
    segmentation,
    semantic,
    similarity,
)
from percepts.cli.options import Parser, shielded
from percepts.cli.output import STANDARD_OUTPUT, OutputError, abandon_stdout, complain, flush, write

_COMMANDS: dict[str, ModuleType] = {
    "depth": depth,
    "flow": flow,
    "correspondence": correspondence,
    "points": points,
    "detection": detection,
    "segmentation": segmentation,
    "albedo": albedo,
    "similarity": similarity,
    "jigsaw": jigsaw,
    "semantic": semantic,
    "parse": parse,
    "info": info,
    "demo": demo,
    "completion": completion,
}

_BROKEN_PIPE = 128 + 13
_INTERRUPTED = 128 + 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv
        The arguments after the program's name; None takes the process's own.

    Returns
    -------
    int
        The exit status: 0 when all succeeded, 1 when some file failed, 2 for wrong usage; 130 after Ctrl-C
        and 141 when whoever read the output has gone, as a shell reports these.
    """
    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        flush()
    except BrokenPipeError:
        abandon_stdout()
        return _BROKEN_PIPE
    except OutputError as error:
        if error.name == STANDARD_OUTPUT:
            abandon_stdout()
        complain(error.name, error)
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


def _run(argv: list[str]) -> int:
    parser, command_parsers = parsers()
    try:
        if not argv or argv[0] not in command_parsers:
            parser.parse_args(argv)
            parser.error("a command is required")
        command_parser = command_parsers[argv[0]]
        # A subparser by itself also takes options between the files.
        arguments = command_parser.parse_intermixed_args(shielded(argv[1:]))
        return int(_COMMANDS[argv[0]].run(arguments, command_parser))
    except SystemExit as end:  # argparse's way to end after --help, --version or wrong usage
        return end.code if isinstance(end.code, int) else 0


def parsers() -> tuple[Parser, dict[str, Parser]]:
    """Make the parser of the program and those of its commands."""
    parser = Parser(prog="percepts", description="Dense vision outputs as short symbolic text.")
    parser.add_argument("--version", action=_ShowVersion, help="show the version and exit")
    commands = parser.add_subparsers(
        metavar="COMMAND", required=True, title="commands", parser_class=Parser, prog="percepts"
    )
    command_parsers = {}
    for name, module in _COMMANDS.items():
        summary = str(module.SUMMARY)
        command_parsers[name] = commands.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
        module.add_options(command_parsers[name])
    return parser, command_parsers


class _ShowVersion(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:  # noqa: A002
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        import percepts

        write(f"percepts {percepts.__version__}\n")
        parser.exit()
