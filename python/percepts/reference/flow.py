"""Optical flow (paper, 3.2.2)."""

from __future__ import annotations

import numpy as np

from percepts import _arrays
from percepts._arrays import as_flow_components, as_label_maps
from percepts._core import View
from percepts._options import GridLike, NoteLike, as_grid
from percepts.flow import flow_options
from percepts.items import UNKNOWN
from percepts.reference.batch import ProgramBatch, batch_of
from percepts.reference.field import Field, plain_field
from percepts.reference.grid import cells
from percepts.reference.kernels import stats_of
from percepts.reference.labels import label_names, with_labels
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
    labels: object = None,
    class_names: object = None,
    note: NoteLike = ...,
) -> Program | ProgramBatch:
    """Define ``percepts.flow``."""
    flow_options(grid, axis, motion, note)
    rows_cols = as_grid(grid)

    def program_of(field: _arrays.Field, label_map: View | None) -> Program:
        names = None if label_map is None else label_names(label_map, rows_cols, class_names)
        text = chosen_note(note, flow_note(axis, motion, labels is not None))
        return _program_of(plain_field(field), names, rows_cols, axis, motion, text)

    fields = as_flow_components(flow, axis, layout, mask, invalid_value)
    several = fields if isinstance(fields, list) else [fields]
    shapes = [field.data.shape for field in several]
    label_maps: list[View | None] = [None] * len(several)
    if labels is not None:
        label_maps = list(as_label_maps(labels, shapes, isinstance(fields, list)))
    return batch_of(several, label_maps, program_of) if isinstance(fields, list) else program_of(fields, label_maps[0])


def _program_of(
    component: Field, names: list[Scalar] | None, rows_cols: tuple[int, int], axis: str, motion: str, note: str | None
) -> Program:
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
    return Program("flow", "patch", with_labels(items, names), (), rows_cols, note, arrays)


def _word(mean: float, axis: str, motion: str) -> str:
    """Direction of the mean component; the camera moves the opposite way."""
    if np.isnan(mean):
        return UNKNOWN
    negative, positive = ("left", "right") if axis == "horizontal" else ("up", "down")
    if motion == "camera":
        negative, positive = positive, negative
    return negative if mean < 0 else positive
