"""The core's text, values and errors are the reference's, byte for byte; its arrays too, but for the means' last digits.

What both make is read back from every style: by the core, by a JSON parser, and where it is short by a YAML parser.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import percepts as pc
from strategies import DTYPES, FLOATS, SIGNED, UNSIGNED, layouts, shapes_and_grids, values_of, with_holes

STYLES = ("paper", "json", "compact")
SHORT = 2000
"""Texts up to here are read as YAML, which takes a hundred times as long as reading them with the core."""


def outcome(call, *args, **options):
    """A program that has been read, or the error with its message."""
    try:
        program = call(*args, **options)
        program.to_text()
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return program


def read_as_yaml(text):
    """What the body of a text says by libyaml's safe loader, which is faster than PyYAML's own and gives the same."""
    return yaml.load(text[text.index("\n") : text.rindex("\n")], yaml.CSafeLoader)


def largest_mean_error(name, field, options):
    """Means may be off by 1e-6 of the mean magnitude of the stored values, here in units of the reading."""
    values = np.abs(field.astype(np.float64))
    largest = values[np.isfinite(values)].max(initial=0)
    if name == "flow":
        return 1e-6 * largest
    if options.get("kind", "relative") == "relative":
        return 1e-6
    if not options.get("normalize", True):
        return 1e-6 * largest / options.get("scale", 1)
    if "depth_range" in options:
        near, far = options["depth_range"]
        scale = options.get("scale", 1)
        limited = np.clip(field[np.isfinite(field)].astype(np.float64), *sorted((near * scale, far * scale)))
        return 1e-6 * np.abs(limited).max(initial=0) / scale / abs(near - far)
    valid = field[np.isfinite(field)].astype(np.float64)
    span = valid.max(initial=-np.inf) - valid.min(initial=np.inf)
    return 1e-6 * largest / span if 0 < span < np.inf else 0


def check_same(module, name, *args, **options):
    core, reference = (outcome(getattr(each, name), *args, **options) for each in (module, pc.reference))
    if not isinstance(core, pc.Program):
        assert core == reference
        return
    values = core.to_dict()
    assert values == reference.to_dict()
    assert core.to_text() == reference.to_text()
    for style in STYLES:
        assert pc.parse(core.to_text(style)) == core
    assert json.loads(core.to_json()) == values
    for text in (core.to_text("paper"), core.to_text("json")):
        assert len(text) > SHORT or read_as_yaml(text) == values
    assert core.arrays.keys() == reference.arrays.keys()
    for key, array in core.arrays.items():
        if key == "mean":
            assert array.dtype == np.float64
            error = largest_mean_error(name, args[0], options)
            np.testing.assert_allclose(array, reference.arrays[key], rtol=1e-15, atol=error)
        else:
            np.testing.assert_array_equal(array, reference.arrays[key], strict=True, err_msg=key)


@st.composite
def maps(draw, dtypes=DTYPES):
    shape, grid = draw(shapes_and_grids())
    array = draw(values_of(draw(st.sampled_from(dtypes)), shape))
    if array.dtype.kind == "f":
        array = draw(with_holes(array, [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0]))
    return draw(layouts(array)), grid


@st.composite
def masks(draw, shape):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    mask = rng.random(shape) < draw(st.sampled_from([0.0, 0.3, 0.9, 1.0]))
    return draw(st.sampled_from([None, mask, np.asfortranarray(mask), mask[::-1]]))


@given(data=st.data(), drawn=maps(FLOATS + UNSIGNED), tau=st.sampled_from([0.0, 0.15, 0.25, 0.5]))
def test_relative_depth(core, data, drawn, tau):
    depth, grid = drawn
    mask = data.draw(masks(depth.shape))
    invalid_value = data.draw(st.sampled_from([None, (), 0, (0, 1), math.nan]))
    check_same(core, "depth", depth, grid=grid, tau=tau, mask=mask, invalid_value=invalid_value)


@settings(max_examples=200)
@given(data=st.data(), drawn=maps(FLOATS + UNSIGNED + SIGNED), kind=st.sampled_from(["metric", "disparity"]))
def test_metric_and_disparity_depth(core, data, drawn, kind):
    depth, grid = drawn
    near, far = sorted(data.draw(st.tuples(st.floats(-50, 50), st.floats(-50, 50))))
    options = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "scale": st.sampled_from([1, 0.1, 3, 1000.0]),
                "depth_range": st.just((near, far) if kind == "metric" else (far, near)),
                "normalize": st.booleans(),
                "invalid_value": st.sampled_from([(), 0, (0, 1), 0.5]),
                "max_relations": st.integers(0, 20),
                "relations": st.booleans(),
                "tau": st.sampled_from([0, 0.1, 0.15]),
                "note": st.sampled_from([None, "mine"]),
            },
        )
    )
    check_same(core, "depth", depth, grid=grid, kind=kind, mask=data.draw(masks(depth.shape)), **options)


@given(
    data=st.data(),
    axis=st.sampled_from(["horizontal", "vertical"]),
    motion=st.sampled_from(["scene", "camera"]),
)
def test_flow(core, data, axis, motion):
    (height, width), grid = data.draw(shapes_and_grids())
    layout = data.draw(st.sampled_from(["hwc", "chw"]))
    shape = (height, width, 2) if layout == "hwc" else (2, height, width)
    field = data.draw(values_of(data.draw(st.sampled_from(FLOATS + SIGNED)), shape))
    if field.dtype.kind == "f":
        field = data.draw(with_holes(field - field.dtype.type(0.5), [math.nan, math.inf, 1e4, 0.0]))
    check_same(
        core,
        "flow",
        data.draw(layouts(field)),
        grid=grid,
        axis=axis,
        motion=motion,
        layout=layout,
        mask=data.draw(masks((height, width))),
        invalid_value=data.draw(st.sampled_from([None, 0])),
    )


@given(data=st.data(), drawn=maps())
def test_grid_stats(core, data, drawn):
    field, grid = drawn
    mask = data.draw(masks(field.shape))
    core = core.kernels.grid_stats(field, grid, mask=mask)
    reference = pc.reference.kernels.grid_stats(field, grid, mask)
    for name in ("min", "max", "count"):
        np.testing.assert_array_equal(getattr(core, name), getattr(reference, name), strict=True, err_msg=name)
    magnitude = pc.reference.kernels.grid_stats(np.abs(field.astype(np.float64)), grid, mask).mean
    np.testing.assert_array_equal(np.isnan(core.mean), core.count == 0)
    some = core.count > 0
    assert (np.abs(core.mean - reference.mean)[some] <= 1e-6 * magnitude[some]).all()
    if field.dtype.kind in "biu" and field.dtype.itemsize <= 4:
        np.testing.assert_array_equal(core.mean, reference.mean)


@given(
    shape=st.lists(st.integers(1, 6), min_size=2, max_size=4),
    seed=st.integers(0, 2**32),
    tau=st.sampled_from([0.0, 0.25, 0.5]),
)
def test_neighbor_relations(core, shape, seed, tau):
    rng = np.random.default_rng(seed)
    mean = rng.integers(0, 4, shape) / 4
    mean[rng.random(shape) < 0.1] = np.nan
    np.testing.assert_array_equal(
        core.kernels.neighbor_relations(mean, tau),
        pc.reference.kernels.neighbor_relations(mean, tau),
        strict=True,
    )


@settings(max_examples=300)
@given(
    base=st.floats(0, 0.8),
    ulps=st.integers(-3, 3),
    pixels=st.integers(1, 97),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(["float32", "float64"]),
)
@example(base=0.1, ulps=0, pixels=3, seed=0, dtype="float64")
def test_planted_near_ties(core, base, ulps, pixels, seed, dtype):
    """Two cells whose means differ by tau, give or take a few units in the last place."""
    rng = np.random.default_rng(seed)
    left = np.clip(base + rng.normal(0, 0.01, pixels), 0, 1).astype(dtype)
    tau = 0.15
    target = float(np.add.accumulate(left.astype(np.float64))[-1]) / pixels + tau
    right = np.full(pixels, target).astype(dtype)
    for _ in range(abs(ulps)):
        right[-1] = np.nextafter(right[-1], right.dtype.type(math.copysign(9, ulps)))
    check_same(core, "depth", np.concatenate([left, right])[None], grid=(1, 2), tau=tau)
    check_same(
        core,
        "depth",
        np.concatenate([left, right])[None],
        grid=(1, 2),
        tau=tau,
        kind="metric",
        invalid_value=(),
        scale=0.7,
    )


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("size", [2, 3, 64, 1000])
def test_flow_means_next_to_zero(core, sign, size):
    field = np.zeros((1, size, 2), np.float32)
    field[0, :, 0] = np.where(np.arange(size) % 2, 1.0, -1.0)
    if size % 2:
        field[0, -1, 0] = 0
    field[0, 0, 0] += sign * np.float32(1e-7)
    check_same(core, "flow", field, grid=1)
    word = core.flow(field, grid=1).items[0].r
    total = math.fsum(field[0, :, 0].tolist())
    assert word == ("left" if total < 0 else "right")


@given(
    value=st.one_of(
        st.floats(width=32, allow_nan=False, allow_infinity=False),
        st.floats(0, 1, width=32),
        st.integers(0, 2**30).map(lambda bits: float(np.array(bits, np.uint32).view(np.float32))),
        st.integers(1, 99999).map(lambda digits: digits / 100000),
    )
)
def test_numbers_print_as_c_does(value):
    expected = f"{np.float32(value) + np.float32(0):.4g}"  # the sum of -0 and 0 is 0
    if "e" in expected and "." not in expected:
        expected = expected.replace("e", ".0e")
    program = pc.depth([[value]], grid=1, kind="metric", normalize=False, invalid_value=())
    assert f"    r: [{expected}, {expected}]\n" in program.to_text()


ERRORS = [
    {"grid": (3, 9)},
    {"grid": 0},
    {"tau": math.inf},
    {"kind": "metres"},
    {"scale": 0.5},
    {"kind": "metric"},
    {"kind": "metric", "scale": 1e-320, "invalid_value": ()},
    {"kind": "metric", "invalid_value": 0, "depth_range": (math.inf, 2)},
    {"normalize": False},
    {"mask": np.ones((2, 2), bool)},
]


@pytest.mark.parametrize("options", ERRORS)
@pytest.mark.parametrize("largest", [0.5, 3.25])
def test_errors(core, options, largest):
    depth = np.linspace(0, largest, 48).reshape(6, 8)
    check_same(core, "depth", depth, **{"grid": 2, **options})


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(480, 640), (518, 518), (97, 1031), (11, 13)])
def test_sizes_of_real_maps(core, dtype, shape):
    rng = np.random.default_rng(1)
    depth = (rng.random(shape) * (1 if np.dtype(dtype).kind in "bf" else 120)).astype(dtype)
    check_same(core, "depth", depth, kind="disparity")
    check_same(core, "depth", depth, kind="metric", invalid_value=0, grid=(7, 11), normalize=False)
