"""``percepts segmentation``: label maps to programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from percepts.cli import batch, options
from percepts.cli.json_file import strict_json
from percepts.cli.output import reason

if TYPE_CHECKING:
    from percepts.cli.plot import Levels
    from percepts.program import Program
    from percepts.readers import FieldFile

SUMMARY = "print the programs of label maps"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options, spelled as the keyword arguments of ``percepts.segmentation``."""
    options.add_files(parser, "label map: PNG with a palette or greyscale, .npy, .npz")
    options.add_grid(parser)
    parser.add_argument(
        "--class-names",
        type=options.file_name,
        metavar="FILE",
        help='names of labels in JSON: {"7": "chair"}, or a list of names',
    )
    parser.add_argument(
        "--ignore-index", type=options.whole_number, metavar="L", help="label whose pixels do not count, such as 255"
    )
    parser.add_argument("--no-relations", dest="relations", action="store_false", help="leaves the relations out")
    options.add_text_options(parser)
    options.add_output_options(parser)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make one program per file and return the exit status."""
    import percepts
    from percepts._options import as_grid
    from percepts.readers import takes_labels

    options.check(parser, as_grid, grid=arguments.grid)
    chosen = {
        "grid": arguments.grid,
        "class_names": _class_names(arguments.class_names, parser),
        "ignore_index": arguments.ignore_index,
        "relations": arguments.relations,
        "note": arguments.note,
    }
    modality = batch.Modality(
        name="segmentation",
        takes=takes_labels,
        read=lambda path: percepts.read_labels(path, arguments.name),
        make=lambda labels: cast("Program", percepts.segmentation(labels, **chosen)),
        levels=lambda labels: _levels(labels, arguments.ignore_index),
    )
    return batch.run(arguments, parser, modality)


def _class_names(path: str | None, parser: argparse.ArgumentParser) -> Any:
    from percepts._labels import kept_names

    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            names = strict_json(file.read())
    except (OSError, ValueError) as error:
        parser.error(f"argument --class-names: {path}: {reason(path, error)}")
    every = list(names.values()) if isinstance(names, dict) else names
    if not isinstance(every, list) or not all(isinstance(name, str) for name in every):
        parser.error(f"argument --class-names: {path} must hold an object or a list of names")
    options.check(parser, kept_names, class_names=names)
    return names


def _levels(labels: FieldFile, ignored: int | None) -> Levels:
    """Show labels in shades of grey that differ most for labels that follow one another, ignored ones as holes."""
    distinct, index = np.unique(labels.data, return_inverse=True)
    shades = 1 + np.arange(distinct.size) * 157 % 255
    if ignored is not None:
        shades[distinct == ignored] = 0
    return shades[index.reshape(labels.data.shape)].astype(np.uint8)
