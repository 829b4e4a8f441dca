"""What is written: programs in UTF-8 on standard output, one line per failure on standard error."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from percepts.program import Program

_LINE_BREAK = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SAYS_ENOUGH = (ValueError, TypeError, ImportError, OSError, MemoryError)


class OutputError(Exception):
    """Standard output cannot be written, for another reason than a reader that has gone."""


def print_programs(paths: Iterable[str], make: Callable[[str], Program], style: str) -> int:
    """Print the program of each file in a style, go on after one that fails, and return the exit status."""
    status = 0
    for path in paths:
        try:
            text = make(path).to_text(style)
        except Exception as error:
            complain(path, error)
            status = 1
        else:
            write(f"{text}\n")
    return status


def write(text: str) -> None:
    """Write to standard output now, in UTF-8 whatever the locale; names of files keep their own bytes."""
    buffer = getattr(sys.stdout, "buffer", None)
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if buffer is None:
            sys.stdout.write(text)
        else:
            sys.stdout.flush()
            buffer.write(text.encode("utf-8", "surrogateescape"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror) from error
    flush()


def flush() -> None:
    """Flush standard output while failures can still be told."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror) from error


def abandon_stdout() -> None:
    """Send what is left to nowhere: the interpreter flushes once more as it ends, and would fail aloud."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def complain(name: str, error: Exception) -> None:
    """Say on standard error, in one line, what failed and why."""
    # Python gives None where the stream is closed; print would then use standard output.
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"percepts: {one_line(name)}: {one_line(_message(name, error))}", file=sys.stderr, flush=True)


def one_line(text: str) -> str:
    """Fold line breaks into spaces, and show control characters instead of sending them to a terminal."""
    folded = _LINE_BREAK.sub(" ", text.strip())
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", folded)


def _message(name: str, error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    message = str(error).removeprefix(f"{name}: ")
    if isinstance(error, MemoryError):
        return message or "not enough memory"
    if isinstance(error, (*_SAYS_ENOUGH, OutputError)) and message:
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
