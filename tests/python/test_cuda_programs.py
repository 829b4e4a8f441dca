"""Programs from arrays on CUDA devices: at once, with the CPU's text, and errors where they can be told."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import percepts as pc
from percepts import _labels

RNG = np.random.default_rng(3)
MAP = RNG.random((37, 53), dtype=np.float32)
BATCH = RNG.random((5, 31, 29), dtype=np.float32)
FIELD = RNG.normal(size=(24, 40, 2)).astype(np.float32)

OPTIONS = {
    "default": {},
    "grid": {"grid": (3, 7), "tau": 0.02},
    "disparity": {"kind": "disparity", "grid": 4},
    "metric": {"kind": "metric", "grid": 4, "invalid_value": (), "scale": 0.5},
    "range": {"kind": "metric", "grid": 4, "depth_range": (0.2, 0.7), "invalid_value": ()},
    "plain": {"relations": False, "note": None, "grid": 2},
}


def changed(kind, array):
    if kind == "metric":
        return array + np.float32(0.1)
    return array


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "uint8", "uint16", "int32", "bool"])
def test_depth_is_the_cpus(device, options, dtype):
    array = changed(options.get("kind"), MAP)
    if np.dtype(dtype).kind in "iu":
        array = (array * 100 + 1).astype(dtype)
        options = {"kind": "disparity"} | options if dtype == "int32" else options
    array = array.astype(dtype)
    ours = pc.depth(device.array(array), **options)
    theirs = pc.depth(array, **options)
    assert str(ours) == str(theirs)
    assert ours.arrays.keys() == theirs.arrays.keys()
    for name in ("center", "valid", "min", "max"):
        np.testing.assert_array_equal(ours.arrays[name], theirs.arrays[name], strict=True)
    np.testing.assert_allclose(ours.arrays["mean"], theirs.arrays["mean"], atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize(
    "cut",
    [np.s_[::2, ::3], np.s_[::-1, ::-1], np.s_[3:30, 5:6], np.s_[..., 4:40]],
    ids=str,
)
def test_strides(device, cut):
    assert str(pc.depth(device.array(MAP)[cut], grid=1)) == str(pc.depth(MAP[cut], grid=1))
    assert str(pc.depth(device.array(MAP).T[cut[::-1]], grid=1)) == str(pc.depth(MAP.T[cut[::-1]], grid=1))


def test_bfloat16(device):
    rounded = pc.testing.to_numpy(device.array(MAP, dtype="bfloat16"))
    assert str(pc.depth(device.array(MAP, dtype="bfloat16"))) == str(pc.depth(rounded))


@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow_is_the_cpus(device, axis):
    planar = np.ascontiguousarray(np.moveaxis(FIELD, 2, 0))
    for field in (FIELD, planar, np.stack([FIELD, -FIELD]), np.stack([planar, -planar, planar])):
        layout = "chw" if field.shape[-3] == 2 else "hwc"
        ours = pc.flow(device.array(field), axis=axis, layout=layout, motion="camera", grid=5)
        assert ours == pc.flow(field, axis=axis, layout=layout, motion="camera", grid=5)


def test_batches(device):
    on_device = device.array(BATCH)
    batch = pc.depth(on_device, grid=3)
    assert len(batch) == 5
    assert batch.texts() == pc.depth(BATCH, grid=3).texts()
    assert pc.depth(device.array(BATCH[:, None]), grid=3) == batch
    several = pc.depth([on_device[0], on_device[3][::-1], device.array(MAP)], grid=3)
    assert several == pc.depth([BATCH[0], BATCH[3][::-1], MAP], grid=3)
    assert len(pc.depth(device.array(BATCH[:0]), grid=3)) == 0
    np.testing.assert_array_equal(batch.arrays["min"], pc.depth(BATCH, grid=3).arrays["min"])
    assert batch[1:3] == pc.depth(BATCH[1:3], grid=3)
    assert repr(pc.depth(on_device, grid=3)) == "<ProgramBatch of 5 depth programs>"


def test_masks(device):
    one, several = BATCH[0] > 0.3, BATCH > 0.5
    on_device = device.array(BATCH)
    assert pc.depth(on_device, grid=3, mask=device.array(one)) == pc.depth(BATCH, grid=3, mask=one)
    assert pc.depth(on_device, grid=3, mask=device.array(several)) == pc.depth(BATCH, grid=3, mask=several)
    masks = [device.array(several[0])[::-1, ::-1], None]
    assert pc.depth([on_device[0], on_device[1]], grid=3, mask=masks) == pc.depth(
        [BATCH[0], BATCH[1]], grid=3, mask=[several[0][::-1, ::-1], None]
    )


def test_masks_elsewhere(device):
    on_device = device.array(BATCH[0])
    with pytest.raises(ValueError, match="mask must be where the map is, on cuda:0, got an array in host memory"):
        pc.depth(on_device, grid=3, mask=BATCH[0] > 0.5)
    with pytest.raises(ValueError, match="mask must be where the map is, in host memory, got an array on cuda:0"):
        pc.depth(BATCH[0], grid=3, mask=device.array(BATCH[0] > 0.5))
    with pytest.raises(ValueError, match=r"got an array on cuda:0 and an array in host memory \(depth\[1\]\)"):
        pc.depth([on_device, BATCH[0]], grid=3)


@pytest.mark.parametrize("on_host", [True, False])
def test_labels(device, on_host):
    labels = RNG.integers(0, 5, BATCH.shape).astype(np.uint8)
    names = {1: "chair", 2: "desk"}
    given = labels if on_host else device.array(labels)
    expected = pc.depth(BATCH, grid=3, labels=labels, class_names=names)
    assert pc.depth(device.array(BATCH), grid=3, labels=given, class_names=names) == expected
    one = pc.depth(device.array(BATCH[0]), grid=3, labels=given[0], class_names=names)
    assert one == expected[0]
    with pytest.raises(ValueError, match="labels must have the shape of the map"):
        pc.depth(device.array(BATCH[0]), grid=3, labels=given[0][:3])


@pytest.mark.parametrize("names", [{1: "chair", 2: "desk"}, ["wall", "chair", "desk"]], ids=["mapping", "list"])
def test_names_are_those_of_the_call(device, names):
    labels = RNG.integers(0, 5, MAP.shape).astype(np.uint8)
    options = {"grid": 3, "labels": device.array(labels), "class_names": names}
    expected = pc.depth(MAP, **options | {"labels": labels})
    expected_flow = pc.flow(FIELD, **options | {"labels": labels[:24, :40]})
    program = pc.depth(device.array(MAP), **options)
    flow = pc.flow(device.array(FIELD), **options | {"labels": device.array(labels[:24, :40])})
    plan = pc.plan.depth(MAP.shape, MAP.dtype, "cuda:0", **options)
    names.clear()
    plan(device.array(MAP))
    assert program == plan.program() == expected
    assert flow == expected_flow


@pytest.mark.parametrize("names", [{2: 3}, ["wall", None, 3], "wall", 7], ids=str)
def test_names_are_checked_at_the_call(device, names):
    labels = np.full(MAP.shape, 2)
    with pytest.raises(TypeError) as expected:
        pc.depth(MAP, grid=3, labels=labels, class_names=names)
    for call in (
        lambda **options: pc.depth(device.array(MAP), **options),
        lambda **options: pc.plan.depth(MAP.shape, MAP.dtype, "cuda:0", **options),
    ):
        with pytest.raises(TypeError) as caught:
            call(grid=3, labels=device.array(labels), class_names=names)
        assert str(caught.value) == str(expected.value)


def test_errors_of_the_call_come_at_the_call(device):
    on_device = device.array(BATCH)
    for options in (
        {"grid": 99},
        {"kind": "sonar"},
        {"tau": -1},
        {"mask": device.array(BATCH[0, :3] > 0)},
        {"invalid_value": range(200)},
    ):
        with pytest.raises(ValueError) as caught:
            pc.depth(on_device[0], **options)
        if "mask" not in options and "invalid_value" not in options:
            with pytest.raises(ValueError) as expected:
                pc.depth(BATCH[0], **options)
            assert str(caught.value) == str(expected.value)
    with pytest.raises(ValueError, match="map 0 of the batch: "):
        pc.depth(on_device, grid=99)
    with pytest.raises(ValueError, match="depth must be H×W"):
        pc.depth(device.array(BATCH[0, 0]))
    with pytest.raises(TypeError, match="float32"):
        pc.depth(on_device[0], mask=device.array(BATCH[0]))


def test_errors_of_the_data_come_at_the_first_read(device):
    wrong = BATCH.copy()
    wrong[2, 3, 4] = 1.5
    one, several = pc.depth(device.array(wrong[2]), grid=3), pc.depth(device.array(wrong), grid=3)
    apart = pc.depth([device.array(each) for each in wrong], grid=3)
    with pytest.raises(ValueError) as expected:
        pc.depth(wrong[2], grid=3)
    for _ in range(3):
        with pytest.raises(ValueError) as caught:
            _ = one.items
        assert str(caught.value) == str(expected.value)
    with pytest.raises(ValueError) as expected:
        pc.depth(wrong, grid=3)
    for read in (several.texts, lambda: several[0].items, lambda: several.arrays, apart.texts):
        with pytest.raises(ValueError) as caught:
            read()
        assert str(caught.value) == str(expected.value)
    assert str(expected.value).startswith("map 2 of the batch: ")
    with pytest.raises(ValueError) as expected:
        pc.depth([wrong[2]], grid=3)
    for alone in (pc.depth([device.array(wrong[2])], grid=3), pc.depth(device.array(wrong[2:3]), grid=3)):
        with pytest.raises(ValueError) as caught:
            alone.texts()
        assert str(caught.value) == str(expected.value)
    assert str(expected.value).startswith("map 0 of the batch: ")


def test_each_way_to_look_at_a_program_reads_it(device):
    expected = pc.depth(MAP, grid=3)
    looks = {
        "text": lambda p: p.to_text("compact") == expected.to_text("compact"),
        "str": lambda p: str(p) == str(expected),
        "equal": lambda p: p == expected and expected == p,
        "hash": lambda p: hash(p) == hash(expected),
        "items": lambda p: p.items == expected.items,
        "relations": lambda p: p.relations == expected.relations,
        "json": lambda p: p.to_json() == expected.to_json(),
        "dict": lambda p: p.to_dict() == expected.to_dict(),
        "repr": lambda p: repr(p) == repr(expected),
        "reading": lambda p: p.reading_at(1, 2) == expected.reading_at(1, 2),
        "grid": lambda p: (
            (p.grid, p.note, p.modality, p.granularity)
            == (expected.grid, expected.note, expected.modality, expected.granularity)
        ),
        "copy": lambda p: copy.copy(p) == expected and copy.deepcopy(p) == expected,
        "pickle": lambda p: pickle.loads(pickle.dumps(p)) == expected,
    }
    for name, same in looks.items():
        assert same(pc.depth(device.array(MAP), grid=3)), name
    batch = pc.depth(device.array(BATCH), grid=3)
    assert pickle.loads(pickle.dumps(batch)) == copy.copy(batch) == pc.depth(BATCH, grid=3)
    with pytest.raises(AttributeError, match="'Program' object has no attribute 'texts'"):
        _ = pc.depth(device.array(MAP)).texts


def test_threads_read_one_program(device):
    programs = [pc.depth(device.array(MAP), grid=k) for k in range(1, 9)]
    expected = [str(pc.depth(MAP, grid=k)) for k in range(1, 9)]
    found = [[] for _ in range(4)]

    def read(out):
        out.extend(map(str, programs))

    threads = [threading.Thread(target=read, args=(out,)) for out in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_threads_call_at_once(device):
    failures = []

    def run(seed):
        arrays = np.random.default_rng(seed).random((6, 20, 30), dtype=np.float32)
        for array in arrays:
            if str(pc.depth(device.array(array), grid=4)) != str(pc.depth(array, grid=4)):
                failures.append(seed)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_an_input_dropped_at_once_is_read_all_the_same(device):
    programs = [pc.depth(device.array(MAP * (k / 8)), grid=3) for k in range(8)]
    gc.collect()
    for k, program in enumerate(programs):
        assert program == pc.depth(MAP * (k / 8), grid=3)


def test_one_launch_a_batch_and_one_wait(emulation):
    on_device = pc.testing.device_array(BATCH)
    pc.depth(on_device, grid=3).texts()
    with pc.testing.count_cuda() as counts:
        batch = pc.depth(on_device, grid=3)
        assert (counts.launches, counts.allocations, counts.synchronizations) == (1, 0, 0)
        batch.texts()
        assert counts.synchronizations == 1
        _ = batch.arrays, str(batch[2]), batch[1:].texts()
        assert (counts.launches, counts.synchronizations) == (1, 1)
    with pc.testing.count_cuda() as counts:
        pc.depth([on_device[k] for k in range(5)], grid=3)
    assert (counts.launches, counts.synchronizations) == (5, 0)


class Owner:
    """Hands an array over through the CUDA array interface, and can be watched."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self.ndim, self.array = array.ndim, array


def test_inputs_live_until_the_work_is_done(emulation):
    stream = pc.testing.stream()
    array = Owner(pc.testing.device_array(MAP, stream=stream))
    mask = Owner(pc.testing.device_array(MAP > 0.5, stream=stream))
    alive = [weakref.ref(array), weakref.ref(mask)]
    program = pc.depth(array, grid=3, mask=mask)
    del array, mask, program
    gc.collect()
    # Dropped unread: the stream has not got there yet.
    assert all(ref() is not None for ref in alive)
    stream.wait()
    emulation.let_go()
    assert all(ref() is None for ref in alive)


def test_inputs_go_when_the_program_is_read(device):
    array = Owner(pc.testing.device_array(MAP))
    alive = weakref.ref(array)
    program = pc.depth(array, grid=3)
    del array
    gc.collect()
    assert alive() is not None
    str(program)
    assert alive() is None


def test_an_input_that_holds_its_unread_program_goes(emulation):
    """When a call finds the work done; Python cannot see that the work holds its input."""
    stream = pc.testing.stream()
    array = Owner(pc.testing.device_array(MAP, stream=stream))
    array.program = pc.depth(array, grid=3)
    alive = weakref.ref(array)
    del array
    gc.collect()
    assert alive() is not None
    stream.wait()
    emulation.let_go()
    gc.collect()
    assert alive() is None


def test_an_interrupted_read_is_read_again(device, monkeypatch):
    labels = np.arange(16).reshape(4, 4) // 8
    program = pc.depth(device.array(np.full((4, 4), 0.5)), grid=2, labels=labels)
    attach = _labels._attach

    def interrupted(*arguments):
        monkeypatch.setattr(_labels, "_attach", attach)
        raise KeyboardInterrupt

    monkeypatch.setattr(_labels, "_attach", interrupted)
    with pytest.raises(KeyboardInterrupt):
        str(program)
    assert program == pc.depth(np.full((4, 4), 0.5), grid=2, labels=labels)


def test_a_read_within_a_read(device, monkeypatch):
    """As a signal handler does that looks at the program which is being read."""
    labels = np.arange(16).reshape(4, 4) // 8
    program = pc.depth(device.array(np.full((4, 4), 0.5)), grid=2, labels=labels)
    attach, texts = _labels._attach, []

    def look(*arguments):
        monkeypatch.setattr(_labels, "_attach", attach)
        texts.append(str(program))
        attach(*arguments)

    monkeypatch.setattr(_labels, "_attach", look)
    assert [str(program)] == texts
    assert texts == [str(pc.depth(np.full((4, 4), 0.5), grid=2, labels=labels))]


def test_an_input_that_looks_at_its_program_when_it_goes(device):
    texts = []

    class Frame:
        ndim = 2

        def __init__(self):
            self.array = device.array(np.full((4, 4), 0.5))
            self.__cuda_array_interface__ = self.array.__cuda_array_interface__

        def __del__(self):
            texts.append(str(self.program))

    frame = Frame()
    program = frame.program = pc.depth(frame, grid=2)
    del frame
    assert [str(program)] == texts


def test_labels_cost_no_wait_and_no_new_memory_of_the_host(emulation):
    maps, labels = (pc.testing.device_array(each) for each in (np.full((4, 4), 0.5), np.arange(16).reshape(4, 4)))
    str(pc.depth(maps, grid=2, labels=labels))
    with pc.testing.count_cuda() as counts:
        pc.depth(maps, grid=2, labels=labels)
    # Two results of label_mode, in the order of the stream.
    assert (counts.synchronizations, counts.allocations) == (0, 2)


def test_several_devices(emulation):
    arrays = [pc.testing.device_array(BATCH[k], device=k % 2) for k in range(4)]
    assert pc.depth(arrays, grid=3) == pc.depth(list(BATCH[:4]), grid=3)
    with pytest.raises(ValueError, match="mask must be where the map is, on cuda:1, got an array on cuda:0"):
        pc.depth(arrays[1], grid=3, mask=pc.testing.device_array(BATCH[0] > 0.5))
    with pytest.raises(pc.DeviceError, match="cudaErrorInvalidDevice"):
        pc.testing.device_array(MAP, device=2)


def test_programs_are_not_captured(emulation):
    array = pc.testing.device_array(MAP)
    with pytest.raises(pc.DeviceError, match=r"a plan of percepts\.plan can be") as caught, pc.testing.capture():
        pc.depth(array, grid=3)
    assert caught.value.name == "cudaErrorStreamCaptureUnsupported"


def test_programs_of_the_emulation_outlive_it(emulation):
    program = pc.depth(pc.testing.device_array(MAP), grid=3)
    batch = pc.depth(pc.testing.device_array(BATCH), grid=3)
    assert program == pc.depth(MAP, grid=3)
    assert batch.texts() == pc.depth(BATCH, grid=3).texts()


def test_oracles_and_budgets_take_unread_programs(device):
    program = pc.depth(device.array(MAP), grid=3)
    assert pc.fit(program, 400) == pc.fit(pc.depth(MAP, grid=3), 400)


def test_the_example_of_the_emulation_runs(emulation):
    """In a process of its own, where every call is the first one."""
    page = (Path(__file__).parents[2] / "docs/cuda.md").read_text()
    (example,) = re.findall(r"^```python\n(.*?)^```", page[page.index("## Without a GPU") :], re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("<perceptionprogram>")


def test_nothing_waits_even_where_memory_is_new(emulation):
    values = np.random.default_rng(3).random((2, 30, 40), np.float32)
    array = pc.testing.device_array(values)
    expected = pc.depth(values).texts()
    for _ in range(2):
        with pc.testing.count_cuda() as counts:
            programs = [pc.depth(array) for _ in range(40)]  # all under way: more than the pool has memory for
        assert counts.synchronizations == 0
        assert all(program.texts() == expected for program in programs[::2])  # the others are dropped unread
