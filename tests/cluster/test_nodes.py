"""The same commands on two nodes: the same numbers, whoever is killed meanwhile."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cluster.chaos import workers_of
from cluster.conftest import ON_RAY, grown
from cluster.copies import trained_apart, without_time
from riverboat.arena import Ledger, Match, MatchSettings, play_matches
from riverboat.cluster import bandwidths, helpers, nodes_of, opened
from riverboat.errors import GameError
from riverboat.runs import run_jobs
from riverboat.spots import Library, Solution, SolveSettings, Spot
from riverboat.training import load_recipe, prepare, train
from runs.jobs import refuse, slow_first

pytestmark = ON_RAY

RECIPE = load_recipe("leduc").changed(
    {"scheme": "external linear", "threads": 1, "budget": {"iterations": 150_000, "seconds": None}}
)
SPOT = Spot(board="2s3h4d6c", pot=20, stack=10, oop="AsAh, QsQh, 5s5h", ip="KsKh, 9s9h", menu="a")
BOARDS = ("2s3h4d6c", "2s3h4d7c", "2s3h4d8c", "2s3hTd6c")


@contextmanager
def killing(cluster: Any, pause: float, most: int) -> Iterator[list[float]]:
    """Kill workers again and again while the block runs, a few times; yield when it was."""
    over = threading.Event()
    at: list[float] = []

    def go() -> None:
        while len(at) < most and not over.wait(pause):
            if kill_a_worker(cluster):
                at.append(time.monotonic())

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield at
    finally:
        over.set()
        thread.join()


def kill_a_worker(cluster: Any, **named: tuple[str, ...]) -> bool:
    """Kill one of the processes in which Ray does our jobs."""
    found = workers_of(*cluster.worker_nodes, **named)
    for process in random.sample(found, min(1, len(found))):
        os.kill(process, signal.SIGKILL)
    return bool(found)


def tables_of(path: Path, told: Callable[[Any], object] = bool) -> dict[str, Any]:
    """Train on the cluster into a folder; return the solver's tables at the end.

    `told` is called after every slice.
    """
    import ray  # noqa: PLC0415 - most tests need none

    kept: dict[str, Any] = {}
    setup = prepare(RECIPE)
    made = helpers(ray, even=True, told=told)

    @contextmanager
    def helped(recipe: Any, setup: Any, solver: Any) -> Iterator[object]:
        with made(recipe, setup, solver) as kernel:
            solver.driver._length, solver.driver._steady = 30_000, True
            yield kernel
            kept.update(solver.state().arrays, failures=kernel.failures)

    *_, last = train(RECIPE, path, setup=setup, helped=helped, plot=False)
    assert last.iterations == 150_000
    return kept


def results(hands: int, ledger: Path | None = None) -> Any:
    settings = MatchSettings(("checkcall", "random"), "leduc", hands=hands, seed=5)
    match = Match(settings, ledger=None if ledger is None else Ledger(ledger))
    for _ in play_matches([match]):
        pass
    assert match.done == settings.num_deals
    return match.finish().summary()


def test_jobs_come_back_in_order_with_their_errors(cluster: Any) -> None:
    assert len(cluster.list_all_nodes()) == 3
    with opened("ray") as place:
        assert place is not None
        assert place.cores == 2
        found = list(run_jobs(slow_first, range(20), name="squares"))
        with pytest.raises(GameError, match="1 is refused"):
            list(run_jobs(refuse, [1]))
    assert found == [(number, number * number) for number in range(20)]


def test_nodes_and_links(cluster: Any) -> None:
    import ray  # noqa: PLC0415 - most tests need none

    nodes = nodes_of(ray)
    assert sorted(node.cores for node in nodes) == [0, 1, 1]
    assert len({node.kernels for node in nodes}) == 1
    assert all(link.bytes_per_second > 0 for link in bandwidths(ray, 4 << 20))
    assert len(cluster.list_all_nodes()) == 3


def test_a_match_is_that_of_one_machine(cluster: Any, tmp_path: Path) -> None:
    assert cluster.list_all_nodes()
    here = results(12_000)
    with opened("ray"):
        there = results(12_000, tmp_path / "ledger")
    assert without_time(there) == without_time(here)
    assert len(Ledger(tmp_path / "ledger").entries()) == 1


def test_a_match_whose_workers_are_killed(cluster: Any) -> None:
    assert cluster.list_all_nodes()
    here = results(40_000)
    with opened("ray"), killing(cluster, 0.2, 4) as killed:
        there = results(40_000)
    assert killed
    assert without_time(there) == without_time(here)


def test_a_library_is_that_of_one_machine(cluster: Any, tmp_path: Path) -> None:
    assert cluster.list_all_nodes()
    spots = [SPOT.changed({"board": board}) for board in BOARDS]
    for _ in Library.of(tmp_path / "here", spots).solve(SolveSettings(target=0.001), plot=False):
        pass
    with opened("ray"), killing(cluster, 1.0, 2):
        steps = list(
            Library.of(tmp_path / "there", spots).solve_on_workers(SolveSettings(target=0.001))
        )
    assert sorted(step.number for step in steps) == [1, 2, 3, 4]
    for one, other in zip(
        Library.files(tmp_path / "here"), Library.files(tmp_path / "there"), strict=True
    ):
        first, second = Solution.open(one).facts, Solution.open(other).facts
        assert first.values == second.values
        assert first.iterations == second.iterations


def test_training_is_what_copies_would_do(cluster: Any, tmp_path: Path) -> None:
    assert cluster.list_all_nodes()
    tables = tables_of(tmp_path / "one")
    apart = trained_apart(RECIPE, 2, 30_000, 150_000)
    assert tables["failures"] == 0
    np.testing.assert_array_equal(tables["regrets"], apart["regrets"])
    np.testing.assert_array_equal(tables["average"], apart["average"])


def test_training_whose_workers_are_killed_is_the_same(cluster: Any, tmp_path: Path) -> None:
    assert cluster.list_all_nodes()
    slices, later = count(), []

    def told(_: object) -> None:
        """Kill between two slices after the first one, and at some time in the fourth."""
        kill = partial(kill_a_worker, cluster, named=("ray::Walker",))
        if (number := next(slices)) == 0:
            assert kill()
        elif number == 2:
            later.append(threading.Timer(0.02, kill))
            later[0].start()

    tables = tables_of(tmp_path / "one", told)
    later[0].join()
    apart = trained_apart(RECIPE, 2, 30_000, 150_000)
    assert tables["failures"] > 0
    np.testing.assert_array_equal(tables["regrets"], apart["regrets"])


def test_a_node_that_is_lost_during_a_match_and_a_training(cluster: Any, tmp_path: Path) -> None:
    here = results(60_000)
    victim = next(iter(cluster.worker_nodes))
    timer = threading.Timer(1.5, cluster.remove_node, (victim,), {"allow_graceful": False})
    with opened("ray"):
        timer.start()
        there = results(60_000)
    timer.join()
    assert without_time(there) == without_time(here)
    assert tables_of(tmp_path / "one")["average"].sum() > 0
    grown(cluster)
