"""Arrays as callers hold them, made into views that the core reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

import numpy as np

from percepts import _core
from percepts._bfloat16 import bfloat16_bits, float32_of_bfloat16
from percepts._core import View
from percepts._options import as_word
from percepts.readers.field_file import FieldFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Array = np.ndarray[Any, np.dtype[Any]]


class Field(NamedTuple):
    """A map, the pixels of it to use, and the values that are not data, packed as elements of the map's dtype."""

    data: View
    mask: View | None
    sentinels: bytes | None


def as_field(value: object, name: str, mask: object, invalid_value: object) -> Field:
    """Make an array-like into a two-dimensional field of the core."""
    view, own_mask = _as_view(value, name)
    if view.ndim != 2:
        _raise_not_a_map(view.shape, name)
    return _field(view, own_mask, mask, invalid_value)


def _raise_not_a_map(shape: tuple[int, ...], name: str) -> NoReturn:
    squeezable = len(shape) == 3 and shape[2] == 1 and 1 not in shape[:2]
    raise ValueError(f"{name} must be H×W, got shape {shape}{': squeeze the last dimension' if squeezable else ''}")


def as_flow_component(value: object, axis: str, layout: object, mask: object, invalid_value: object) -> Field:
    """Take the component of a flow field that `axis` names: u is horizontal, v vertical."""
    view, own_mask = _as_view(value, "flow")
    of_components = 2 if _components_last(view.shape, layout) else 0
    k = 1 if axis == "vertical" else 0
    if own_mask is not None and own_mask.ndim == 3:
        own_mask = own_mask.take(k, of_components)
    return _field(view.part(of_components, k), own_mask, mask, invalid_value)


def _components_last(shape: tuple[int, ...], layout: object) -> bool:
    if layout is not None and as_word(layout, "layout") not in ("hwc", "chw"):
        raise ValueError(f"layout must be 'hwc' or 'chw', got {layout!r}")
    if len(shape) != 3 or 2 not in (shape[0], shape[2]):
        raise ValueError(f"flow must be H×W×2 or 2×H×W, got shape {shape}")
    fits = {"hwc": shape[2] == 2, "chw": shape[0] == 2}
    if layout is None:
        if all(fits.values()):
            raise ValueError(
                f"layout must be given ('hwc' or 'chw') for a flow of shape {shape}, which could be either"
            )
        return bool(fits["hwc"])
    if not fits[str(layout)]:
        required = "H×W×2" if layout == "hwc" else "2×H×W"
        raise ValueError(f"flow must be {required} with layout={layout!r}, got shape {shape}")
    return str(layout) == "hwc"


def _field(view: View, own_mask: Array | None, mask: object, invalid_value: object) -> Field:
    pixels = None if mask is None else _as_mask(mask, view.shape)
    if own_mask is not None:
        pixels = _view(own_mask if pixels is None else own_mask & pixels.numpy(), "mask")
    return Field(view, pixels, None if invalid_value is None else _packed(invalid_value, view.dtype))


def _as_view(value: object, name: str) -> tuple[View, Array | None]:
    """View a caller's array where it is, with the mask that it brings along."""
    if isinstance(value, FieldFile):
        return _view(value.data, name), value.mask
    if isinstance(value, np.ma.MaskedArray):
        mask = None if value.mask is np.ma.nomask else ~np.ma.getmaskarray(value)
        return _view(value.data, name), mask
    return _view(value, name), None


def _view(value: object, name: str) -> View:
    view = _core.view(value, name)
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
    if hasattr(value, "__cuda_array_interface__"):
        raise TypeError(f"{name} must be in host memory, got an array on a CUDA device: this build has no CUDA")
    try:
        return np.asarray(value if hasattr(value, "__array__") else memoryview(cast("ReadableBuffer", value)))
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise TypeError(
            f"{name} must be an array or nested lists of numbers, got {type(value).__name__} ({error})"
        ) from error


def _as_mask(mask: object, shape: tuple[int, ...]) -> View:
    pixels = _view(mask, "mask")
    if pixels.dtype != "bool":
        raise TypeError(f"mask must be boolean, got {pixels.dtype}")
    if pixels.shape != shape:
        raise ValueError(f"mask must have the shape of the map, {shape}, got {pixels.shape}")
    return pixels


def _packed(invalid_value: object, dtype: str) -> bytes:
    """Sentinels as elements of the array's own dtype, in which they are compared."""
    values = list(invalid_value) if isinstance(invalid_value, Iterable) else [invalid_value]
    in_numpy = np.dtype("float32" if dtype == "bfloat16" else dtype)
    elements = [_sentinel(value, in_numpy) for value in values]
    packed = np.array([element for element in elements if element is not None], in_numpy)
    return (bfloat16_bits(packed) if dtype == "bfloat16" else packed).tobytes()


def _sentinel(value: Any, dtype: np.dtype[Any]) -> Any:
    """One sentinel in `dtype`; None for what such an array cannot hold anyway, NaN and infinities among integers."""
    if isinstance(value, (str, bytes)) or np.ndim(value) != 0 or np.asarray(value).dtype.kind not in "biufO":
        raise TypeError(f"invalid_value must be a number or several, got {value!r}")
    try:
        if dtype.kind == "f":
            with np.errstate(over="ignore"):
                return dtype.type(float(value))
        if not np.isfinite(float(value)):
            return None
        if int(value) == value:
            converted = np.array(int(value)).astype(dtype)
            if int(converted) == int(value):
                return converted
    except (TypeError, OverflowError):
        pass
    raise ValueError(f"invalid_value must be a value that {dtype} can hold, got {value!r}")


def as_numpy(view: View) -> Array:
    """NumPy's view of the same memory; bfloat16, which NumPy does not have, as float32."""
    array = view.numpy()
    return float32_of_bfloat16(array) if view.dtype == "bfloat16" else array


def as_means(value: object) -> Array:
    """Means of cells, float64 of shape (..., rows, cols); what is masked is NaN."""
    view, mask = _as_view(value, "mean")
    if view.ndim < 2 or 0 in view.shape[-2:]:
        raise ValueError(f"mean must be (..., rows, cols) with at least one cell, got shape {view.shape}")
    means = np.ascontiguousarray(as_numpy(view), np.float64)
    return means if mask is None else np.where(mask, means, np.nan)
