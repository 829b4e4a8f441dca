"""Plans on a CUDA device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from percepts import _core
from percepts._arrays import Maps, place_of, view_anywhere
from percepts._core import View
from percepts._device_error import NoCudaDeviceError
from percepts._device_results import finisher_for
from percepts._devices import module
from percepts.batch import ProgramBatch
from percepts.kernels import GridStats
from percepts.program import Program

Label = Callable[[list[_core.Program]], None]

_MOST_DIGITS = 9
"""Of a device's number: more than there are devices, and what CUDA can number."""


class DevicePlan:
    """Statistics of many maps of one shape and dtype on a CUDA device, as `percepts.plan.Plan` has them on the host.

    Calling a plan with an array puts the work on the stream of the array's library and returns at once, without an
    allocation on the device and without waiting, also while that stream is being captured into a graph. The `GridStats`
    are the plan's own, in the library of the array, ready on that stream; the next call overwrites them. `program`
    waits for the device. Calls on several streams are for the caller to put in order. A plan is for one thread at a
    time.
    """

    def __init__(
        self,
        modality: str,
        device: str,
        maps: tuple[int, ...],
        size: tuple[int, int],
        dtype: str,
        options: _core.DepthOptions | _core.FlowOptions,
        grid: tuple[int, int],
        prepare: Callable[[object], Maps],
        label: Label | None,
    ) -> None:
        self._device = device
        self._maps = maps
        self._size = size
        self._dtype = dtype
        self._prepare = prepare
        self._label = label
        self._called = False
        serves = module()
        reason = serves.why_unavailable()
        if reason:
            raise NoCudaDeviceError(f"device must be 'cpu', got {device!r}: {reason}")
        number = int(device.split(":")[1])
        self._is_empty = maps == (0,)
        if self._is_empty:
            narrow = "float32" if dtype not in ("float64", "int32", "uint32", "int64", "uint64") else "float64"
            dtypes = (narrow, narrow, "float64", "int32")
            stream = serves.own_stream(number)
            self._arrays: tuple[Any, ...] = tuple(serves.empty(number, each, (0, *grid), stream) for each in dtypes)
        else:
            plan = serves.DepthPlan if modality == "depth" else serves.FlowPlan
            self._core = plan(number, dtype, list(maps), *size, options)
            self._arrays = self._core.arrays()
        self._stats: dict[Any, GridStats] = {}

    def __call__(self, array: object) -> GridStats:
        """Statistics of an array of the plan's shape and dtype, on the plan's device.

        Raises
        ------
        TypeError, ValueError
            When the array is not what the plan is for.
        DeviceError
            When CUDA fails.
        """
        maps = self._prepare(array)
        if isinstance(maps, list):
            raise TypeError("a plan on a device takes one array, got a list")
        if not self._fits(maps.data):
            wanted = f"{self._dtype} maps of shape {(*self._maps, *self._size)} on {self._device}"
            got = f"{maps.data.dtype} {maps.data.shape} {place_of(maps.data)}"
            raise ValueError(f"this plan is for {wanted}, got {got}")
        if not self._is_empty:
            self._core.run(*maps)
        self._called = True
        return self._stats_for(array)

    def _fits(self, data: View) -> bool:
        shape = (*self._maps, *self._size)
        return data.shape == shape and data.dtype == self._dtype and data.device_name == self._device

    def _stats_for(self, array: object) -> GridStats:
        """The plan's arrays in the library of `array`; each library takes them over once."""
        kind = type(array)
        stats = self._stats.get(kind)
        if stats is None:
            finish = finisher_for(array)
            stats = self._stats[kind] = GridStats(*(finish(each) for each in self._arrays))
        return stats

    def program(self) -> Program | ProgramBatch:
        """Program of the array that the plan was last called with, or its graph last read; waits for the device.

        Raises
        ------
        ValueError
            When the plan has not been called, or the values do not meet their requirements.
        DeviceError
            When CUDA fails.
        """
        if not self._called:
            raise ValueError("a plan has a program when it has been called, it has not been yet")
        programs = [] if self._is_empty else self._core.programs()
        if self._label is not None:
            self._label(programs)
        made = [Program._of(program) for program in programs]
        return ProgramBatch(made) if self._maps else made[0]


def number_of(device: str) -> str:
    """A CUDA device's name with its number: ``cuda`` is the first one."""
    kind, _, number = device.partition(":")
    if kind != "cuda" or (number and not number.isdecimal()) or device.endswith(":"):
        raise ValueError(f"device must be 'cpu' or 'cuda:0', 'cuda:1' and so on, got {device!r}")
    if len(number) > _MOST_DIGITS:
        raise ValueError(f"device must be 'cpu' or 'cuda:0', 'cuda:1' and so on, got {device[:40]!r}")
    return f"cuda:{int(number or 0)}"


def mask_on(device: str, mask: object) -> View | None:
    """A mask for every call of a plan, which has to be on its device."""
    if mask is None:
        return None
    view = view_anywhere(mask, "mask")
    if view.device_name != device:
        raise ValueError(f"mask must be where the maps are, on {device}, got an array {place_of(view)}")
    # Once and for all: an order between streams at each call could not be captured in a graph of one of them.
    module().synchronize(view.device_id, view.stream)
    return view
