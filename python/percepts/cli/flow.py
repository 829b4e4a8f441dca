"""``percepts flow``: optical flow to programs."""

from __future__ import annotations

import argparse

from percepts.cli import options
from percepts.cli.output import print_programs

SUMMARY = "print the programs of optical flow fields"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.flow``."""
    options.add_files(parser, "flow field: .npy, .flo or KITTI PNG")
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


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print one program per file and return the exit status."""
    import percepts
    from percepts.flow import flow_options

    chosen = {
        "grid": arguments.grid,
        "axis": arguments.axis,
        "motion": arguments.motion,
        "note": arguments.note,
    }
    of_the_file = {"layout": arguments.layout, "invalid_value": options.invalid_value(arguments, parser)}
    options.check(parser, flow_options, **chosen)
    return print_programs(
        arguments.files,
        lambda path: percepts.flow(percepts.read_flow(path), **chosen, **of_the_file),
        arguments.style,
    )
