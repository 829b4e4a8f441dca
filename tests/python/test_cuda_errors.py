"""Faults of CUDA: their names, what was being done, and nothing left behind."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import percepts as pc

MAP = np.random.default_rng(2).random((20, 30), dtype=np.float32)

MEMORY_ALLOCATION, NO_DEVICE, ILLEGAL_ADDRESS, LAUNCH_FAILURE = 2, 100, 700, 719


def test_without_cuda_the_error_says_why():
    if pc.backends()["cuda"]["available"]:
        pytest.skip("this machine has CUDA")
    reason = pc.backends()["cuda"]["reason"]
    foreign = type("Foreign", (), {"__dlpack_device__": lambda self: (2, 0), "__dlpack__": lambda self, **_: None})()
    interface = type("Interface", (), {"__cuda_array_interface__": {
        "shape": (2, 2), "typestr": "<f4", "data": (4096, True), "version": 3,
    }})()  # fmt: skip
    for call in (
        lambda: pc.depth(foreign, grid=1),
        lambda: pc.depth(interface, grid=1),
        lambda: pc.flow(foreign),
        lambda: pc.kernels.grid_stats(foreign),
    ):
        with pytest.raises(pc.DeviceError) as caught:
            call()
        assert "must be in host memory, got an array on" in str(caught.value)
        assert str(caught.value).endswith(reason)
        assert caught.value.name == ""
        # An array that cannot be read is a TypeError wherever it is.
        assert isinstance(caught.value, TypeError)
    with pytest.raises(pc.DeviceError, match="device must be 'cpu', got 'cuda:0': ") as caught:
        pc.plan.depth((4, 4), "float32", "cuda:0", grid=1)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(TypeError, match="labels must be in host memory, got an array on cuda:0"):
        pc.segmentation(foreign)


def test_without_cuda_testing_says_what_it_needs():
    if pc.backends()["cuda"]["available"]:
        pytest.skip("this machine has CUDA")
    for call in (
        lambda: pc.testing.device_array(MAP, device=1),
        lambda: pc.testing.stream(1),
        lambda: pc.testing.capture(device=1).__enter__(),
    ):
        with pytest.raises(pc.DeviceError) as caught:
            call()
        reason = pc.backends()["cuda"]["reason"]
        assert str(caught.value) == f"cuda:1 needs CUDA, or its emulation inside emulated_cuda: {reason}"


def test_a_machine_without_devices(emulation):
    array = pc.testing.device_array(MAP)
    emulation.set_device_count(0)
    assert pc.backends()["cuda-emulated"]["reason"]
    with pytest.raises(pc.DeviceError, match="depth must be in host memory, got an array on cuda:0: "):
        pc.depth(array, grid=2)
    emulation.set_device_count(2)
    assert pc.depth(array, grid=2) == pc.depth(MAP, grid=2)


def test_a_call_that_fails(emulation):
    array = pc.testing.device_array(MAP)
    str(pc.depth(array, grid=2))
    emulation.fail_call("cudaLaunchKernel", LAUNCH_FAILURE)
    with pytest.raises(pc.DeviceError, match=r"cudaErrorLaunchFailure.* while .* on cuda:0") as caught:
        pc.depth(array, grid=2)
    assert caught.value.name == "cudaErrorLaunchFailure"
    emulation.forget_errors()
    assert pc.depth(array, grid=2) == pc.depth(MAP, grid=2)


def test_results_that_find_no_room(emulation):
    array = pc.testing.device_array(MAP)
    emulation.fail_call("cudaMallocAsync", MEMORY_ALLOCATION)
    with pytest.raises(pc.DeviceError, match="making room for results") as caught:
        pc.kernels.grid_stats(array, grid=2)
    assert caught.value.name == "cudaErrorMemoryAllocation"


def test_work_that_fails_is_told_at_each_read(emulation):
    stream = pc.testing.stream()
    array = pc.testing.device_array(np.stack([MAP, MAP]), stream=stream)
    emulation.fail_work(stream.address, ILLEGAL_ADDRESS)
    batch = pc.depth(array, grid=2)
    for _ in range(2):
        with pytest.raises(pc.DeviceError) as caught:
            batch.texts()
        assert caught.value.name == "cudaErrorIllegalAddress"
        with pytest.raises(pc.DeviceError):
            str(batch[1])


def test_an_error_of_earlier_work_is_called_that(emulation):
    array = pc.testing.device_array(MAP)
    emulation.leave_error(LAUNCH_FAILURE)
    with pytest.raises(pc.DeviceError, match="left by earlier work"):
        pc.depth(array, grid=2)
    assert pc.depth(array, grid=2) == pc.depth(MAP, grid=2)


def test_counting_and_emulating_need_the_emulation():
    with pytest.raises(pc.DeviceError, match="use count_cuda inside emulated_cuda"), pc.testing.count_cuda():
        pass
    if "cuda-emulated" not in pc.backends():
        with pytest.raises(pc.DeviceError, match="PERCEPTS_CUDA_EMULATION"), pc.testing.emulated_cuda():
            pass


def test_python_ends_with_work_under_way(emulation):
    code = """
import numpy as np, percepts as pc
with pc.testing.emulated_cuda():
    array = pc.testing.device_array(np.ones((50, 50), np.float32))
    kept = pc.depth(array), pc.kernels.grid_stats(array), pc.plan.depth((50, 50), "float32", "cuda:0")
    kept[2](array)
    pc.depth(array, grid=3)
print("done")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_the_device_modules_are_loaded_when_they_are_needed():
    code = "import sys, percepts as pc; pc.depth([[0.5]], grid=1); print(*(m for m in sys.modules if '_cuda' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
