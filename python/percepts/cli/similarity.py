"""``percepts similarity``: maps of similarities to programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from percepts.cli import batch, options

if TYPE_CHECKING:
    pass

SUMMARY = "print the programs of maps of similarities"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.add_files(parser, ".npz archive with a map of similarities for each candidate, by its name", named=False)
    options.add_text_options(parser)
    options.add_output_options(parser, plot=False)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts
    from percepts.readers import read_maps, takes_maps

    modality = batch.Modality(
        name="similarity",
        takes=takes_maps,
        read=read_maps,
        make=lambda maps: percepts.similarity(maps, note=arguments.note),
    )
    return batch.run(arguments, parser, modality)
