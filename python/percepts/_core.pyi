from collections.abc import Sequence
from types import EllipsisType
from typing import Any

import numpy as np

_Array = np.ndarray[Any, np.dtype[Any]]
_Plain = str | int | float | list[str | int | float]
_ItemTuple = tuple[_Plain | None, _Plain | None, _Plain | None, _Plain | None, _Plain | None]
_Scalar = str | int | float

__version__: str

class DepthOptions:
    def __init__(
        self,
        rows: int,
        cols: int,
        tau: float,
        kind: str,
        scale: float,
        depth_range: tuple[float, float] | None,
        normalize: bool,
        sentinels_named: bool,
        relations: bool,
        max_relations: int | None,
        note: str | EllipsisType | None,
        /,
    ) -> None: ...

class FlowOptions:
    def __init__(self, rows: int, cols: int, axis: str, motion: str, note: str | EllipsisType | None, /) -> None: ...

class Program:
    @property
    def modality(self) -> str: ...
    @property
    def granularity(self) -> str: ...
    @property
    def grid(self) -> tuple[int, int] | None: ...
    @property
    def note(self) -> str | None: ...
    @property
    def item_count(self) -> int: ...
    @property
    def relation_count(self) -> int: ...
    def items(self) -> list[_ItemTuple]: ...
    def relations(self) -> list[tuple[_Scalar, str, _Scalar]]: ...
    def relations_as_read(self) -> list[list[str]]: ...
    def arrays(self) -> dict[str, _Array]: ...
    def to_text(self) -> str: ...

def depth(array: _Array, mask: _Array | None, sentinels: _Array | None, options: DepthOptions, /) -> Program: ...
def flow(component: _Array, mask: _Array | None, sentinels: _Array | None, options: FlowOptions, /) -> Program: ...
def program_by_hand(
    modality: str,
    granularity: str,
    items: Sequence[tuple[Any, ...]],
    relations: Sequence[Sequence[Any]],
    grid: tuple[int, int] | None,
    note: str | None,
    /,
) -> Program: ...
def parse(text: str, /) -> Program: ...
def find_programs(text: str, /) -> list[Program]: ...
def grid_stats(
    array: _Array, mask: _Array | None, sentinels: _Array | None, rows: int, cols: int, /
) -> tuple[_Array, _Array, _Array, _Array]: ...
def flow_sign(component: _Array, mask: _Array | None, sentinels: _Array | None, rows: int, cols: int, /) -> _Array: ...
def neighbor_relations(mean: _Array, tau: float, /) -> _Array: ...
