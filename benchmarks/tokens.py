"""Print the table of docs/tokens.md: tokens of each modality and style.

    python benchmarks/tokens.py DEPTH FLOW [--depth-scale 5000]

The depth map is metric with 0 for holes, stored in units of 1/scale metres.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import percepts as pc

STYLES = ("paper", "json", "compact")
GRIDS = (10, 16)
HEADER = ("program", "items", "relations", *STYLES, "note alone", "paper / compact")
POINTS = {"A": (102, 340), "B": (388, 95), "C": (250, 417), "D": (591, 203)}
SCORES = {"A": 0.713482, "B": 0.402917, "C": 0.388301, "D": 0.120554}


def programs(depth_path: str, flow_path: str, depth_scale: float) -> Iterator[tuple[str, str, pc.Program]]:
    """Name, what the items are, and program: a line for each modality."""
    depth, flow = pc.read_depth(depth_path), pc.read_flow(flow_path)
    of_grid: dict[str, Callable[[int], pc.Program]] = {
        "depth": lambda grid: pc.depth(depth, grid=grid, kind="metric", scale=depth_scale, invalid_value=0),
        "flow": lambda grid: pc.flow(flow, grid=grid),
    }
    of_things: dict[str, tuple[str, pc.Program]] = {
        "semantic": ("4 points", pc.semantic_scores(SCORES, POINTS, size=(640, 480))),
    }
    for name, make in of_grid.items():
        for grid in GRIDS:
            yield name, f"{grid}×{grid}", make(grid)
    for name, (items, program) in of_things.items():
        yield name, items, program


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
