"""The statistics of cells by other means: torch, torch.compile, CuPy and a short Triton kernel.

All take a batch B×H×W and give minimum, maximum and mean of (B, rows, cols). Those of reshaped views need cells of one
size; `adaptive` and Triton take any.
"""

from __future__ import annotations

import cupy
import torch
import triton
import triton.language as tl
from torch.nn import functional

Stats = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def _cells(maps: torch.Tensor, grid: int) -> torch.Tensor:
    batch, height, width = maps.shape
    return maps.view(batch, grid, height // grid, grid, width // grid)


def eager(maps: torch.Tensor, grid: int) -> Stats:
    cells = _cells(maps, grid)
    return cells.amin((2, 4)), cells.amax((2, 4)), cells.mean((2, 4))


compiled = torch.compile(eager)


def adaptive(maps: torch.Tensor, grid: int) -> Stats:
    highest = functional.adaptive_max_pool2d(maps, grid)
    return -functional.adaptive_max_pool2d(-maps, grid), highest, functional.adaptive_avg_pool2d(maps, grid)


def with_cupy(maps: torch.Tensor, grid: int) -> tuple[cupy.ndarray, ...]:
    cells = cupy.from_dlpack(_cells(maps, grid))
    return cells.min((2, 4)), cells.max((2, 4)), cells.mean((2, 4))


@triton.jit
def _cell_kernel(maps, low, high, mean, height, width, grid, block: tl.constexpr):
    cell = tl.program_id(0)
    col, row = cell % grid, (cell // grid) % grid
    first = maps + (cell // (grid * grid)).to(tl.int64) * height * width
    y0, y1 = row * height // grid, (row + 1) * height // grid
    x0, x1 = col * width // grid, (col + 1) * width // grid
    cells_width = x1 - x0
    count = (y1 - y0) * cells_width
    lows = tl.full([block], float("inf"), tl.float32)
    highs = tl.full([block], float("-inf"), tl.float32)
    sums = tl.zeros([block], tl.float32)
    for start in range(0, count, block):
        at = start + tl.arange(0, block)
        used = at < count
        pixel = (y0 + at // cells_width) * width + x0 + at % cells_width
        value = tl.load(first + pixel, mask=used, other=0).to(tl.float32)
        lows = tl.minimum(lows, tl.where(used, value, float("inf")))
        highs = tl.maximum(highs, tl.where(used, value, float("-inf")))
        sums += value
    tl.store(low + cell, tl.min(lows))
    tl.store(high + cell, tl.max(highs))
    tl.store(mean + cell, tl.sum(sums) / count)


def with_triton(maps: torch.Tensor, grid: int) -> Stats:
    batch, height, width = maps.shape
    low, high, mean = (torch.empty((batch, grid, grid), device=maps.device) for _ in range(3))
    _cell_kernel[(batch * grid * grid,)](maps, low, high, mean, height, width, grid, block=1024)
    return low, high, mean
