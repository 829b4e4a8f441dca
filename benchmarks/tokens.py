"""Print the table of docs/tokens.md: tokens of each modality and style.

    python benchmarks/tokens.py DEPTH FLOW [--depth-scale 5000]

The depth map is metric with 0 for holes, stored in units of 1/scale metres. All other inputs are made up here, the same
ones each time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np

import percepts as pc

STYLES = ("paper", "json", "compact")
GRIDS = (10, 16)
HEADER = ("program", "items", "relations", *STYLES, "note alone", "paper / compact")
WIDTH, HEIGHT = SIZE = 640, 480
MATCHES, BOXES, REGIONS, CLASSES, SIDE = 100, 12, 40, 12, 64
POINTS = {"A": (102, 340), "B": (388, 95), "C": (250, 417), "D": (591, 203)}
SCORES = {"A": 0.713482, "B": 0.402917, "C": 0.388301, "D": 0.120554}
LETTERS = ("A", "B")


def programs(depth_path: str, flow_path: str, depth_scale: float) -> Iterator[tuple[str, str, pc.Program]]:
    """Name, what the items are, and program: a line for each modality, for those of a grid one a grid."""
    depth, flow = pc.read_depth(depth_path), pc.read_flow(flow_path)
    rng = np.random.default_rng(0)
    regions = made_regions(rng)
    shades = rng.random(REGIONS)[regions] + rng.normal(0, 0.02, regions.shape)
    class_of_region = rng.integers(CLASSES, size=REGIONS)
    of_grid: dict[str, Callable[[int], pc.Program]] = {
        "depth": lambda grid: pc.depth(depth, grid=grid, kind="metric", scale=depth_scale, invalid_value=0),
        "flow": lambda grid: pc.flow(flow, grid=grid),
        "segmentation": lambda grid: pc.segmentation(class_of_region[regions], grid=grid),
        "albedo": lambda grid: pc.albedo(shades, grid=grid),
        "similarity": lambda grid: pc.similarity({letter: rng.random((grid, grid)) for letter in LETTERS}),
    }
    for name, make in of_grid.items():
        for grid in GRIDS:
            yield name, f"{'2 of ' if name == 'similarity' else ''}{grid}×{grid}", make(grid)
    yield "correspondence", f"{MATCHES} matches", made_matches(rng)
    yield "detection", f"{BOXES} boxes", made_detections(rng)
    yield "points", "5 points", made_points()
    yield "jigsaw", "2 pieces", made_jigsaw(rng)
    yield "semantic", "4 points", pc.semantic_scores(SCORES, POINTS, size=SIZE)


def made_regions(rng: np.random.Generator) -> np.ndarray:
    """For each pixel the nearest of some points: as many regions with straight borders."""
    centers = rng.random((REGIONS, 2)) * SIZE
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    return np.hypot(x[..., None] - centers[:, 0], y[..., None] - centers[:, 1]).argmin(axis=-1)


def made_matches(rng: np.random.Generator) -> pc.Program:
    points = rng.random((MATCHES, 2)) * SIZE
    moved = np.clip(points + rng.normal(0, 20, points.shape), 0, SIZE)
    return pc.correspondence(points, moved, size0=SIZE, size1=SIZE)


def made_detections(rng: np.random.Generator) -> pc.Program:
    boxes = np.sort(rng.random((BOXES, 2, 2)), axis=1).reshape(BOXES, 4) * [*SIZE, *SIZE]
    names = ["person", "dining table", "chair"]
    return pc.detection(boxes, rng.random(BOXES), [names[k % 3] for k in range(BOXES)], size=SIZE)


def made_points() -> pc.Program:
    return pc.points({"image 1": {"REF": (300, 200)}, "image 2": POINTS}, size={"image 1": SIZE, "image 2": SIZE})


def made_jigsaw(rng: np.random.Generator) -> pc.Program:
    image = rng.random((2 * SIDE, 2 * SIDE, 3))
    return pc.jigsaw(image, {letter: rng.random((SIDE, SIDE, 3)) for letter in LETTERS})


def row(name: str, items: str, program: pc.Program) -> tuple[object, ...]:
    tokens = {style: program.count_tokens(style) for style in STYLES}
    without_note = pc.Program(program.modality, program.granularity, program.items, program.relations, program.grid)
    note = tokens["paper"] - without_note.count_tokens()
    return name, items, len(program.relations), *tokens.values(), note, f"{tokens['paper'] / tokens['compact']:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("depth")
    parser.add_argument("flow")
    parser.add_argument("--depth-scale", type=float, default=5000, help="stored units per metre (5000)")
    arguments = parser.parse_args()
    print("|", " | ".join(HEADER), "|")
    print("|---|---|" + "---:|" * (len(HEADER) - 2))
    for program in programs(arguments.depth, arguments.flow, arguments.depth_scale):
        print("|", " | ".join(map(str, row(*program))), "|")


if __name__ == "__main__":
    main()
