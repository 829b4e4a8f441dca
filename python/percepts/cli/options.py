"""Options that several subcommands share, spelled as the keyword arguments, and the types of their values."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from percepts._options import STYLES
from percepts.cli.output import one_line, write

_Number = TypeVar("_Number", int, float)

_VALUE_COUNTS = {
    "--grid": 1,
    "--tau": 1,
    "--scale": 1,
    "--depth-range": 2,
    "--invalid-value": 1,
    "--max-relations": 1,
    "--ignore-index": 1,
    "--size": 1,
    "--min-score": 1,
    "--max-items": 1,
    "--strip": 1,
}
_NEGATIVE = re.compile(r"-(?:inf|infinity|nan|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)", re.IGNORECASE)
_GRID = re.compile(r"([0-9]+)(?:[xX]([0-9]+))?")
_FOREIGN_NUMBER = re.compile(r"_|[^\x00-\x7f]")


def _number_of(kind: Callable[[str], _Number], text: str) -> _Number:
    """What Python reads in the text, which must not have underscores or the digits of other scripts."""
    if _FOREIGN_NUMBER.search(text):
        raise ValueError
    return kind(text)


class Parser(argparse.ArgumentParser):
    """An argument parser without colours, and without guesses at options that are not spelled out."""

    def __init__(self, **settings: Any) -> None:
        if sys.version_info >= (3, 14):
            settings["color"] = False
        super().__init__(**{"allow_abbrev": False, **settings})

    def print_help(self, file: Any = None) -> None:
        """Write the help where it was asked for; argparse by itself says nothing of a full disk."""
        if file is None:
            write(self.format_help())
        else:
            super().print_help(file)

    def error(self, message: str) -> NoReturn:
        """End with the usage and one line, whatever the arguments that it quotes hold."""
        super().error(one_line(message))


def shielded(argv: list[str]) -> list[str]:
    """Keep argparse from taking values and files for options.

    By itself it knows ``-1`` and ``-1.5`` as values, but neither ``-1e5`` nor ``-inf``: a leading space makes
    them so, and numbers ignore it. It also forgets ``--`` where files stand among options: what follows gets
    a NUL, which no argument of a process can have, and `file_name` takes it away.
    """
    options_end = argv.index("--") if "--" in argv else len(argv)
    arguments = []
    expected = 0
    for argument in argv[:options_end]:
        is_value = expected > 0 and _NEGATIVE.fullmatch(argument)
        arguments.append(f" {argument}" if is_value else argument)
        expected = _VALUE_COUNTS.get(argument, expected - 1)
    return arguments + [f"\0{argument}" for argument in argv[options_end + 1 :]]


def file_name(text: str) -> str:
    """Name of a file, as it was given."""
    return text.removeprefix("\0")


def directory(text: str) -> str:
    """Name of a directory."""
    if not text:
        raise argparse.ArgumentTypeError("must name a directory, got ''")
    return text


def note(text: str) -> str:
    """Text of a program; bytes that are none come as halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"must be text in the encoding of the locale, got {text!r:.100}") from None
    return text


def grid(text: str) -> int | tuple[int, int]:
    """``10`` or ``16x16``, rows before columns."""
    match = _GRID.fullmatch(text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"must be a number or ROWSxCOLS, such as 10 or 12x16, got {text.strip()!r}")
    return int(match[1]) if match[2] is None else (int(match[1]), int(match[2]))


def number(text: str) -> float:
    """Any number that Python reads, also nan and inf."""
    try:
        return _number_of(float, text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {text!r}") from None


def whole_number(text: str) -> int:
    """Whole number."""
    try:
        return _number_of(int, text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, got {text!r}") from None


def sentinel(text: str) -> int | float | None:
    """Value of a hole; a whole number stays exact beyond 2**53. None stands for ``none``."""
    if text.strip().lower() == "none":
        return None
    try:
        return _number_of(int, text)
    except ValueError:
        pass
    try:
        return _number_of(float, text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number or none, got {text!r}") from None


def size(text: str) -> tuple[int, int]:
    """``640x480``, width before height."""
    match = _GRID.fullmatch(text.strip())
    if match is None or match[2] is None:
        raise argparse.ArgumentTypeError(f"must be WIDTHxHEIGHT in pixels, such as 640x480, got {text.strip()!r}")
    return int(match[1]), int(match[2])


def add_files(parser: argparse.ArgumentParser, formats: str, named: bool = True) -> None:
    """Add the files; `named` where one may hold several things of which a name chooses one."""
    parser.add_argument(
        "files",
        type=file_name,
        metavar="FILE",
        nargs="+",
        help=f"{formats}; a directory stands for all such files below it, a pattern in quotes for what it matches",
    )
    if named:
        parser.add_argument("--name", metavar="CHANNEL", help="array, page or channel inside files that hold several")


def add_output_options(parser: argparse.ArgumentParser, plot: bool = True) -> None:
    """Add where programs go, and in what form; `plot` where they can be drawn."""
    outputs = parser.add_argument_group("output")
    outputs.add_argument(
        "--out",
        type=directory,
        metavar="DIR",
        help="writes a text file for each input instead of standard output: a/b/room.png, found through a, "
        "becomes DIR/b/room.png.txt, and an input named by itself DIR/room.png.txt; older files are replaced",
    )
    outputs.add_argument(
        "--jsonl",
        action="store_true",
        help='one line of JSON for each input, {"file": ..., "program": ...} or {"file": ..., "error": ...}; '
        "with --out in DIR/programs.jsonl, which appears when all is done",
    )
    if plot:
        outputs.add_argument(
            "--plot",
            type=file_name,
            metavar="FILE",
            help="draws the program over its map, into a .svg or .png file; with --out, svg or png: a drawing for "
            "each input, DIR/b/room.png.svg",
        )
    else:
        parser.set_defaults(plot=None)
    outputs.add_argument(
        "--no-progress",
        dest="progress",
        action="store_false",
        help="shows no progress on standard error, where a terminal is",
    )


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that maps of numbers share."""
    add_grid(parser)
    parser.add_argument(
        "--invalid-value",
        type=sentinel,
        action="append",
        metavar="V",
        help="value that is a hole, such as 0 or nan; repeat it for several; none says that there are none",
    )
    add_text_options(parser)


def add_grid(parser: argparse.ArgumentParser) -> None:
    """Add the grid."""
    parser.add_argument(
        "--grid",
        type=grid,
        default=10,
        metavar="ROWSxCOLS",
        help="rows and columns, such as 16x16; one number for both (10)",
    )


def add_text_options(parser: argparse.ArgumentParser) -> None:
    """Add how the programs are written."""
    parser.add_argument(
        "--style",
        choices=STYLES,
        default="paper",
        help="how the programs are written: as in the research release (paper, the default), as JSON, or compact",
    )
    notes = parser.add_mutually_exclusive_group()
    notes.add_argument("--note", type=note, default=..., metavar="TEXT", help="replaces the built-in note")
    notes.add_argument("--no-note", dest="note", action="store_const", const=None, help="leaves the note out")


def invalid_value(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[float, ...] | None:
    """Sentinels named on the command line: None for no option, () for ``none``."""
    values: list[int | float | None] | None = arguments.invalid_value
    if values is None:
        return None
    sentinels = tuple(value for value in values if value is not None)
    if sentinels and len(sentinels) < len(values):
        parser.error("argument --invalid-value: none says that there are no holes, and stands alone")
    return sentinels


def check(parser: argparse.ArgumentParser, make_options: Callable[..., object], **options: object) -> None:
    """End with a usage error where the options are wrong for any file."""
    try:
        make_options(**options)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
