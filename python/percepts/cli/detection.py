"""``percepts detection``: detections to programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from percepts.cli import batch, options

if TYPE_CHECKING:
    from percepts.program import Program
    from percepts.readers import DetectionFile

SUMMARY = "print the programs of detections"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.detection``."""
    options.add_files(parser, "detections in COCO's JSON: a list of results, or a data set", named=False)
    parser.add_argument("--image", help="id or file name of the image, in files of several")
    parser.add_argument(
        "--size",
        type=options.size,
        metavar="WIDTHxHEIGHT",
        help="size of the image in pixels, such as 640x480; needed where the file does not state it",
    )
    parser.add_argument("--min-score", type=options.number, default=0.0, metavar="S", help="least confidence (0)")
    parser.add_argument(
        "--max-items", type=options.whole_number, metavar="N", help="keeps the N most confident, in their order"
    )
    options.add_text_options(parser)
    options.add_output_options(parser, plot=False)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts
    from percepts.detection import detection_options
    from percepts.readers import takes_detections

    chosen = {"min_score": arguments.min_score, "max_items": arguments.max_items, "note": arguments.note}
    options.check(
        parser, detection_options, size=arguments.size or (1, 1), box_format="xyxy", normalized=False, **chosen
    )

    def make(found: DetectionFile) -> Program:
        size = arguments.size or found.size
        if size is None:
            raise ValueError("the file does not say how large the image is: give --size WIDTHxHEIGHT")
        return percepts.detection(found, size=size, **chosen)

    modality = batch.Modality(
        name="detection",
        takes=takes_detections,
        read=lambda path: percepts.read_detections(path, arguments.image),
        make=make,
    )
    return batch.run(arguments, parser, modality)
