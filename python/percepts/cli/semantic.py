"""``percepts semantic``: similarity of candidate points to a source point, to programs."""

from __future__ import annotations

import argparse
import itertools
import string
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from percepts.cli import batch, options

if TYPE_CHECKING:
    from percepts.program import Program

SUMMARY = "print the programs of how much points of an image are like a point of another"

_ARRAYS = ("features0", "features1", "source", "targets", "scores")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.semantic``."""
    options.add_files(
        parser,
        ".npz with the arrays features0 and features1 (C×h×w), source (x, y) and targets (K×2), or with ready scores "
        "(K) and targets; the candidates are called A, B, …",
        named=False,
    )
    for which, image in (("--size0", "first image"), ("--size1", "second image, which the targets are in")):
        parser.add_argument(
            which, type=options.size, metavar="WIDTHxHEIGHT", help=f"size in pixels of the {image}, such as 640x480"
        )
    parser.add_argument("--layout", choices=("chw", "hwc"), default="chw", help="where the channels stand (chw)")
    options.add_text_options(parser)
    options.add_output_options(parser, plot=False)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    from percepts._options import as_size

    for name in ("size0", "size1"):
        if getattr(arguments, name) is not None:
            options.check(parser, as_size, size=getattr(arguments, name), name=name)
    modality = batch.Modality(
        name="semantic",
        takes=_is_archive,
        read=_read,
        make=lambda arrays: _make(arrays, arguments),
    )
    return batch.run(arguments, parser, modality)


def _read(path: str) -> dict[str, Any]:
    from percepts.readers import npz

    with open(path, "rb") as file:
        content = file.read()
    if not _is_archive(content):
        raise ValueError("features are read from a .npz archive, this file is none")
    return npz.decode_arrays(content, _ARRAYS)


def _is_archive(head: bytes) -> bool:
    return head.startswith(b"PK\x03\x04")


def _make(arrays: dict[str, Any], arguments: argparse.Namespace) -> Program:
    import percepts
    from percepts._points import as_points

    is_ready = "scores" in arrays
    _require(arrays, ("targets",) if is_ready else _ARRAYS[:-1])
    for name in ("size1",) if is_ready else ("size0", "size1"):
        if getattr(arguments, name) is None:
            raise ValueError(f"the size of the image is needed: say --{name} WIDTHxHEIGHT")
    candidates = dict(zip(_labels(), as_points(arrays["targets"], "targets"), strict=False))
    if is_ready:
        scores = arrays["scores"]
        if scores.shape != (len(candidates),):
            raise ValueError(f"scores must be one a target, got shape {scores.shape} for {len(candidates)} targets")
        return percepts.semantic_scores(
            dict(zip(candidates, scores, strict=True)), candidates, size=arguments.size1, note=arguments.note
        )
    return percepts.semantic(
        arrays["features0"],
        arrays["features1"],
        arrays["source"],
        candidates,
        size0=arguments.size0,
        size1=arguments.size1,
        layout=arguments.layout,
        note=arguments.note,
    )


def _require(arrays: dict[str, Any], names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in arrays]
    if missing:
        found = ", ".join(arrays) or "none of them"
        raise ValueError(
            f"the file must have the arrays {', '.join(_ARRAYS[:-1])}, or scores and targets; it has {found}"
        )


def _labels() -> Iterator[str]:
    """Yield A, B, … Z, AA, AB, and so on."""
    for length in itertools.count(1):
        for letters in itertools.product(string.ascii_uppercase, repeat=length):
            yield "".join(letters)
