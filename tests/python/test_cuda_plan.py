"""Plans on CUDA devices: no allocation, no waiting, capturable, replayable."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import percepts as pc

MAPS = np.random.default_rng(7).random((4, 33, 47), dtype=np.float32)


def test_calls_give_what_functions_give(device):
    plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=(3, 4), tau=0.05)
    for each in MAPS:
        stats = plan(device.array(each))
        theirs = pc.kernels.grid_stats(each, (3, 4))
        for one, other in zip(stats[:2], theirs[:2], strict=True):
            np.testing.assert_array_equal(device.numpy(one), other, strict=True)
        assert plan.program() == pc.depth(each, grid=(3, 4), tau=0.05)


def test_batches_masks_and_labels(device):
    labels = np.random.default_rng(1).integers(0, 3, (33, 47))
    mask = MAPS[0] > 0.3
    for given in (labels, device.array(labels)):
        plan = pc.plan.depth((4, 1, 33, 47), np.float32, "cuda", grid=2, mask=device.array(mask), labels=given)
        stats = plan(device.array(MAPS[:, None]))
        assert stats.count.shape == (4, 2, 2)
        assert plan.program() == pc.depth(MAPS, grid=2, mask=mask, labels=labels)
    empty = pc.plan.flow((0, 48, 64, 2), "float32", "cuda:0", grid=4)
    assert empty(device.array(np.zeros((0, 48, 64, 2), np.float32))).mean.shape == (0, 4, 4)
    assert len(empty.program()) == 0


@pytest.mark.parametrize("axis", ["horizontal", "vertical"])
def test_flow(device, axis):
    fields = np.random.default_rng(1).normal(size=(3, 21, 30, 2)).astype(np.float32)
    plan = pc.plan.flow((21, 30, 2), "float32", "cuda:0", grid=3, axis=axis)
    for field in fields:
        plan(device.array(field))
        assert plan.program() == pc.flow(field, grid=3, axis=axis)


def test_the_statistics_are_the_plans_own(device):
    plan = pc.plan.depth((33, 47), np.float32, "cuda:0", grid=2)
    first = plan(device.array(MAPS[0]))
    before = device.numpy(first.mean)
    assert plan(device.array(MAPS[1])) is first
    assert not np.array_equal(device.numpy(first.mean), before)
    mean = first.mean
    del plan, first
    gc.collect()
    np.testing.assert_allclose(device.numpy(mean), pc.kernels.grid_stats(MAPS[1], 2).mean, rtol=1e-6)


def test_a_call_allocates_nothing_and_waits_for_nothing(emulation):
    plan = pc.plan.depth((4, 33, 47), "float32", "cuda:0", grid=5)
    arrays = [pc.testing.device_array(MAPS * (k / 4)) for k in range(4)]
    plan(arrays[0])
    with pc.testing.count_cuda() as counts:
        for array in arrays:
            plan(array)
    assert (counts.launches, counts.allocations, counts.synchronizations) == (4, 0, 0)
    assert plan.program() == pc.depth(MAPS * (3 / 4), grid=5)


def test_a_graph_of_a_plan(device):
    array = device.array(MAPS[0])
    plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=3)
    # As libraries do it: once before, so that what is made once is there.
    plan(array)
    plan.program()
    with pc.testing.capture() as graph:
        stats = plan(array)
    graph.replay()
    assert plan.program() == pc.depth(MAPS[0], grid=3)
    for _ in range(3):
        graph.replay()
    graph.wait()
    np.testing.assert_array_equal(device.numpy(stats.max), pc.kernels.grid_stats(MAPS[0], 3).max)


def test_a_graph_of_two_plans_on_a_stream_of_the_caller(emulation):
    stream = pc.testing.stream()
    array = pc.testing.device_array(MAPS, stream=stream)
    plans = [pc.plan.depth((33, 47), "float32", "cuda:0", grid=k) for k in (2, 5)]
    with pc.testing.capture(stream) as graph:
        for k, plan in enumerate(plans):
            plan(array[k])
    with pc.testing.count_cuda() as counts:
        graph.replay()
        graph.replay()
    assert (counts.launches, counts.allocations, counts.synchronizations) == (4, 0, 0)
    assert [plan.program() for plan in plans] == [pc.depth(MAPS[k], grid=grid) for k, grid in enumerate((2, 5))]


def test_a_graph_holds_its_stream_and_its_module():
    """It works when nobody else has its stream, and where the emulation serves no more."""
    if "cuda-emulated" not in pc.backends():
        pytest.skip("this build has no emulation of CUDA")

    def captured(array):
        stream = pc.testing.stream()
        # Says the stream without holding it.
        interface = array.__cuda_array_interface__ | {"stream": stream.address}
        with pc.testing.capture(stream) as graph:
            plan(type("Given", (), {"ndim": 2, "__cuda_array_interface__": interface})())
        return graph

    with pc.testing.emulated_cuda():
        array = pc.testing.device_array(MAPS[0])
        plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=3)
        plan(array)
        graph = captured(array)
        gc.collect()
        graph.replay()
    graph.wait()
    graph.replay()
    graph.wait()
    assert plan.program() == pc.depth(MAPS[0], grid=3)


def test_waiting_cannot_be_captured(emulation):
    array = pc.testing.device_array(MAPS[0])
    plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=3)
    plan(array)

    def capture():
        with pc.testing.capture():
            plan(array)
            plan.program()

    with pytest.raises(pc.DeviceError, match="cudaErrorStreamCapture"):
        capture()


def test_statistics_are_ready_on_the_stream_of_the_call(device):
    plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=3)
    for k, each in enumerate(MAPS):
        stream = pc.testing.stream()
        stats = plan(device.array(each, stream=stream))
        assert stats.max.__cuda_array_interface__["stream"] == stream.address
        del stream  # the arrays hold it
        np.testing.assert_array_equal(device.numpy(stats.max[1:]), pc.kernels.grid_stats(MAPS[k], 3).max[1:])


def test_inputs_live_until_the_work_is_done(emulation):
    stream = pc.testing.stream()

    class Owner:
        ndim = 2

        def __init__(self, array):
            self.__cuda_array_interface__, self.array = array.__cuda_array_interface__, array

    plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=3)
    alive = []
    for each in MAPS:
        owner = Owner(pc.testing.device_array(each, stream=stream))
        alive.append(weakref.ref(owner))
        plan(owner)
        del owner
    assert alive[-1]() is not None
    del plan
    gc.collect()
    assert alive[-1]() is not None
    stream.wait()
    emulation.let_go()
    assert all(ref() is None for ref in alive)


def test_inputs_go_when_the_program_is_made(device):
    class Owner:
        ndim = 2

        def __init__(self, array):
            self.__cuda_array_interface__, self.array = array.__cuda_array_interface__, array

    array = Owner(device.array(MAPS[0]))
    alive = weakref.ref(array)
    array.plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=3)
    array.plan(array)
    array.plan.program()
    del array
    gc.collect()
    assert alive() is None


def test_bad_values_come_with_the_program(device):
    plan = pc.plan.depth((4, 33, 47), "float32", "cuda:0", grid=3)
    plan(device.array(MAPS + 1))
    with pytest.raises(ValueError, match="kind='relative' needs values in"):
        plan.program()
    plan(device.array(MAPS))
    assert plan.program() == pc.depth(MAPS, grid=3)


def test_what_a_plan_is_not_for(device):
    plan = pc.plan.depth((33, 47), "float32", "cuda:0", grid=2)
    with pytest.raises(ValueError, match="a plan has a program when it has been called"):
        plan.program()
    for other, got in (
        (device.array(MAPS[0].T), r"float32 \(47, 33\) on cuda:0"),
        (device.array(MAPS[0].astype(float)), r"float64 \(33, 47\) on cuda:0"),
        (device.array(MAPS), r"float32 \(4, 33, 47\) on cuda:0"),
        (MAPS[0], r"float32 \(33, 47\) in host memory"),
    ):
        with pytest.raises(
            ValueError, match=rf"this plan is for float32 maps of shape \(33, 47\) on cuda:0, got {got}"
        ):
            plan(other)
    with pytest.raises(TypeError, match="a plan on a device takes one array, got a list"):
        plan([device.array(MAPS[0])])
    with pytest.raises(ValueError, match="mask must be where the maps are, on cuda:0, got an array in host memory"):
        pc.plan.depth((33, 47), "float32", "cuda:0", mask=MAPS[0] > 0)
    for name in ("gpu", "cuda:", "cuda:x", "rocm:0"):
        with pytest.raises(ValueError, match=f"device must be 'cpu' or 'cuda:0', 'cuda:1' and so on, got '{name}'"):
            pc.plan.depth((33, 47), "float32", name)
    with pytest.raises(ValueError, match="every cell must hold a pixel"):
        pc.plan.depth((3, 47), "float32", "cuda:0")
    with pytest.raises(pc.DeviceError, match="cuda:77"):
        pc.plan.depth((33, 47), "float32", "cuda:77")


def test_a_plan_of_another_device(emulation):
    plan = pc.plan.depth((33, 47), "float32", "cuda:1", grid=2)
    plan(pc.testing.device_array(MAPS[0], device=1))
    assert plan.program() == pc.depth(MAPS[0], grid=2)
    with pytest.raises(ValueError, match="got float32 \\(33, 47\\) on cuda:0"):
        plan(pc.testing.device_array(MAPS[0]))


def test_devices_that_cannot_be_numbered(emulation):
    with pytest.raises(ValueError, match="device must be 'cpu' or 'cuda:0'"):
        pc.plan.depth((4, 6), "float32", "cuda:99999999999")


def test_a_first_call_that_is_captured_leaves_a_plan_that_works(emulation):
    values = np.random.default_rng(5).random((300, 2, 3), np.float32)  # so many maps that no other test zeroed memory
    plan = pc.plan.depth(values.shape, "float32", "cuda:0", grid=1)
    array = pc.testing.device_array(values)
    with pc.testing.capture() as graph:
        plan(array)
    expected = pc.depth(values, grid=1).texts()
    plan(array)
    assert plan.program().texts() == expected
    for _ in range(2):
        graph.replay()
        graph.wait()
        assert plan.program().texts() == expected


def test_a_graph_is_waited_for_after_calls_of_the_plan_itself(emulation):
    first, second = np.random.default_rng(6).random((2, 4, 6), np.float32)
    plan = pc.plan.depth((4, 6), "float32", "cuda:0", grid=2)
    captured = pc.testing.device_array(first)
    with pc.testing.capture() as graph:
        plan(captured)
    plan(pc.testing.device_array(second))
    assert str(plan.program()) == str(pc.depth(second, grid=2))
    graph.replay()
    assert str(plan.program()) == str(pc.depth(first, grid=2))


def test_a_graph_outlives_its_plan(emulation):
    values = np.random.default_rng(7).random((2, 4, 6), np.float32)
    captured, others = pc.testing.device_array(values[0]), pc.testing.device_array(values[1])
    plan = pc.plan.depth((4, 6), "float32", "cuda:0", grid=2)
    with pc.testing.capture() as graph:
        plan(captured)
    del plan
    gc.collect()
    later = pc.plan.depth((4, 6), "float32", "cuda:0", grid=2)
    later(others)
    graph.replay()
    assert str(later.program()) == str(pc.depth(values[1], grid=2))
    graph.wait()
    assert str(later.program()) == str(pc.depth(values[1], grid=2))
