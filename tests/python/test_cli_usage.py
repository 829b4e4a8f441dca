"""The command line's help, its account of the installation, and wrong usage."""

from __future__ import annotations

import sys

import imagecodecs
import numpy as np
import OpenEXR
import pytest

import percepts as pc
from percepts.cli import info, main


def printed(capsys, *arguments: object) -> str:
    """Standard output of a call that succeeds in silence."""
    assert main([str(argument) for argument in arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_wrong_usage_is_one_line_without_control_characters(capsys):
    """Arguments that argparse quotes may hold anything."""
    assert usage_error(capsys, "flow", "--in\v\nva\x1b[1mlue", "x.npy").endswith("arguments: --in va\\x1b[1mlue")


def usage_error(capsys, *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: percepts")
    return err.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--kind relative --scale 5", "scale needs kind="),
        ("--kind nearest", "invalid choice: 'nearest'"),
        ("--style xml", "invalid choice: 'xml'"),
        ("--tau -1", "tau must be finite and at least 0, got -1"),
        ("--tau=-1e3", "tau must be finite and at least 0, got -1000"),
        ("--tau -inf", "tau must be finite and at least 0, got -inf"),
        ("--tau much", "argument --tau: must be a number, got 'much'"),
        ("--grid 0", "grid must be at least 1x1 (rows x columns), got 0x0"),
        ("--grid -1", "argument --grid: must be a number or ROWSxCOLS, such as 10 or 12x16, got '-1'"),
        ("--grid 4x", "got '4x'"),
        ("--grid ٤", "argument --grid: must be a number or ROWSxCOLS, such as 10 or 12x16, got '٤'"),
        ("--grid 4x４", "got '4x４'"),
        ("--tau 1_0", "argument --tau: must be a number, got '1_0'"),
        ("--tau ٠", "argument --tau: must be a number, got '٠'"),
        ("--max-relations 1_0", "argument --max-relations: must be a whole number, got '1_0'"),
        ("--invalid-value 1_0", "argument --invalid-value: must be a number or none, got '1_0'"),
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
    "arguments",
    [
        ["--help"],
        ["depth", "-h"],
        ["flow", "-h"],
        ["info", "-h"],
        ["demo", "-h"],
        ["parse", "-h"],
        ["completion", "-h"],
    ],
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
    assert f"  exr    depth and flow: OpenEXR {OpenEXR.__version__}" in lines
    assert f"  tiff   depth and flow: imagecodecs {imagecodecs.__version__}" in lines


def test_info_tells_how_to_get_a_reader(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "imagecodecs", None)
    out = printed(capsys, "info")
    assert '  png    depth, labels and images: needs imagecodecs: pip install "percepts[readers]"\n' in out
    monkeypatch.setitem(sys.modules, "OpenEXR", None)
    assert '  exr    depth and flow: needs OpenEXR: pip install "percepts[readers]"\n' in printed(capsys, "info")


def test_info_tells_why_a_reader_is_broken(capsys, monkeypatch):
    def broken(name):
        raise ImportError("libpng.so: cannot open")

    monkeypatch.setattr(info.importlib, "import_module", broken)
    assert "imagecodecs cannot be imported: libpng.so: cannot open\n" in printed(capsys, "info")


def test_info_tells_why_a_backend_is_missing(capsys, monkeypatch):
    missing = {"available": False, "instruction_sets": [], "devices": [], "reason": "no driver"}
    monkeypatch.setattr(pc, "backends", lambda: {"cuda": missing})
    assert "  cuda   not available: no driver\n" in printed(capsys, "info")
