"""``percepts albedo``: albedo maps to programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from percepts.cli import batch, options

if TYPE_CHECKING:
    from percepts.cli.plot import Levels
    from percepts.program import Program
    from percepts.readers import FieldFile

SUMMARY = "print the programs of albedo maps"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.albedo``."""
    options.add_files(parser, "albedo map: .npy, .npz, greyscale PNG, PGM, PFM or TIFF, OpenEXR")
    options.add_common_options(parser)
    parser.add_argument(
        "--tau",
        type=options.number,
        default=0.08,
        metavar="T",
        help="least difference for is darker than (0.08)",
    )
    parser.add_argument("--no-relations", dest="relations", action="store_false", help="leaves the relations out")
    options.add_output_options(parser)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts
    from percepts.albedo import albedo_options
    from percepts.readers import takes_depth

    chosen = {
        "grid": arguments.grid,
        "tau": arguments.tau,
        "relations": arguments.relations,
        "note": arguments.note,
    }
    of_the_file: dict[str, Any] = {"invalid_value": options.invalid_value(arguments, parser)}
    options.check(parser, albedo_options, **chosen)
    modality = batch.Modality(
        name="albedo",
        takes=takes_depth,
        read=lambda path: percepts.read_depth(path, arguments.name),
        make=lambda field: cast("Program", percepts.albedo(field, **chosen, **of_the_file)),
        levels=lambda field: _levels(field, of_the_file),
    )
    return batch.run(arguments, parser, modality)


def _levels(file: FieldFile, of_the_file: dict[str, Any]) -> Levels:
    """Show the albedo as it is."""
    from percepts._arrays import Field, as_fields
    from percepts.cli.plot import levels_between
    from percepts.reference.field import plain_field

    field = plain_field(cast("Field", as_fields(file, "albedo", None, of_the_file["invalid_value"])))
    dtype = field.data.dtype
    return levels_between(field, 0.0, float(np.iinfo(dtype).max) if dtype.kind == "u" else 1.0)
