"""Arrays as callers hold them, made into views that the core reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from percepts._options import as_word
from percepts.readers.field_file import FieldFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Array = np.ndarray[Any, np.dtype[Any]]

_HOST_DEVICES = {1, 3, 11, 13}
"""DLPack's device types whose memory the host can read: CPU, and pinned or managed memory of CUDA and ROCm."""


class Field(NamedTuple):
    """A map, the pixels of it to use, and the values that are not data."""

    data: Array
    mask: Array | None
    sentinels: Array | None

    @property
    def valid(self) -> Array:
        """Boolean map of the pixels that are data."""
        valid = np.ones(self.data.shape, bool) if self.mask is None else self.mask.copy()
        if self.data.dtype.kind == "f":
            valid &= np.isfinite(self.data)
        for sentinel in () if self.sentinels is None else self.sentinels:
            valid &= self.data != sentinel
        return valid


def as_field(value: object, name: str, mask: object, invalid_value: object) -> Field:
    """Make an array-like into a two-dimensional field of the core."""
    data, own_mask = _as_numpy(value, name)
    if data.ndim == 3 and data.shape[2] == 1 and 1 not in data.shape[:2]:
        raise ValueError(f"{name} must be H×W, got shape {data.shape}: squeeze the last dimension")
    if data.ndim != 2:
        raise ValueError(f"{name} must be H×W, got shape {data.shape}")
    return _field(data, own_mask, mask, invalid_value)


def as_flow_component(value: object, axis: str, layout: object, mask: object, invalid_value: object) -> Field:
    """Take the component of a flow field that `axis` names: u is horizontal, v vertical."""
    data, own_mask = _as_numpy(value, "flow")
    last = _components_last(data, layout)
    k = 1 if axis == "vertical" else 0
    component = data[:, :, k] if last else data[k]
    if own_mask is not None and own_mask.ndim == 3:
        own_mask = own_mask[:, :, k] if last else own_mask[k]
    return _field(component, own_mask, mask, invalid_value)


def _components_last(flow: Array, layout: object) -> bool:
    if layout is not None and as_word(layout, "layout") not in ("hwc", "chw"):
        raise ValueError(f"layout must be 'hwc' or 'chw', got {layout!r}")
    if flow.ndim != 3 or 2 not in (flow.shape[0], flow.shape[2]):
        raise ValueError(f"flow must be H×W×2 or 2×H×W, got shape {flow.shape}")
    fits = {"hwc": flow.shape[2] == 2, "chw": flow.shape[0] == 2}
    if layout is None:
        if all(fits.values()):
            raise ValueError(
                f"layout must be given ('hwc' or 'chw') for a flow of shape {flow.shape}, which could be either"
            )
        return bool(fits["hwc"])
    if not fits[str(layout)]:
        shape = "H×W×2" if layout == "hwc" else "2×H×W"
        raise ValueError(f"flow must be {shape} with layout={layout!r}, got shape {flow.shape}")
    return str(layout) == "hwc"


def _field(data: Array, own_mask: Array | None, mask: object, invalid_value: object) -> Field:
    given_mask = None if mask is None else _as_mask(mask, data.shape)
    if own_mask is not None and given_mask is not None:
        given_mask = own_mask & given_mask
    return Field(data, own_mask if given_mask is None else given_mask, _as_sentinels(invalid_value, data.dtype))


def _as_numpy(value: object, name: str) -> tuple[Array, Array | None]:
    """View a caller's array as a NumPy array of native byte order, with the mask that it brings along."""
    mask: Array | None = None
    if isinstance(value, FieldFile):
        data, mask = value.data, value.mask
    elif isinstance(value, np.ma.MaskedArray):
        data = np.asarray(value.data)
        if value.mask is not np.ma.nomask:
            mask = ~np.ma.getmaskarray(value)
    else:
        data = np.asarray(_without_copy(value, name))
    if data.dtype.kind not in "biuf" or data.dtype.itemsize > 8:
        raise TypeError(f"{name} must be boolean, integer or floating point of up to 64 bits, got {data.dtype}")
    return data.astype(data.dtype.newbyteorder("="), copy=False), mask


def _without_copy(value: object, name: str) -> Array:
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (list, tuple)):
        try:
            return np.asarray(value)
        except ValueError:
            raise ValueError(f"{name} must be a rectangular array, got nested sequences that are not") from None
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(value, name)
    if hasattr(value, "__cuda_array_interface__"):
        raise TypeError(f"{name} must be in host memory, got an array on a CUDA device: this build has no CUDA")
    try:
        return np.asarray(value if hasattr(value, "__array__") else memoryview(cast("ReadableBuffer", value)))
    except (TypeError, RuntimeError, BufferError) as error:
        raise TypeError(
            f"{name} must be an array or nested lists of numbers, got {type(value).__name__} ({error})"
        ) from error


def _from_dlpack(value: Any, name: str) -> Array:
    device = int(value.__dlpack_device__()[0])
    if device not in _HOST_DEVICES:
        raise TypeError(
            f"{name} must be in host memory, got an array on a device of DLPack's type {device}: this build has no CUDA"
        )
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{name} must be an array that DLPack can hand over, got {error}") from error


def _as_mask(mask: object, shape: tuple[int, ...]) -> Array:
    pixels = _without_copy(mask, "mask")
    if pixels.dtype != np.bool_:
        raise TypeError(f"mask must be boolean, got {pixels.dtype}")
    if pixels.shape != shape:
        raise ValueError(f"mask must have the shape of the map, {shape}, got {pixels.shape}")
    return pixels


def _as_sentinels(invalid_value: object, dtype: np.dtype[Any]) -> Array | None:
    """Sentinels in the array's own dtype, in which they are compared; None where the caller named none."""
    if invalid_value is None:
        return None
    values = list(invalid_value) if isinstance(invalid_value, Iterable) else [invalid_value]
    packed = [_sentinel(value, dtype) for value in values]
    return np.array([value for value in packed if value is not None], dtype)


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


def as_means(value: object) -> Array:
    """Means of cells, float64 of shape (..., rows, cols); what is masked is NaN."""
    data, mask = _as_numpy(value, "mean")
    if data.ndim < 2 or 0 in data.shape[-2:]:
        raise ValueError(f"mean must be (..., rows, cols) with at least one cell, got shape {data.shape}")
    means = np.ascontiguousarray(data, np.float64)
    return means if mask is None else np.where(mask, means, np.nan)
