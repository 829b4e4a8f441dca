"""What is written: programs in UTF-8 on standard output, one line per failure on standard error."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys

_LINE_BREAK = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SAYS_ENOUGH = (ValueError, TypeError, ImportError, OSError, MemoryError)


STANDARD_OUTPUT = "standard output"


class OutputError(Exception):
    """What all programs go to cannot be written, for another reason than a reader that has gone."""

    def __init__(self, reason: str, name: str = STANDARD_OUTPUT) -> None:
        super().__init__(reason)
        self.name = name


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
        raise OutputError(error.strerror or str(error)) from error
    flush()


def flush() -> None:
    """Flush standard output while failures can still be told."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error)) from error


def abandon_stdout() -> None:
    """Send what is left to nowhere: the interpreter flushes once more as it ends, and would fail aloud."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def complain(name: str, error: Exception) -> None:
    """Say on standard error, in one line, what failed and why."""
    remark(f"{one_line(name)}: {reason(name, error)}")


def remark(line: str) -> None:
    """Say one line on standard error."""
    # Python gives None where the stream is closed; print would then use standard output.
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"percepts: {line}", file=sys.stderr, flush=True)


def reason(name: str, error: Exception) -> str:
    """Why a file failed, in one line without its name."""
    return one_line(_message(name, error))


def one_line(text: str) -> str:
    """Fold line breaks into spaces, and show control characters instead of sending them to a terminal."""
    folded = _LINE_BREAK.sub(" ", text.strip())
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", folded)


def _message(name: str, error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.removeprefix(f"{name}: ")
    message = str(error).removeprefix(f"{name}: ")
    if isinstance(error, MemoryError):
        return message or "not enough memory"
    if isinstance(error, (*_SAYS_ENOUGH, OutputError)) and message:
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
