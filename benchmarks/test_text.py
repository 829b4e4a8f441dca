"""Text alone: a finished program to `str`, against f-strings that write the same text."""

import numpy as np
import pytest

import percepts as pc

LOOP = 100  # calls a measurement: one takes a few microseconds


def scene(height=480, width=640):
    """A smooth map with steps, so that readings, ties and relations are like those of a real one."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    floor = 0.15 + 0.8 * y / height
    boxes = 0.3 * ((x // 90 + y // 70) % 3 == 0)
    return np.clip(floor + boxes + 0.03 * np.sin(x / 17), 0, 1).astype(np.float32)


def number(value):
    text = f"{value:.4g}"
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def with_f_strings(program):
    """A function that writes the text of a program with f-strings, from plain Python values."""
    rows, cols = program.grid
    head = f"modality: {program.modality}\ngranularity: {program.granularity}\ngrid:\n  rows: {rows}\n  cols: {cols}"
    note = program.note
    centers = program.arrays["center"].reshape(-1, 2).tolist()
    if "min" in program.arrays:
        low, high = (program.arrays[name].ravel().tolist() for name in ("min", "max"))
        readings = list(zip(low, high, strict=True))
    else:
        readings = [item.r for item in program.items]
    relations = [(relation.a, relation.predicate, relation.b) for relation in program.relations]

    def write():
        lines = ["<perceptionprogram>", head, f'note: "{note}"', "items:"]
        for p, ((x, y), r) in enumerate(zip(centers, readings, strict=True), 1):
            printed = r if isinstance(r, str) else f"[{number(r[0])}, {number(r[1])}]"
            lines.append(f"  - p: {p}\n    c: [{x}, {y}]\n    r: {printed}")
        if relations:
            lines.append("relations:")
            lines += [f"  - [p={a}, {predicate}, p={b}]" for a, predicate, b in relations]
        lines.append("</perceptionprogram>")
        return "\n".join(lines)

    assert write() == program.to_text()
    return write


def repeated(call):
    def run():
        for _ in range(LOOP):
            call()

    return run


@pytest.mark.parametrize("grid", [10, 16])
@pytest.mark.parametrize("modality", ["depth", "flow"])
def test_text(compare, modality, grid):
    depth = scene()
    program = pc.depth(depth, grid=grid) if modality == "depth" else pc.flow(np.stack([depth - 0.5] * 2, -1), grid=grid)
    size = len(program.to_text())
    what = f"text of {modality}, {grid}x{grid}, {size / 1e3:.1f} kB"
    compare(what, repeated(program.to_text), repeated(with_f_strings(program)), calls=LOOP)


@pytest.mark.parametrize(
    ("name", "low", "high"), [("in [0, 1]", 0.0, 1.0), ("in metres", 0.5, 80.0), ("near 0", 0.0, 1e-3)]
)
def test_floats(compare, name, low, high):
    """Numbers with nothing around them but their item: an upper bound for the time of one float."""
    rng = np.random.default_rng(0)
    depth = rng.uniform(low, high, (200, 200)).astype(np.float32)
    program = pc.depth(depth, grid=100, kind="metric", normalize=False, invalid_value=(), relations=False, note=None)
    values = [v for array in ("min", "max") for v in program.arrays[array].ravel().tolist()]
    compare(
        f"20,000 floats {name}, items included",
        program.to_text,
        lambda: [number(value) for value in values],
        calls=len(values),
    )
