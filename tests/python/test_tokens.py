"""Counting tokens, and the table of what the styles cost on real maps."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import percepts as pc
from percepts import _tokens

ROOT = Path(__file__).parents[2]


@pytest.fixture
def program():
    return pc.Program("flow", "patch", [pc.Item(p=1, c=[500, 500], r="left")])


@pytest.mark.parametrize(
    ("text", "encoding", "tokens"),
    [
        ("", "o200k_base", 0),
        ("hello world", "o200k_base", 2),
        ("hello world", "cl100k_base", 2),
        ("tiktoken is great!", "cl100k_base", 6),  # OpenAI's own example
        ("0.8439", "o200k_base", 4),  # 0 . 843 9
        ("<|endoftext|>", "o200k_base", 7),  # text, not the special token
    ],
)
def test_known_counts(text, encoding, tokens):
    assert _tokens.count_tokens(text, encoding) == tokens


@pytest.mark.parametrize("style", ["paper", "json", "compact"])
@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_the_count_is_that_of_the_text(program, style, encoding):
    assert program.count_tokens(style, encoding) == _tokens.count_tokens(program.to_text(style), encoding)


def test_defaults(program):
    assert program.count_tokens() == program.count_tokens("paper", "o200k_base") == program.count_tokens(style="paper")


def test_compact_costs_least(program):
    assert program.count_tokens("compact") < program.count_tokens("json") < program.count_tokens("paper")


def test_bad_arguments(program):
    with pytest.raises(ValueError, match="style must be 'paper', 'json' or 'compact', got 'xml'"):
        program.count_tokens("xml")
    with pytest.raises(ValueError, match=r"encoding must be one of .*, o200k_base, .*, got 'o900k'"):
        program.count_tokens(encoding="o900k")
    with pytest.raises(TypeError, match="encoding must be a str, got int"):
        program.count_tokens(encoding=200)
    long = pc.Program("heat", "patch", [], note="x" * 1_000_000)
    with pytest.raises(ValueError, match="a text must have less than 1000000 characters to be counted, got 10000"):
        long.count_tokens()


def test_a_missing_package_names_the_extra(program, monkeypatch):
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    _tokens._tokenizer.cache_clear()
    with pytest.raises(ImportError, match=r"^count_tokens needs bpe-openai: pip install 'percepts\[tokens\]'$"):
        program.count_tokens()
    monkeypatch.undo()
    assert program.count_tokens() > 0


def test_the_table_in_the_documentation(data_path):
    """What the script prints stands in docs/tokens.md."""
    files = [data_path(f"tool_outputs/{name}") for name in ("tum_1_depth.png", "middlebury_flow_gt.flo")]
    table = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "tokens.py", *files], capture_output=True, text=True, check=True
    ).stdout
    assert table.count("\n") == 17
    assert table in (ROOT / "docs" / "tokens.md").read_text(encoding="utf-8")


def test_the_budgets_in_the_documentation(data_path):
    depth = pc.read_depth(data_path("tool_outputs/tum_1_depth.png"))
    program = pc.depth(depth, kind="metric", scale=5000, invalid_value=0)
    page = (ROOT / "docs" / "tokens.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\w+) \| (.*?) ?\|$", page, re.MULTILINE)
    assert len(rows) == 6
    for budget, tokens, style, dropped in rows:
        fitted = pc.fit(program, int(budget))
        said = [each for each in fitted.dropped if not each.startswith("style")]
        assert (fitted.tokens, fitted.style, "; ".join(said)) == (int(tokens), style, dropped)
    with pytest.raises(ValueError, match="max_tokens must be at least 142"):
        pc.fit(program, 100)
