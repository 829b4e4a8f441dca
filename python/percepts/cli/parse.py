"""``percepts parse``: what the programs in a text say."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from percepts.cli import options
from percepts.cli.output import complain, write
from percepts.cli.sinks import json_line

if TYPE_CHECKING:
    from percepts.program import Program

SUMMARY = "find the programs in texts and print what they say"

_OPENING, _CLOSING = "<perceptionprogram>", "</perceptionprogram>"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "files",
        type=options.file_name,
        metavar="FILE",
        nargs="+",
        help="text in UTF-8 with programs in it, such as a prompt or an answer; - is standard input",
    )
    parser.add_argument("--json", action="store_true", help="prints each program as one line of JSON")


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print what every program says and return the exit status: 1 when some file has none."""
    from percepts.cli.summary import summary

    status = 0
    shown = 0
    for path in arguments.files:
        name = "standard input" if path == "-" else path
        try:
            programs = _programs(_text(path))
        except Exception as error:
            complain(name, error)
            status = 1
            continue
        for k, program in enumerate(programs, start=1):
            if arguments.json:
                write(json_line(program.to_dict()))
            else:
                place = f"{name}, program {k} of {len(programs)}" if len(programs) > 1 else name
                write(("\n" if shown else "") + summary(program, place))
            shown += 1
    return status


def _text(path: str) -> str:
    if path == "-":
        content = sys.stdin.buffer.read() if sys.stdin is not None else b""
    else:
        with open(path, "rb") as file:
            content = file.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"text in UTF-8 is needed, line {line} has the byte 0x{content[error.start]:02x}") from None


def _programs(text: str) -> list[Program]:
    """Programs of a text; what is nothing but one block is an error where it has a fault, with the line."""
    import percepts

    if _is_one_block(text.strip()):
        return [percepts.parse(text)]
    programs = percepts.find_programs(text)
    if not programs:
        unread = f": no block between {_OPENING} and {_CLOSING} can be read" if _OPENING in text else ""
        raise ValueError(f"the text holds no program{unread}")
    return programs


def _is_one_block(text: str) -> bool:
    if text.startswith("{"):
        return True  # bare JSON
    return text.startswith(_OPENING) and text.endswith(_CLOSING) and text.count(_OPENING) == 1
