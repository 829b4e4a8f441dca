"""A prompt for a language model: a depth map's program, two points, and a question about them.

usage: python prompt.py DEPTH.npy
"""

from __future__ import annotations

import sys

import percepts as pc

QUESTION = """\
Here is what a depth estimator saw in the image, as a perception program.

{program}

Locations are [x, y] from [0, 0] at the upper left to [1000, 1000] at the lower right.
Point A is at {a}, point B at {b}. Which of them is nearer to the camera? Answer with one letter."""


def make_prompt(program: pc.Program, a: list[int], b: list[int]) -> str:
    """Put the program before the question; one block, however long, stays one block."""
    return QUESTION.format(program=program, a=a, b=b)


def main(path: str) -> None:
    """Print the prompt, and on standard error what the program itself says."""
    program = pc.depth(pc.read_depth(path), kind="metric", invalid_value=0, grid=4)
    a, b = [200, 500], [800, 500]
    print(make_prompt(program, a, b))
    for name, (x, y) in {"A": a, "B": b}.items():
        print(f"{name} reads {program.reading_at(x, y).r}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
