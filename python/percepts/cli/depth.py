"""``percepts depth``: depth maps to programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, cast

from percepts.cli import batch, options

if TYPE_CHECKING:
    from percepts.cli.plot import Levels
    from percepts.program import Program
    from percepts.readers import FieldFile

SUMMARY = "print the programs of depth maps"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.depth``."""
    options.add_files(parser, "depth map: .npy, .npz, greyscale PNG, PGM, PFM or TIFF, OpenEXR, ROS compressedDepth")
    options.add_common_options(parser)
    parser.add_argument(
        "--kind",
        choices=("relative", "disparity", "metric"),
        default="relative",
        help="what the numbers are: relative in [0, 1] with 1 nearest (the default), "
        "disparity (larger is nearer) or metric (larger is farther)",
    )
    parser.add_argument(
        "--scale",
        type=options.number,
        default=1.0,
        metavar="S",
        help="divides the values: 1000 for millimetres (1)",
    )
    parser.add_argument(
        "--depth-range",
        type=options.number,
        nargs=2,
        metavar=("NEAR", "FAR"),
        help="values that read 1 and 0, instead of the map's own range",
    )
    parser.add_argument(
        "--no-normalize", dest="normalize", action="store_false", help="keeps metric readings in scaled units"
    )
    parser.add_argument(
        "--tau",
        type=options.number,
        default=0.15,
        metavar="T",
        help="least difference for in_front_of (0.15)",
    )
    parser.add_argument("--no-relations", dest="relations", action="store_false", help="leaves the relations out")
    parser.add_argument("--max-relations", type=options.whole_number, metavar="N", help="keeps the first N relations")
    options.add_output_options(parser)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts
    from percepts.depth import depth_options
    from percepts.readers import takes_depth

    near_far = arguments.depth_range
    chosen = {
        "grid": arguments.grid,
        "tau": arguments.tau,
        "kind": arguments.kind,
        "scale": arguments.scale,
        "depth_range": None if near_far is None else tuple(near_far),
        "normalize": arguments.normalize,
        "invalid_value": options.invalid_value(arguments, parser),
        "relations": arguments.relations,
        "max_relations": arguments.max_relations,
        "note": arguments.note,
    }
    options.check(parser, depth_options, **chosen)
    modality = batch.Modality(
        name="depth",
        takes=takes_depth,
        read=lambda path: percepts.read_depth(path, arguments.name),
        make=lambda field: cast("Program", percepts.depth(field, **chosen)),
        levels=lambda field: _levels(field, chosen),
    )
    return batch.run(arguments, parser, modality)


def _levels(file: FieldFile, chosen: dict[str, Any]) -> Levels:
    """Show what is near in white, over the range that the readings have."""
    from percepts._arrays import Field, as_fields
    from percepts.cli.plot import levels_between, middle_range
    from percepts.reference.field import plain_field

    field = plain_field(cast("Field", as_fields(file, "depth", None, chosen["invalid_value"])))
    farthest, nearest = middle_range(field)
    if chosen["kind"] == "metric":
        farthest, nearest = nearest, farthest
    if chosen["depth_range"] is not None:
        nearest, farthest = (value * chosen["scale"] for value in chosen["depth_range"])
    return levels_between(field, farthest, nearest)
