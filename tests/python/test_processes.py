"""What surrounds a program: the locale, threads, forks, the end of a process, interpreters within it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import percepts as pc

STYLES = ("paper", "json", "compact")
READING = "[0.25, 0.25]\n"
READ = "pc.parse(str(pc.depth(np.full((4, 4), 0.25), grid=1))).items[0].r"
"""An expression that makes a program, reads it back, and gives what `READING` is the line of."""


def run(code: str, **environment: str) -> str:
    """Standard output of a process that succeeds without a word on standard error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def german_locale(tmp_path_factory) -> Path:
    """A folder of locales that has de_DE.UTF-8, compiled here since few systems have it."""
    localedef = shutil.which("localedef")
    if localedef is None:
        pytest.skip("needs glibc's localedef")
    folder = tmp_path_factory.mktemp("locales")
    command = [localedef, "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"localedef has no sources of de_DE: {done.stderr.strip()}")
    return folder


@pytest.mark.parametrize("style", STYLES)
def test_a_decimal_comma_does_not_reach_the_text(german_locale, style):
    """Text does not depend on the locale of the process, and is read in any."""
    code = (
        "import locale, numpy as np, percepts as pc\n"
        "locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')\n"
        "assert locale.localeconv()['decimal_point'] == ','\n"
        "assert locale.format_string('%.2f', 0.25) == '0,25'\n"
        "depth = np.linspace(0.25, 0.75, 8).reshape(2, 4)\n"
        f"text = pc.depth(depth, grid=(1, 2)).to_text({style!r})\n"
        f"assert pc.parse(text).to_text({style!r}) == text\n"
        "print(text, [item.r for item in pc.parse(text).items], sep='\\n')"
    )
    program = pc.depth(np.linspace(0.25, 0.75, 8).reshape(2, 4), grid=(1, 2))
    text = run(code, LOCPATH=str(german_locale), LC_ALL="de_DE.UTF-8")
    assert text == f"{program.to_text(style)}\n{[item.r for item in program.items]}\n"


def test_many_threads_on_the_same_map():
    depth = np.random.default_rng(0).random((97, 131))
    expected = str(pc.depth(depth))
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: str(pc.depth(depth)), range(64))) == {expected}


def test_many_threads_on_maps_of_their_own():
    rng = np.random.default_rng(0)
    maps = [rng.random((20 + 7 * k, 90 - 2 * k), np.float32) for k in range(32)]
    flows = [np.stack([depth - 0.5, 0.5 - depth], axis=-1) for depth in maps]
    calls = [(pc.depth, depth) for depth in maps] + [(pc.flow, flow) for flow in flows]

    def text_read_back(call):
        function, field = call
        return str(pc.parse(str(function(field))))

    expected = [str(function(field)) for function, field in calls]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(text_read_back, calls * 2)) == expected * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("threads", [1, 4])
def test_use_after_fork(threads):
    """In a process of its own: other tests' libraries may have threads that must not be forked."""
    code = f"""
import os, warnings
import numpy as np, percepts as pc
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12's, on forks with threads
pc.set_num_threads({threads})
maps = np.random.default_rng(0).random((8, 60, 80))
texts = pc.depth(maps, grid=2).texts()
child = os.fork()
if child == 0:
    os._exit(0 if pc.depth(maps, grid=2).texts() == texts else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(code) == "0\n"


def test_use_at_exit():
    code = f"import atexit, numpy as np, percepts as pc\natexit.register(lambda: print({READ}))"
    assert run(code) == READING


def test_use_by_what_is_destroyed_at_exit():
    """Then the interpreter is taking its modules apart."""
    code = (
        "import numpy as np, percepts as pc\n"
        "class Last:\n"
        "    def __del__(self, np=np, pc=pc, print=print):\n"
        f"        print({READ})\n"
        "last = Last()"
    )
    assert run(code) == READING


@pytest.mark.parametrize("first", ["", "percepts"], ids=["alone", "after the main one"])
def test_a_second_interpreter(first):
    """It has the package or is refused it, as NumPy and the core's bindings decide; nothing crashes."""
    within = f"""
import warnings
warnings.simplefilter("ignore")  # NumPy's, on second interpreters
try:
    import numpy as np, percepts as pc
except ImportError:
    print("ImportError")
else:
    print({READ})
"""
    code = f"""
import sys
{f"import {first}" if first else ""}
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
inner = interpreters.create()
interpreters.run_string(inner, {within!r})
interpreters.destroy(inner)
"""
    assert run(code) in (READING, "ImportError\n")


ROUNDS = 4
"""A thread is caught at a bad place by chance."""

AT_EXIT = {
    "a map": "str(pc.depth(maps[0]))",
    "a batch": "pc.depth(maps, grid=2).texts()",
    "Python's layer": "pc.points({'A': (1, 2)}, size=(4, 4)).to_dict()",
}


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("work", AT_EXIT.values(), ids=AT_EXIT)
def test_daemon_threads_at_exit(work, threads):
    """Python ends them where they ask for its lock, with C++ on their stacks."""
    code = f"""
import threading, time
import numpy as np, percepts as pc
maps = np.random.default_rng(0).random((4, 200, 200))
def go():
    while True:
        {work}
for _ in range({threads}):
    threading.Thread(target=go, daemon=True).start()
time.sleep(0.3)
"""
    assert [run(code) for _ in range(ROUNDS)] == [""] * ROUNDS
