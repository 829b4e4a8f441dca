"""What the programs must say, from the scene's arrays with plain NumPy and no kernel of the package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from percepts.cli.demo.scene import Scene

if TYPE_CHECKING:
    from percepts.program import Program

_UNKNOWN = "unknown"
Cell = tuple[slice, slice]


class Verdict(NamedTuple):
    """What was compared, in words, and what did not agree."""

    compared: str
    disagreements: list[str]


def check_depth(program: Program, scene: Scene, tau: float = 0.15) -> Verdict:
    """Compare each reading with the scene to the printed digits, and the relations in their order.

    Parameters
    ----------
    program
        Metric depth, normalised by the map's own range.
    scene
        The scene that it is of.
    tau
        As the program was made with.
    """
    metres = scene.depth.astype(np.float64)
    near, far = metres[scene.measured].min(), metres[scene.measured].max()
    nearness = (metres - far) / (near - far)
    cells = [nearness[cell][scene.measured[cell]] for cell in _cells(program, scene)]
    readings = [[_printed(cell.min()), _printed(cell.max())] if cell.size else _UNKNOWN for cell in cells]
    means = [cell.mean() if cell.size else np.nan for cell in cells]
    relations = list(_in_front_of(means, _grid(program), tau))
    wrong = _compare_items(program, scene, readings)
    wrong += _compare_relations(program, relations)
    return Verdict(
        f"depth: {len(readings)} readings ({readings.count(_UNKNOWN)} unknown), {len(relations)} relations",
        wrong,
    )


def check_flow(program: Program, scene: Scene) -> Verdict:
    """Compare each direction with the mean horizontal motion of the scene."""
    motion = scene.flow[..., 0].astype(np.float64)
    cells = [motion[cell][scene.known[cell]] for cell in _cells(program, scene)]
    readings = [("left" if cell.mean() < 0 else "right") if cell.size else _UNKNOWN for cell in cells]
    counts = ", ".join(f"{readings.count(word)} {word}" for word in ("left", "right", _UNKNOWN))
    return Verdict(f"flow: {len(readings)} directions ({counts})", _compare_items(program, scene, readings))


def _grid(program: Program) -> tuple[int, int]:
    if program.grid is None:
        raise ValueError(f"a program of a grid is needed, got {program!r}")
    return program.grid


def _cells(program: Program, scene: Scene) -> Iterator[Cell]:
    (rows, cols), (height, width) = _grid(program), scene.depth.shape
    for i in range(rows):
        for j in range(cols):
            yield (
                slice(i * height // rows, (i + 1) * height // rows),
                slice(j * width // cols, (j + 1) * width // cols),
            )


def _center(cell: Cell, scene: Scene) -> list[int]:
    height, width = scene.depth.shape
    y, x = ((side.start + side.stop - 1) // 2 for side in cell)
    return [1000 * x // width, 1000 * y // height]


def _printed(value: np.float64) -> float:
    return float(f"{float(np.float32(value)):.4g}")


def _in_front_of(means: list[Any], grid: tuple[int, int], tau: float) -> Iterator[tuple[int, int]]:
    rows, cols = grid
    for a in range(rows * cols):
        right = a + 1 if a % cols < cols - 1 else None
        below = a + cols if a // cols < rows - 1 else None
        for b in (right, below):
            if b is not None and means[a] > means[b] + tau:
                yield a + 1, b + 1
            elif b is not None and means[b] > means[a] + tau:
                yield b + 1, a + 1


def _compare_items(program: Program, scene: Scene, readings: list[Any]) -> list[str]:
    name = program.modality
    if len(program.items) != len(readings):
        return [f"{name}: {len(program.items)} patches, the scene has {len(readings)}"]
    wrong = []
    for number, (item, cell, reading) in enumerate(
        zip(program.items, _cells(program, scene), readings, strict=True), start=1
    ):
        for field, said, true in (
            ("p", item.p, number),
            ("c", item.c, _center(cell, scene)),
            ("r", item.r, reading),
        ):
            if said != true:
                wrong.append(f"{name}: patch {number} has {field}: {said}, the scene has {true}")
    return wrong


def _compare_relations(program: Program, pairs: list[tuple[int, int]]) -> list[str]:
    said = [f"[p={relation.a}, {relation.predicate}, p={relation.b}]" for relation in program.relations]
    true = [f"[p={a}, in_front_of, p={b}]" for a, b in pairs]
    wrong = [f"depth: {relation} does not hold in the scene" for relation in said if relation not in true]
    wrong += [f"depth: {relation} holds in the scene and is missing" for relation in true if relation not in said]
    if not wrong and said != true:
        wrong.append("depth: the relations are not in row-major order, right before below")
    return wrong
