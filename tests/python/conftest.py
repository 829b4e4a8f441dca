from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import on_devices
import percepts as pc

# Examples of CI are the same in every run, so that a change is judged by what it changes.
settings.register_profile(
    "percepts",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("percepts")


@pytest.fixture(scope="session")
def data_path() -> Callable[[str], Path]:
    """A real file below PERCEPTS_TEST_DATA: skips without it, fails under PERCEPTS_REQUIRE_DATA=1."""

    def find(relative: str) -> Path:
        root = os.environ.get("PERCEPTS_TEST_DATA")
        if root and (Path(root) / relative).is_file():
            return Path(root) / relative
        reason = f"{relative} is not in {root}" if root else "PERCEPTS_TEST_DATA is not set"
        if os.environ.get("PERCEPTS_REQUIRE_DATA") == "1":
            pytest.fail(reason)
        pytest.skip(reason)

    return find


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


@pytest.fixture(scope="session")
def encode_png() -> Callable[..., bytes]:
    """Write a PNG of exactly this bit depth and colour type from its rows as the standard stores them."""

    def encode(
        width: int,
        height: int,
        bit_depth: int,
        colour_type: int,
        rows: list[bytes],
        *,
        interlace: int = 0,
        extra: dict[bytes, bytes] | None = None,
    ) -> bytes:
        header = struct.pack(">IIBBBBB", width, height, bit_depth, colour_type, 0, 0, interlace)
        pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
        chunks = {b"IHDR": header, **(extra or {}), b"IDAT": pixels, b"IEND": b""}
        return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(name, body) for name, body in chunks.items())

    return encode


@pytest.fixture(scope="session")
def run_tool() -> Callable[..., str]:
    """Run a program, CMake's from this environment first, and return its output; failure shows all of it."""

    def run(*command: object, **settings) -> str:
        search = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        program = shutil.which(str(command[0]), path=search) or command[0]
        done = subprocess.run(
            [str(program), *map(str, command[1:])], capture_output=True, text=True, check=False, **settings
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def cpp_build(run_tool, tmp_path_factory) -> Path:
    """Build the C++ library, its tests and the examples, with warnings as errors."""
    build = tmp_path_factory.mktemp("cpp") / "build"
    options = [f"-DPERCEPTS_{name}=ON" for name in ("BUILD_TESTS", "BUILD_EXAMPLES", "WERROR")]
    options.append("-DPERCEPTS_CUDA_ARCHITECTURES=90")  # where there is nvcc: one is enough to link
    run_tool("cmake", "-S", Path(__file__).parents[2], "-B", build, *options)
    run_tool("cmake", "--build", build, "--parallel", "2")
    return build


@pytest.fixture(scope="session")
def library() -> Callable[[str], Any]:
    """An array library: skips where it is not installed, fails under PERCEPTS_REQUIRE_LIBRARIES=1."""

    def find(name: str) -> Any:
        try:
            return importlib.import_module(name)
        except ImportError as error:
            if os.environ.get("PERCEPTS_REQUIRE_LIBRARIES") == "1":
                pytest.fail(str(error))
            pytest.skip(f"{error}: pip install '.[test-libraries]'")

    return find


class Backend:
    """One way to make programs: where arrays are put, and how results come back."""

    def __init__(self, name: str, functions: ModuleType) -> None:
        self.name, self.functions = name, functions

    @property
    def on_device(self) -> bool:
        return self.name.startswith("cuda")

    def array(self, value: Any, **options: Any) -> Any:
        """A NumPy array where this backend reads it."""
        if not self.on_device:
            return value
        return pc.testing.device_array(value, **options)

    def numpy(self, value: Any) -> Any:
        return pc.testing.to_numpy(value) if self.on_device else np.asarray(value)


def _absent(reason: str, required: str) -> None:
    if os.environ.get(required) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextlib.contextmanager
def serving(name: str) -> Iterator[Backend]:
    """A backend by its name, for as long as it is used."""
    if name == "cuda-emulated":
        if "cuda-emulated" not in pc.backends():
            _absent("this build has no emulation of CUDA", "PERCEPTS_REQUIRE_EMULATION")
        with pc.testing.emulated_cuda():
            yield Backend(name, pc)
        return
    if name == "cuda" and not pc.backends()["cuda"]["available"]:
        _absent(str(pc.backends()["cuda"]["reason"]), "PERCEPTS_REQUIRE_GPU")
    yield Backend(name, pc)


@pytest.fixture
def gpu() -> Iterator[Backend]:
    """A real device, for what the emulation cannot stand for."""
    with serving("cuda") as found:
        yield found


DEVICES = ["cuda-emulated", pytest.param("cuda", marks=pytest.mark.gpu)]


@pytest.fixture(params=["cpu", *DEVICES])
def runs_on(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """Each backend that public functions run on."""
    with serving(request.param) as found:
        yield found


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """Each backend that reads arrays on CUDA devices."""
    with serving(request.param) as found:
        yield found


@pytest.fixture(params=["core", "reference", *DEVICES])
def every_backend(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Each implementation of the public functions, those on CUDA devices included, by the names of the package."""
    if request.param in ("core", "reference"):
        yield pc if request.param == "core" else pc.reference
        return
    with serving(request.param):
        yield on_devices.functions()


@pytest.fixture(params=["core", *DEVICES])
def core(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Each implementation that is compared with the reference."""
    if request.param == "core":
        yield pc
        return
    with serving(request.param):
        yield on_devices.functions()


@pytest.fixture
def emulation() -> Iterator[Any]:
    """The emulation, with the knobs that only it has."""
    with serving("cuda-emulated"):
        knobs = importlib.import_module("percepts._cuda_emulated")
        yield knobs
        knobs.forget_errors()
        knobs.set_device_count(2)


@pytest.fixture(params=["core", "reference"])
def backend(request: pytest.FixtureRequest) -> ModuleType:
    """Each implementation of the public functions: the compiled core, and the definition that it is tested by."""
    return pc if request.param == "core" else pc.reference
