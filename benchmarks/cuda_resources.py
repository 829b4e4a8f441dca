"""Print what each CUDA kernel takes of a multiprocessor, per architecture: registers, shared memory, spills.

    python benchmarks/cuda_resources.py --architectures 75 80 90

compiles the kernels with nvcc, whose assembler says so. No GPU is needed. The table goes to benchmarks/results:
numbers that rise are a regression that no test sees.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
THREADS_OF_BLOCK = 256
# In the order of percepts::DType.
DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES += ["float16", "bfloat16", "float32", "float64"]


class Usage(NamedTuple):
    """Of one kernel on one architecture."""

    registers: int  # of a thread
    shared: int  # bytes of a block, besides what a launch adds
    stack: int  # bytes of a thread
    spilled: int  # bytes of a thread, stored and loaded


def name_of(symbol: str) -> str:
    """What a mangled kernel is called here: its name and its type."""
    names = re.findall(r"\d(scan_plain|scan_careful|label_modes|neighbor_relations)(?=[IE])", symbol)
    dtype = re.search(r"DTypeE(\d+)E", symbol)
    return f"{names[-1] if names else symbol} {DTYPES[int(dtype[1])] if dtype else ''}".strip()


def usage_in(log: str) -> dict[tuple[str, int], Usage]:
    """By kernel and architecture, from what `ptxas -v` prints."""
    usage: dict[tuple[str, int], Usage] = {}
    for part in log.split("Compiling entry function ")[1:]:
        kernel = re.match(r"'(\S+)' for 'sm_(\d+)'", part)
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", part)
        registers = re.search(r"Used (\d+) registers", part)
        shared = re.search(r"(\d+) bytes smem", part)
        if kernel is None or frame is None or registers is None:
            raise ValueError(f"ptxas did not say what a kernel takes:\n{part}")
        usage[name_of(kernel[1]), int(kernel[2])] = Usage(
            int(registers[1]), int(shared[1]) if shared else 0, int(frame[1]), int(frame[2]) + int(frame[3])
        )
    return usage


def compile_kernels(architectures: list[int]) -> str:
    """What nvcc says of all kernels."""
    code = [f"-gencode=arch=compute_{architecture},code=sm_{architecture}" for architecture in architectures]
    folders = [f"-I{ROOT / folder}" for folder in ("cuda", "cpp", "cuda/include", "cpp/include")]
    options = ["-std=c++20", "-O3", "-fmad=false", "--expt-relaxed-constexpr", "-Xptxas=-v", *code, *folders]
    log = ""
    for source in sorted((ROOT / "cuda/kernels").glob("*.cu")):
        command = ["nvcc", *options, "-c", str(source), "-o", "/dev/null"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        log += result.stderr
    return log


def blocks_of(registers: int) -> int:
    """Blocks of the largest size that a multiprocessor has registers for."""
    of_warp = -(-registers * 32 // 256) * 256
    return 65536 // (of_warp * THREADS_OF_BLOCK // 32)


def table(usage: dict[tuple[str, int], Usage]) -> str:
    """A row a kernel, in Markdown."""
    architectures = sorted({architecture for _, architecture in usage})

    def order(kernel: str) -> tuple[str, int]:
        name, _, dtype = kernel.partition(" ")
        return name, DTYPES.index(dtype) if dtype in DTYPES else -1

    lines = [
        "| kernel | shared | " + " | ".join(f"sm_{architecture}" for architecture in architectures) + " |",
        "|---|---|" + "---|" * len(architectures),
    ]
    for kernel in sorted({kernel for kernel, _ in usage}, key=order):
        cells = []
        for architecture in architectures:
            one = usage[kernel, architecture]
            spills = f" / {one.stack} / {one.spilled}" if one.stack or one.spilled else ""
            cells.append(f"{one.registers}{spills} ({blocks_of(one.registers)})")
        shared = max(usage[kernel, architecture].shared for architecture in architectures)
        lines.append(f"| {kernel} | {shared} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--architectures", type=int, nargs="+", default=[75, 80, 86, 87, 89, 90, 100, 110, 120])
    arguments = parser.parse_args()
    print(
        "Registers of a thread / bytes of its stack / bytes that it spills, where it has any; in parentheses the\n"
        f"blocks of {THREADS_OF_BLOCK} threads that a multiprocessor has registers for. Shared memory, in bytes, is\n"
        "what a block has besides its launch's.\n"
    )
    print(table(usage_in(compile_kernels(arguments.architectures))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
