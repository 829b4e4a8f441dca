"""The examples, run as a reader would run them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import percepts as pc

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_every_example_is_tested_here():
    tested = Path(__file__).read_text()
    examples = [path for path in EXAMPLES.iterdir() if path.suffix in {".py", ".cpp"}]
    assert len(examples) == 5
    assert [path.name for path in examples if path.stem not in tested] == []


def test_depth_to_text(run_tool, cpp_build):
    millimetres = np.full((48, 64), 3000, np.uint16)
    millimetres[24:, 32:] = 1200
    millimetres[:, 10] = 0
    expected = pc.depth(millimetres, kind="metric", scale=1000, invalid_value=0, normalize=False, grid=2)
    assert run_tool(cpp_build / "examples/depth_to_text") == f"{expected}\n"
    assert [item.r for item in expected.items] == [[3, 3], [3, 3], [3, 3], [1.2, 1.2]]


def test_cuda_to_text(run_tool, cpp_build):
    output = run_tool(cpp_build / "examples/cuda_to_text")
    if pc.backends()["cuda"]["available"]:
        assert output.splitlines() == [f"ready to read maps on {name}" for name in pc.backends()["cuda"]["devices"]]
    else:  # without nvcc, a driver or a device
        assert re.match(r"no map on a GPU can be read here: .*(CUDA|driver)", output)


def test_parse_text(run_tool, cpp_build):
    depth = pc.depth([[0.25, np.nan]], grid=(1, 2))
    answer = f"First\n{depth}\nthen\n{pc.Program('x', 'point', [pc.Item(c=1)])}\nand <perceptionprogram> alone."
    output = run_tool(cpp_build / "examples/parse_text", input=answer)
    assert output == "depth: 2 items\n1\t0.25 0.25\n2\tunknown\nx: 1 items\n-\t-\n"


def test_prompt(run_tool, tmp_path):
    metres = np.tile(np.array([1, 1, 2, 4], np.float32), (4, 1))
    np.save(tmp_path / "room.npy", metres)
    prompt = run_tool(sys.executable, EXAMPLES / "prompt.py", tmp_path / "room.npy")
    [program] = pc.find_programs(prompt)
    assert program == pc.depth(metres, kind="metric", invalid_value=0, grid=4)
    assert prompt.endswith("Point A is at [200, 500], point B at [800, 500]. " + prompt[prompt.rindex("Which") :])
    assert program.reading_at(200, 500).r == [1, 1]


def test_folder(run_tool, tmp_path):
    maps = {"a": np.full((10, 10), 2.0), "b": np.full((10, 10), 4.0)}
    for name, metres in maps.items():
        np.save(tmp_path / f"{name}.npy", metres)
    command = [sys.executable, EXAMPLES / "folder.py", tmp_path, tmp_path / "out"]
    run_tool(*command, 1, 5)
    texts = {path.stem: pc.parse(path.read_text()) for path in (tmp_path / "out").iterdir()}
    assert {name: program.items[0].r for name, program in texts.items()} == {"a": [0.75, 0.75], "b": [0.25, 0.25]}

    (tmp_path / "bad.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(AssertionError, match=r"bad\.npy: "):
        run_tool(*command, 1, 5)
