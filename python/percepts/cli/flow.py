"""``percepts flow``: optical flow to programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, cast

from percepts.cli import batch, options

if TYPE_CHECKING:
    from percepts.cli.plot import Levels
    from percepts.program import Program
    from percepts.readers import FieldFile

SUMMARY = "print the programs of optical flow fields"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.flow``."""
    options.add_files(parser, "flow field: .npy, .npz, .flo, KITTI PNG, colour PFM, TIFF of two channels, OpenEXR")
    options.add_common_options(parser)
    parser.add_argument(
        "--axis",
        choices=("horizontal", "vertical"),
        default="horizontal",
        help="the component that is read: left and right (the default), or up and down",
    )
    parser.add_argument(
        "--motion",
        choices=("scene", "camera"),
        default="scene",
        help="whose motion the words name: the scene's (the default), or the camera's, which is opposite",
    )
    parser.add_argument("--layout", choices=("hwc", "chw"), help="where (u, v) stand, for shapes that fit both")
    options.add_output_options(parser)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts
    from percepts.flow import flow_options
    from percepts.readers import takes_flow

    chosen = {
        "grid": arguments.grid,
        "axis": arguments.axis,
        "motion": arguments.motion,
        "note": arguments.note,
    }
    of_the_file = {"layout": arguments.layout, "invalid_value": options.invalid_value(arguments, parser)}
    options.check(parser, flow_options, **chosen)
    modality = batch.Modality(
        name="flow",
        takes=takes_flow,
        read=lambda path: percepts.read_flow(path, arguments.name),
        make=lambda field: cast("Program", percepts.flow(field, **chosen, **of_the_file)),
        levels=lambda field: _levels(field, chosen["axis"], of_the_file),
    )
    return batch.run(arguments, parser, modality)


def _levels(file: FieldFile, axis: str, of_the_file: dict[str, Any]) -> Levels:
    """Show no motion in middle grey, to the right or down in white."""
    from percepts._arrays import Field, as_flow_components
    from percepts.cli.plot import levels_between, middle_range
    from percepts.reference.field import plain_field

    prepared = as_flow_components(file, axis, of_the_file["layout"], None, of_the_file["invalid_value"])
    field = plain_field(cast("Field", prepared))
    fastest = max(map(abs, middle_range(field)))
    return levels_between(field, -fastest, fastest)
