"""Trainings by CPU time, for comparisons of algorithms at equal cost.

Elapsed time depends on other programs, and counts a second of one thread (vanilla CFR supports only
one) as much as a second of two threads.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import BucketTables, num_boards
from riverboat.cards import NUM_HOLES, STREETS
from riverboat.evaluate import exploitability, sampled_value
from riverboat.game import catalogue
from riverboat.reproductions._recipe import ReproductionRecipe, Response, TomlTable, load_data
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import iterate_told
from riverboat.runs import in_order, num_cores
from riverboat.solve import SCHEMES, Deals, Solver, enumerate_deals, holdem_deals
from riverboat.statistics import Estimate
from riverboat.training import (
    Recipe,
    Setup,
    Stretch,
    Until,
    iterate,
    load_recipe,
    prepare,
)
from riverboat.tree import Tree


class OpenPureCfr(TomlTable, frozen=True):
    """Iterations per second of Open Pure CFR, the program that the thesis follows."""

    leduc: int
    blind_cards: int


class Solved(TomlTable, frozen=True):
    """Winnings of the small blind in the solved game, mbb/hand."""

    low: float
    high: float
    where: str


class Bound(TomlTable, frozen=True):
    """Start of the trained responses that bound exploitability."""

    prior: float
    """Weight of the measured strategy at the start of its response, in visits."""
    tried: tuple[float, ...]
    """All weights that were tried before choosing one."""


class Namings(TomlTable, frozen=True):
    """Names of the card abstractions in tables."""

    every: str
    classes: str
    some: str
    """`{}` stands for the number of buckets."""
    forgetting: str
    buckets: str


class Rival(TomlTable, frozen=True):
    """A CFR bot of another source document, trained for limit."""

    name: str
    label: str
    cards: str
    scheme: str
    bot: str = "blueprint"
    streets: int = 4


class Amounts(TomlTable, frozen=True):
    """How much an effort computes; times in CPU seconds."""

    cards: str
    train_times: tuple[float, ...]
    response: Response
    value_deals: int
    speed_seconds: float
    exact_cards: str
    exact_deals: int
    exact_times: tuple[float, ...]
    exact_seeds: int
    written_iterations: tuple[int, ...]
    """Deals after which the algorithm of section 3.4.1 is measured."""
    written_seeds: int
    each_cards: str
    each_time: float
    same_time: float
    table_deals: int
    duel_deals: int
    three_menu: str
    three_cards: str
    three_time: float
    three_hands: int
    ranks: str
    suits: str
    deck_buckets: tuple[tuple[int, int], ...]
    deck_times: tuple[float, ...]
    deck_seeds: int
    fly_deals: int
    rivals: tuple[str, ...]
    hands: int
    bots: tuple[str, ...] = ()
    """Built-in bots that play; empty = all."""


class Yerevan(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """Contents of `recipe.toml`."""

    training: str
    open_pure_cfr: OpenPureCfr
    solved: Solved
    bound: Bound
    namings: Namings
    schemes: dict[str, str]
    written_ways: dict[str, str]
    """Readings of section 3.4.1, and Pure CFR."""
    three_schemes: tuple[str, ...]
    """Schemes for three players, Pure first."""
    bots: dict[str, str]
    rival: tuple[Rival, ...]


#: Name of the reproduction and of its trained strategy.
NAME = "yerevan"
DATA = load_data(NAME, Yerevan)

#: Returns the exploitability of a solver's average strategy, mbb/hand.
Measure = Callable[[Solver], Estimate]
# Responses are trained and scored on other deals than the strategies.
_OTHER_SEED = 0x5EED_0F_0123


def workers_of(run: ReproductionRun) -> int:
    """Return the number of threads of a run, at most one per core."""
    return min(run.workers or num_cores(), num_cores())


def limit_recipe(run: ReproductionRun, **changes: Any) -> Recipe:
    """Return the training recipe of this run."""
    own = {"cards": DATA.amounts(run).cards, "seed": run.seed, "threads": run.workers}
    return load_recipe(DATA.training).changed({**own, **changes})


def limit_setup(run: ReproductionRun, **changes: Any) -> Setup:
    """Prepare tree, cards and deals."""
    return prepare(limit_recipe(run, **changes))


def mbb(deals: Deals) -> float:
    """Return the mbb (thousandths of a big blind, or of the ante) per chip."""
    spec = deals.tree.spec
    return 1000 / (spec.big_blind or max(spec.antes))


def exactly(deals: Deals, strategy: NDArray[np.float64]) -> Estimate:
    """Return the exact exploitability of a strategy, [entries] probabilities."""
    return Estimate.exact(exploitability(deals, strategy).exploitability * mbb(deals))


def bound_by_response(run: ReproductionRun, deals: Deals) -> Measure:
    """Return a measure that bounds exploitability in the abstraction by trained responses."""
    how = {"seed": run.seed ^ _OTHER_SEED, "threads": workers_of(run), "prior": DATA.bound.prior}

    def measure(solver: Solver) -> Estimate:
        found = DATA.amounts(run).response.bound(deals, solver.strategy(np.float32), **how)
        return found.scaled(mbb(deals))

    return measure


def stops_at(times: Iterable[float]) -> list[Until]:
    """Return stops at numbers of CPU seconds, ascending."""
    return [Until(processor_seconds=seconds) for seconds in times]


def run_trial(solver: Solver, course: Iterable[Stretch], measure: Measure) -> Found:
    """Train a new solver to the end of its iteration, and measure it at every stop.

    If a single iteration takes longer than the time between stops, the solver is measured after
    the iteration, and the missed stops are left out.

    Examples
    --------
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"])
    >>> course = iterate(solver, stops_at([0.001, 0.002]))
    >>> trial = run_trial(solver, course, lambda _: Estimate.exact(1.0))
    >>> solver.iterations == trial.points[-1].iterations > 0
    True
    """
    points = [
        Found(
            seconds=now.processor_seconds, iterations=now.iterations, exploitability=measure(solver)
        )
        for now in course
        if now.stop is not None
    ]
    report = solver.report()
    return Found(
        points=points,
        nodes=solver.nodes,
        table_bytes=solver.memory_bytes,
        infosets=report.infosets,
        visited=report.visited,
    )


def side_by_side(
    run: ReproductionRun, jobs: Sequence[tuple[Solver, Measure]], times: Sequence[float], text: str
) -> list[Found]:
    """Train solvers in parallel, one thread each; results keep the order of the jobs."""
    stop, found = Event(), list[Found]()

    def train(job: tuple[Solver, Measure]) -> Found:
        solver, measure = job
        course = iterate(solver, stops_at(times), clock=time.thread_time)
        return run_trial(solver, _until_stopped(stop, course), measure)

    for trial in in_order(train, jobs, threads=workers_of(run), stop=stop.set):
        found.append(trial)
        run.tell(len(found) / len(jobs), text)
    return found


def _until_stopped(stop: Event, course: Iterator[Stretch]) -> Iterator[Stretch]:
    """Yield until a stop is requested; the trial then ends as after Ctrl-C."""
    for now in course:
        if stop.is_set():
            raise KeyboardInterrupt
        yield now


def measure_speed(run: ReproductionRun) -> Found:
    """Time Pure CFR on Leduc and on limit hold'em."""
    limit, threads = limit_setup(run), workers_of(run)
    works = (
        (enumerate_deals(Tree(catalogue("leduc"), "min")), 1),
        (_blind(limit.tree), 1),
        (limit.deals, 1),
        (limit.deals, threads),
    )
    seconds, paces = DATA.amounts(run).speed_seconds, list[Found]()
    for part, (deals, each) in run.parts(works):
        part.tell(0.0, deals.tree.spec.name)
        solver = Solver(deals, SCHEMES["pure"], seed=run.seed, threads=each)
        paces.append(pace_of(solver, seconds))
    leduc, blind, one, together = paces
    return Found(
        leduc=leduc,
        blind_cards=blind,
        one_thread=one,
        all_threads=together,
        threads=threads,
        seconds=seconds,
    )


def pace_of(solver: Solver, seconds: float) -> Found:
    """Measure a solver's iterations per second over a number of seconds of elapsed time.

    `clock` is per second of elapsed time, all threads together; other programs lower it.
    `processor` is per CPU second, summed over all threads.

    Examples
    --------
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"])
    >>> pace = pace_of(solver, 0.01)
    >>> pace.clock > 0 and pace.processor > 0
    True
    """
    solver.run_all(seconds=seconds / 10)  # allocates the memory first
    before = solver.iterations
    *_, last = iterate(solver, Until(seconds=seconds))
    done = last.iterations - before
    return Found(
        clock=done / max(last.seconds, 1e-9), processor=done / max(last.processor_seconds, 1e-9)
    )


def _blind(tree: Tree) -> Deals:
    """Return deals of real cards that share a single bucket."""
    tables = tuple(np.zeros((num_boards(street), NUM_HOLES), np.uint8) for street in STREETS)
    return holdem_deals(tree, BucketTables("blind", tables, (1,) * len(tables)))


def train_pure(run: ReproductionRun) -> Found:
    """Train Pure CFR with measurements, and write the strategy file."""
    amounts, plan, began = DATA.amounts(run), limit_recipe(run), time.monotonic()
    setup = prepare(plan)
    preparing, deals = time.monotonic() - began, setup.deals
    solver = Solver(deals, plan.solver_scheme, seed=run.seed, threads=workers_of(run))
    stops = stops_at(amounts.train_times)
    course = iterate_told(run.part(0.0, 0.9), solver, stops, "Pure CFR")
    trial = run_trial(solver, course, bound_by_response(run, deals))
    setup.write(run.blueprint(NAME), plan, solver)
    fresh = {"score_deals": amounts.value_deals, "seed": run.seed + 1}
    value = sampled_value(deals, solver.strategy(np.float32), **fresh)
    streets = dict(zip(setup.tree.group_street.tolist(), deals.num_buckets, strict=True))
    return Found(
        trial=trial,
        threads=solver.threads,
        preparing=preparing,
        decisions=int(sum(setup.tree.num_decisions)),
        buckets=tuple(streets[street] for street in sorted(streets)),
        recall=setup.cards is not None and setup.cards.recall,
        value=value.scaled(mbb(deals)),
        blueprint_bytes=run.blueprint(NAME).stat().st_size,
    )
