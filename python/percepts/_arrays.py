"""Arrays as callers hold them, made into views that the core reads."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

import numpy as np

from percepts import _core
from percepts._bfloat16 import float32_of_bfloat16
from percepts._core import View
from percepts._depth_maps import is_depth_map
from percepts._options import as_word
from percepts._sentinels import packed_sentinels
from percepts.readers.field_file import FieldFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Array = np.ndarray[Any, np.dtype[Any]]

_TOO_LARGE_WHOLE = 2.0**53


class Field(NamedTuple):
    """A map, the pixels of it to use, and the values that are not data, packed as elements of the map's dtype."""

    data: View
    mask: View | None
    sentinels: bytes | None


class Batch(NamedTuple):
    """Maps of one allocation on a device, B×H×W, with pixels to use (B×H×W, or H×W for all) and sentinels."""

    data: View
    mask: View | None
    sentinels: bytes | None


Maps = Field | list[Field] | Batch
"""One map, several, or several of one allocation, which a device reads at once."""

See = Callable[[object, str], View]
"""How arrays are viewed: `view_of` in host memory only, `view_anywhere` also on a device."""


def on_host(maps: Maps) -> Field | list[Field] | None:
    """Maps of which none is on a device; None for others."""
    if isinstance(maps, list):
        return None if any(field.data.on_cuda for field in maps) else maps
    return None if isinstance(maps, Batch) or maps.data.on_cuda else maps


def shapes_of(maps: Maps) -> list[tuple[int, ...]]:
    """Height and width of each map."""
    if isinstance(maps, Batch):
        return [maps.data.shape[1:]] * maps.data.shape[0]
    return [field.data.shape for field in (maps if isinstance(maps, list) else [maps])]


def is_batch(maps: Maps) -> bool:
    """Whether the maps make several programs."""
    return not isinstance(maps, Field)


def as_fields(value: object, name: str, mask: object, invalid_value: object) -> Field | list[Field]:
    """Make an array-like in host memory into a field of the core: H×W one, B×H×W, B×1×H×W or a list of maps several."""
    return cast("Field | list[Field]", _maps(value, name, mask, invalid_value, view_of))


def as_maps(value: object, name: str, mask: object, invalid_value: object) -> Maps:
    """Make an array-like, wherever it is, into maps: as `as_fields` does, but a batch on a device stays in one."""
    return _maps(value, name, mask, invalid_value, view_anywhere)


def _maps(value: object, name: str, mask: object, invalid_value: object, see: See) -> Maps:
    if mask is invalid_value is None and type(value) is np.ndarray and value.ndim == 2:
        view = _core.view(value, name)
        if view is not None:
            return Field(view, None, None)
    maps = _maps_of_list(value, 2)
    if maps is not None:
        masks = _masks_of_list(mask, len(maps))
        return [
            _one_field(each, f"{name}[{k}]", masks[k], f"mask[{k}]", invalid_value, see) for k, each in enumerate(maps)
        ]
    view, own_mask = _as_view(value, name, see)
    if view.ndim == 2:
        return _field(view, own_mask, mask, invalid_value, see)
    if view.ndim == 4 and view.shape[1] == 1:
        view, own_mask = view.part(1, 0), None if own_mask is None else own_mask[:, 0]
    if view.ndim != 3 or _looks_unsqueezed(view.shape):
        _raise_not_a_map(view.shape, name)
    return _batch(view, own_mask, mask, invalid_value, see)


def _one_field(value: object, name: str, mask: object, mask_name: str, invalid_value: object, see: See) -> Field:
    view, own_mask = _as_view(value, name, see)
    if view.ndim != 2:
        raise ValueError(f"{name} must be H×W, got shape {view.shape}")
    return _field(view, own_mask, mask, invalid_value, see, mask_name)


def _looks_unsqueezed(shape: tuple[int, ...]) -> bool:
    return shape[2] == 1 and 1 not in shape[:2]


def _raise_not_a_map(shape: tuple[int, ...], name: str) -> NoReturn:
    advice = ": squeeze the last dimension" if len(shape) == 3 else ""
    raise ValueError(f"{name} must be H×W, or B×H×W or B×1×H×W for a batch, got shape {shape}{advice}")


def _batch(view: View, own_mask: Array | None, mask: object, invalid_value: object, see: See) -> list[Field] | Batch:
    """Cut B×H×W into its maps, unless a device reads them at once. A mask is H×W for all, or B×H×W."""
    count, *size = view.shape
    pixels = None if mask is None else _as_batch_mask(mask, view, see)
    sentinels = None if invalid_value is None else packed_sentinels(invalid_value, view.dtype)
    if view.on_cuda:
        return Batch(view, pixels, sentinels)
    fields = []
    for k in range(count):
        part = None if pixels is None else pixels.part(0, k) if pixels.ndim > len(size) else pixels
        own = None if own_mask is None else own_mask[k]
        fields.append(Field(view.part(0, k), _both(own, part), sentinels))
    return fields


def _as_batch_mask(mask: object, maps: View, see: See) -> View:
    pixels = see(mask, "mask")
    shape = maps.shape
    if pixels.dtype != "bool":
        raise TypeError(f"mask must be boolean, got {pixels.dtype}")
    if pixels.ndim == 4 and pixels.shape[1] == 1:
        pixels = pixels.part(1, 0)
    if pixels.shape not in (shape, shape[1:]):
        raise ValueError(f"mask must have the shape of the batch, {shape}, or of a map, got {pixels.shape}")
    check_place(pixels, "mask", maps)
    return pixels


def check_place(view: View, name: str, maps: View) -> None:
    """Refuse what is not where the maps are."""
    if view.device_name != maps.device_name and (view.on_cuda or maps.on_cuda):
        raise ValueError(f"{name} must be where the map is, {place_of(maps)}, got an array {place_of(view)}")


def place_of(view: View) -> str:
    """Where an array is, in words."""
    return f"on {view.device_name}" if view.on_cuda else "in host memory"


def _maps_of_list(value: object, ndim: int) -> list[object] | None:
    """Maps of a list of arrays; None for anything else, nested lists of numbers and lists of rows included."""
    if not isinstance(value, (list, tuple)) or not value:
        return None
    dimensions = [getattr(_array_in(each), "ndim", None) for each in value]
    return list(value) if any(isinstance(count, int) and count >= ndim for count in dimensions) else None


def _array_in(value: object) -> object:
    """Array of what brings a mask of its own along, and everything else as it is."""
    if isinstance(value, FieldFile):
        return value.data
    return value.values if is_depth_map(value) else value


def _masks_of_list(mask: object, count: int) -> list[object]:
    if mask is None:
        return [None] * count
    if not isinstance(mask, (list, tuple)) or len(mask) != count:
        got = f"{len(mask)} masks" if isinstance(mask, (list, tuple)) else type(mask).__name__
        raise ValueError(f"mask must be a list of a mask for each of the {count} maps, got {got}")
    return list(mask)


def as_flow_components(
    value: object, axis: str, layout: object, mask: object, invalid_value: object
) -> Field | list[Field]:
    """Take the component of flow fields in host memory that `axis` names: u is horizontal, v vertical.

    One field is H×W×2 or 2×H×W; a batch has one dimension more in front, or is a list.
    """
    return cast("Field | list[Field]", _components(value, axis, layout, mask, invalid_value, view_of))


def as_flow_maps(value: object, axis: str, layout: object, mask: object, invalid_value: object) -> Maps:
    """Take the component of flow fields, wherever they are."""
    return _components(value, axis, layout, mask, invalid_value, view_anywhere)


def _components(value: object, axis: str, layout: object, mask: object, invalid_value: object, see: See) -> Maps:
    fields = _maps_of_list(value, 3)
    if fields is not None:
        masks = _masks_of_list(mask, len(fields))
        return [
            _field(*_component(each, f"flow[{k}]", 3, axis, layout, see), masks[k], invalid_value, see, f"mask[{k}]")
            for k, each in enumerate(fields)
        ]
    view, own_mask = _component(value, "flow", None, axis, layout, see)
    if view.ndim == 2:
        return _field(view, own_mask, mask, invalid_value, see)
    return _batch(view, own_mask, mask, invalid_value, see)


def _component(
    value: object, name: str, ndim: int | None, axis: str, layout: object, see: See
) -> tuple[View, Array | None]:
    view, own_mask = _as_view(value, name, see)
    leading = 1 if view.ndim == 4 and ndim is None else 0
    of_components = leading + (2 if _components_last(view.shape[leading:], view.shape, name, layout) else 0)
    k = 1 if axis == "vertical" else 0
    if own_mask is not None and own_mask.ndim == view.ndim:
        own_mask = own_mask.take(k, of_components)
    return view.part(of_components, k), own_mask


def as_label_maps(labels: object, shapes: list[tuple[int, ...]], batched: bool, see: See | None = None) -> list[View]:
    """Label maps of the shapes of the maps beside them: H×W of integers, for a batch also B×H×W or a list."""
    see = see or view_of
    if not batched:
        return [_as_label_map(_label_view(labels, "labels", see), "labels", shapes[0])]
    maps = _maps_of_list(labels, 2)
    if maps is None:
        view = _label_view(labels, "labels", see)
        if view.ndim == 4 and view.shape[1] == 1:
            view = view.part(1, 0)
        if view.ndim == 2:
            return [_as_label_map(view, "labels", shape) for shape in shapes]
        if view.ndim != 3 or view.shape[0] != len(shapes):
            raise ValueError(f"labels must be H×W or {len(shapes)}×H×W for this batch, got shape {view.shape}")
        return [_as_label_map(view.part(0, k), "labels", shape) for k, shape in enumerate(shapes)]
    if len(maps) != len(shapes):
        raise ValueError(f"labels must be a list of {len(shapes)} label maps for this batch, got {len(maps)}")
    return [
        _as_label_map(_label_view(each, f"labels[{k}]", see), f"labels[{k}]", shapes[k]) for k, each in enumerate(maps)
    ]


def _label_view(labels: object, name: str, see: See) -> View:
    view, own_mask = _as_view(labels, name, see)
    if own_mask is not None and not own_mask.all():
        raise ValueError(f"{name} must have a label for every pixel, got a masked array with pixels masked")
    return view


def _as_label_map(view: View, name: str, shape: tuple[int, ...]) -> View:
    _check_label_dtype(view, name)
    if view.shape != shape:
        raise ValueError(f"{name} must have the shape of the map, {shape}, got {view.shape}")
    return view


def _check_label_dtype(view: View, name: str) -> None:
    if not view.dtype.startswith(("int", "uint", "bool")):
        raise TypeError(f"{name} must be integers, got {view.dtype}")


def as_labels(labels: object) -> Field | list[Field]:
    """Label maps by themselves, with the masks that they bring along: H×W of integers, or several."""
    fields = as_fields(labels, "labels", None, None)
    _check_labels(labels, fields)
    return fields


def as_maps_of_labels(labels: object) -> Maps:
    """Label maps by themselves, wherever they are."""
    maps = as_maps(labels, "labels", None, None)
    _check_labels(labels, maps)
    return maps


def _check_labels(labels: object, maps: Maps) -> None:
    if not maps:  # no map, but a dtype
        _check_label_dtype(_as_view(labels, "labels")[0], "labels")
    for k, field in enumerate(maps if isinstance(maps, list) else [maps]):
        name = f"labels[{k}]" if isinstance(labels, (list, tuple)) and isinstance(maps, list) else "labels"
        _as_label_map(field.data, name, field.data.shape)


def as_named_maps(maps: object) -> dict[str, Field]:
    """Maps of one shape, H×W, each with its name."""
    if not isinstance(maps, Mapping):
        raise TypeError(f"maps must be a mapping of names to H×W arrays, got {type(maps).__name__}")
    if not maps:
        raise ValueError("maps must have at least one map, got none")
    fields: dict[str, Field] = {}
    for name, value in maps.items():
        if not isinstance(name, str):
            raise TypeError(f"maps must have names that are str, got {type(name).__name__}")
        fields[name] = _one_field(value, f"maps[{name!r:.100}]", None, "mask", None, view_of)
    (first, *others) = fields
    shape = fields[first].data.shape
    if 0 in shape:
        raise ValueError(f"maps must have at least one pixel, got shape {shape}")
    for name in others:
        other = fields[name].data.shape
        if other != shape:
            raise ValueError(f"maps must have one shape, got {shape} for {first!r:.100} and {other} for {name!r:.100}")
    return fields


def _components_last(field: tuple[int, ...], shape: tuple[int, ...], name: str, layout: object) -> bool:
    """Whether a field of this shape, part of an array of shape `shape`, has its components last."""
    if layout is not None and as_word(layout, "layout") not in ("hwc", "chw"):
        raise ValueError(f"layout must be 'hwc' or 'chw', got {layout!r}")
    if len(field) != 3 or 2 not in (field[0], field[2]):
        batch = "" if len(shape) != 4 else ", with B in front for a batch"
        raise ValueError(f"{name} must be H×W×2 or 2×H×W{batch}, got shape {shape}")
    fits = {"hwc": field[2] == 2, "chw": field[0] == 2}
    if layout is None:
        if all(fits.values()):
            raise ValueError(
                f"layout must be given ('hwc' or 'chw') for a {name} of shape {shape}, which could be either"
            )
        return bool(fits["hwc"])
    if not fits[str(layout)]:
        required = "H×W×2" if layout == "hwc" else "2×H×W"
        raise ValueError(f"{name} must be {required} with layout={layout!r}, got shape {shape}")
    return str(layout) == "hwc"


def _field(
    view: View, own_mask: Array | None, mask: object, invalid_value: object, see: See, mask_name: str = "mask"
) -> Field:
    pixels = None if mask is None else _as_mask(mask, mask_name, view, see)
    sentinels = None if invalid_value is None else packed_sentinels(invalid_value, view.dtype)
    return Field(view, _both(own_mask, pixels), sentinels)


def _both(own_mask: Array | None, pixels: View | None) -> View | None:
    """Pixels that an array's own mask and the caller's leave."""
    if own_mask is None:
        return pixels
    return view_of(own_mask if pixels is None else own_mask & pixels.numpy(), "mask")


def _as_view(value: object, name: str, see: See | None = None) -> tuple[View, Array | None]:
    """View a caller's array where it is, with the mask that it brings along."""
    see = see or view_of
    if isinstance(value, FieldFile):
        return see(value.data, name), value.mask
    if isinstance(value, np.ma.MaskedArray):
        mask = None if value.mask is np.ma.nomask else ~np.ma.getmaskarray(value)
        return see(value.data, name), mask
    if is_depth_map(value):
        return see(value.values, name), value.valid_mask
    return see(value, name), None


def view_of(value: object, name: str) -> View:
    """View an array in host memory."""
    view = _core.view(value, name)
    if view is None:
        view = _core.view(_as_numpy(value, name), name)
    return cast(View, view)


def view_anywhere(value: object, name: str) -> View:
    """View an array in host memory or on a CUDA device; what is a view already stays one."""
    if type(value) is View:
        return value
    view = _core.view_anywhere(value, name)
    if view is None:
        view = _core.view(_as_numpy(value, name), name)
    return cast(View, view)


def _as_numpy(value: object, name: str) -> Array:
    """Array of an object that is none and does not speak DLPack."""
    if isinstance(value, (list, tuple)):
        try:
            return np.asarray(value)
        except ValueError:
            raise ValueError(f"{name} must be a rectangular array, got nested sequences that are not") from None
    try:
        return np.asarray(value if hasattr(value, "__array__") else memoryview(cast("ReadableBuffer", value)))
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        reason = f" ({error})" if hasattr(value, "__array__") else ""
        raise TypeError(
            f"{name} must be an array or nested lists of numbers, got {type(value).__name__}{reason}"
        ) from error


def _as_mask(mask: object, name: str, field: View, see: See) -> View:
    pixels = see(mask, name)
    shape = field.shape
    if pixels.dtype != "bool":
        raise TypeError(f"{name} must be boolean, got {pixels.dtype}")
    if pixels.shape != shape:
        raise ValueError(f"{name} must have the shape of the map, {shape}, got {pixels.shape}")
    check_place(pixels, name, field)
    return pixels


def blank_like(value: object, name: str, shape: tuple[int, int]) -> Field:
    """Map of zeros of an array's dtype: what an empty batch would be made of."""
    dtype = _as_view(value, name)[0].dtype
    return Field(view_of(np.zeros(shape, "float32" if dtype == "bfloat16" else dtype), name), None, None)


@contextlib.contextmanager
def of_map(index: int) -> Iterator[None]:
    """Say in an error which map of a batch it is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"map {index} of the batch: {error}") from None


def as_numpy(view: View) -> Array:
    """NumPy's view of the same memory; bfloat16, which NumPy does not have, as float32."""
    array = view.numpy()
    return float32_of_bfloat16(array) if view.dtype == "bfloat16" else array


def as_array(value: object, name: str) -> Array:
    """NumPy's view of a short array, such as boxes or scores, whose every element counts."""
    view, mask = _as_view(value, name)
    if mask is not None and not mask.all():
        raise ValueError(f"{name} must have every element, got a masked array with elements masked")
    return as_numpy(view)


def as_means(value: object) -> Array:
    """Means of cells in host memory, float64 of shape (..., rows, cols); what is masked is NaN."""
    return cast("Array", _means(value, view_of))


def as_means_anywhere(value: object) -> Array | View:
    """Means of cells; of those on a device a view as they are."""
    return _means(value, view_anywhere)


def _means(value: object, see: See) -> Array | View:
    view, mask = _as_view(value, "mean", see)
    if view.dtype == "bool":
        raise TypeError("mean must be numbers, got bool")
    if view.ndim < 2 or 0 in view.shape[-2:]:
        raise ValueError(f"mean must be (..., rows, cols) with at least one cell, got shape {view.shape}")
    if view.on_cuda:
        return view
    means = np.ascontiguousarray(as_numpy(view), np.float64)
    return means if mask is None else np.where(mask, means, np.nan)


def as_reals(value: object, name: str) -> Array:
    """Real numbers by themselves, such as coordinates: float64, dense, of any shape."""
    view, mask = _as_view(value, name)
    if view.dtype == "bool":
        raise TypeError(f"{name} must be numbers, got bool")
    if mask is not None and not mask.all():
        raise ValueError(f"{name} must have every value, got a masked array with values masked")
    array = as_numpy(view)
    reals = np.ascontiguousarray(array, np.float64).reshape(array.shape)
    if view.dtype in ("int64", "uint64") and np.abs(reals).max(initial=0) >= _TOO_LARGE_WHOLE:
        raise ValueError(f"{name} must be below 2**53 in magnitude where they are {view.dtype}, got larger ones")
    return reals


def as_integers(value: object, name: str) -> Array:
    """Whole numbers by themselves, such as indices, in their own dtype."""
    view, mask = _as_view(value, name)
    if mask is not None and not mask.all():
        raise ValueError(f"{name} must have every value, got a masked array with values masked")
    array = as_numpy(view)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got {view.dtype}")
    return array.astype(np.int64) if array.dtype.kind not in "iu" else array
