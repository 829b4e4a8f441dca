"""Optical flow (paper, 3.2.2)."""

from __future__ import annotations

import numpy as np

from percepts._arrays import as_flow_component
from percepts._options import GridLike, NoteLike, as_grid
from percepts.flow import flow_options
from percepts.items import UNKNOWN
from percepts.reference.field import plain_field
from percepts.reference.grid import cells
from percepts.reference.kernels import stats_of
from percepts.reference.notes import chosen_note, flow_note
from percepts.reference.program import PrintedItem, Program
from percepts.reference.values import Scalar, number


def flow(
    flow: object,
    *,
    grid: GridLike = 10,
    axis: str = "horizontal",
    motion: str = "scene",
    layout: str | None = None,
    invalid_value: object = None,
    mask: object = None,
    note: NoteLike = ...,
) -> Program:
    """Define ``percepts.flow``."""
    flow_options(grid, axis, motion, note)
    component = plain_field(as_flow_component(flow, axis, layout, mask, invalid_value))
    rows_cols = as_grid(grid)
    stats = stats_of(component, rows_cols)
    items: list[PrintedItem] = []
    centers, valid = [], []
    for cell, mean, count in zip(
        cells(rows_cols, *component.data.shape), stats.mean.ravel(), stats.count.ravel(), strict=True
    ):
        x, y = cell.center
        items.append(
            {
                "p": number(cell.p, "%d"),
                "c": (number(x, "%d"), number(y, "%d")),
                "r": Scalar(_word(mean, axis, motion)),
            }
        )
        centers.append(cell.center)
        valid.append(count / component.data[cell.rows, cell.cols].size)
    arrays = {
        "center": np.array(centers, np.int32).reshape(*rows_cols, 2),
        "mean": stats.mean,
        "valid": np.array(valid).reshape(rows_cols),
    }
    return Program("flow", "patch", tuple(items), (), rows_cols, chosen_note(note, flow_note(axis, motion)), arrays)


def _word(mean: float, axis: str, motion: str) -> str:
    """Direction of the mean component; the camera moves the opposite way."""
    if np.isnan(mean):
        return UNKNOWN
    negative, positive = ("left", "right") if axis == "horizontal" else ("up", "down")
    if motion == "camera":
        negative, positive = positive, negative
    return negative if mean < 0 else positive
