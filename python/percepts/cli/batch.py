"""Many files, one program each: what the commands of the modalities share."""

from __future__ import annotations

import argparse
import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from percepts.cli.files import Writer, check_directory
from percepts.cli.inputs import Input, Unusable, expand
from percepts.cli.output import OutputError, complain, reason, remark, write
from percepts.cli.plot import Plot, plot_option
from percepts.cli.progress import Progress
from percepts.cli.records import is_json_lines
from percepts.cli.sinks import JsonLines, Sink, StandardOutput, TextFiles, json_lines_file, json_lines_path
from percepts.readers.content import HEAD_SIZE

if TYPE_CHECKING:
    from percepts.cli.plot import Levels
    from percepts.program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Modality:
    """How a file becomes a program.

    Attributes
    ----------
    name
        The subcommand.
    takes
        Whether a file that starts with these bytes has a reader.
    read, make
        The two steps from a path to a program.
    levels
        The map as a picture, on which the program is drawn; None where ``--plot`` is no option.
    """

    name: str
    takes: Callable[[bytes], bool]
    read: Callable[[str], Any]
    make: Callable[[Any], Program]
    levels: Callable[[Any], Levels] | None = None

    def reads(self, item: Input) -> bool:
        """Whether to read an input: what was asked for always, what was found when its content has a reader."""
        if item.directory is None:
            return True
        if not stat.S_ISREG(os.stat(item.path).st_mode):  # opening a pipe would wait for ever
            return False
        with open(item.path, "rb") as file:
            head = file.read(HEAD_SIZE)
            # Points and detections are JSON themselves, as is what an earlier run wrote with --jsonl.
            return self.takes(head) and not is_json_lines(head, file)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser, modality: Modality) -> int:
    """Make the programs of all files and return the exit status."""
    found = list(expand(arguments.files))
    inputs = [item for item in found if isinstance(item, Input)]
    plot = plot_option(arguments.plot, arguments.out, len(inputs), parser)
    writer = Writer(inputs, modality.reads)
    try:
        if plot is not None:
            plot.check()
        if arguments.out is not None:
            check_directory(arguments.out)
            if arguments.jsonl:
                writer.check_replaced(json_lines_path(arguments.out))
    except ImportError as error:
        complain("--plot", error)
        return 1
    except (OSError, ValueError) as error:
        complain(arguments.out, error)
        return 1
    with _sink(arguments, writer) as sink, Progress(len(inputs), arguments.progress) as progress:
        return _Batch(modality, arguments.style, writer, sink, plot, progress).run(found)


@contextlib.contextmanager
def _sink(arguments: argparse.Namespace, writer: Writer) -> Iterator[Sink]:
    if not arguments.jsonl:
        yield StandardOutput() if arguments.out is None else TextFiles(arguments.out, writer)
    elif arguments.out is None:
        yield JsonLines(write)
    else:
        with json_lines_file(arguments.out) as sink:
            yield sink


class _Batch:
    def __init__(
        self, modality: Modality, style: str, writer: Writer, sink: Sink, plot: Plot | None, progress: Progress
    ) -> None:
        self._style = style
        self._modality = modality
        self._writer = writer
        self._sink = sink
        self._plot = plot
        self._progress = progress
        self._status = 0
        self._skipped = 0
        self._fruitful: set[str] = set()

    def run(self, found: list[Input | Unusable]) -> int:
        done = 0
        for item in found:
            if isinstance(item, Unusable):
                self._complain(item.path, item.error)
            else:
                self._progress.step(done, item.path)
                self._convert(item)
                done += 1
        self._tell_what_was_skipped([item for item in found if isinstance(item, Input)])
        return self._status

    def _convert(self, item: Input) -> None:
        try:
            if not self._modality.reads(item):
                self._skipped += 1
                return
            if item.directory is not None:
                self._fruitful.add(item.directory)
            field = self._modality.read(item.path)
            program = self._modality.make(field)
            if self._plot is not None and self._modality.levels is not None:
                drawing = self._plot.draw(program, self._modality.levels(field))
                self._writer.write(self._plot.path_for(item), drawing, item)
            self._progress.clear_for_output()
            self._sink.keep(item, program.to_text(self._style))
        except (BrokenPipeError, OutputError):  # nowhere to go on to
            raise
        except Exception as error:
            self._complain(item.path, error)
            self._sink.lose(item, reason(item.path, error))

    def _complain(self, path: str, error: Exception) -> None:
        self._status = 1
        self._progress.clear()
        complain(path, error)

    def _tell_what_was_skipped(self, inputs: list[Input]) -> None:
        directories = dict.fromkeys(item.directory for item in inputs if item.directory is not None)
        for directory in directories:
            if directory not in self._fruitful:
                self._complain(directory, ValueError(f"no file below it has a reader for {self._modality.name}"))
        if self._skipped:
            self._progress.clear()
            files = "1 file was" if self._skipped == 1 else f"{self._skipped} files were"
            remark(f"{files} skipped below directories, having no reader for {self._modality.name}")
