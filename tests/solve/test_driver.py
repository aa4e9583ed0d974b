"""The driver: slices, clocks, what is due when."""

import time
from typing import Any

import pytest

from riverboat.runs import Clock, Due
from riverboat.solve import Crew, Driver


class Counted:
    """A kernel that remembers its slices; every iteration enters two nodes."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self.slices: list[tuple[int, int]] = []

    def run(self, first: int, last: int, crew: Crew) -> int:  # noqa: ARG002 - as kernels have it
        """Take no time at all."""
        self.slices.append((first, last))
        return 2 * (last - first)


def driven(until: dict[Clock, float], *dues: Due, **options: Any) -> tuple[Driver, list[Any]]:
    """Run to the end; what was due at which iteration."""
    driver = Driver(Counted(), **options)
    seen = [(driver.iterations, *sorted(due)) for due in driver.run(until, dues) if due]
    return driver, seen


def test_every_iteration_is_in_one_slice() -> None:
    driver = Driver(kernel := Counted())
    for _ in driver.run({"iterations": 1000}):
        assert driver.iterations == kernel.slices[-1][1]
    starts, ends = zip(*kernel.slices, strict=True)
    assert (starts[0], ends[-1]) == (0, 1000)
    assert starts[1:] == ends[:-1]
    assert (driver.iterations, driver.nodes) == (1000, 2000)
    assert list(driver.run({"iterations": 1000})) == []  # there is nothing left


def test_slices_grow_fourfold_at_most_and_stay_if_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    growing, steady = Counted(), Counted(threads=3)
    with monkeypatch.context() as patch:  # a clock that a busy machine cannot disturb
        patch.setattr(time, "perf_counter", lambda: 0.0)
        list(Driver(growing).run({"iterations": 21}))
    assert growing.slices == [(0, 1), (1, 5), (5, 21)]
    list(Driver(steady, length=10, steady=True).run({"iterations": 25}))
    assert steady.slices == [(0, 10), (10, 20), (20, 25)]


def test_intervals_of_iterations_are_met_exactly() -> None:
    often, tell = (Due(f"{every}", every, "iterations") for every in (7, 10))
    _, seen = driven({"iterations": 21}, often, tell, length=1000, steady=True)
    assert seen == [(7, "7"), (10, "10"), (14, "7"), (20, "10"), (21, "7")]


@pytest.mark.parametrize("clock", ["iterations", "seconds", "wall", "processor"])
def test_what_is_always_due_is_due_after_every_slice(clock: Clock) -> None:
    driver, seen = driven({"iterations": 6}, Due("tell", every=0.0, clock=clock))
    assert [name for _, name in seen] == ["tell"] * len(seen)
    kernel = driver.kernel
    assert isinstance(kernel, Counted)
    assert len(seen) == len(kernel.slices) > 0


def test_a_fraction_of_an_iteration_is_a_whole_one() -> None:
    _, seen = driven({"iterations": 6}, Due("tell", every=2.5, clock="iterations"))
    assert seen == [(3, "tell"), (6, "tell")]


@pytest.mark.parametrize("clock", ["seconds", "wall", "processor"])
def test_a_clock_ends_the_run(clock: Clock) -> None:
    driver = Driver(Counted(), steady=True)
    limit = driver.read(clock) + 0.01
    for _ in driver.run({clock: limit, "iterations": 2**62}):
        assert driver.iterations < 2**62
    assert driver.read(clock) >= limit
    assert driver.iterations > 0


def test_what_never_comes_is_never_due() -> None:
    _, seen = driven({"iterations": 100}, Due("tell"), Due("later", 101, "iterations"))
    assert seen == []


def test_the_processor_is_read_around_slices_only() -> None:
    """A clock that ticks whenever it is read: two readings a slice, one of them at its end."""
    ticks = iter(range(1000))
    driver = Driver(Counted(), steady=True)
    for _ in driver.run({"processor": 3.0}, processor_clock=lambda: float(next(ticks))):
        next(ticks)  # what the caller does in between is not counted
    assert (driver.processor, driver.iterations) == (3.0, 3)
