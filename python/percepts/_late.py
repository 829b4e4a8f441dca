"""Programs that a device is still at work on: launched at the call, read when somebody looks."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from percepts import _core
from percepts._arrays import Batch, Field, Maps, of_map, place_of
from percepts._device_error import DeviceError
from percepts._devices import serving
from percepts.batch import ProgramBatch
from percepts.program import Program

Finish = Callable[[list[_core.Program]], None]


class Late:
    """Programs to come, and what is to be done with them when they are there; of a list, each part is a map.

    The first read waits for the device; an error that it meets comes again at each later one.
    """

    __slots__ = ("_error", "_finish", "_is_list", "_lock", "_parts", "_programs")

    def __init__(self, parts: list[Any], finish: Finish | None, is_list: bool = False) -> None:
        self._parts = parts
        self._is_list = is_list
        self._finish = finish
        self._lock = threading.RLock()  # signal handlers and destructors may look while a read is under way
        self._programs: list[_core.Program] | None = None
        self._error: Exception | None = None

    def programs(self) -> list[_core.Program]:
        """Wait for the programs."""
        with self._lock:
            if self._programs is None and self._error is None:
                # Interrupted, it can be done again: parts are read any number of times.
                try:
                    self._programs = self._read()
                except Exception as error:
                    self._error = error.with_traceback(None)
                self._parts, self._finish = [], None
            if self._error is not None:
                # A new object each time: threads and handlers write into the one that they caught.
                raise _again(self._error) from None
            assert self._programs is not None
            return self._programs

    def _read(self) -> list[_core.Program]:
        programs: list[_core.Program] = []
        for k, part in enumerate(self._parts):
            # A batch of one allocation says by itself which map an error is about.
            with of_map(k) if self._is_list else contextlib.nullcontext():
                programs += part.read()
        if self._finish is not None:
            self._finish(programs)
        return programs


def _again(error: Exception) -> Exception:
    if isinstance(error, DeviceError):
        return type(error)(str(error), error.name)
    return type(error)(*error.args)


def launch(
    modality: str, maps: Maps, options: _core.DepthOptions | _core.FlowOptions, label: Callable[[], Finish] | None
) -> Program | ProgramBatch:
    """Put the work on the maps' streams, and return the programs to come.

    `label` starts with the labels of cells, and says how programs get them.
    """
    name = modality
    first = maps[0] if isinstance(maps, list) else maps
    if isinstance(maps, list):
        for k, field in enumerate(maps):
            if field.data.on_cuda != first.data.on_cuda:
                places = f"{place_of(first.data)} and an array {place_of(field.data)} ({name}[{k}])"
                raise ValueError(f"{name} must be all on devices or all in host memory, got an array {places}")
    serves = serving(name, first.data.device_name)
    begin = serves.depth if modality == "depth" else serves.flow
    if isinstance(maps, Field):
        return Program._later(Late([begin(*maps, options, False)], None if label is None else label()), 0)
    parts = []
    if isinstance(maps, Batch):
        count = maps.data.shape[0]
        if count:
            with of_map(0):
                parts.append(begin(*maps, options, True))
    else:
        count = len(maps)
        for k, field in enumerate(maps):
            with of_map(k):
                parts.append(begin(*field, options, False))
    if not count:
        return ProgramBatch([])
    return ProgramBatch._later(Late(parts, None if label is None else label(), isinstance(maps, list)), count)
