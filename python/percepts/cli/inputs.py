"""What the FILE arguments stand for: files, directories with all below them, and patterns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from percepts.cli.patterns import Search, is_wild


@dataclass(frozen=True, slots=True)
class Input:
    """A file to read.

    Attributes
    ----------
    path
        As it is opened and told.
    name
        Its name below an output directory: relative to the directory through which it was found, or to the part
        of a pattern without wildcards; of a file given by itself the last part.
    directory
        The argument below which it was found; None for a file that was asked for.
    """

    path: str
    name: str
    directory: str | None = None


@dataclass(frozen=True, slots=True)
class Unusable:
    """An argument, or a directory below one, that gives no files, and why."""

    path: str
    error: Exception


def expand(arguments: Iterable[str]) -> Iterator[Input | Unusable]:
    """Yield the files of all arguments: arguments in their order, the files of each sorted.

    What exists is taken as it is; only then are ``*``, ``?`` and ``[`` wildcards, and ``**`` any directories.
    """
    for argument in arguments:
        if os.path.isdir(argument):
            yield from _below(argument, argument, "")
        elif os.path.lexists(argument) or not is_wild(argument):
            yield Input(argument, os.path.basename(argument))
        else:
            yield from _matching(argument)


def _matching(pattern: str) -> Iterator[Input | Unusable]:
    base, wild = _split(pattern)
    search = Search(base, _names_hidden(wild))
    try:
        names = {name.rstrip(os.sep) or os.curdir for name in search.matches(wild)}
    except ValueError as error:  # a NUL, which no name has
        yield Unusable(pattern, ValueError(f"not a pattern: {error}"))
        return
    if not names and not search.failures:
        yield Unusable(pattern, ValueError("the pattern matches nothing"))
    for path, failure in sorted(search.failures.items(), key=lambda item: _by_parts(item[0])):
        yield Unusable(path, failure)
    seen = set(search.failures)
    for name in sorted(names, key=_by_parts):
        for found in _matched(base, name):
            if os.path.normpath(found.path) not in seen:  # ** matches a directory and those in it
                seen.add(os.path.normpath(found.path))
                yield found


def _matched(base: str, name: str) -> Iterable[Input | Unusable]:
    path = (base or os.curdir) if name == os.curdir else os.path.join(base, name)
    inner = _inside(name)
    return _below(path, path, inner) if os.path.isdir(path) else [Input(path, inner)]


def _split(pattern: str) -> tuple[str, str]:
    """Split into the directories before the first wildcard, and the rest."""
    parts = pattern.split(os.sep)
    first_wild = next(k for k, part in enumerate(parts) if is_wild(part))
    base = os.sep.join(parts[:first_wild])
    return (base or os.sep if first_wild else ""), os.sep.join(parts[first_wild:])


def _names_hidden(path: str) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in path.split(os.sep))


def _inside(name: str) -> str:
    """Keep a name with ``..`` in it from leading out of an output directory."""
    name = os.path.normpath(name)
    return os.path.basename(name) if _by_parts(name)[0] == os.pardir else name


def _by_parts(path: str) -> list[str]:
    return path.split(os.sep)


def _below(directory: str, argument: str, name: str) -> Iterator[Input | Unusable]:
    files, failures = _walk(directory)
    yield from failures
    if not files and not failures:
        yield Unusable(directory, ValueError("the directory holds no files"))
    for file in sorted(files, key=_by_parts):
        yield Input(os.path.join(directory, file), os.path.normpath(os.path.join(name, file)), argument)


def _walk(directory: str) -> tuple[list[str], list[Unusable]]:
    """Files below a directory, relative to it, without hidden ones, and the directories that cannot be read.

    Each directory is entered once, so that links in a circle come to an end, and by its own name rather than
    by a link's where both lead to it.
    """
    files: list[str] = []
    failures: list[Unusable] = []
    entered: set[tuple[int, int]] = set()
    own, linked = [""], list[str]()
    while own or linked:
        relative = own.pop() if own else linked.pop(0)
        path = os.path.join(directory, relative) if relative else directory
        try:
            status = os.stat(path)
            if (status.st_dev, status.st_ino) in entered:
                continue
            entered.add((status.st_dev, status.st_ino))
            with os.scandir(path) as entries:
                visible = sorted((entry for entry in entries if not entry.name.startswith(".")), key=_entry_name)
        except OSError as error:
            failures.append(Unusable(path, error))
            continue
        for entry in visible:
            kind = _kind(entry)
            (files if kind == "file" else own if kind == "directory" else linked).append(
                os.path.join(relative, entry.name)
            )
    return files, failures


def _entry_name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "linked directory" if os.path.isdir(entry.path) else "file"
    return "directory" if entry.is_dir(follow_symlinks=False) else "file"
