"""Names of the dominant labels of cells."""

from __future__ import annotations

import contextlib
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsIndex, cast

import numpy as np

from percepts import _core
from percepts._arrays import Maps, as_label_maps, is_batch, shapes_of, view_anywhere
from percepts._core import View
from percepts._devices import serving
from percepts._options import as_grid, as_integer

Array = np.ndarray[Any, np.dtype[Any]]
ClassNames = Mapping[Any, str] | Sequence[str] | None
Names = dict[int, str | None] | list[str | None] | None

_LABEL = re.compile(r"0|-?[1-9][0-9]{0,19}")

MOST_LABEL = 2**63 - 1
"""The largest dominant label of a segmentation program."""


def attach_labels(
    programs: list[_core.Program], labels: object, shapes: list[tuple[int, ...]], batched: bool, class_names: object
) -> None:
    """Give the cells of each program the names of their dominant labels."""
    names = kept_names(class_names)
    for program, view in zip(programs, as_label_maps(labels, shapes, batched), strict=True):
        rows, cols = program.grid or (1, 1)
        dominant, _ = _core.label_mode(view, None, None, rows, cols, None)
        _attach(program, dominant, names)


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
    labels: object, shapes: list[tuple[int, ...]], batched: bool, grid: tuple[int, int], names: Names
) -> Callable[[list[_core.Program]], None]:
    """Look at labels, wherever they are and on a device without waiting, to give them to programs of these maps."""
    dominant = [_begun(view, *grid) for view in as_label_maps(labels, shapes, batched, view_anywhere)]

    def attach(programs: list[_core.Program]) -> None:
        for program, of_cells in zip(programs, dominant, strict=True):
            _attach(program, of_cells(), names)

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


def _attach(program: _core.Program, dominant: Array, names: Names) -> None:
    distinct, index = np.unique(dominant, return_inverse=True)
    _core.attach_labels(program, names_in(names, distinct.tolist()), index.ravel().tolist())


def kept_names(class_names: object) -> Names:
    """Copy names and check them all: a mapping by its labels, which may be names of numbers, and a sequence."""
    if class_names is None:
        return None
    if isinstance(class_names, Mapping):
        return _by_label(class_names)
    if not isinstance(class_names, (list, tuple)):
        raise TypeError(f"class_names must be a mapping or a sequence of str, got {type(class_names).__name__}")
    return [_checked(label, name) for label, name in enumerate(class_names)]


def names_of(labels: list[int], class_names: object) -> list[str]:
    """Name of each label; one without a name is ``class_7``."""
    return names_in(kept_names(class_names), labels)


def _by_label(class_names: Mapping[Any, object]) -> dict[int, str | None]:
    names: dict[int, str | None] = {}
    for key, name in class_names.items():
        label = _label(key)
        checked = _checked(label, name)
        if names.setdefault(label, checked) != checked:
            raise ValueError(
                f"class_names must have one name for a label, got {names[label]!r} and {name!r} for {key!r}"
            )
    return names


def _label(key: object) -> int:
    if isinstance(key, str):
        if _LABEL.fullmatch(key):
            return int(key)
    else:
        with contextlib.suppress(TypeError):
            return operator.index(cast(SupportsIndex, key))
    raise ValueError(f"class_names must have labels as keys, such as 7 or '7', got {key!r:.100}")


def names_in(names: Names, labels: list[int]) -> list[str]:
    """Name of each label in names that `kept_names` gave."""
    found = (_name_of(int(label), names) for label in labels)
    return [f"class_{label}" if name is None else name for label, name in zip(labels, found, strict=True)]


def _name_of(label: int, names: Names) -> str | None:
    if isinstance(names, dict):
        return names.get(label)
    return names[label] if names is not None and 0 <= label < len(names) else None


def _checked(label: object, name: object) -> str | None:
    """A name, or None for a label that has none."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"class_names must be names, got {type(name).__name__} for label {label}")
    return name


def as_ignored(ignore_index: object, dtype: str) -> int | None:
    """Label to leave out, as the bits that the core compares."""
    if ignore_index is None:
        return None
    label = as_integer(ignore_index, "ignore_index")
    low, high = (0, 1) if dtype == "bool" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    if not low <= label <= high:
        raise ValueError(f"ignore_index must be a label that {dtype} can hold, got {label}")
    return label - 2**64 if label > 2**63 - 1 else label
