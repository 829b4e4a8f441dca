"""``percepts demo``: a scene whose depth and motion are known, its programs, and a check of every reading."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, cast

from percepts.cli import options
from percepts.cli.output import complain, write

if TYPE_CHECKING:
    from percepts.cli.demo.scene import Scene
    from percepts.cli.demo.truth import Verdict
    from percepts.program import Program

SUMMARY = "make a small scene, print its programs and check every reading against it"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--out",
        type=options.directory,
        default="percepts-demo",
        metavar="DIR",
        help="where depth.npy, flow.flo and scene.svg are written (percepts-demo); older ones are replaced",
    )


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Write the files, print and check their programs, and return the exit status."""
    import percepts
    from percepts.cli.demo import files, truth
    from percepts.cli.demo.scene import render

    out = Path(arguments.out)
    scene = render()
    try:
        depth_path, flow_path = files.write_fields(scene, out)
        depth = cast("Program", percepts.depth(percepts.read_depth(depth_path), kind="metric", invalid_value=0))
        flow = cast("Program", percepts.flow(percepts.read_flow(flow_path)))
        picture_path = files.write_picture(depth, flow, out)
    except OSError as error:
        complain(str(error.filename or out), error)
        return 1
    write(f"{depth}\n{flow}\n\n")
    verdicts = [truth.check_depth(depth, scene), truth.check_flow(flow, scene)]
    if not _tell(verdicts, scene):
        return 1
    write("\nWritten:\n" + "".join(f"  {path}\n" for path in (depth_path, flow_path, picture_path)))
    write(f"\nTry next:\n  percepts depth {shlex.quote(str(depth_path))} --kind metric --invalid-value 0\n")
    return 0


def _tell(verdicts: list[Verdict], scene: Scene) -> bool:
    """Print what was compared, and on standard error each disagreement; True when there is none."""
    height, width = scene.depth.shape
    write(f"Compared with the scene itself ({width}x{height} pixels):\n")
    for verdict in verdicts:
        write(f"  {verdict.compared}\n")
    wrong = [disagreement for verdict in verdicts for disagreement in verdict.disagreements]
    if not wrong:
        write("  all readings agree with the scene\n")
    for disagreement in wrong:
        complain("demo", ValueError(disagreement))
    if wrong:
        complain("demo", ValueError(f"{len(wrong)} readings or relations disagree with the scene"))
    return not wrong
