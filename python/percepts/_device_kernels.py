"""The kernels on maps on a device: results stay there, and nothing waits."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

from percepts._arrays import Batch, Field, Maps, of_map, place_of, view_anywhere
from percepts._core import View
from percepts._device_error import DeviceError
from percepts._device_results import Results
from percepts._devices import serving
from percepts._labels import as_ignored
from percepts._libraries import is_cupy_array, is_torch_tensor


def grid_stats(value: object, maps: Maps, rows: int, cols: int) -> tuple[Any, ...]:
    """As `percepts.kernels.grid_stats`."""
    dtype = _same_dtype(maps, "field")
    extremes = "float32" if _fits_float32(dtype) else "float64"

    def run(serves: Any, one: Field | Batch, outs: list[View]) -> None:
        serves.grid_stats(*one, rows, cols, *outs)

    return _results(value, maps, "field", (rows, cols), (extremes, extremes, "float64", "int32"), run)


def flow_sign(value: object, maps: Maps, rows: int, cols: int) -> Any:
    """As `percepts.kernels.flow_sign`."""

    def run(serves: Any, one: Field | Batch, outs: list[View]) -> None:
        serves.flow_sign(*one, rows, cols, *outs)

    return _results(value, maps, "flow", (rows, cols), ("int8",), run)[0]


def label_mode(value: object, maps: Maps, rows: int, cols: int, ignore_index: object) -> tuple[Any, Any]:
    """As `percepts.kernels.label_mode`."""
    dtype = _same_dtype(maps, "labels")
    if isinstance(maps, Batch) and not maps.data.shape[0]:
        ignored = None
    else:
        with contextlib.nullcontext() if isinstance(maps, Field) else of_map(0):
            ignored = as_ignored(ignore_index, dtype)

    def run(serves: Any, one: Field | Batch, outs: list[View]) -> None:
        serves.label_mode(*one, rows, cols, ignored, *outs)

    label, share = _results(value, maps, "labels", (rows, cols), (dtype, "float64"), run)
    return label, share


def neighbor_relations(value: object, means: View, tau: float) -> Any:
    """As `percepts.kernels.neighbor_relations`."""
    serves = serving("mean", means.device_name)
    dense = _dense_float64(value, means)
    results = Results(value, dense, serves)
    array, out = results.empty((*dense.shape, 2), "int8")
    *batch, rows, cols = dense.shape
    if math.prod(batch):
        serves.neighbor_relations(dense, math.prod(batch), rows, cols, tau, out)
    return results.finished(array)


def _results(
    value: object,
    maps: Maps,
    name: str,
    cells: tuple[int, int],
    dtypes: tuple[str, ...],
    run: Callable[[Any, Field | Batch, list[View]], None],
) -> tuple[Any, ...]:
    """Arrays that `run` has a kernel write to, one map after another or a whole batch at once."""
    first = maps[0] if isinstance(maps, list) else maps
    if isinstance(maps, list):
        _same_device(maps, name)
    serves = serving(name, first.data.device_name)
    library_of = value[0] if isinstance(maps, list) and isinstance(value, (list, tuple)) else value
    results = Results(library_of, first.data, serves)
    if isinstance(maps, Field):
        leading: tuple[int, ...] = ()
    else:
        leading = (len(maps) if isinstance(maps, list) else maps.data.shape[0],)
    made = [results.empty((*leading, *cells), dtype) for dtype in dtypes]
    outs = [view for _, view in made]
    if isinstance(maps, Field):
        run(serves, maps, outs)
    elif isinstance(maps, list):
        with _joined(serves, maps):
            for k, field in enumerate(maps):
                with of_map(k):
                    run(serves, field, [out.part(0, k) for out in outs])
    elif leading[0]:
        with of_map(0):
            run(serves, maps, outs)
    return tuple(results.finished(array) for array, _ in made)


@contextlib.contextmanager
def _joined(serves: Any, maps: list[Field]) -> Iterator[None]:
    """Order the streams of maps with the first one's, which the results are of.

    The memory of the results is there for the others before they write, and what they wrote, even up to an error, is
    done before anything that comes after it on the first.
    """
    first = maps[0].data
    others = {field.data.stream for field in maps} - {first.stream}

    def join() -> None:
        for stream in others:
            serves.put_in_order(first.device_id, stream, first.stream)

    for stream in others:
        serves.put_in_order(first.device_id, first.stream, stream)
    try:
        yield
    except BaseException:
        with contextlib.suppress(DeviceError):  # the error of the map says more
            join()
        raise
    join()


def _same_device(maps: list[Field], name: str) -> None:
    first = maps[0].data
    for k, field in enumerate(maps):
        if field.data.device_name != first.device_name:
            places = f"{place_of(first)} and one {place_of(field.data)} ({name}[{k}])"
            raise ValueError(f"{name} must be on one device, got an array {places}")


def _same_dtype(maps: Maps, name: str) -> str:
    if not isinstance(maps, list):
        return maps.data.dtype
    dtypes = {field.data.dtype for field in maps}
    if len(dtypes) > 1:
        raise TypeError(f"{name} on a device must be of one dtype, got {' and '.join(sorted(dtypes))}")
    return dtypes.pop()


def _fits_float32(dtype: str) -> bool:
    return dtype in ("bool", "int8", "uint8", "int16", "uint16", "float16", "bfloat16", "float32")


def _dense_float64(value: Any, means: View) -> View:
    """The means as the kernel reads them; another dtype or layout is converted by the library of the array."""
    if _is_dense_float64(means):
        return means
    if is_torch_tensor(type(value)):
        converted = value.double().contiguous()
    elif is_cupy_array(type(value)):
        converted = value.astype("float64", order="C")
    elif hasattr(value, "__array_namespace__"):
        namespace = value.__array_namespace__()
        converted = namespace.astype(value, namespace.float64)
    else:
        converted = None
    view = means if converted is None else view_anywhere(converted, "mean")
    if not _is_dense_float64(view):
        raise TypeError(f"mean must be float64 and dense on a device, got {means.dtype} of strides {means.strides}")
    return view


def _is_dense_float64(means: View) -> bool:
    dense, stride = [], 8
    for extent in reversed(means.shape):
        dense.append(stride)
        stride *= extent
    sizes = zip(means.shape, means.strides, reversed(dense), strict=True)
    return means.dtype == "float64" and all(extent == 1 or got == wanted for extent, got, wanted in sizes)
