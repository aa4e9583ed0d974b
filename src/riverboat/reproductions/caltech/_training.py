"""Training on one thread and on many, and the ensemble of the members.

Infosets that training never reached are played by the starting weights, as in the author's bot, or
uniformly without starting weights. Files and measurements thus have a strategy for every infoset.
"""

import csv
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint, combine
from riverboat.errors import RunError
from riverboat.reproductions._recipe import ReproductionRecipe, Response, TomlTable, load_data
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import iterate_told
from riverboat.runs import num_cores, refused, resident_memory
from riverboat.solve import Solver, starting_regrets
from riverboat.statistics import Estimate
from riverboat.training import (
    Plan,
    Recipe,
    Setup,
    Until,
    load_recipe,
    prepare,
)

#: Names of strategies: the combination of the members, and the training on the capped tree.
BOT, CAPPED = "bot", "capped"
#: The file of wins, ties and losses.
OUTCOMES = "outcomes.csv"


class Fit(TomlTable, frozen=True):
    """One training."""

    name: str
    seed: int
    """Added to the run's seed."""
    floor: bool = True
    start: bool = True
    times: int = 1
    """Multiple of the members' iterations."""
    rule: str = "cfr"
    averaging: str = "uniform"
    step: int | None = None
    """Iterations that share one weight; None = the scheme's default."""


class Amounts(TomlTable, frozen=True):
    """How much each step computes."""

    iterations: int
    """Training iterations of each member."""
    speed_iterations: int
    """Iterations of the speed measurement, for each number of threads."""
    hands: int
    """Hands of each match against a variant."""
    duel_hands: int
    """Hands of each match of two strategies."""
    bound: Response
    """Training of each exploitability bound."""
    outcome_deals: int
    """Deals for counting wins, ties and losses of buckets."""
    fork_iterations: int
    """Iterations of each measurement of threads by subtree."""
    strength_hands: int
    """Hands of each match against a variant of another strength."""
    capped_iterations: int
    """Iterations of the training on the capped tree."""
    capped_menu: str
    """Bet menu of that tree, with the betting line in the key."""
    changes: dict[str, Any] = msgspec.field(default_factory=dict)
    """Changes to the training recipe."""


class Caltech(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """Contents of `recipe.toml`."""

    training: str
    styles: tuple[str, ...]
    verdicts: dict[str, str]
    labels: dict[str, str]
    """Names of the strategies in tables."""
    strengths: tuple[float, ...]
    """Strengths of the variants besides 2, that of all other matches."""
    varied: tuple[str, ...]
    """Variants that have a strength."""
    forks: tuple[tuple[int, int], ...]
    """Actions and last street of decisions that get a thread; the author's rule first."""
    fork_threads: int
    """Maximum number of threads by subtree at once."""
    cores: tuple[int, ...]
    """Numbers of cores to forecast the speed-up for."""
    fit: tuple[Fit, ...]

    def fits(self, prefix: str) -> tuple[Fit, ...]:
        """Return the trainings whose name begins with a prefix.

        Examples
        --------
        >>> [fit.seed for fit in DATA.fits("member")]
        [0, 1, 2, 3]
        """
        return tuple(fit for fit in self.fit if fit.name.startswith(prefix))


DATA = load_data("caltech", Caltech)
#: Names of the trainings that the bot combines.
MEMBERS: Final = tuple(fit.name for fit in DATA.fits("member"))

#: Weight of the starting strategy in the average, per chip of the pot: so small that it only
#: matters in infosets without any other weight.
_TRACE: Final = 1e-9
#: Responses are trained and scored on other deals than the strategies.
_OTHER_SEED: Final = 0x9E3779B97F4A7C15


class Workshop:
    """Recipe, tree and deals that all trainings of a run share, prepared at first use."""

    def __init__(self, run: ReproductionRun, changes: Mapping[str, Any] | None = None) -> None:
        self.run, self._changes = run, changes or {}

    @property
    def amounts(self) -> Amounts:
        """The amounts of the run's effort."""
        return DATA.amounts(self.run)

    @property
    def threads(self) -> int:
        """Threads of multithreaded trainings: one per core, at least two."""
        return max(2, self.run.workers or num_cores())

    @cached_property
    def recipe(self) -> Recipe:
        """The training recipe with this run's changes; files have 8 bits per probability."""
        changes = {**self.amounts.changes, **self._changes, "threads": self.threads}
        return load_recipe(DATA.training, {**changes, "file.values": "uint8"})

    @cached_property
    def setup(self) -> Setup:
        """Tree, buckets and deals; without starting weights, which come from the counted deals."""
        plan = Plan.of(self.recipe.changed({"start": None}))
        plan.check_memory()
        return prepare(plan)

    @cached_property
    def start(self) -> NDArray[np.float32]:
        """Starting regrets from the win rates that were counted, [entries]."""
        deals = self.setup.deals
        with self.run.path(OUTCOMES).open(newline="") as file:
            rows = [list(map(int, row)) for row in list(csv.reader(file))[1:]]
        table = np.array(rows)
        by = [win_rates(table[table[:, 0] == street, 2:]) for street in np.unique(table[:, 0])]
        rates = [by[street] for street in deals.tree.group_street.tolist()]
        worth = self.recipe.start.iterations if self.recipe.start else 1.0
        return starting_regrets(deals, rates, worth)

    def recipe_of(self, fit: Fit) -> Recipe:
        """Return the recipe of one training, as its file records it."""
        changes: dict[str, Any] = {
            "seed": self.run.seed + fit.seed,
            "ensemble": 1,
            "budget.iterations": self.amounts.iterations * fit.times,
            "scheme.rule": fit.rule,
            "scheme.averaging": fit.averaging,
            **({} if fit.step is None else {"scheme.step": fit.step}),
            **({} if fit.floor else {"scheme.floor": []}),
            **({} if fit.start else {"start": None}),
        }
        return self.recipe.changed(changes)

    def close(self) -> None:
        """Free the memory of tree and deals."""
        for name in ("setup", "start"):
            self.__dict__.pop(name, None)

    def start_of(self, fit: Fit) -> NDArray[np.float32] | None:
        """Return the starting weights of a training."""
        return self.start if fit.start else None

    def solver(self, fit: Fit, threads: int) -> Solver:
        """Return a solver for one training."""
        setup = replace(self.setup, threads=threads, starting_regrets=self.start_of(fit))
        return setup.solver(self.recipe_of(fit))

    def measure(self, strategy: NDArray[np.float32]) -> Estimate:
        """Return a lower bound on the exploitability of a strategy, [entries] probabilities."""
        deals, seed = self.setup.deals, self.run.seed ^ _OTHER_SEED
        found = self.amounts.bound.bound(deals, strategy, seed=seed, threads=self.threads)
        return found.scaled(1000 / deals.tree.spec.big_blind)

    def write(
        self, solver: Solver, recipe: Recipe, start: NDArray[np.float32] | None, name: str
    ) -> Path:
        """Write a solver's strategy, after adding the trace of the starting weights."""
        add_trace(solver.average, start)
        path = self.run.blueprint(name)
        try:
            self.setup.write(path, recipe, solver)
        except OSError as error:
            raise RunError(refused(path, error)) from error
        return path

    def finished(self, solver: Solver, fit: Fit, name: str) -> Found:
        """Write and measure a solver's strategy, on the same fresh deals for all; mbb/hand."""
        report, memory = solver.report(), resident_memory()
        path = self.write(solver, self.recipe_of(fit), self.start_of(fit), name)
        return Found(
            iterations=solver.iterations,
            seconds=solver.seconds,
            file_bytes=path.stat().st_size,
            bound=self.measure(solver.strategy(np.float32)),
            threads=solver.threads,
            infosets=report.infosets,
            trained=report.averaged,
            nodes=solver.nodes,
            table_bytes=solver.memory_bytes,
            resident_bytes=memory,
        )


def train_told(run: ReproductionRun, solver: Solver, until: Until, name: str) -> None:
    """Train a solver and report its progress."""
    for _ in iterate_told(run, solver, until, f"trains {name}"):
        pass


def win_rates(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the win rate of each bucket: wins plus half the ties; 0.5 if it was not dealt.

    Examples
    --------
    >>> win_rates(np.array([[3, 2, 5], [0, 0, 0]])).tolist()
    [0.4, 0.5]
    """
    dealt = counts.sum(axis=1)
    return np.where(dealt > 0, (counts[:, 0] + counts[:, 1] / 2) / np.maximum(dealt, 1), 0.5)


def shop_of(run: ReproductionRun) -> Workshop:
    """Return the workshop of the author's own game."""
    return run.shared("shop", lambda: Workshop(run))


def fit_strategy(fit: Fit, run: ReproductionRun) -> Found:
    """Train one strategy with all threads, measure it and write it."""
    shop = shop_of(run)
    solver = shop.solver(fit, shop.threads)
    until = Until(iterations=shop.amounts.iterations * fit.times)
    train_told(run.part(0.0, 0.6), solver, until, fit.name)
    return shop.finished(solver, fit, fit.name)


def fit_capped(run: ReproductionRun) -> Found:
    """Train on the tree with caps, with the betting line in the key: an aside."""
    name, amounts = CAPPED, DATA.amounts(run)
    shop = Workshop(run, {"menu": amounts.capped_menu})
    fit = DATA.fits("member")[0]
    solver = shop.solver(fit, shop.threads)
    train_told(run.part(0.0, 0.6), solver, Until(iterations=amounts.capped_iterations), name)
    found = shop.finished(solver, fit, name)
    found["decisions"] = sum(shop.setup.tree.num_decisions)
    shop.close()
    return found


def add_trace(
    average: NDArray[np.float64], start: NDArray[np.float32] | None, times: int = 1
) -> None:
    """Add a trace of the starting strategy, or of uniform play, to averages.

    It decides the strategy where the averages are zero and is negligible elsewhere.

    Parameters
    ----------
    average
        [entries] weights, changed in place.
    start
        [entries] starting regrets, chips; None = uniform.
    times
        Factor of the trace; -1 removes it exactly where the averages were zero.

    Examples
    --------
    >>> average = np.array([0.0, 0.0, 2.0, 6.0])
    >>> add_trace(average, np.array([30, 10, 10, 30], np.float32))
    >>> (average[:2] / average[:2].sum()).round(6), (average[2:] / 8).round(6)
    (array([0.75, 0.25]), array([0.25, 0.75]))
    """
    for begin in range(0, len(average), 1 << 20):  # in parts, to avoid a copy of the whole array
        part = slice(begin, begin + (1 << 20))
        average[part] += times * (_TRACE if start is None else _TRACE * start[part])


def thread_counts(most: int) -> tuple[int, ...]:
    """Return the numbers of threads to try: powers of two below the maximum, then the maximum.

    Examples
    --------
    >>> thread_counts(2), thread_counts(6)
    ((1, 2), (1, 2, 4, 6))
    """
    powers = [1 << power for power in range(most.bit_length())]
    return tuple(dict.fromkeys((*(power for power in powers if power < most), most)))


def measure_speed(run: ReproductionRun) -> Found:
    """Time the first iterations of a member's training for each number of threads."""
    shop, found = shop_of(run), []
    member, until = DATA.fits("member")[0], Until(iterations=shop.amounts.speed_iterations)
    # Reads the bucket tables, so that the first measurement does not include the disk.
    shop.solver(member, shop.threads).run_all(iterations=shop.amounts.speed_iterations // 2)
    for part, threads in run.parts(thread_counts(shop.threads)):
        solver = shop.solver(member, threads)
        train_told(part, solver, until, f"on {threads} threads")
        found.append(speed_of(solver))
    return Found(by_threads=found)


def speed_of(solver: Solver) -> Found:
    """Return a solver's iterations, elapsed and CPU seconds, and the decisions that it visited."""
    return Found(
        threads=solver.threads,
        iterations=solver.iterations,
        seconds=solver.seconds,
        cpu_seconds=solver.driver.processor,
        nodes=solver.nodes,
    )


def fit_one_thread(run: ReproductionRun) -> Found:
    """Train the first member again on one thread: for its seconds, then for its iterations.

    If one thread is as fast as all threads, the first part ends after the iterations.
    """
    fit, shop, member = DATA.fits("member")[0], shop_of(run), run.found["member-1"]
    solver = shop.solver(fit, 1)
    as_long = Until(iterations=member.iterations, seconds=member.seconds)
    train_told(run.part(0.0, 0.3), solver, as_long, "one thread, same time")
    same_time = shop.finished(solver, fit, "one-thread-same-time")
    add_trace(solver.average, shop.start_of(fit), -1)
    as_many = Until(iterations=member.iterations)
    train_told(run.part(0.3, 0.7), solver, as_many, "one thread, same iterations")
    same_work = shop.finished(solver, fit, "one-thread")
    return Found({"one-thread-same-time": same_time, "one-thread": same_work})


def combine_members(run: ReproductionRun) -> Found:
    """Combine the members and measure the bot; its iterations and seconds are their sums."""
    shop, path = shop_of(run), run.blueprint(BOT)
    members = [run.found[name] for name in MEMBERS]
    opened = [Blueprint.open(run.blueprint(name)) for name in MEMBERS]
    combine(
        opened, path, progress=lambda done, all_: run.tell(0.5 * done / all_, "combines members")
    )
    found = Found(
        iterations=sum(member.iterations for member in members),
        seconds=sum(member.seconds for member in members),
        file_bytes=path.stat().st_size,
        bound=shop.measure(Blueprint.open(path).dense()),
        threads=None,
        trained=None,
    )
    shop.close()
    return found
