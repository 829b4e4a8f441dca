"""Where programs go: standard output, one text file each, or lines of JSON."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from typing import Protocol

from percepts.cli.files import Writer, replacing
from percepts.cli.inputs import Input
from percepts.cli.output import OutputError, write

JSON_LINES_NAME = "programs.jsonl"

_LINE_ENDS = {ord(char): f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


class Sink(Protocol):
    """Takes the outcome of each input, in order."""

    def keep(self, item: Input, text: str) -> None:
        """Take a program."""

    def lose(self, item: Input, message: str) -> None:
        """Take what an input failed with."""


class StandardOutput:
    """Programs one after the other; failures stand on standard error only."""

    def keep(self, item: Input, text: str) -> None:
        """Print a program."""
        write(f"{text}\n")

    def lose(self, item: Input, message: str) -> None:
        """Print nothing."""


class TextFiles:
    """A text file for each program, below a directory."""

    def __init__(self, directory: str, writer: Writer) -> None:
        self._directory = directory
        self._writer = writer

    def keep(self, item: Input, text: str) -> None:
        """Write NAME.txt."""
        self._writer.write(os.path.join(self._directory, f"{item.name}.txt"), f"{text}\n".encode(), item)

    def lose(self, item: Input, message: str) -> None:
        """Write nothing."""


class JsonLines:
    """One object a line for every input that was read, whatever came of it."""

    def __init__(self, put: Callable[[str], None]) -> None:
        self._put = put

    def keep(self, item: Input, text: str) -> None:
        """Write the file's name and its program."""
        self._put(json_line({"file": readable(item.path), "program": text}))

    def lose(self, item: Input, message: str) -> None:
        """Write the file's name and what it failed with."""
        self._put(json_line({"file": readable(item.path), "error": readable(message)}))


def json_lines_path(directory: str) -> str:
    """Where the lines of a run go that writes below this directory."""
    return os.path.join(directory, JSON_LINES_NAME)


@contextlib.contextmanager
def json_lines_file(directory: str) -> Iterator[JsonLines]:
    """Open DIR/programs.jsonl, which is there once the run has come to its end."""
    path = json_lines_path(directory)
    with _told_as_output(path), replacing(path) as file:

        def put(line: str) -> None:
            with _told_as_output(path):
                file.write(line.encode())

        yield JsonLines(put)


@contextlib.contextmanager
def _told_as_output(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(error.strerror or str(error), path) from error


def json_line(value: object) -> str:
    """One line of JSON as UTF-8 can hold it, also for readers that take U+2028 for the end of a line."""
    return json.dumps(value, ensure_ascii=False).translate(_LINE_ENDS) + "\n"


def readable(text: str) -> str:
    r"""Show the bytes of a file's name that are not UTF-8 as standard error does: ``\udcff`` for the byte FF."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
