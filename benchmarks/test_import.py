"""What `import percepts` adds to `import numpy`, in a new process each time."""

import os
import statistics
import subprocess
import sys
import time

LIMIT = 0.1
ROUNDS = 15


def seconds(code, environment):
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return time.perf_counter() - start


def test_import(benchmark, report, tmp_path):
    """The bytecode is compiled by the first import, which is not counted, as installers do it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(tmp_path)
    sides = ("import numpy", "import numpy, percepts")
    for code in sides:
        seconds(code, environment)
    pairs = [[seconds(code, environment) for code in sides] for _ in range(ROUNDS)]
    alone, both = (statistics.median(side) for side in zip(*pairs, strict=True))
    benchmark.pedantic(seconds, (sides[1], environment), rounds=3)
    benchmark.extra_info["added"] = both - alone
    report(
        f"import percepts adds {(both - alone) * 1e3:.1f} ms to import numpy ({alone * 1e3:.1f} ms); "
        f"the limit is {LIMIT * 1e3:.0f} ms"
    )
