"""Names of the dominant labels of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from percepts import _core
from percepts._arrays import Maps, as_label_maps, is_batch, shapes_of, view_anywhere
from percepts._core import View
from percepts._devices import serving
from percepts._options import as_grid, as_integer

Array = np.ndarray[Any, np.dtype[Any]]
ClassNames = Mapping[Any, str] | Sequence[str] | None

MOST_LABEL = 2**63 - 1
"""The largest dominant label of a segmentation program."""


def attach_labels(
    programs: list[_core.Program], labels: object, shapes: list[tuple[int, ...]], batched: bool, class_names: object
) -> None:
    """Give the cells of each program the names of their dominant labels."""
    for program, view in zip(programs, as_label_maps(labels, shapes, batched), strict=True):
        rows, cols = program.grid or (1, 1)
        dominant, _ = _core.label_mode(view, None, None, rows, cols, None)
        _attach(program, dominant, class_names)


def labeller(
    labels: object, maps: Maps, grid: object, class_names: object
) -> Callable[[], Callable[[list[_core.Program]], None]] | None:
    """Find the labels of cells of maps on a device, wherever the labels are, and later give them to the programs.

    The first call looks at the labels, on a device without waiting; what it returns attaches them.
    """
    if labels is None:
        return None
    cells, names = as_grid(grid), kept_names(class_names)
    return lambda: labelling(labels, shapes_of(maps), is_batch(maps), cells, names)


def labelling(
    labels: object, shapes: list[tuple[int, ...]], batched: bool, grid: tuple[int, int], class_names: object
) -> Callable[[list[_core.Program]], None]:
    """Look at labels, wherever they are and on a device without waiting, to give them to programs of these maps."""
    dominant = [_begun(view, *grid) for view in as_label_maps(labels, shapes, batched, view_anywhere)]

    def attach(programs: list[_core.Program]) -> None:
        for program, of_cells in zip(programs, dominant, strict=True):
            _attach(program, of_cells(), class_names)

    return attach


def _begun(view: View, rows: int, cols: int) -> Callable[[], Array]:
    """Dominant labels to come; of labels in host memory, which may change, at once."""
    if not view.on_cuda:
        found, _ = _core.label_mode(view, None, None, rows, cols, None)
        return lambda: found
    serves = serving("labels", view.device_name)
    label = serves.empty(view.device_id, view.dtype, (rows, cols), view.stream)
    share = serves.empty(view.device_id, "float64", (rows, cols), view.stream)
    serves.label_mode(view, None, None, rows, cols, None, label.view(), share.view())
    copy = serves.HostCopy(label.view())
    return lambda: np.frombuffer(copy.read(), view.dtype)


def _attach(program: _core.Program, dominant: Array, class_names: object) -> None:
    distinct, index = np.unique(dominant, return_inverse=True)
    _core.attach_labels(program, names_of(distinct.tolist(), class_names), index.ravel().tolist())


def kept_names(class_names: object) -> dict[Any, str | None] | list[str | None] | None:
    """Copy names for programs to come, and check them all: which of them are needed is known only then."""
    if class_names is None:
        return None
    if isinstance(class_names, Mapping):
        return {label: _checked(label, name) for label, name in class_names.items()}
    if not isinstance(class_names, (list, tuple)):
        _raise_no_names(class_names)
    return [_checked(label, name) for label, name in enumerate(class_names)]


def names_of(labels: list[int], class_names: object) -> list[str]:
    """Name of each label; one without a name is ``class_7``."""
    return [_name_of(int(label), class_names) for label in labels]


def _name_of(label: int, class_names: object) -> str:
    name: object = None
    if isinstance(class_names, Mapping):
        name = class_names.get(label, class_names.get(str(label)))
    elif isinstance(class_names, (list, tuple)):
        name = class_names[label] if 0 <= label < len(class_names) else None
    elif class_names is not None:
        _raise_no_names(class_names)
    checked = _checked(label, name)
    return f"class_{label}" if checked is None else checked


def _checked(label: object, name: object) -> str | None:
    """A name, or None for a label that has none."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"class_names must be names, got {type(name).__name__} for label {label}")
    return name


def _raise_no_names(class_names: object) -> NoReturn:
    raise TypeError(f"class_names must be a mapping or a sequence of str, got {type(class_names).__name__}")


def as_ignored(ignore_index: object, dtype: str) -> int | None:
    """Label to leave out, as the bits that the core compares."""
    if ignore_index is None:
        return None
    label = as_integer(ignore_index, "ignore_index")
    low, high = (0, 1) if dtype == "bool" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    if not low <= label <= high:
        raise ValueError(f"ignore_index must be a label that {dtype} can hold, got {label}")
    return label - 2**64 if label > 2**63 - 1 else label
