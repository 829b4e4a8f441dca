"""Programs as Python objects: copied, pickled, sent to other processes, read from several threads."""

from __future__ import annotations

import concurrent.futures
import copy
import functools
import multiprocessing
import pickle
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given

import percepts as pc
from test_style_compact import grids

STYLES = ("paper", "json", "compact")
RAMP = np.tile(np.linspace(0, 1, 8, dtype=np.float32), (4, 1))


def by_hand() -> pc.Program:
    items = [
        pc.Item(p=1, c=[250, 500], r=21.5, b="chair"),
        pc.Item(p="1.50", c="</perceptionprogram>", r=[float("nan"), 2], i=-(10**40)),
        pc.Item(),
    ]
    return pc.Program("heat", "point", items, [pc.Relation(1, "near", "1.50")], (3, 1), note='a "note"\n')


def programs() -> dict[str, pc.Program]:
    holes = np.where(RAMP < 0.3, np.nan, RAMP)
    return {
        "depth": pc.depth(holes, grid=(2, 4)),
        "flow": pc.flow(np.dstack([RAMP - 0.5, RAMP]), grid=2, note=None),
        "by hand": by_hand(),
        "empty": pc.Program("heat", "point", []),
        "parsed": pc.parse(str(by_hand())),
    }


def check_same(program: pc.Program, expected: pc.Program) -> None:
    assert type(program) is pc.Program
    assert [program.to_text(style) for style in STYLES] == [expected.to_text(style) for style in STYLES]
    assert (program.items, program.relations, program.to_dict()) == (
        expected.items,
        expected.relations,
        expected.to_dict(),
    )
    assert list(program.arrays) == list(expected.arrays)
    for name, array in program.arrays.items():
        assert array.dtype == expected.arrays[name].dtype
        np.testing.assert_array_equal(array, expected.arrays[name])
        assert not array.flags.writeable


@pytest.mark.parametrize("protocol", range(2, 6))
@pytest.mark.parametrize("name", list(programs()))
def test_pickle(name, protocol):
    program = programs()[name]
    again = pickle.loads(pickle.dumps(program, protocol))
    check_same(again, program)
    check_same(pickle.loads(pickle.dumps(again, protocol)), program)


@given(args=grids())
def test_pickle_keeps_any_program(args):
    try:
        program = pc.Program(*args)
    except ValueError:
        return
    check_same(pickle.loads(pickle.dumps(program)), program)


@pytest.mark.parametrize("name", list(programs()))
@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_copies(make, name):
    program = programs()[name]
    check_same(make(program), program)
    check_same(make([program])[0], program)


def test_processes_send_programs():
    spawned = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawned) as processes:
        sent = list(processes.map(functools.partial(pc.depth, grid=(2, 4)), [RAMP, RAMP / 2]))
    for program, ramp in zip(sent, [RAMP, RAMP / 2], strict=True):
        check_same(program, pc.depth(ramp, grid=(2, 4)))


@pytest.mark.parametrize("name", list(programs()))
def test_nobody_can_change_a_program(name):
    program = programs()[name]
    before = program.to_dict()
    for item in program.items:
        for value in (item.c, item.r):
            if isinstance(value, list):
                value[0] = 99
    program.to_dict()["items"].clear()
    program.arrays.clear()
    nearest = program.reading_at(0, 0) if program.modality != "heat" else None
    if nearest is not None:
        nearest.c[0] = 99
        assert program.reading_at(0, 0).c[0] != 99
    check_same(program, programs()[name])
    assert program.to_dict() == before


def test_arrays_are_read_only(backend):
    for name, array in backend.depth(RAMP, grid=2).arrays.items():
        assert name in ("center", "min", "max", "mean", "valid")
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


LONG = pc.depth(np.random.default_rng(0).random((300, 300), dtype=np.float32), grid=300, tau=0.5)


@pytest.mark.parametrize(
    "work",
    [
        lambda text: pc.parse(text),
        lambda text: pc.find_programs(text * 2),
        lambda text: [LONG.to_text(style) for style in STYLES * 5],
        lambda text: [LONG.to_json() for _ in range(15)],
    ],
    ids=["parse", "find_programs", "to_text", "to_json"],
)
def test_other_threads_run_meanwhile(work):
    """Without a break in the work itself the other thread would not get its turn: Python would not take it."""
    text = str(LONG)
    turns = 0
    stopped = threading.Event()

    def other() -> None:
        nonlocal turns
        while not stopped.is_set():
            turns += 1
            time.sleep(0.0001)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    thread = threading.Thread(target=other)
    thread.start()
    try:
        before = turns
        work(text)
        after = turns
    finally:
        stopped.set()
        sys.setswitchinterval(interval)
        thread.join()
    assert after > before


def test_threads_read_one_program():
    program = pc.depth(RAMP, grid=(4, 8))
    read: list[tuple[pc.Item, ...]] = []
    threads = [threading.Thread(target=lambda: read.append(pc.parse(str(program)).items)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == [program.items] * 4
