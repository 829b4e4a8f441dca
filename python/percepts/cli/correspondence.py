"""``percepts correspondence``: matches between two images to programs."""

from __future__ import annotations

import argparse

from percepts.cli import batch, options

SUMMARY = "print the programs of matches between two images"

_HEADS = (b"PK\x03\x04", b"SQLite format 3\0", b"# Image list with two lines of data per image")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.correspondence``."""
    options.add_files(parser, "matches: .npz, COLMAP database or images.txt of a COLMAP model", named=False)
    parser.add_argument("--pair", nargs=2, metavar="IMAGE", help="names of the two images in a file of many")
    for which, name in (("--size0", "image 1"), ("--size1", "image 2")):
        parser.add_argument(
            which,
            type=options.size,
            metavar="WIDTHxHEIGHT",
            help=f"size of {name} in pixels, such as 640x480; needed where the file does not state it",
        )
    parser.add_argument(
        "--max-items", type=options.whole_number, metavar="N", help="most matches to keep; all when left out"
    )
    parser.add_argument(
        "--keep",
        choices=("confidence", "spread"),
        default="confidence",
        help="which matches: the most confident (the default), or those spread over image 1",
    )
    parser.add_argument(
        "--rounding",
        choices=("floor", "nearest"),
        default="floor",
        help="how coordinates become whole: down (the default), or to the nearest, as the research release prints them",
    )
    add_outside(parser)
    options.add_text_options(parser)
    options.add_output_options(parser, plot=False)


def add_outside(parser: argparse.ArgumentParser) -> None:
    """Add what becomes of points outside their image."""
    parser.add_argument(
        "--outside",
        choices=("error", "clip"),
        default="error",
        help="what becomes of points outside their image: an error (the default), or they are moved to its edge",
    )


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts
    from percepts._options import as_count, as_size
    from percepts.readers.pairs import as_image_pair

    pair = None if arguments.pair is None else tuple(arguments.pair)
    options.check(parser, as_image_pair, pair=pair)
    if arguments.max_items is not None:
        options.check(parser, as_count, value=arguments.max_items, name="max_items")
    sizes = {"size0": arguments.size0, "size1": arguments.size1}
    for name, size in sizes.items():
        if size is not None:
            options.check(parser, as_size, size=size, name=name)
    modality = batch.Modality(
        name="correspondence",
        takes=lambda head: head.startswith(_HEADS),
        read=lambda path: percepts.read_matches(path, pair),
        make=lambda matches: percepts.correspondence(
            matches,
            **sizes,
            max_items=arguments.max_items,
            keep=arguments.keep,
            rounding=arguments.rounding,
            outside=arguments.outside,
            note=arguments.note,
        ),
    )
    return batch.run(arguments, parser, modality)
