"""Progress on a terminal, silence elsewhere, and the end by Ctrl-C or a reader that goes."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from command_line import TEXT, command, files_below, run, save
from percepts.cli import progress
from percepts.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_a_terminal(*arguments: object, width: int = 60, both: bool = False, **settings) -> tuple[int, bytes, str]:
    """Exit status and output of a process whose standard error (or `both`) is a terminal, and what that shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    stdout = theirs if both else subprocess.PIPE
    process = subprocess.Popen(command(*arguments), stdout=stdout, stderr=theirs, **settings)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # Linux's way to say that the other end has been closed
        pass
    os.close(ours)
    out = process.communicate(timeout=60)[0] or b""
    return process.returncode, out, shown.decode()


def screen(shown: str) -> list[str]:
    """Lines that stay on a terminal."""
    lines = [""]
    for piece in shown.replace("\r\n", "\n").replace("\r\x1b[K", "\v").splitlines(keepends=True):
        for char in piece:
            if char == "\v":
                lines[-1] = ""
            elif char == "\n":
                lines.append("")
            else:
                lines[-1] += char
    return lines


def test_a_terminal_shows_count_rate_and_file_and_is_left_clean(tmp_path):
    for k in range(3):
        save(tmp_path / f"in/{k}.npy")
    status, out, shown = on_a_terminal("depth", tmp_path / "in", "--grid", 2)
    assert (status, out) == (0, 3 * TEXT.encode())
    first = shown.split("\r\x1b[K")[1]
    assert first.startswith("0/3  0 files/s  ")
    assert first.endswith("in/0.npy")
    assert screen(shown) == [""]


def test_the_line_stays_while_files_come_and_go(tmp_path):
    for k in range(50):
        save(tmp_path / f"in/{k}.npy")
    status, _, shown = on_a_terminal("depth", tmp_path / "in", "--grid", 2, "--out", tmp_path / "out")
    assert status == 0
    # Each line but the last is replaced by the next one, not by nothing.
    assert "\r\x1b[K\r\x1b[K" not in shown
    assert shown.endswith("\r\x1b[K")


def test_programs_on_the_same_terminal_stay_whole(tmp_path):
    for k in range(3):
        save(tmp_path / f"{k}.npy")
    _, _, shown = on_a_terminal("depth", tmp_path, "--grid", 2, both=True)
    assert shown.count("/3  ") == 3
    assert "\n".join(screen(shown)) == 3 * TEXT


def test_errors_stand_on_lines_of_their_own(tmp_path):
    paths = [tmp_path / "gone.npy", save(tmp_path / "a.npy"), tmp_path / "lost.npy"]
    status, _, shown = on_a_terminal("depth", *paths, "--grid", 2)
    assert status == 1
    assert "0/3" in shown
    assert screen(shown) == [f"percepts: {paths[k]}: No such file or directory" for k in (0, 2)] + [""]


@pytest.mark.parametrize("width", [8, 20, 40, 100])
def test_the_line_fits_the_terminal(tmp_path, width):
    for k in range(2):
        save(tmp_path / f"{'深' * 40}{k}.npy")
    _, _, shown = on_a_terminal("depth", tmp_path, "--grid", 2, width=width)
    first = shown.split("\r\x1b[K")[1]
    assert first.startswith("0/2"[:width])
    wide = sum(2 if char == "深" else 1 for char in first)
    assert width - 3 <= wide < width or (width < 30 and wide < width)


def test_names_cannot_send_commands_to_the_terminal(tmp_path):
    for k in range(2):
        save(tmp_path / f"\x1b[31m\n{k}.npy")
    _, _, shown = on_a_terminal("depth", tmp_path, "--grid", 2)
    assert "\\x1b[31m" in shown
    assert "\x1b" not in shown.replace("\x1b[K", "")


@pytest.mark.parametrize(
    ("options", "environment"), [(["--no-progress"], {}), ([], {"TERM": "dumb"})], ids=["option", "dumb terminal"]
)
def test_no_progress(tmp_path, options, environment):
    paths = [save(tmp_path / f"{k}.npy") for k in range(3)]
    shown = on_a_terminal("depth", *paths, "--grid", 2, *options, env={**os.environ, **environment})
    assert shown == (0, 3 * TEXT.encode(), "")


def test_one_file_needs_no_progress(tmp_path):
    assert on_a_terminal("depth", save(tmp_path / "a.npy"), "--grid", 2) == (0, TEXT.encode(), "")


def test_nothing_where_there_is_no_terminal(tmp_path):
    paths = [save(tmp_path / f"{k}.npy") for k in range(3)]
    done = run("depth", *paths, "--grid", 2)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_line_is_not_rewritten_more_often_than_one_can_read(monkeypatch):
    terminal, now = Terminal(), [0.0]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with Progress(1000) as shown:
        for k in range(1000):
            shown.step(k, f"{k}.npy")
            now[0] += 1 / 64
    lines = terminal.getvalue().split("\r\x1b[K")[1:]
    assert len(lines) == 1000 // 7 + 2
    assert lines[1].startswith("7/1000  64 files/s  7.npy")
    assert lines[-1] == ""


def test_a_terminal_that_goes_away_is_no_error(monkeypatch):
    class Gone(Terminal):
        def write(self, text):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stderr", Gone())
    with Progress(2) as shown:
        shown.step(0, "a.npy")
    assert not shown._visible


def interrupted(tmp_path: Path, *options: object) -> tuple[int, bytes, bytes]:
    """Interrupt a run that has made one program and waits for data of the second file."""
    first, pipe = save(tmp_path / "a.npy"), tmp_path / "never.npy"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        command("depth", first, pipe, "--grid", 2, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # Opening a pipe for writing waits until the program has opened it for reading, and so waits for data.
    with pipe.open("wb"):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_ctrl_c_keeps_what_is_whole(tmp_path):
    assert interrupted(tmp_path, "--out", tmp_path / "out") == (130, b"", b"")
    assert files_below(tmp_path / "out") == ["a.npy.txt"]
    assert (tmp_path / "out/a.npy.txt").read_text() == TEXT


def test_ctrl_c_leaves_no_half_file_of_lines(tmp_path):
    assert interrupted(tmp_path, "--jsonl", "--out", tmp_path / "out") == (130, b"", b"")
    assert files_below(tmp_path / "out") == []


def test_ctrl_c_keeps_whole_lines(tmp_path):
    status, out, err = interrupted(tmp_path, "--jsonl")
    assert (status, err, out.count(b"\n"), out[-2:]) == (130, b"", 1, b"}\n")


def test_a_reader_that_goes_ends_lines_of_json_quietly(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command("depth", save(tmp_path / "a.npy"), "--grid", 2, "--jsonl"),
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
