"""What a notebook shows of a program."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

import percepts as pc
from percepts.overlay import svg

HOSTILE = "</pre></details></svg><script>alert(1)</script>&amp;\"'"


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text: dict[str, str] = {}
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.text[self.open[-1]] = self.text.get(self.open[-1], "") + data


def test_a_grid_is_drawn_and_its_text_can_be_unfolded():
    program = pc.depth(np.random.default_rng(0).random((40, 40)), grid=(2, 3))
    html = program._repr_html_()
    page = Page(html)
    assert page.tags[0] == "svg"
    assert page.tags[-3:] == ["details", "summary", "pre"]
    assert page.text["pre"] == str(program)
    assert page.text["summary"] == "<Program depth: 2x3, 6 items, " + f"{len(program.relations)} relations>"
    background = '<rect width="192" height="96" fill="#55606b"/>'
    assert html.startswith(svg(program, 192, 96, background))


@pytest.mark.parametrize(
    "program",
    [
        pc.Program("point-detection", "pixels", [pc.Item(c=[1, 2], b=HOSTILE)], note=HOSTILE),
        pc.Program("similarity", "patch", [pc.Item(p=p, c="A", r=0.5) for p in range(1, 4)], grid=(1, 2)),
        pc.depth(np.zeros((100, 100)), grid=100),
    ],
    ids=["points", "not one item a cell", "too many cells"],
)
def test_other_programs_are_their_text(program):
    page = Page(program._repr_html_())
    assert page.tags == ["pre"]
    assert page.text["pre"] == str(program)


def test_hostile_text_is_escaped():
    items = [pc.Item(p=p, c=[0, 0], r=HOSTILE, b=HOSTILE) for p in (1, 2)]
    program = pc.Program(HOSTILE, "patch", items, grid=(1, 2), note=HOSTILE)
    page = Page(program._repr_html_())
    assert "script" not in page.tags
    assert page.text["pre"] == str(program)


@pytest.mark.parametrize("grid", [(1, 4096), (4096, 1), (64, 64), (1, 1)])
def test_every_shape_that_is_drawn_can_be_drawn(grid):
    html = pc.depth(np.zeros((4096, 64) if grid[0] > 64 else (64, 4096)), grid=grid)._repr_html_()
    assert html.startswith("<svg ")
