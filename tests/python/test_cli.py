"""The command line: what it prints, where, and with which exit status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from percepts.cli import info, main, output

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's pipes and signals")


@pytest.fixture
def ramp(tmp_path) -> Path:
    """Relative depth that reads 0 to 0.4286 on the left, 0.5714 to 1 on the right."""
    return save(tmp_path / "ramp.npy", np.tile(np.linspace(0, 1, 8, dtype=np.float32), (4, 1)))


@pytest.fixture
def swirl(tmp_path) -> Path:
    """Flow to the left and down on the left half, to the right and up on the right half."""
    flow = np.full((4, 8, 2), (-1.5, 0.5), np.float32)
    flow[:, 4:] = (2, -1)
    return save(tmp_path / "swirl.npy", flow)


def save(path: Path, array: np.ndarray) -> Path:
    with path.open("wb") as file:
        np.save(file, array)
    return path


def run(*arguments: object, **settings):
    command = [sys.executable, "-m", "percepts", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=60, **settings)


def printed(capsys, *arguments: object) -> str:
    """Standard output of a call that succeeds in silence."""
    assert main([str(argument) for argument in arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def usage_error(capsys, *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: percepts")
    return err.splitlines()[-1]


def test_depth_prints_the_program(capsys, ramp):
    assert printed(capsys, "depth", ramp, "--grid", "1x2", "--no-note") == (
        "<perceptionprogram>\nmodality: depth\ngranularity: patch\ngrid:\n  rows: 1\n  cols: 2\nitems:\n"
        "  - p: 1\n    c: [125, 250]\n    r: [0, 0.4286]\n"
        "  - p: 2\n    c: [625, 250]\n    r: [0.5714, 1]\n"
        "relations:\n  - [p=2, in_front_of, p=1]\n</perceptionprogram>\n"
    )


def test_flow_prints_the_program(capsys, swirl):
    assert printed(capsys, "flow", swirl, "--grid", "1x2", "--note", "motion") == (
        "<perceptionprogram>\nmodality: flow\ngranularity: patch\ngrid:\n  rows: 1\n  cols: 2\n"
        'note: "motion"\nitems:\n'
        "  - p: 1\n    c: [125, 250]\n    r: left\n"
        "  - p: 2\n    c: [625, 250]\n    r: right\n</perceptionprogram>\n"
    )


DEPTH_OPTIONS = [
    ("--grid 2", {"grid": 2}),
    ("--grid 4x2", {"grid": (4, 2)}),
    ("--grid=2X4", {"grid": (2, 4)}),
    ("--grid 4 --tau 0.5", {"grid": 4, "tau": 0.5}),
    ("--grid 2 --kind disparity", {"grid": 2, "kind": "disparity"}),
    ("--grid 2 --kind metric --invalid-value 0", {"grid": 2, "kind": "metric", "invalid_value": 0}),
    ("--grid 2 --kind metric --invalid-value none", {"grid": 2, "kind": "metric", "invalid_value": ()}),
    (
        "--grid 2 --kind metric --invalid-value 0 --scale 2 --no-normalize",
        {"grid": 2, "kind": "metric", "invalid_value": 0, "scale": 2, "normalize": False},
    ),
    (
        "--grid 2 --kind disparity --depth-range 0.75 -1e-3",
        {"grid": 2, "kind": "disparity", "depth_range": (0.75, -0.001)},
    ),
    ("--grid 2 --invalid-value 0 --invalid-value=1", {"grid": 2, "invalid_value": (0, 1)}),
    ("--grid 4 --no-relations", {"grid": 4, "relations": False}),
    ("--grid 4 --max-relations 1", {"grid": 4, "max_relations": 1}),
    ("--grid 2 --no-note", {"grid": 2, "note": None}),
]


@pytest.mark.parametrize(("options", "keywords"), DEPTH_OPTIONS)
def test_depth_options_are_the_keyword_arguments(capsys, ramp, options, keywords):
    expected = pc.depth(np.load(ramp), **keywords)
    assert printed(capsys, "depth", *options.split(), ramp) == f"{expected}\n"


FLOW_OPTIONS = [
    ("--grid 2 --axis vertical", {"grid": 2, "axis": "vertical"}),
    ("--grid 2 --motion camera", {"grid": 2, "motion": "camera"}),
    ("--grid 2 --layout hwc", {"grid": 2, "layout": "hwc"}),
    ("--grid 2 --invalid-value -1.5", {"grid": 2, "invalid_value": -1.5}),
    ("--grid 2 --invalid-value=-1.5", {"grid": 2, "invalid_value": -1.5}),
    ("--grid 2 --no-note", {"grid": 2, "note": None}),
]


@pytest.mark.parametrize(("options", "keywords"), FLOW_OPTIONS)
def test_flow_options_are_the_keyword_arguments(capsys, swirl, options, keywords):
    expected = pc.flow(np.load(swirl), **keywords)
    assert printed(capsys, "flow", *options.split(), swirl) == f"{expected}\n"


@pytest.mark.parametrize("spelling", ["-1", "-1.0", "-1e0", "-.1E1", "-1."])
@pytest.mark.parametrize("joint", [" ", "="])
def test_negative_sentinels(capsys, tmp_path, spelling, joint):
    path = save(tmp_path / "holes.npy", np.array([[-1, 2, 4, 4]], np.int32))
    options = f"--grid 1x2 --kind metric --invalid-value{joint}{spelling}".split()
    assert "r: [1, 1]\n" in printed(capsys, "depth", path, *options)


@pytest.mark.parametrize("spelling", ["nan", "inf", "-inf", "-nan", "NaN", "-Infinity"])
def test_sentinels_that_are_not_finite(capsys, ramp, spelling):
    assert "r: [0, 0.4286]\n" in printed(capsys, "depth", ramp, "--grid", "1x2", "--invalid-value", spelling)


def test_a_whole_sentinel_stays_exact(capsys, tmp_path):
    path = save(tmp_path / "wide.npy", np.array([[2**53, 2**53 + 1]], np.uint64))
    options = ["--grid", "1x2", "--kind", "metric", "--invalid-value", 2**53 + 1]
    assert printed(capsys, "depth", path, *options).count("r: unknown\n") == 1


def test_a_sentinel_that_the_file_cannot_hold_is_the_file_s_error(capsys, tmp_path):
    path = save(tmp_path / "bytes.npy", np.ones((2, 2), np.uint8))
    assert main(["depth", str(path), "--grid", "1", "--invalid-value", "-1"]) == 1
    assert capsys.readouterr().err == (
        f"percepts: {path}: invalid_value must be a value that uint8 can hold, got -1\n"
    )


def test_files_in_their_order_and_options_between_them(capsys, tmp_path, ramp):
    flat = save(tmp_path / "flat.npy", np.full((4, 8), 0.25, np.float32))
    ramp_program, flat_program = (pc.depth(np.load(path), grid=2) for path in (ramp, flat))
    expected = f"{flat_program}\n{ramp_program}\n{flat_program}\n"
    assert printed(capsys, "depth", flat, "--grid", "2", ramp, flat) == expected


def test_two_dashes_end_the_options(capsys, tmp_path, ramp, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ramp.rename("--grid")
    assert printed(capsys, "depth", "--grid", "2", "--", "--grid").startswith("<perceptionprogram>")


def test_a_failing_file_does_not_stop_the_others(capsys, tmp_path, ramp):
    gone, empty = tmp_path / "gone.npy", tmp_path / "empty.npy"
    empty.write_bytes(b"")
    assert main(["depth", str(gone), str(ramp), str(empty), str(tmp_path), "--grid", "2"]) == 1
    out, err = capsys.readouterr()
    assert out == f"{pc.depth(np.load(ramp), grid=2)}\n"
    assert err.splitlines() == [
        f"percepts: {gone}: No such file or directory",
        f"percepts: {empty}: the file is empty; read_depth reads .npy and greyscale PNG of 8 or 16 bits",
        f"percepts: {tmp_path}: Is a directory",
    ]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "not enough memory"),
        (MemoryError("Unable to allocate 1 TiB"), "Unable to allocate 1 TiB"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (OSError("odd"), "odd"),
        (RuntimeError("first\n  second\r\nthird\u2028fourth"), "RuntimeError: first second third fourth"),
        (ValueError("\x1b[31mred"), "\\x1b[31mred"),
        (ValueError(), "ValueError"),
    ],
)
def test_whatever_a_file_raises_is_one_line(capsys, monkeypatch, ramp, error, line):
    def fail(path):
        raise error

    monkeypatch.setattr(pc, "read_depth", fail)
    assert main(["depth", str(ramp), "two\nlines"]) == 1
    assert capsys.readouterr().err == f"percepts: {ramp}: {line}\npercepts: two lines: {line}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--kind relative --scale 5", "scale needs kind="),
        ("--kind nearest", "invalid choice: 'nearest'"),
        ("--tau -1", "tau must be finite and at least 0, got -1"),
        ("--tau=-1e3", "tau must be finite and at least 0, got -1000"),
        ("--tau -inf", "tau must be finite and at least 0, got -inf"),
        ("--tau much", "argument --tau: must be a number, got 'much'"),
        ("--grid 0", "grid must be at least 1x1 (rows x columns), got 0x0"),
        ("--grid -1", "argument --grid: must be a number or ROWSxCOLS, such as 10 or 12x16, got '-1'"),
        ("--grid 4x", "got '4x'"),
        ("--grid 99999x99999", "grid may have at most 2147483647 cells"),
        ("--scale 0 --kind metric", "scale must be finite and above 0, got 0"),
        ("--depth-range 5 1 --kind metric", "near < far for kind='metric', got (5, 1)"),
        ("--depth-range 5 --kind metric", "argument --depth-range: expected 2 arguments"),
        ("--no-normalize", "normalize=False needs kind='metric'"),
        ("--max-relations -1", "max_relations must be at least 0, got -1"),
        ("--max-relations 1.5", "argument --max-relations: must be a whole number, got '1.5'"),
        ("--invalid-value hole", "argument --invalid-value: must be a number or none, got 'hole'"),
        ("--invalid-value none --invalid-value 0", "stands alone"),
        ("--note a --no-note", "not allowed with argument"),
        ("--axis vertical", "unrecognized arguments: --axis"),
        ("--gri 4", "unrecognized arguments: --gri"),
    ],
)
def test_wrong_usage_is_told_before_a_file_is_opened(capsys, options, message):
    assert message in usage_error(capsys, "depth", "nowhere.npy", *options.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "required"),
        ("segment a.npy", "invalid choice: 'segment'"),
        ("depth", "the following arguments are required: FILE"),
        ("flow a.flo --axis diagonal", "invalid choice: 'diagonal'"),
        ("flow a.flo --motion none", "invalid choice: 'none'"),
        ("flow a.flo --layout whc", "invalid choice: 'whc'"),
        ("flow a.flo --grid 0x4", "grid must be at least 1x1 (rows x columns), got 0x4"),
        ("flow a.flo --kind metric", "unrecognized arguments: --kind"),
        ("info now", "unrecognized arguments: now"),
        ("demo --out", "argument --out: expected one argument"),
    ],
)
def test_wrong_usage(capsys, arguments, message):
    assert message in usage_error(capsys, *arguments.split())


def test_version(capsys):
    assert printed(capsys, "--version") == f"percepts {pc.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["--help"], ["depth", "-h"], ["flow", "-h"], ["info", "-h"], ["demo", "-h"]]
)
def test_help(capsys, arguments):
    text = printed(capsys, *arguments)
    assert text.startswith("usage: percepts")
    assert text.isascii()


def test_info(capsys):
    lines = printed(capsys, "info").splitlines()
    assert lines[0] == f"percepts {pc.__version__}"
    assert lines[2] == f"NumPy {np.__version__}"
    cpu = pc.backends()["cpu"]
    assert f"  cpu    {', '.join(cpu['instruction_sets'])} on {', '.join(cpu['devices'])}" in lines
    assert "  flo    flow: built in" in lines


def test_info_tells_how_to_get_a_reader(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "imagecodecs", None)
    out = printed(capsys, "info")
    assert '  png    depth: needs imagecodecs: pip install "percepts[readers]"\n' in out


def test_info_tells_why_a_reader_is_broken(capsys, monkeypatch):
    def broken(name):
        raise ImportError("libpng.so: cannot open")

    monkeypatch.setattr(info.importlib, "import_module", broken)
    assert "imagecodecs cannot be imported: libpng.so: cannot open\n" in printed(capsys, "info")


def test_info_tells_why_a_backend_is_missing(capsys, monkeypatch):
    missing = {"available": False, "instruction_sets": [], "devices": [], "reason": "no driver"}
    monkeypatch.setattr(pc, "backends", lambda: {"cuda": missing})
    assert "  cuda   not available: no driver\n" in printed(capsys, "info")


def test_real_depth_files(capsys, data_path):
    pytest.importorskip("imagecodecs")
    tum = data_path("tool_outputs/tum_1_depth.png")
    seven = data_path("tool_outputs/sevenscenes_000000.depth.png")
    options = {"kind": "metric", "invalid_value": 0}
    for path, scale in ((tum, 5000), (seven, 1000)):
        expected = pc.depth(pc.read_depth(path), scale=scale, **options)
        arguments = ["depth", path, "--kind", "metric", "--invalid-value", "0", "--scale", scale]
        assert printed(capsys, *arguments) == f"{expected}\n"


def test_real_flow_files_and_their_masks(capsys, data_path):
    pytest.importorskip("imagecodecs")
    paths = [
        data_path("tool_outputs/middlebury_flow_gt.flo"),
        data_path("tool_outputs/chairs_0000000-flow_01.flo"),
        data_path("tool_outputs/kitti_flow_gt.png"),
    ]
    out = printed(capsys, "flow", *paths)
    assert out == "".join(f"{pc.flow(pc.read_flow(path))}\n" for path in paths)
    # KITTI's laser sees no sky: the patches of the top row have no valid pixel.
    assert [item.r for item in pc.flow(pc.read_flow(paths[-1])).items[:10]] == ["unknown"] * 10
    assert out.count("r: unknown\n") >= 10


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
    import io

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
@pytest.mark.parametrize("arguments", [["depth", "RAMP", "RAMP"], ["info"]])
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
    def interrupt(path):
        raise KeyboardInterrupt

    monkeypatch.setattr(pc, "read_depth", interrupt)
    assert main(["depth", str(ramp)]) == 130


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\nb", "a b"), (" a \r\n\t b\n", "a b"), ("a\x00b\x7f", "a\\x00b\\x7f"), ("深度", "深度")],
)
def test_one_line(text, line):
    assert output.one_line(text) == line
