"""Fuzz every target, or some: ``python tests/fuzz/run.py --seconds 20 [--seed N] [--atheris] [TARGET...]``.

A target is one of those below, or ``cpp``, ``python`` or ``readers``, which stand for several. The C++ targets are built
with sanitizers; the Python ones use the percepts that this interpreter imports. An input that fails stays in
``build/fuzz``, and the command that runs it again is printed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "fuzz"
CPP = ("parse", "find_programs")
READERS = tuple(f"readers:{group}" for group in ("flo", "pfm", "pgm", "kitti", "others"))
PYTHON = ("agreement", "command_line", "matches", *READERS)
SEVERAL = {"cpp": CPP, "python": PYTHON, "readers": READERS}
LEEWAY_S = 120
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def main() -> int:
    """Run the targets side by side, and return 1 when one failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[[], *CPP, *PYTHON, *SEVERAL], metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=20, help="how long each target runs (20)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (1)")
    parser.add_argument("--atheris", action="store_true", help="guide the Python targets: needs pip install atheris")
    options = parser.parse_args()
    named = options.targets or ["cpp", "python"]
    targets = [target for name in named for target in SEVERAL.get(name, (name,))]
    if set(targets) & set(CPP):
        build()
    BUILD.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        succeeded = list(pool.map(lambda target: fuzz(target, options), targets))
    return 0 if all(succeeded) else 1


def build() -> None:
    """Build the C++ targets."""
    for command in (["cmake", "--preset", "fuzz"], ["cmake", "--build", "--preset", "fuzz", "--parallel", "2"]):
        subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)


def fuzz(target: str, options: argparse.Namespace) -> bool:
    """Run one target, tell how it went, and return whether nothing was found."""
    program = [str(BUILD / "tests" / "fuzz" / f"fuzz_{target}")]
    if target in PYTHON:
        program = [sys.executable, str(HERE / "drive.py"), target]
    arguments = python_arguments(target, options) if target in PYTHON else cpp_arguments(target, options)
    done = subprocess.run(
        [*program, *arguments],
        env=ENVIRONMENT,
        timeout=options.seconds + LEEWAY_S,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        print(f"{target}: {(done.stdout.splitlines() or ['done'])[-1]}", flush=True)
        return True
    again = " ".join([*program, *map(str, BUILD.glob(f"{file_name(target)}-*"))])
    print(f"{target}: FAILED ({done.returncode})\n{done.stdout[-8000:]}\nagain: {again}", flush=True)
    return False


def cpp_arguments(target: str, options: argparse.Namespace) -> list[str]:
    """Spell the options as libFuzzer does."""
    corpus = BUILD / f"corpus_{target}"  # the first folder is written to by libFuzzer
    corpus.mkdir(parents=True, exist_ok=True)
    settings = {
        "max_total_time": options.seconds,
        "seed": options.seed,
        "dict": HERE / "text.dict",
        "artifact_prefix": BUILD / f"{target}-",
    }
    return [*(f"-{name}={value}" for name, value in settings.items()), str(corpus), str(HERE / "corpus" / "text")]


def file_name(target: str) -> str:
    """Begin the names of files that belong to a target."""
    return target.replace(":", "-")


def python_arguments(target: str, options: argparse.Namespace) -> list[str]:
    """Spell the options as drive.py does."""
    arguments = [
        f"--seconds={options.seconds}",
        f"--seed={options.seed}",
        f"--crash={BUILD / f'{file_name(target)}-crash'}",
    ]
    return arguments + ["--atheris"] * options.atheris


if __name__ == "__main__":
    sys.exit(main())
