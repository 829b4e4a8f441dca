"""Files that the command line writes: whole or not at all, and never one over another of the same run."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import IO

from percepts.cli.inputs import Input

_Identity = tuple[int, int]


@contextlib.contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """Open a file that takes its name when all is written; until then it has another in the same directory."""
    temporary = _temporary_in(os.path.dirname(path))
    try:
        with open(temporary, "xb") as file:
            yield file
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise OSError(error.errno, f"{path}: {error.strerror or error}") from error
        raise


class Writer:
    """Writes files that belong to inputs; refuses what would destroy an input or another input's file."""

    def __init__(self, inputs: Iterable[Input], is_read: Callable[[Input], bool]) -> None:
        self._inputs = tuple(inputs)
        self._is_read = is_read
        self._owners: dict[str, str] = {}

    def write(self, path: str, content: bytes, owner: Input) -> None:
        """Write or replace a file, and make its directories.

        Raises
        ------
        ValueError
            When another input has written this file, or it is an input itself.
        OSError
            When the file system does not let it; the message names the file.
        """
        self._claim(path, owner)
        make_directories(os.path.dirname(path))
        with replacing(path) as file:
            file.write(content)

    def _claim(self, path: str, owner: Input) -> None:
        first = self._owners.setdefault(path, owner.path)
        if os.path.normpath(first) != os.path.normpath(owner.path):
            raise ValueError(f"{path} was already written for {first}; give the directory above both instead")
        self.check_replaced(path)

    def check_replaced(self, path: str) -> None:
        """Refuse with a ValueError what would replace an input."""
        for item in self._inputs_at(path):
            # What an earlier run left behind is found below a directory too, but no reader takes it.
            if self._is_read(item):
                raise ValueError(f"{path} would replace the input {item.path}")

    def _inputs_at(self, path: str) -> list[Input]:
        try:
            status = os.stat(path)
        except OSError:
            return []
        return self._inputs_by_identity.get((status.st_dev, status.st_ino), [])

    @cached_property
    def _inputs_by_identity(self) -> dict[_Identity, list[Input]]:
        found: dict[_Identity, list[Input]] = {}
        for identity, item in _identities(self._inputs):
            found.setdefault(identity, []).append(item)
        return found


def check_directory(path: str) -> None:
    """Make a directory if need be, and find out whether files can be written there; an OSError says why not."""
    make_directories(path)
    probe = _temporary_in(path)
    try:
        with open(probe, "xb"):
            pass
    except OSError as error:
        raise OSError(error.errno, f"{path}: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(probe)


def make_directories(path: str) -> None:
    """Make a directory and those above it, where they are missing; an OSError names it."""
    try:
        os.makedirs(path or ".", exist_ok=True)
    except OSError as error:
        number = errno.ENOTDIR if isinstance(error, FileExistsError) else error.errno or errno.EIO
        raise OSError(number, f"{path}: {os.strerror(number)}") from error


def _temporary_in(directory: str) -> str:
    return os.path.join(directory, f".percepts-{secrets.token_hex(8)}.tmp")


def _identities(inputs: Iterable[Input]) -> Iterator[tuple[_Identity, Input]]:
    for item in inputs:
        with contextlib.suppress(OSError):
            status = os.stat(item.path)
            yield (status.st_dev, status.st_ino), item
