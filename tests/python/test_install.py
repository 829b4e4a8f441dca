"""The library for C++: its own tests, and consumers of an installed copy and of the sources."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import numpy as np
import pytest

import percepts as pc

ROOT = Path(__file__).parents[2]
CONSUMER = ROOT / "tests" / "install"


@pytest.fixture(scope="module")
def prefix(run_tool, cpp_build, tmp_path_factory) -> Path:
    """An installed copy that was moved after it was installed."""
    folder = tmp_path_factory.mktemp("install")
    run_tool("cmake", "--install", cpp_build, "--prefix", folder / "first")
    shutil.move(folder / "first", folder / "moved")
    return folder / "moved"


@pytest.fixture(scope="module", params=["installed", "sources"])
def app(request, run_tool, tmp_path_factory) -> Path:
    """The consumer's program."""
    build = tmp_path_factory.mktemp(request.param) / "build"
    if request.param == "installed":
        options = [f"-DCMAKE_PREFIX_PATH={request.getfixturevalue('prefix')}"]
    else:
        options = [f"-DPERCEPTS_SOURCES={ROOT}", "-DPERCEPTS_CUDA=OFF"]
    run_tool("cmake", "-S", CONSUMER, "-B", build, *options)
    run_tool("cmake", "--build", build, "--parallel", "2")
    return build / "app"


def test_the_core_from_cpp(run_tool, cpp_build):
    assert "100% tests passed" in run_tool("ctest", "--test-dir", cpp_build, "--output-on-failure", "--no-tests=error")


def test_a_consumer_prints_what_python_prints(run_tool, app, tmp_path):
    depth = np.random.default_rng(7).random((23, 31), dtype=np.float32)
    depth[:5, :9] = np.nan
    depth.tofile(tmp_path / "map.raw")
    assert run_tool(app, tmp_path / "map.raw", 23, 31, 4, 5) == str(pc.depth(depth, grid=(4, 5)))
    assert run_tool(app, "--version") == f"{pc.__version__}\n"


def test_a_consumer_of_cuda_gets_to_know_what_there_is(request, app, run_tool):
    result = subprocess.run([app.with_name("cuda_app")], capture_output=True, text=True, check=True)
    if "sources" in request.node.callspec.id:
        assert result.stdout.startswith("percepts was built without CUDA")
        assert result.stderr == result.stdout
    elif pc.backends()["cuda"]["available"]:
        assert all(device in result.stdout for device in pc.backends()["cuda"]["devices"])
    else:
        *_, reason = result.stdout.splitlines()
        assert reason in result.stderr
        assert "earlier work" not in result.stderr


def test_only_a_fitting_version_is_found(run_tool, prefix, tmp_path):
    for required, found in [("0.1", True), ("0.1.0", True), ("0.2", False), ("1.0", False), ("0.0", False)]:
        project = tmp_path / required
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.26)\nproject(check LANGUAGES CXX)\n"
            f"find_package(percepts {required} QUIET)\nmessage(STATUS found=${{percepts_FOUND}})\n"
        )
        output = run_tool("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
        assert ("found=1" in output) == found, required


def test_nothing_installed_names_the_machine_it_was_built_on(prefix, cpp_build):
    texts = [path for path in prefix.rglob("*") if path.suffix in {".cmake", ".hpp"}]
    assert {path.name for path in texts} >= {"perceptsConfig.cmake", "perceptsTargets.cmake", "percepts.hpp"}
    for path in texts:
        assert not re.search(f"{ROOT}|{cpp_build}|{prefix.parent}", path.read_text()), path


def test_every_public_header_is_installed_and_under_the_umbrella(prefix):
    headers = {path.name for path in (ROOT / "cpp/include/percepts").glob("*.hpp")} | {"version.hpp"}
    # Of a target of its own, which whoever includes it links.
    assert {path.name for path in (prefix / "include/percepts").iterdir()} == headers | {"cuda.hpp"}
    umbrella = (ROOT / "cpp/include/percepts/percepts.hpp").read_text()
    assert set(re.findall(r'#include "percepts/(\w+\.hpp)"', umbrella)) == headers - {"percepts.hpp"}


def test_the_wheel_has_nothing_for_cpp():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
    assert settings["install"]["components"] == ["python"]
    names = [path.name for path in Path(pc.__file__).parent.rglob("*")]
    assert "_core.pyi" in names
    assert not [name for name in names if name.endswith((".hpp", ".a", ".lib", ".cmake"))]
