"""``percepts parse``: what the programs in a text say."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from percepts.cli import options, records
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
        help="text in UTF-8 with programs in it, such as a prompt or an answer, or the lines that --jsonl writes; "
        "- is standard input",
    )
    parser.add_argument("--json", action="store_true", help="prints each program as one line of JSON")


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print what every program says and return the exit status: 1 when some file has none."""
    from percepts.cli.summary import summary

    status = 0
    shown = 0
    for path in arguments.files:
        name = "standard input" if path == "-" else path
        for place, found in _found(path):
            if isinstance(found, Exception):
                complain(name, found)
                status = 1
                continue
            if arguments.json:
                write(json_line(found.to_dict()))
            else:
                write(("\n" if shown else "") + summary(found, f"{name}{place}"))
            shown += 1
    return status


def _found(path: str) -> Iterator[tuple[str, Program | Exception]]:
    """Yield what a file holds: where in it, and a program, or what is wrong."""
    try:
        text = _text(path)
        if records.record(text.lstrip().partition("\n")[0]) is not None:
            yield from _programs_of_lines(text)
            return
        programs = _programs(text)
    except Exception as error:
        yield "", error
        return
    for k, program in enumerate(programs, start=1):
        yield f", program {k} of {len(programs)}" if len(programs) > 1 else "", program


def _programs_of_lines(text: str) -> Iterator[tuple[str, Program | Exception]]:
    """Yield the program of each line that ``--jsonl`` wrote."""
    import percepts

    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        record = records.record(line)
        try:
            if record is None:
                raise ValueError('must be {"file": …, "program": …} or {"file": …, "error": …}, as the first line is')
            if "error" in record:
                raise ValueError(f"{record['file']} has no program: {record['error']}")
            yield f", {record['file']}", percepts.parse(record["program"])
        except ValueError as error:
            yield "", ValueError(f"line {number}: {error}")


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
    fault = None
    if text.lstrip().startswith("{"):
        try:
            return [percepts.parse(text)]  # bare JSON
        except ValueError as error:
            fault = error
    programs = percepts.find_programs(text)
    if programs:
        return programs
    if fault is not None and text.rstrip().endswith("}"):
        raise fault
    unread = f": no block between {_OPENING} and {_CLOSING} can be read" if _OPENING in text else ""
    raise ValueError(f"the text holds no program{unread}")


def _is_one_block(text: str) -> bool:
    return text.startswith(_OPENING) and text.endswith(_CLOSING) and text.count(_OPENING) == 1
