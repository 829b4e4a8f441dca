"""``percepts info``: what this installation is and can do."""

from __future__ import annotations

import argparse
import importlib
import platform
from collections.abc import Iterator

from percepts.cli.output import write

SUMMARY = "print the version, the backends and the readers of this installation"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Take no options."""


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print plain lines and return the exit status."""
    write("\n".join([*_versions(), "", *_backends(), "", *_readers(), ""]))
    return 0


def _versions() -> Iterator[str]:
    import numpy

    import percepts

    yield f"percepts {percepts.__version__}"
    interpreter = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"{interpreter}, {platform.system()} {platform.machine()}"
    yield f"NumPy {numpy.__version__}"


def _backends() -> Iterator[str]:
    import percepts

    yield "Backends"
    for name, backend in percepts.backends().items():
        if backend["available"]:
            code = backend["instruction_sets"]
            found = f"{', '.join(code)} on {', '.join(backend['devices'])}" if code else ", ".join(backend["devices"])
        else:
            found = f"not available: {backend['reason']}"
        yield f"  {name:<6} {found}"


def _readers() -> Iterator[str]:
    imagecodecs, openexr, pillow = _library("imagecodecs"), _library("OpenEXR"), _library("PIL")
    yield "Readers"
    yield "  npy    depth, flow and labels: built in"
    yield "  npz    depth, flow, labels, matches, similarities and features: built in"
    yield "  pfm    depth and flow: built in"
    yield "  pgm    depth and images: built in"
    yield "  ppm    images: built in"
    yield "  flo    flow: built in"
    yield f"  png    depth, labels and images: {imagecodecs}"
    yield f"  jpeg   images: {pillow}"
    yield f"  kitti  flow as PNG: {imagecodecs}"
    yield f"  tiff   depth and flow: {imagecodecs}"
    yield f"  exr    depth and flow: {openexr}"
    yield "  coco   detections in JSON: built in"
    yield "  colmap matches in .db and text: built in"
    yield f"  ros    depth as compressedDepth: RVL built in, PNG {imagecodecs}"


def _library(name: str) -> str:
    try:
        library = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return f'needs {name}: pip install "percepts[readers]"'
        return f"{name} cannot be imported: {error}"
    except ImportError as error:
        return f"{name} cannot be imported: {error}"
    return f"{name} {library.__version__}"
