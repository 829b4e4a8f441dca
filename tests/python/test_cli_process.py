"""The command line as a process: exit status, streams, locale, signals."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from percepts.cli import main, output

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's pipes and signals")


@pytest.fixture
def ramp(tmp_path) -> Path:
    """Relative depth that reads 0 to 0.4286 on the left, 0.5714 to 1 on the right."""
    return save(tmp_path / "ramp.npy", np.tile(np.linspace(0, 1, 8, dtype=np.float32), (4, 1)))


def save(path: Path, array: np.ndarray) -> Path:
    with path.open("wb") as file:
        np.save(file, array)
    return path


def run(*arguments: object, **settings):
    command = [sys.executable, "-m", "percepts", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=60, **settings)


def test_as_a_module(ramp):
    done = run("depth", ramp, "--grid", 2)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == f"{pc.depth(np.load(ramp), grid=2)}\n".encode()


def test_exit_status_of_a_process(ramp, tmp_path):
    assert run("depth", tmp_path / "gone.npy", ramp).returncode == 1
    usage = run("depth", ramp, "--kind", "relative", "--scale", 5)
    assert usage.returncode == 2
    assert b"percepts depth: error: scale needs kind=" in usage.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16", "cp1252"])
def test_output_is_utf8_whatever_the_locale(ramp, encoding):
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    note = "深度 → é"
    done = run("depth", ramp, "--grid", "1x2", "--note", note, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert f'note: "{note}"\n'.encode() in done.stdout
    assert b"\r" not in done.stdout


def test_a_name_outside_the_locale_is_still_told(tmp_path):
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = run("depth", tmp_path / "räume.npy", env=environment)
    assert done.returncode == 1
    assert b"r\\xe4ume.npy: No such file or directory\n" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_output_without_a_byte_stream(monkeypatch, ramp):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["depth", str(ramp), "--grid", "2"]) == 0
    assert stream.getvalue() == f"{pc.depth(np.load(ramp), grid=2)}\n"


@UNIX
@pytest.mark.parametrize("command", ["depth {files} --grid 40", "depth --help"])
def test_a_reader_that_goes_is_no_error(tmp_path, command):
    path = save(tmp_path / "fine.npy", np.random.default_rng(0).random((80, 80), np.float32))
    call = command.format(files=f"'{path}' " * 40)
    script = f"'{sys.executable}' -m percepts {call} | exec true"
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"")


@UNIX
def test_exit_status_when_the_reader_goes(tmp_path):
    path = save(tmp_path / "fine.npy", np.random.default_rng(0).random((80, 80), np.float32))
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "percepts", "depth", str(path)]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["depth", "RAMP", "RAMP"], ["info"], ["--help"], ["flow", "-h"], ["--version"]])
def test_a_full_disk_is_told(ramp, arguments):
    command = [
        sys.executable,
        "-m",
        "percepts",
        *(str(ramp) if a == "RAMP" else a for a in arguments),
    ]
    if arguments[0] == "depth":
        command += ["--grid", "2"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr == b"percepts: standard output: No space left on device\n"


@UNIX
@pytest.mark.parametrize(("closing", "status"), [(">&-", 1), ("2>&-", 0)])
def test_closed_streams(ramp, closing, status):
    script = f"'{sys.executable}' -m percepts depth '{ramp}' --grid 2 {closing}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=60)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


@UNIX
def test_a_failure_with_standard_error_closed_stays_off_standard_output(tmp_path):
    script = f"'{sys.executable}' -m percepts depth '{tmp_path}/gone.npy' 2>&-"
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")


@UNIX
def test_a_note_that_is_no_text_is_wrong_usage(ramp):
    environment = {**os.environ, "PYTHONUTF8": "1"}
    done = run("depth", ramp, "--note", os.fsdecode(b"a\xff"), env=environment)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"argument --note: must be text in the encoding of the locale, got 'a\\udcff'" in done.stderr


@UNIX
def test_ctrl_c(tmp_path):
    pipe = tmp_path / "never.npy"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "percepts", "depth", str(pipe)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Opening a pipe for writing waits until the program has opened it for reading, and so waits for data.
    with pipe.open("wb"):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_interrupt_in_process(monkeypatch, ramp):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(pc, "read_depth", interrupt)
    assert main(["depth", str(ramp)]) == 130


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\nb", "a b"), (" a \r\n\t b\n", "a b"), ("a\x00b\x7f", "a\\x00b\\x7f"), ("深度", "深度")],
)
def test_one_line(text, line):
    assert output.one_line(text) == line
