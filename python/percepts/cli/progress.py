"""One line on a terminal that says how far a run is."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from types import TracebackType
from typing import TextIO

from percepts._columns import columns, shortened
from percepts.cli.output import one_line

_SECONDS_BETWEEN = 0.1
_DEFAULT_WIDTH = 80
_CLEAR = "\r\x1b[K"


class Progress:
    """Count, rate and current file, rewritten in place on standard error; nothing where that is no terminal."""

    def __init__(self, total: int, wanted: bool = True) -> None:
        self._total = total
        self._shown = wanted and total > 1 and _is_terminal(sys.stderr)
        self._shares_terminal = self._shown and _is_terminal(sys.stdout)
        self._started = time.monotonic()
        self._drawn_at = -math.inf
        self._visible = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.clear()

    def step(self, done: int, path: str) -> None:
        """Say that `done` files are behind and this one is next; seldom enough to cost nothing."""
        now = time.monotonic()
        if self._shown and now - self._drawn_at >= _SECONDS_BETWEEN:
            self._drawn_at, self._visible = now, True
            rate = done / (now - self._started) if now > self._started else 0.0
            self._send(_CLEAR + _line(f"{done}/{self._total}  {rate:.3g} files/s  ", one_line(path)))

    def clear(self) -> None:
        """Take the line away, so that something else can be written there; the next step brings it back."""
        if self._visible:
            self._visible = False
            self._drawn_at = -math.inf
            self._send(_CLEAR)

    def clear_for_output(self) -> None:
        """Take the line away if standard output goes to a terminal too."""
        if self._shares_terminal:
            self.clear()

    @staticmethod
    def _send(text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # closed
        return False


def _line(counts: str, path: str) -> str:
    """Fit into the terminal's width, which a longer line would wrap; of the path the end tells most."""
    try:
        width = os.get_terminal_size(sys.stderr.fileno()).columns or _DEFAULT_WIDTH
    except (OSError, ValueError):
        width = _DEFAULT_WIDTH
    room = width - 1 - columns(counts)
    if columns(path) > room:
        path = shortened(path[::-1], room, "...")[::-1] if room > len("...") else ""
    return shortened(counts + path, width - 1, "")
