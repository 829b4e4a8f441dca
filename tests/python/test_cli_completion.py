"""Completion scripts: what shells make of them."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from command_line import call, save
from percepts.cli import parsers
from percepts.cli.completion.grammar import grammar_of

COMMANDS = [
    "depth", "flow", "correspondence", "points", "detection", "segmentation", "albedo", "similarity", "jigsaw", "semantic",
    "parse", "info", "demo", "completion",
]  # fmt: skip
GRAMMAR = grammar_of(*parsers())
OPTIONS = {command.name: command.spellings for command in GRAMMAR.commands}


@pytest.fixture
def script(capsys):
    def script(shell: str) -> str:
        status, out, err = call(capsys, "completion", shell)
        assert (status, err) == (0, [])
        return out

    return script


def require(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def completed_by_bash(script: str, words: list[str], cwd) -> list[str]:
    """What bash's programmable completion gives for the last word."""
    require("bash")
    probe = f'{script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _percepts; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", probe, "bash", *words], capture_output=True, text=True, timeout=60, cwd=cwd)
    assert (done.returncode in (0, 1), done.stderr) == (True, "")
    return done.stdout.split()


def test_the_grammar_has_every_command_and_option():
    assert list(OPTIONS) == COMMANDS
    assert {"--kind", "--no-relations", "--out", "--jsonl", "--plot", "--help", "-h"} < set(OPTIONS["depth"])
    assert OPTIONS["info"] == ("-h", "--help")
    assert GRAMMAR.program.spellings == ("-h", "--help", "--version")
    (depth,) = [command for command in GRAMMAR.commands if command.name == "depth"]
    options = {option.spellings[-1]: option for option in depth.options}
    assert options["--kind"].values[0].choices == ("relative", "disparity", "metric")
    assert [value.name for value in options["--depth-range"].values] == ["NEAR", "FAR"]
    assert options["--invalid-value"].repeats
    assert options["--jsonl"].values == ()
    assert options["--out"].values[0].is_directory
    assert depth.argument.is_file
    (jigsaw,) = [command for command in GRAMMAR.commands if command.name == "jigsaw"]
    assert (jigsaw.argument.name, jigsaw.argument.is_file) == ("LABEL=FILE", True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["percepts", ""], [*COMMANDS, "-h", "--help", "--version"]),
        (["percepts", "de"], ["depth", "detection", "demo"]),
        (["percepts", "depth", "--ki"], ["--kind"]),
        (["percepts", "depth", "--kind", ""], ["relative", "disparity", "metric"]),
        (["percepts", "depth", "--kind", "me"], ["metric"]),
        (["percepts", "depth", "--kind", "=", "me"], ["metric"]),
        (["percepts", "depth", "--kind", "="], ["relative", "disparity", "metric"]),
        (["percepts", "flow", "a b.flo", "--motion", ""], ["scene", "camera"]),
        (["percepts", "flow", "--ki"], []),
        (["percepts", "depth", "--grid", ""], []),
        (["percepts", "depth", "ro"], []),
        (["percepts", "completion", ""], ["bash", "zsh", "fish"]),
        (["percepts", "info", "-"], ["-h", "--help"]),
    ],
)
def test_bash(script, tmp_path, words, expected):
    save(tmp_path / "room.npy")
    assert completed_by_bash(script("bash"), words, tmp_path) == expected


@pytest.mark.parametrize("command", COMMANDS)
def test_bash_knows_every_option(script, tmp_path, command):
    assert completed_by_bash(script("bash"), ["percepts", command, "-"], tmp_path) == list(OPTIONS[command])


def test_zsh_script(script):
    text = script("zsh")
    assert text.startswith("#compdef percepts\n")
    for line in (
        "'flow:Print the programs of optical flow fields'",
        r"'(--scale)--scale=[divides the values\: 1000 for millimetres (1)]:S: '",
        "'(--depth-range)--depth-range[values that read 1 and 0, instead of the map'\\''s own range]:NEAR: :FAR: '",
        "'*--invalid-value=[",
        ":DIR:_files -/'",
        "'*:FILE:_files'",
        "'*:shell:(bash zsh fish)'",
    ):
        assert line in text
    for command, options in OPTIONS.items():
        section = text.partition(f" {command}) _arguments")[2].partition(";;")[0]
        assert all(f"{option}[" in section or f"{option}=[" in section for option in options)


def test_fish_script(script):
    lines = script("fish").splitlines()
    assert all(line.startswith("complete -c percepts ") for line in lines)
    within = "complete -c percepts -n '__fish_seen_subcommand_from depth'"
    assert f"{within} -s h -l help -d 'show this help message and exit'" in lines
    assert [line for line in lines if line.startswith(f"{within} -l kind -x -a 'relative disparity metric' -d ")]
    assert [line for line in lines if line.startswith(f"{within} -l out -x -a '(__fish_complete_directories)' -d ")]
    assert [line for line in lines if r"instead of the map\'s own range" in line]
    assert "complete -c percepts -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'" in lines


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("percepts de", ["demo", "depth", "detection"]),
        ("percepts depth --ki", ["--kind"]),
        ("percepts depth --kind ", ["disparity", "metric", "relative"]),
        ("percepts flow --motion=", ["--motion=camera", "--motion=scene"]),
        ("percepts completion ", ["bash", "fish", "zsh"]),
    ],
)
def test_fish(script, tmp_path, line, expected):
    require("fish")
    probe = f'{script("fish")}\ncomplete --do-complete "{line}"'
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(
        ["fish", "--no-config", "-c", probe], capture_output=True, text=True, timeout=60, cwd=tmp_path, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(found.split("\t")[0] for found in done.stdout.splitlines()) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_take_their_script(script, tmp_path, shell):
    require(shell)
    path = tmp_path / "script"
    path.write_text(script(shell))
    done = subprocess.run([shell, "-n", str(path)], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_other_shells_are_wrong_usage(capsys):
    status, _, err = call(capsys, "completion", "tcsh")
    assert status == 2
    assert "invalid choice: 'tcsh'" in err[-1]
