"""Programs drawn over the maps that they were made of."""

from __future__ import annotations

import argparse
import base64
import os
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from percepts.cli.inputs import Input
from percepts.reference.field import Field

if TYPE_CHECKING:
    from percepts.program import Program

Levels = np.ndarray[Any, np.dtype[np.uint8]]
"""A map as a picture: 0 marks a hole, 1 is black, 255 white."""

HOLE_COLOUR = (112, 32, 96)
_LEAST_CELL = 48, 30
_LONGEST_SIDE = 2048
_SUFFIXES = ("svg", "png")


@dataclass(frozen=True, slots=True)
class Plot:
    """What ``--plot`` asks for.

    Attributes
    ----------
    suffix
        ``"svg"`` or ``"png"``.
    path
        The file of the one drawing; None for one beside each text.
    directory
        The output directory.
    """

    suffix: str
    path: str | None
    directory: str | None

    def check(self) -> None:
        """Raise ImportError when what draws is not installed."""
        if self.suffix == "png":
            from percepts.cli import raster

            raster.import_pillow()

    def path_for(self, item: Input) -> str:
        """File of an input's drawing."""
        return self.path or os.path.join(self.directory or "", f"{item.name}.{self.suffix}")

    def draw(self, program: Program, levels: Levels) -> bytes:
        """Draw a program over its map."""
        from percepts.overlay import svg

        rows, cols = program.grid or (1, 1)
        levels, scale = _fitted(levels, rows, cols)
        height, width = levels.shape
        if self.suffix == "svg":
            return f"{svg(program, width, height, _image(levels, scale), scale)}\n".encode()
        from percepts.cli import raster

        return raster.png(svg(program, width, height, scale=scale), colours()[levels], scale)


def plot_option(plot: str | None, out: str | None, inputs: int, parser: argparse.ArgumentParser) -> Plot | None:
    """Check ``--plot``: a file for one input, or with ``--out`` the format of all drawings."""
    if plot is None:
        return None
    if out is not None:
        if plot not in _SUFFIXES:
            parser.error(f"argument --plot: with --out it must be svg or png, got {plot!r}")
        return Plot(plot, None, out)
    suffix = os.path.splitext(plot)[1].removeprefix(".").lower()
    if suffix not in _SUFFIXES:
        parser.error(f"argument --plot: must be a file name that ends in .svg or .png, got {plot!r}")
    if inputs > 1:
        parser.error(f"argument --plot: one file takes one drawing, got {inputs} inputs; --out DIR --plot {suffix}")
    return Plot(suffix, plot, None)


def levels_between(field: Field, low: float, high: float) -> Levels:
    """Spread black to white over `low` to `high`, which may be the larger one."""
    valid = field.valid
    span = high - low if high != low else 1.0
    shares = (np.where(valid, field.data, low).astype(np.float64) - low) / span
    return np.where(valid, 1 + np.rint(254 * np.clip(shares, 0, 1)), 0).astype(np.uint8)


def middle_range(field: Field) -> tuple[float, float]:
    """Range of the valid values without the outermost hundredth on either side, which would take all contrast."""
    values = field.data[field.valid].astype(np.float64)
    if not values.size:
        return 0.0, 1.0
    low, high = np.percentile(values, (1, 99))
    return float(low), float(high)


def colours() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Colour of each level, 256×3."""
    table = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    table[0] = HOLE_COLOUR
    return table


def _fitted(levels: Levels, rows: int, cols: int) -> tuple[Levels, int]:
    """Thin out what is larger than a screen; give the factor by which cells become large enough for text."""
    height, width = levels.shape
    step = max(1, min(max(height, width) // _LONGEST_SIDE, height // rows, width // cols))
    levels = levels[::step, ::step]
    height, width = levels.shape
    wanted = max(-(-_LEAST_CELL[0] * cols // width), -(-_LEAST_CELL[1] * rows // height))
    return levels, max(1, min(wanted, 2 * _LONGEST_SIDE // max(height, width)))


def _image(levels: Levels, scale: int) -> str:
    height, width = levels.shape
    content = base64.b64encode(_palette_png(levels)).decode()
    return (
        f'<image width="{scale * width}" height="{scale * height}" preserveAspectRatio="none" '
        f'image-rendering="pixelated" href="data:image/png;base64,{content}"/>'
    )


def _palette_png(levels: Levels) -> bytes:
    height, width = levels.shape
    rows = np.zeros((height, 1 + width), np.uint8)  # each row starts with its filter: none
    rows[:, 1:] = levels
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),
        b"PLTE": colours().tobytes(),
        b"IDAT": zlib.compress(rows.tobytes()),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks.items()
    )
