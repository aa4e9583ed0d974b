"""Trainings by processor time, so that algorithms are compared at equal cost.

A clock on the wall would favour whoever ran while the machine was idle, and would charge a
scheme with one thread (vanilla has no more) as much as one with two.
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
    """Iterations a second of the program that the thesis follows."""

    leduc: int
    blind_cards: int


class Solved(TomlTable, frozen=True):
    """What the small blind wins in the solved game, mbb a hand."""

    low: float
    high: float
    where: str


class Bound(TomlTable, frozen=True):
    """How responses start whose winnings are the lower bound of exploitability."""

    prior: float
    """Visits that the measured strategy is worth to its response."""
    tried: tuple[float, ...]
    """All that were looked at before that one was chosen."""


class Namings(TomlTable, frozen=True):
    """Ways to name hands, as people read them."""

    every: str
    classes: str
    some: str
    """With a place for the number of buckets."""
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
    """How much an effort computes; times in processor seconds."""

    cards: str
    train_times: tuple[float, ...]
    response: Response
    value_deals: int
    speed_seconds: float
    exact_cards: str
    exact_deals: int
    exact_times: tuple[float, ...]
    exact_seeds: int
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
    """Which built-in bots play; all if empty."""


class Yerevan(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    training: str
    open_pure_cfr: OpenPureCfr
    solved: Solved
    bound: Bound
    namings: Namings
    schemes: dict[str, str]
    three_schemes: tuple[str, ...]
    """Of `schemes`, for three players; Pure first."""
    bots: dict[str, str]
    rival: tuple[Rival, ...]


#: Of the reproduction, and of its trained strategy.
NAME = "yerevan"
DATA = load_data(NAME, Yerevan)

#: From a solver to the exploitability of its average strategy, mbb a hand.
Measure = Callable[[Solver], Estimate]
# Responses are trained and scored on other deals than strategies are.
_OTHER_SEED = 0x5EED_0F_0123


def workers_of(run: ReproductionRun) -> int:
    """Return how many threads a run has: never more than cores, which would only wait."""
    return min(run.workers or num_cores(), num_cores())


def limit_recipe(run: ReproductionRun, **changes: Any) -> Recipe:
    """Return the training recipe of this run."""
    own = {"cards": DATA.amounts(run).cards, "seed": run.seed, "threads": run.workers}
    return load_recipe(DATA.training).changed({**own, **changes})


def limit_setup(run: ReproductionRun, **changes: Any) -> Setup:
    """Prepare tree, cards and deals."""
    return prepare(limit_recipe(run, **changes))


def mbb(deals: Deals) -> float:
    """Return the thousandths of a big blind in a chip."""
    return 1000 / deals.tree.spec.big_blind


def exactly(deals: Deals, strategy: NDArray[np.float64]) -> Estimate:
    """Return the exploitability of a strategy, [entries] probabilities, without any error."""
    return Estimate.exact(exploitability(deals, strategy).exploitability * mbb(deals))


def bound_by_response(run: ReproductionRun, deals: Deals) -> Measure:
    """Make a measure: a lower bound of exploitability in the abstraction, by trained responses."""
    how = {"seed": run.seed ^ _OTHER_SEED, "threads": workers_of(run), "prior": DATA.bound.prior}

    def measure(solver: Solver) -> Estimate:
        found = DATA.amounts(run).response.bound(deals, solver.strategy(np.float32), **how)
        return found.scaled(mbb(deals))

    return measure


def stops_at(times: Iterable[float]) -> list[Until]:
    """Return stops after so many processor seconds, ascending."""
    return [Until(processor_seconds=seconds) for seconds in times]


def run_trial(solver: Solver, course: Iterable[Stretch], measure: Measure) -> Found:
    """Train a fresh solver to the end of a course, and measure it at every stop.

    A scheme whose single iteration takes longer is measured when that is done; the stops that it
    missed are left out.

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
    """Train solvers on one thread each, as many at once as the run has workers; in their order."""
    stop, found = Event(), list[Found]()

    def train(job: tuple[Solver, Measure]) -> Found:
        solver, measure = job
        course = iterate(solver, stops_at(times), clock=time.thread_time)
        return run_trial(solver, _until_told(stop, course), measure)

    for trial in in_order(train, jobs, threads=workers_of(run), stop=stop.set):
        found.append(trial)
        run.tell(len(found) / len(jobs), text)
    return found


def _until_told(stop: Event, course: Iterator[Stretch]) -> Iterator[Stretch]:
    """Go on until somebody says stop, which ends a trial as Ctrl-C would."""
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
    """Let a solver run for so many seconds of the clock, and count its iterations a second.

    `clock`: by the clock, all threads together, so that other programs slow it down. `processor`:
    by processor time, which adds up the time of all threads.

    Examples
    --------
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"])
    >>> pace = pace_of(solver, 0.01)
    >>> pace.clock > 0 and pace.processor > 0
    True
    """
    solver.run_all(seconds=seconds / 10)  # touches pages
    before = solver.iterations
    *_, last = iterate(solver, Until(seconds=seconds))
    done = last.iterations - before
    return Found(
        clock=done / max(last.seconds, 1e-9), processor=done / max(last.processor_seconds, 1e-9)
    )


def _blind(tree: Tree) -> Deals:
    """Deal real cards that fall into one bucket."""
    tables = tuple(np.zeros((num_boards(street), NUM_HOLES), np.uint8) for street in STREETS)
    return holdem_deals(tree, BucketTables("blind", tables, (1,) * len(tables)))


def train_pure(run: ReproductionRun) -> Found:
    """Train Pure CFR, measure it on its way, write the strategy file."""
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
