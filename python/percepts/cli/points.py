"""``percepts points``: the labelled points of a question to programs."""

from __future__ import annotations

import argparse
import codecs
from typing import Any

from percepts.cli import batch, options
from percepts.cli.correspondence import add_outside
from percepts.cli.json_file import strict_json

SUMMARY = "print the programs of labelled points"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.points``."""
    options.add_files(
        parser,
        'points in JSON, the arguments of percepts.points: {"points": {"A": [x, y]}, "size": [width, height]}, for '
        'several images {"points": {"image 1": {"A": [x, y]}}, "size": {"image 1": [width, height]}}',
        named=False,
    )
    add_outside(parser)
    options.add_text_options(parser)
    options.add_output_options(parser, plot=False)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts

    modality = batch.Modality(
        name="points",
        takes=lambda head: head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"),
        read=_read,
        make=lambda given: percepts.points(
            given["points"], size=given["size"], outside=arguments.outside, note=arguments.note
        ),
    )
    return batch.run(arguments, parser, modality)


def _read(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        content = file.read()
    try:
        given = strict_json(content)
    except ValueError as error:
        raise ValueError(f"points are read from JSON: {error}") from None
    if not isinstance(given, dict) or set(given) != {"points", "size"}:
        got = ", ".join(f"{key!r:.50}" for key in given) if isinstance(given, dict) else type(given).__name__
        raise ValueError(f'the JSON object must have the keys "points" and "size", got {got or "none"}')
    return given
