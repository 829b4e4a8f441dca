"""Runs one Python target: ``python drive.py TARGET [--seconds N] [--seed N] [--crash FILE] [FILE...]``.

``TARGET:GROUP`` starts from the seeds of a group, such as ``readers:flo``. Files given are run, and nothing else. Guided by coverage where atheris is installed and asked for.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

from mutator import LONGEST_INPUT, Mutator

SLOWEST_INPUT_S = 20


def main() -> None:
    """Run the target on files, or on its seeds and then on new inputs until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", metavar="TARGET[:GROUP]")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crash", type=Path, default=Path("crash"), help="where an input that fails is kept")
    parser.add_argument("--atheris", action="store_true", help="use atheris, which sees the code that inputs reach")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    if options.atheris:
        explore_with_atheris(options)
        return
    target = imported(options)
    for path in options.files:
        target.one_input(path.read_bytes())
    if not options.files:
        print(f"{explore(target, options)} runs")


def imported(options: argparse.Namespace) -> ModuleType:
    """Import the target."""
    return importlib.import_module(options.target.partition(":")[0])


def seeds_of(target: ModuleType, options: argparse.Namespace) -> list[bytes]:
    """List the inputs to start from: those of a group, where one is named."""
    _, _, group = options.target.partition(":")
    seeds: list[bytes] = target.seeds(group) if group else target.seeds()
    return seeds


def explore(target: ModuleType, options: argparse.Namespace) -> int:
    """Run seeds and their mutations, and return how many ran."""
    corpus = seeds_of(target, options)
    for data in corpus:
        run(target, data, options.crash)
    mutator = Mutator(options.seed, target.dictionary())
    end = time.monotonic() + options.seconds
    runs = len(corpus)
    while time.monotonic() < end:
        run(target, mutator.mutated(mutator.choose(corpus), mutator.choose(corpus)), options.crash)
        runs += 1
    return runs


def run(target: ModuleType, data: bytes, crash: Path) -> None:
    """Run one input, which lies in the file `crash` until it has passed: so it outlives the process."""
    crash.write_bytes(data)
    faulthandler.dump_traceback_later(SLOWEST_INPUT_S, exit=True)
    target.one_input(data)
    faulthandler.cancel_dump_traceback_later()
    crash.unlink()


def explore_with_atheris(options: argparse.Namespace) -> None:
    """Let libFuzzer choose, by what the package's Python code has seen."""
    import atheris

    with atheris.instrument_imports(include=["percepts"]):
        target = imported(options)

    folder = Path(tempfile.mkdtemp(prefix="percepts-fuzz-"))
    for number, data in enumerate(seeds_of(target, options)):
        (folder / str(number)).write_bytes(data)
    words = folder.with_suffix(".dict")
    words.write_text("".join('"{}"\n'.format("".join(f"\\x{b:02x}" for b in word)) for word in target.dictionary()))
    arguments = [f"-max_total_time={options.seconds:.0f}", f"-seed={options.seed}", f"-max_len={LONGEST_INPUT}"]
    arguments += [f"-dict={words}", f"-artifact_prefix={options.crash}-", str(folder)]
    atheris.Setup([sys.argv[0], *arguments], target.one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
