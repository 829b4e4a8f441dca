"""Latency of one map and throughput of batches, against other ways to the same numbers, as one table.

Before timing, every side's minimum, maximum and mean are compared with the CPU's.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import report
import rivals
import timing
import torch

import percepts as pc

GRID = 10
SINGLE = [(480, 640), (518, 518), (1080, 1920)]
BATCHES = [
    (256, 480, 640, torch.float32),
    (256, 518, 518, torch.float32),
    (256, 518, 518, torch.float16),
    (512, 518, 518, torch.uint8),
    (32, 1080, 1920, torch.float32),
]

Row = list[Any]


def main(out: Path) -> int:
    torch.manual_seed(7)
    copy = timing.copy_bandwidth()
    rows = [row for size in SINGLE for row in latency(*size)]
    rows += [row for batch in BATCHES for row in throughput(*batch, copy)]
    rows += cub(out / "cub_segmented", copy)
    notes = [
        f"A large copy on the device moves {copy / 1e12:.2f} TB/s, bytes read and written; the share of copy counts",
        "the bytes of the maps, once. Medians. Grid 10x10. Inputs of a throughput take turns and exceed the L2.",
        f"torch {torch.__version__}.",
    ]
    report.write(out, "bench", ["what", "side", "µs", "how", "share of copy"], rows, notes)
    return 0


def random_maps(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    if dtype == torch.uint8:
        return torch.randint(0, 256, shape, dtype=dtype, device="cuda")
    return torch.rand(shape, device="cuda").to(dtype)


def sides(height: int, width: int, dtype: torch.dtype) -> Iterator[tuple[str, Callable[[torch.Tensor], Any]]]:
    """Rivals that can read maps of this kind."""
    whole = height % GRID == width % GRID == 0
    if whole and dtype.is_floating_point:
        yield "torch eager", partial(rivals.eager, grid=GRID)
        yield "torch.compile", partial(rivals.compiled, grid=GRID)
        yield "CuPy", partial(rivals.with_cupy, grid=GRID)
    if dtype.is_floating_point:
        yield "torch adaptive pooling", partial(rivals.adaptive, grid=GRID)
    yield "Triton", partial(rivals.with_triton, grid=GRID)


def check(what: str, found: Any, maps: torch.Tensor) -> None:
    expected = pc.kernels.grid_stats(maps.cpu(), grid=GRID)
    for name, one, other in zip(("min", "max", "mean"), found, expected, strict=False):
        one = torch.as_tensor(one, device="cuda").double().cpu().reshape(other.shape)
        tolerance = 1e-5 if name == "mean" and maps.dtype != torch.float16 else 2e-2 if name == "mean" else 0
        if not torch.allclose(one, other.double(), rtol=tolerance, atol=tolerance):
            raise AssertionError(f"{what}: {name} is not what the CPU finds")


def latency(height: int, width: int) -> list[Row]:
    what = f"one {height}x{width} float32"
    given = random_maps(height, width)
    # A plan that was captured waits for the whole device when it is read: the graph has one of its own.
    plan, in_graph = (pc.plan.depth((height, width), "float32", "cuda:0", grid=GRID) for _ in range(2))
    check(what, plan(given), given)
    rows = [
        [what, "percepts", timing.by_events(plan, [given]) * 1e6, "events", None],
        [what, "percepts", timing.by_graph(in_graph, given) * 1e6, "graph replay", None],
        [what, "percepts", timing.by_wall(lambda x: str(pc.depth(x, grid=GRID)), given) * 1e6, "wall, to text", None],
        [what, "percepts plan", timing.by_wall(partial(plan_text, plan), given) * 1e6, "wall, to text", None],
        [what, "copied to the CPU", timing.by_wall(text_by_cpu, given) * 1e6, "wall, to text", None],
    ]
    for name, call in sides(height, width, given.dtype):
        batch = given[None]
        check(f"{what}, {name}", call(batch), batch)
        rows.append([what, name, timing.by_events(call, [batch]) * 1e6, "events", None])
    return rows


def text_by_cpu(given: torch.Tensor) -> str:
    return str(pc.depth(given.cpu(), grid=GRID))


def plan_text(plan: pc.plan.Plan, given: torch.Tensor) -> str:
    plan(given)
    return str(plan.program())


def throughput(count: int, height: int, width: int, dtype: torch.dtype, copy: float) -> list[Row]:
    name_of_dtype = str(dtype).removeprefix("torch.")
    what = f"{count} of {height}x{width} {name_of_dtype}"
    inputs = [random_maps(count, height, width, dtype=dtype) for _ in range(2)]
    size = inputs[0].numel() * inputs[0].element_size()
    plan = pc.plan.depth((count, height, width), name_of_dtype, "cuda:0", grid=GRID)
    rows = []
    for name, call in [("percepts", plan), *sides(height, width, dtype)]:
        check(f"{what}, {name}", call(inputs[0]), inputs[0])
        seconds = timing.by_events(call, inputs, 30)
        rows.append([what, name, seconds * 1e6, "events", size / seconds / copy])
    texts = timing.by_wall(lambda x: pc.depth(x, grid=GRID).texts(), inputs[0], 10)
    return [*rows, [what, "percepts", texts * 1e6, "wall, to texts", size / texts / copy]]


def cub(program: Path, copy: float) -> list[Row]:
    """CUB's segmented reduction, one for each of minimum, maximum and sum, on cells gathered by an iterator."""
    rows = []
    for count, height, width, dtype in BATCHES:
        if dtype != torch.float32:
            continue
        answer = subprocess.run(
            [program, str(count), str(height), str(width), str(GRID)], capture_output=True, text=True, check=True
        )
        seconds = json.loads(answer.stdout)["seconds"]
        size = count * height * width * 4
        what = f"{count} of {height}x{width} float32"
        rows.append([what, "CUB segmented reduce", seconds * 1e6, "events", size / seconds / copy])
    return rows


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
