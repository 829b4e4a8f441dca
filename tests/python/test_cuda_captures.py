"""What goes on beside a capture: other threads and earlier work neither spoil it nor are spoiled by it."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import percepts as pc

ONE = np.random.default_rng(0).random((40, 50), dtype=np.float32)
OTHER = ONE / 2


class Frame:
    """Memory of a device by the address, which its owner frees when this goes."""

    ndim = 2

    def __init__(self, values, stream):
        self.array = pc.testing.device_array(values, stream=stream)
        self.__cuda_array_interface__ = self.array.__cuda_array_interface__


def in_a_thread(call):
    found = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]


def test_memory_of_work_under_way_is_not_the_next_ones(emulation):
    """Events of dropped programs are asked for at each call."""
    captured, first, second = (pc.testing.stream() for _ in range(3))
    array = pc.testing.device_array(ONE, stream=captured)
    dropped, read = pc.testing.device_array(OTHER, stream=first), pc.testing.device_array(ONE, stream=second)
    pc.depth(dropped, grid=4)
    with pc.testing.capture(captured), pytest.raises(pc.DeviceError, match="cannot be captured"):
        pc.depth(array, grid=4)
    program = pc.depth(read, grid=4)
    second.wait()
    first.wait()
    assert program == pc.depth(ONE, grid=4)


def test_programs_are_read_while_another_thread_captures(emulation):
    stream = pc.testing.stream()
    plan = pc.plan.depth(ONE.shape, ONE.dtype, "cuda:0", grid=4)
    array = pc.testing.device_array(ONE, stream=stream)
    held = pc.depth(pc.testing.device_array(OTHER), grid=4)
    with pc.testing.capture(stream) as graph:
        plan(array)
        assert in_a_thread(lambda: str(held)) == str(pc.depth(OTHER, grid=4))
    graph.replay()
    assert plan.program() == pc.depth(ONE, grid=4)


@pytest.mark.parametrize("kind", ["kernel", "plan", "program"])
def test_inputs_stay_while_another_thread_captures(emulation, kind):
    captured, stream = pc.testing.stream(), pc.testing.stream()
    plan = pc.plan.depth(ONE.shape, ONE.dtype, "cuda:0", grid=4)
    begin = {"kernel": pc.kernels.grid_stats, "plan": plan, "program": pc.depth}[kind]
    frames = [Frame(ONE, stream) for _ in range(2)]  # asking for an event takes the emulation a step on
    alive = [weakref.ref(frame) for frame in frames]
    with pc.testing.capture(captured):
        for frame in frames:
            in_a_thread(lambda frame=frame: begin(frame))
        del frames, frame
        gc.collect()
        assert all(one() is not None for one in alive)
    stream.wait()


def test_what_is_done_is_let_go_during_a_capture(emulation):
    captured, stream = pc.testing.stream(), pc.testing.stream()
    frame, other = Frame(ONE, stream), pc.testing.device_array(OTHER, stream=stream)
    alive = weakref.ref(frame)
    pc.kernels.grid_stats(frame)
    del frame
    stream.wait()
    plan = pc.plan.depth(ONE.shape, ONE.dtype, "cuda:0")
    array = pc.testing.device_array(ONE, stream=captured)
    with pc.testing.capture(captured) as graph:
        plan(array)
        pc.depth(other)
        assert alive() is None
    graph.replay()
    assert plan.program() == pc.depth(ONE)


def test_a_plan_with_a_mask_is_captured_on_any_stream(device):
    mask = ONE > 0.3
    plan = pc.plan.depth(ONE.shape, ONE.dtype, "cuda:0", grid=4, mask=device.array(mask))
    stream = pc.testing.stream()
    array = device.array(ONE, stream=stream)
    plan(array)
    with pc.testing.capture(stream) as graph:
        plan(array)
    graph.replay()
    assert plan.program() == pc.depth(ONE, grid=4, mask=mask)
