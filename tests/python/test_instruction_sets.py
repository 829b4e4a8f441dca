"""Every instruction set that this machine has gives the same bits."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import percepts as pc

SETS = pc.backends()["cpu"]["instruction_sets"]

DIGEST = """
import hashlib, numpy as np, percepts as pc
rng = np.random.default_rng(0)
digest = hashlib.sha256()
for shape in [(1, 1), (7, 3), (480, 640), (518, 517), (97, 9001), (1, 20000)]:
    values = rng.random(shape) * 200 - 100
    for dtype in ["bool", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]:
        with np.errstate(invalid="ignore"):
            field = values.astype(dtype)
        for hole in (False, True):
            if hole and field.dtype.kind == "f":
                field[::3, ::2] = np.nan
            for view in (field, field.T, field[::-1, ::-1], field[:, ::2]):
                grid = (min(3, view.shape[0]), min(5, view.shape[1]))
                mask = np.arange(view.size).reshape(view.shape) % 5 > 0 if hole else None
                for array in pc.kernels.grid_stats(view, grid, mask):
                    digest.update(np.nan_to_num(array).tobytes())
                flow = np.stack([view, view], axis=-1)
                digest.update(pc.kernels.flow_sign(flow, grid, layout="hwc").tobytes())
print(digest.hexdigest())
"""


def run(code: str, instruction_set: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PERCEPTS_ISA": instruction_set}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


def test_the_same_bits_on_all():
    results = {name: run(DIGEST, name) for name in SETS}
    assert all(result.returncode == 0 for result in results.values()), results
    assert len({result.stdout for result in results.values()}) == 1


@pytest.mark.parametrize("name", ["sse9", "AVX2"])
def test_one_that_is_not_there(name):
    result = run("import percepts as pc; pc.depth([[0.5]], grid=1)", name)
    assert result.returncode == 1
    assert f"ValueError: PERCEPTS_ISA must be one of {', '.join(SETS)} on this machine, got {name}" in result.stderr


def test_it_is_told_what_is_there():
    assert SETS[0] in ("baseline", "neon")
    assert run("import percepts._core as c; print(c.instruction_set())", SETS[0]).stdout == f"{SETS[0]}\n"
