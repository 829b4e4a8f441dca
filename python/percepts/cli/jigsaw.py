"""``percepts jigsaw``: an image without its lower right part, and candidates for it, to a program."""

from __future__ import annotations

import argparse

from percepts.cli import options
from percepts.cli.output import complain, write

SUMMARY = "print how well pieces fit into the lower right part of an image"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.jigsaw``."""
    parser.add_argument(
        "image",
        type=options.file_name,
        metavar="IMAGE",
        help="image without its lower right part: PNG, JPEG, PGM or PPM, grey or RGB of 8 bits",
    )
    parser.add_argument(
        "pieces",
        type=_piece,
        nargs="+",
        metavar="LABEL=FILE",
        help="candidate for that part and what it is called, such as A=left.jpg; all are of one size",
    )
    parser.add_argument(
        "--strip", type=options.whole_number, default=8, metavar="N", help="lines of pixels along a border (8)"
    )
    options.add_text_options(parser)


def _piece(text: str) -> tuple[str, str]:
    label, separator, path = options.file_name(text).partition("=")
    if not (label and separator and path):
        raise argparse.ArgumentTypeError(f"must be LABEL=FILE, such as A=left.jpg, got {text!r}")
    return label, path


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print the program and return the exit status."""
    import percepts
    from percepts.readers import FieldFile, read_image

    pieces = dict(arguments.pieces)
    if len(pieces) < len(arguments.pieces):
        parser.error("argument LABEL=FILE: every piece needs a label of its own")
    if arguments.strip < 1:
        parser.error(f"argument --strip: must be at least 1, got {arguments.strip}")
    images: dict[str, FieldFile] = {}
    for path in dict.fromkeys([arguments.image, *pieces.values()]):
        try:
            images[path] = read_image(path)
        except Exception as error:
            complain(path, error)
    if len(images) < len({arguments.image, *pieces.values()}):
        return 1
    try:
        candidates = {label: images[path] for label, path in pieces.items()}
        program = percepts.jigsaw(images[arguments.image], candidates, strip=arguments.strip, note=arguments.note)
    except Exception as error:
        complain(arguments.image, error)
        return 1
    write(f"{program.to_text(arguments.style)}\n")
    return 0
