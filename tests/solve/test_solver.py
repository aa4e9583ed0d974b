"""Running a solver: repeatable, sliceable, budgets, reports, interruption."""

from __future__ import annotations

import dataclasses
import math
import signal
import subprocess
import sys
import textwrap
import time
from typing import Literal

import msgspec
import numpy as np
import pytest

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.solve import Crew, Prune, Scheme, Solver, SolverReport, enumerate_deals
from riverboat.tree import Tree
from sizes import slowly
from solve.games import classic
from solve.schemes import SCHEMES

SAMPLED = [name for name, (scheme, _) in SCHEMES.items() if scheme.sampling != "full"]


def same_tables(first: Solver, second: Solver) -> bool:
    return (
        first.regrets.tobytes() == second.regrets.tobytes()
        and first.average.tobytes() == second.average.tobytes()
        and (first.iterations, first.nodes) == (second.iterations, second.nodes)
    )


def short(name: str) -> Scheme:
    """The scheme with steps, floors and pruning that all change within 500 iterations."""
    scheme = SCHEMES[name][0]
    if scheme.sampling == "full":
        return scheme
    return msgspec.structs.replace(
        scheme,
        step=70,
        floor=((130, 0.05), (290, 0.01)) if scheme.sampling != "pure" else (),
        prune=Prune(-5.0, after=210)
        if scheme.sampling == "external" and not scheme.explore
        else None,
    )


@pytest.mark.parametrize("name", SCHEMES)
def test_repeatable(name: str) -> None:
    """One thread and a seed: the same bits, however the run is sliced."""
    deals, scheme = classic("leduc"), short(name)
    whole, again, sliced, other = (Solver(deals, scheme, seed=s) for s in (7, 7, 7, 8))
    whole.run_all(iterations=500)
    again.run_all(iterations=500)
    for _ in range(5):
        sliced.run_all(iterations=100)
    other.run_all(iterations=500)
    assert same_tables(whole, again)
    assert same_tables(whole, sliced)
    assert (scheme.sampling == "full") == same_tables(whole, other)


@pytest.mark.parametrize("name", ["full dcfr", "external linear", "outcome cfr", "pure cfr"])
def test_single_iterations(name: str) -> None:
    """Slices of one iteration each make the same run as slices that grow."""
    deals, scheme = classic("kuhn"), short(name)
    whole, single = Solver(deals, scheme, seed=3), Solver(deals, scheme, seed=3)
    whole.run_all(iterations=300)
    for _ in range(300):
        single.run_all(iterations=1)
    assert same_tables(whole, single)


@pytest.mark.parametrize("name", SAMPLED)
@pytest.mark.threads
def test_threads_do_all_iterations(name: str) -> None:
    """Two threads share the tables: nothing is lost but a few additions."""
    deals, scheme = classic("leduc"), SCHEMES[name][0]
    one, two = Solver(deals, scheme, seed=1), Solver(deals, scheme, seed=1, threads=2)
    one.run_all(iterations=5_000)
    report = two.run_all(iterations=5_000)
    assert report.iterations == 5_000
    assert np.isfinite(two.regrets).all()
    # The walks differ from run to run, their mean size hardly: half of them would be half as many.
    assert two.nodes == pytest.approx(one.nodes, rel=0.25)


@pytest.mark.parametrize("threads", [2, 7])
@pytest.mark.threads
def test_threads_share_out_every_iteration_once(threads: int) -> None:
    """With a floor chance sampling leaves out no node: all walks are of one size."""
    scheme = Scheme("chance", floor=((10_000, 0.1),))
    one, many = (Solver(classic("leduc"), scheme, seed=1, threads=n) for n in (1, threads))
    one.run_all(iterations=1)
    for total in (1, 2, 13, 2_000, 3_001):  # fewer than threads, fewer than blocks, and more
        many.run_all(iterations=total - many.iterations)
        assert many.nodes == total * one.nodes


@pytest.mark.threads
def test_discounts_do_not_depend_on_threads() -> None:
    given = np.random.default_rng(1).normal(size=1_000_003).astype(np.float32)
    alone, shared = given.copy(), given.copy()
    _core.discount(alone, 0.75, 0.5, Crew(1))
    _core.discount(shared, 0.75, 0.5, Crew(3))
    assert (alone == given * np.where(given > 0, np.float32(0.75), np.float32(0.5))).all()
    assert (shared == alone).all()


def test_reports_are_frozen() -> None:
    solver = Solver(classic("leduc"), Scheme("external"), seed=1)
    reports = list(solver.run(iterations=3_000, every=0.0))
    counts = [report.iterations for report in reports]
    assert counts == sorted(set(counts))
    assert counts[-1] == 3_000
    last = reports[-1]
    assert last.infosets == 288  # 2 * (3 * 3 + 9 * 15): Southey et al. 2005
    assert 0 < last.visited <= last.infosets
    assert last.nodes > 3_000
    assert 0 < last.averaged <= last.visited
    assert last.memory_bytes == 12 * solver.deals.num_entries
    assert reports[0].average_regret > last.average_regret > 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        last.iterations = 0  # type: ignore[misc]  # frozen on purpose


def test_budgets() -> None:
    solver = Solver(classic("leduc"), Scheme("external"), seed=1)
    started = time.perf_counter()
    by_time = solver.run_all(seconds=0.2)
    assert time.perf_counter() - started >= 0.2
    assert by_time.iterations > 0
    assert 0 < by_time.seconds <= time.perf_counter() - started
    more = solver.run_all(iterations=10, seconds=1e9)
    assert more.iterations == by_time.iterations + 10
    assert solver.run_all(iterations=0).iterations == more.iterations
    assert list(solver.run(seconds=0.0)) == []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.threads
def test_closing_the_iterator_stops(threads: int) -> None:
    solver = Solver(classic("leduc"), Scheme("external"), seed=1, threads=threads)
    running = solver.run(seconds=1e9, every=0.0)
    report = next(iter(running))
    assert isinstance(report, SolverReport)
    for report in running:
        if report.iterations > 1_000:
            break
    running.close()  # type: ignore[attr-defined]  # it is a generator
    assert solver.iterations == report.iterations
    assert exploitability(solver.deals, solver.strategy()).exploitability < 2
    if threads == 1:
        straight = Solver(classic("leduc"), Scheme("external"), seed=1)
        straight.run_all(iterations=solver.iterations)
        assert same_tables(solver, straight)


# Presses Ctrl-C while a kernel runs, then checks that the tables are those of the
# iterations that were counted, by running as many without interruption.
INTERRUPTED = """
    import signal, sys, threading, time
    from riverboat.game import catalogue
    from riverboat.solve import Scheme, Solver, enumerate_deals
    from riverboat.tree import Tree

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    sampling, threads = sys.argv[1], int(sys.argv[2])
    solver = Solver(deals, Scheme(sampling), seed=5, threads=threads)
    print("running", flush=True)
    interrupted = False
    try:
        solver.run_all(seconds=600)
    except KeyboardInterrupt:
        interrupted = True
    assert interrupted and solver.iterations > 0
    if threads == 1:
        straight = Solver(deals, Scheme(sampling), seed=5)
        straight.run_all(iterations=solver.iterations)
        assert (solver.regrets == straight.regrets).all(), "regrets"
        assert (solver.average == straight.average).all(), "average"
        assert solver.nodes == straight.nodes, "nodes"
    solver.run_all(iterations=10)
    print("usable", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process")
@pytest.mark.parametrize(
    ("sampling", "threads"), [("external", 2), *slowly(("full", 1), ("external", 1))]
)
@pytest.mark.threads
def test_interrupt(sampling: str, threads: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), sampling, str(threads)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (out, process.returncode) == ("usable\n", 0), err


def test_interrupt_handler_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    Solver(classic("kuhn"), Scheme("full")).run_all(iterations=10)
    assert signal.getsignal(signal.SIGINT) is before


def test_bad_solvers_get_sentences() -> None:
    kuhn, kuhn3 = classic("kuhn"), classic("kuhn3")
    for seed in (-1, 2**64, 1.5, True):
        with pytest.raises(SolveError, match=r"^seed=.* whole number from 0 to 2"):
            Solver(kuhn, Scheme(), seed=seed)  # type: ignore[arg-type]  # wrong on purpose
    for threads in (0, 1025, "2"):
        with pytest.raises(SolveError, match=r"^threads=.* whole number from 1 to 1,024"):
            Solver(kuhn, Scheme(), threads=threads)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SolveError, match="full sampling runs on one thread, not 2"):
        Solver(kuhn, Scheme("full"), threads=2)
    for sampling in ("full", "chance", "average-strategy"):
        with pytest.raises(SolveError, match=f"{sampling} sampling needs two players: with 3"):
            Solver(kuhn3, Scheme(sampling))
    with pytest.raises(SolveError, match=r"has 3 actions, so the floor must be at most 0\.3333"):
        Solver(classic("leduc"), Scheme(floor=((10, 0.4),)))
    for start in (np.zeros(3), np.zeros((1, kuhn.num_entries))):
        with pytest.raises(
            SolveError, match=f"starting regrets must be {kuhn.num_entries} numbers"
        ):
            Solver(kuhn, Scheme(), starting_regrets=start)
    for sampling, most in (("external", 1e33), ("pure", 2.0**31), ("full", 1e308)):
        for value in (math.nan, math.inf, most, -most):
            with pytest.raises(SolveError, match="must be finite numbers from"):
                Solver(
                    kuhn,
                    Scheme(sampling),  # type: ignore[arg-type]  # a sampling's name
                    starting_regrets=np.full(kuhn.num_entries, value),
                )
    for odd in (["a"] * kuhn.num_entries, [1j] * kuhn.num_entries, [True] * kuhn.num_entries):
        with pytest.raises(SolveError, match=f"{kuhn.num_entries} numbers, not"):
            Solver(kuhn, Scheme(), starting_regrets=odd)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SolveError, match="average_every=2 is for three or more players"):
        Solver(kuhn, Scheme(average_every=2))


def test_bad_budgets_get_sentences() -> None:
    solver = Solver(classic("kuhn"), Scheme())
    with pytest.raises(SolveError, match="give a budget"):
        solver.run()
    for iterations in (-1, 2.5, True, 2**62 + 1, "5"):
        with pytest.raises(SolveError, match=r"iterations=.* whole number from 0 to 2\^62"):
            solver.run(iterations=iterations)  # type: ignore[arg-type]  # wrong on purpose
    for seconds in (-1.0, math.nan, "1"):
        with pytest.raises(SolveError, match=r"seconds=.* a number of at least 0"):
            solver.run(seconds=seconds)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SolveError, match="every=nan"):
        solver.run(iterations=1, every=math.nan)
    assert solver.iterations == 0
    assert solver.run_all(iterations=np.int64(5)).iterations == 5  # type: ignore[arg-type]  # NumPy's numbers are numbers


def test_pure_sampling_refuses_stacks_that_do_not_fit() -> None:
    deep = catalogue("kuhn").replace(stacks=(2**24, 2**24))
    with pytest.raises(SolveError, match=r"integer regrets: .* at most 16,777,216"):
        Solver(enumerate_deals(Tree(deep, "min")), Scheme("pure"))


def test_exploitability_refuses_odd_strategies() -> None:
    deals = classic("kuhn")
    with pytest.raises(
        SolveError, match=f"a strategy of this game must have {deals.num_entries} entries"
    ):
        exploitability(deals, np.zeros(3))


@pytest.mark.parametrize("sampling", ["full", "pure"])
def test_the_current_strategy_is_matched_to_regrets(sampling: Literal["full", "pure"]) -> None:
    solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme(sampling), seed=1)
    solver.run_all(iterations=7)
    pairs = np.maximum(solver.regrets, 0).reshape(-1, 2)  # every decision has two actions
    expected = [row / row.sum() if row.any() else np.full(2, 0.5) for row in pairs.astype(float)]
    assert solver.current_strategy().reshape(-1, 2) == pytest.approx(np.array(expected))
    assert not np.allclose(solver.current_strategy(), solver.strategy())
