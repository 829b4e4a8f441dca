"""Every committed input of the fuzz targets, run once; the targets go on from there."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"
CORPUS = FUZZ / "corpus"
TEXTS = sorted((CORPUS / "text").iterdir())
COMMAND_LINES = (CORPUS / "command_line").read_text().splitlines()
GROUPS = sorted(path.name for path in (CORPUS / "readers").iterdir())
FILES = sorted(path for path in (CORPUS / "readers").rglob("*") if path.is_file())


def target(name: str) -> ModuleType:
    """Import a target under a name of its own: some are called as modules of these tests are."""
    known = sys.modules.get(f"fuzz_{name}")
    if known is not None:
        return known
    spec = importlib.util.spec_from_file_location(f"fuzz_{name}", FUZZ / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[spec.name] = module
    return module


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_texts(path):
    content = path.read_bytes()
    assert content in target("agreement").seeds()
    target("agreement").one_input(content)


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_command_lines(line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the target changes the folder
    content = line.replace(" ", "\n").encode()
    assert content in target("command_line").seeds()
    target("command_line").one_input(content)


@pytest.mark.parametrize("path", FILES, ids=lambda path: os.path.relpath(path, CORPUS))
def test_files(path):
    content = path.read_bytes()
    assert content in target("readers").seeds(path.parent.name)
    target("readers").one_input(content)


@pytest.mark.parametrize("group", GROUPS)
def test_groups_of_files(group):
    """Each is a target of its own, and what it makes itself can be read."""
    readers = target("readers")
    assert set(readers.seeds(group)) <= set(readers.seeds())
    named = re.search(r"for group in \(([^)]*)\)", (FUZZ / "run.py").read_text())[1]
    assert sorted(re.findall(r'"(\w+)"', named)) == GROUPS
    for content in readers.seeds(group):
        readers.one_input(content)


def test_matches():
    """What the target makes itself can be read: it raises for any other outcome."""
    seeds = target("matches").seeds()
    assert seeds
    for content in seeds:
        target("matches").one_input(content)
