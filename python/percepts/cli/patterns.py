"""Patterns: what they match, and the directories that had to be looked into and could not be.

`Path.glob` takes a directory that it may not read for an empty one.
"""

from __future__ import annotations

import errno
import fnmatch
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_WILD = frozenset("*?[")
_IS_NO_MATCH = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


def is_wild(text: str) -> bool:
    """Whether there is a wildcard in it."""
    return not _WILD.isdisjoint(text)


@dataclass(frozen=True, slots=True)
class Search:
    """Looks for what a pattern matches below a directory.

    Attributes
    ----------
    base
        The directory; empty for the current one.
    hidden
        Whether wildcards stand for names with a dot in front, too.
    failures
        What could not be looked into, and why.
    """

    base: str
    hidden: bool
    failures: dict[str, OSError] = field(default_factory=dict)

    def matches(self, pattern: str) -> list[str]:
        """Names of what matches, relative to the base, which is itself the empty one."""
        parts = [part for part in pattern.split(os.sep) if part != os.curdir]
        found = [""]
        for part in parts:
            if part == "**":
                found = [below for name in found for below in self._directories(name)]
            elif is_wild(part):
                found = [match for name in found for match in self._matching(name, part)]
            else:  # an empty one, at the end, is for directories only
                found = [match for match in (os.path.join(name, part) for name in found) if self._exists(match)]
            found = list(dict.fromkeys(found))
        return found

    def _path(self, name: str) -> str:
        return os.path.join(self.base, name) if name else self.base or os.curdir

    def _matching(self, name: str, part: str) -> Iterable[str]:
        is_match = re.compile(fnmatch.translate(os.path.normcase(part))).match
        entries = self._entries(name) or []
        return [os.path.join(name, entry.name) for entry in entries if is_match(os.path.normcase(entry.name))]

    def _directories(self, name: str) -> Iterable[str]:
        """A directory, and those below it that no link leads to."""
        found, left = [], [name]
        while left:
            directory = left.pop()
            entries = self._entries(directory)
            if entries is None:
                continue
            found.append(directory)
            for entry in entries:
                if not entry.is_symlink() and entry.is_dir(follow_symlinks=False):
                    left.append(os.path.join(directory, entry.name))
        return found

    def _entries(self, name: str) -> list[os.DirEntry[str]] | None:
        """What is in a directory; None where that cannot be told."""
        path = self._path(name)
        try:
            with os.scandir(path) as entries:
                return [entry for entry in entries if self.hidden or not entry.name.startswith(".")]
        except OSError as error:
            self._note(path, error)
            return None

    def _exists(self, name: str) -> bool:
        path = self._path(name)
        try:
            os.lstat(path)
        except OSError as error:
            self._note(path, error)
            return False
        return True

    def _note(self, path: str, error: OSError) -> None:
        if error.errno not in _IS_NO_MATCH:
            self.failures.setdefault(os.path.normpath(path), error)
