"""Kernels on CUDA devices: the CPU's numbers, on the device, in the caller's library, without waiting."""

from __future__ import annotations

import numpy as np
import pytest

import percepts as pc

RNG = np.random.default_rng(5)
MAPS = RNG.random((3, 41, 27), dtype=np.float32) * 200 - 50
DTYPES = ["float16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def holed(maps):
    maps = maps.copy()
    if maps.dtype.kind == "f":
        maps[..., ::5, ::3] = np.nan
        maps[..., 2, :] = np.inf
        maps[..., :9, :9] = np.nan
    return maps


@pytest.mark.parametrize("dtype", DTYPES)
def test_statistics(device, dtype):
    maps = holed((np.abs(MAPS) if dtype[0] == "u" else np.clip(MAPS, -100, 100)).astype(dtype))
    for given in (maps, maps[1], maps[:, ::-1, ::2], maps[:, None]):
        mask = RNG.random(given.shape[-2:]) < 0.7
        cases = [{}, {"mask": mask}, {"invalid_value": (0, 7)}]
        for options in cases:
            on_device = {key: device.array(value) if key == "mask" else value for key, value in options.items()}
            ours = pc.kernels.grid_stats(device.array(given), (4, 3), **on_device)
            theirs = pc.kernels.grid_stats(given, (4, 3), **options)
            for name, one, other in zip(ours._fields, ours, theirs, strict=True):
                one = device.numpy(one)
                assert (one.dtype, one.shape) == (other.dtype, other.shape)
                if name == "mean":
                    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-4)
                else:
                    np.testing.assert_array_equal(one, other)


def test_strides_of_the_device(device):
    whole = device.array(MAPS)
    for cut in (np.s_[1, ::-2, 3:], np.s_[::2, 5:, ::-1], np.s_[:, 4:5, :]):
        ours = pc.kernels.grid_stats(whole[cut], grid=1)
        np.testing.assert_array_equal(device.numpy(ours.max), pc.kernels.grid_stats(MAPS[cut], grid=1).max)


def test_lists(device):
    ours = pc.kernels.grid_stats([device.array(MAPS[0]), device.array(MAPS[1, ::2])], grid=2)
    theirs = pc.kernels.grid_stats([MAPS[0], MAPS[1, ::2]], grid=2)
    np.testing.assert_array_equal(device.numpy(ours.count), theirs.count)
    with pytest.raises(TypeError, match="field on a device must be of one dtype, got float32 and float64"):
        pc.kernels.grid_stats([device.array(MAPS[0]), device.array(MAPS[0].astype(float))], grid=2)


def test_lists_of_several_streams(device):
    """Results are the first array's: whatever comes after the call on its stream finds all of them written."""
    labels, flow = MAPS.astype(int), RNG.normal(size=(3, 20, 30, 2))
    streams = [pc.testing.stream() for _ in range(3)]

    def on_streams(arrays):
        return [device.array(array, stream=stream) for array, stream in zip(arrays, streams, strict=True)]

    for _ in range(4):  # memory of earlier results is used again
        stats = pc.kernels.grid_stats(on_streams(MAPS), 3)
        signs = pc.kernels.flow_sign(on_streams(flow), 3)
        label, share = pc.kernels.label_mode(on_streams(labels), 3)
        relations = pc.kernels.neighbor_relations(stats.mean, 0.1)
        assert stats.mean.stream == signs.stream == share.stream == streams[0].address
        for ours, theirs in (
            (stats.min, pc.kernels.grid_stats(MAPS, 3).min),
            (stats.count, pc.kernels.grid_stats(MAPS, 3).count),
            (signs, pc.kernels.flow_sign(flow, 3)),
            (label, pc.kernels.label_mode(labels, 3)[0]),
            (share, pc.kernels.label_mode(labels, 3)[1]),
            (relations, pc.kernels.neighbor_relations(pc.kernels.grid_stats(MAPS, 3).mean, 0.1)),
        ):
            np.testing.assert_array_equal(device.numpy(ours), theirs)


def test_streams_of_a_list_are_put_in_order_without_waiting(emulation):
    arrays = [pc.testing.device_array(each, stream=pc.testing.stream()) for each in MAPS]
    pc.kernels.grid_stats(arrays, 3)
    with pc.testing.count_cuda() as counts:
        stats = pc.kernels.grid_stats(arrays, 3)
    assert (counts.launches, counts.synchronizations) == (3, 0)
    emulation.fail_call("cudaLaunchKernel", 719, 2)
    with pytest.raises(pc.DeviceError):
        pc.kernels.grid_stats(arrays, 3)
    np.testing.assert_array_equal(pc.testing.to_numpy(stats.max), pc.kernels.grid_stats(MAPS, 3).max)


def test_flow_signs(device):
    flow = RNG.normal(size=(4, 20, 30, 2)).astype(np.float32)
    flow[1, :10] = np.nan
    flow[2] = [[1e-30, -1e-30]]
    for axis in ("horizontal", "vertical"):
        for given in (flow, flow[1], flow[::-1, ::2]):
            ours = pc.kernels.flow_sign(device.array(given), 4, axis, "hwc")
            np.testing.assert_array_equal(device.numpy(ours), pc.kernels.flow_sign(given, 4, axis, "hwc"), strict=True)


def test_neighbours(device):
    means = RNG.random((2, 3, 5, 4))
    means[0, 1, 2, 3] = np.nan
    means[0, 0, 0, 0] = np.inf
    for given in (means, means[0, 1], means[:, :0]):
        ours = pc.kernels.neighbor_relations(device.array(given), 0.2)
        np.testing.assert_array_equal(device.numpy(ours), pc.kernels.neighbor_relations(given, 0.2), strict=True)
    stats = pc.kernels.grid_stats(device.array(MAPS), 3)
    ours = pc.kernels.neighbor_relations(stats.mean, 1)
    np.testing.assert_array_equal(
        device.numpy(ours), pc.kernels.neighbor_relations(pc.kernels.grid_stats(MAPS, 3).mean, 1)
    )
    with pytest.raises(TypeError, match="mean must be float64 and dense on a device, got float32"):
        pc.kernels.neighbor_relations(stats.max, 1)
    with pytest.raises(ValueError, match="tau must be finite"):
        pc.kernels.neighbor_relations(stats.mean, -1)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_labels(device, dtype):
    labels = RNG.integers(0, 4, (3, 30, 22)).astype(dtype)
    labels[0, :5] = 1
    for given in (labels, labels[2], labels[:, ::-1, 1:]):
        for ignored in (None, 1):
            ours = pc.kernels.label_mode(device.array(given), (3, 2), ignored)
            theirs = pc.kernels.label_mode(given, (3, 2), ignored)
            for one, other in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(device.numpy(one), other, strict=True)


def test_empty_batches(device):
    stats = pc.kernels.grid_stats(device.array(MAPS[:0]), (2, 3))
    assert [array.shape for array in stats] == [(0, 2, 3)] * 4
    assert pc.kernels.label_mode(device.array(MAPS[:0].astype(np.int8)), 2, 300)[0].shape == (0, 2, 2)
    assert pc.kernels.flow_sign(device.array(np.zeros((0, 9, 9, 2), np.float32)), 2).shape == (0, 2, 2)


def test_errors(device):
    for call, given in (
        (lambda a: pc.kernels.grid_stats(a, 99), MAPS[0]),
        (lambda a: pc.kernels.grid_stats(a, 99), MAPS),
        (lambda a: pc.kernels.flow_sign(a, 2), MAPS[0]),
        (lambda a: pc.kernels.label_mode(a, 99), MAPS[0].astype(int)),
        (lambda a: pc.kernels.label_mode(a, 2), MAPS[0]),
        (lambda a: pc.kernels.label_mode(a, 2, 300), MAPS[0].astype(np.int8)),
        (lambda a: pc.kernels.label_mode(a, 2, 300), MAPS.astype(np.int8)),
        (lambda a: pc.kernels.label_mode([a], 2, 300), MAPS[0].astype(np.int8)),
    ):
        with pytest.raises((TypeError, ValueError)) as expected:
            call(given)
        with pytest.raises(expected.type) as caught:
            call(device.array(given))
        assert str(caught.value) == str(expected.value)


def test_nothing_waits(emulation):
    stream = pc.testing.stream()
    field = pc.testing.device_array(MAPS, stream=stream)
    flow = pc.testing.device_array(RNG.normal(size=(9, 9, 2)), stream=stream)
    labels = pc.testing.device_array(MAPS.astype(int), stream=stream)
    with pc.testing.count_cuda() as counts:
        stats = pc.kernels.grid_stats(field, 3)
        pc.kernels.flow_sign(flow, 3)
        pc.kernels.label_mode(labels, 3)
        pc.kernels.neighbor_relations(stats.mean, 0.1)
    assert counts.synchronizations == 0
    assert {array.stream for array in stats} == {stream.address}
    assert stats.mean.device == "cuda:0"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda a: pc.kernels.cell_median(a, 2), "field"),
        (lambda a: pc.kernels.strip_similarity(a, a), "strips0"),
        (lambda a: pc.kernels.nearest_match(a, a), "points"),
        (lambda a: pc.segmentation(a, grid=2), "labels"),
        (lambda a: pc.albedo(a, grid=2), "albedo"),
        (lambda a: pc.similarity({"A": a}), r"maps\['A'\]"),
        (lambda a: pc.detection(a, size=(9, 9)), "boxes"),
        (lambda a: pc.depth(np.ones((2, 2)), grid=1, labels=a), "labels"),
        (lambda a: pc.reference.depth(a, grid=2), "depth"),
    ],
)
def test_what_reads_host_memory_only(device, call, name):
    with pytest.raises(TypeError, match=f"^{name} must be in host memory, got an array on cuda:0$"):
        call(device.array(np.ones((4, 4), np.int64)))
