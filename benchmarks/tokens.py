"""Print the table of docs/tokens.md: tokens of each style for one depth map and one flow field.

    python benchmarks/tokens.py DEPTH FLOW [--depth-scale 5000]

The depth map is metric with 0 for holes, stored in units of 1/scale metres.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import percepts as pc

STYLES = ("paper", "json", "compact")
GRIDS = (10, 16)
HEADER = ("program", "grid", "relations", *STYLES, "note alone", "paper / compact")


def programs(depth_path: str, flow_path: str, depth_scale: float) -> Iterator[tuple[str, pc.Program]]:
    depth, flow = pc.read_depth(depth_path), pc.read_flow(flow_path)
    for grid in GRIDS:
        yield "depth", pc.depth(depth, grid=grid, kind="metric", scale=depth_scale, invalid_value=0)
    for grid in GRIDS:
        yield "flow", pc.flow(flow, grid=grid)


def row(name: str, program: pc.Program) -> tuple[object, ...]:
    tokens = {style: program.count_tokens(style) for style in STYLES}
    without_note = pc.Program(program.modality, program.granularity, program.items, program.relations, program.grid)
    note = tokens["paper"] - without_note.count_tokens()
    grid = "{}×{}".format(*program.grid or ())
    return name, grid, len(program.relations), *tokens.values(), note, f"{tokens['paper'] / tokens['compact']:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("depth")
    parser.add_argument("flow")
    parser.add_argument("--depth-scale", type=float, default=5000, help="stored units per metre (5000)")
    arguments = parser.parse_args()
    print("|", " | ".join(HEADER), "|")
    print("|---|---|" + "---:|" * (len(HEADER) - 2))
    for name, program in programs(arguments.depth, arguments.flow, arguments.depth_scale):
        print("|", " | ".join(map(str, row(name, program))), "|")


if __name__ == "__main__":
    main()
