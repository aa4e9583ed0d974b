"""The author's own game: his key, no caps; wins, ties and losses by bucket; threads by subtree."""

import csv
import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from riverboat.files import atomic_path
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.caltech._recipe import DATA
from riverboat.reproductions.caltech._results import (
    Forked,
    Keyed,
    Outcomes,
    Speed,
    StreetOutcomes,
    Threads,
)
from riverboat.reproductions.caltech._training import Workshop, thread_counts, train_told
from riverboat.solve import Deals, Forks, bucket_outcomes, run_forked, starting_regrets
from riverboat.training import Until

#: Name of the strategy, and of the file of wins, ties and losses.
KEYED, OUTCOMES = "keyed", "outcomes.csv"
_FEW = 1_000_000  # deals that starting weights are usually made from
_RANGES = (0.2, 0.4, 0.6, 0.8)  # of win rates
_FLOOR = 0.05
_TIMES = 10  # iterations of our way, which is faster, for one by subtree


def author_shop(run: ReproductionRun) -> Workshop:
    """Return the workshop of the author's own game."""
    return Workshop(run, {"menu": DATA.amounts(run).key_menu})


def count_outcomes(shop: Workshop) -> Outcomes:
    """Count wins, ties and losses of every bucket, and keep them in a file."""
    deals, many = shop.setup.deals, shop.amounts.outcome_deals
    shop.run.tell(0.0, "deals hands and counts")
    found, few = by_street(deals, many, 0), by_street(deals, min(_FEW, many // 10), 1)
    with atomic_path(shop.run.path(OUTCOMES)) as path, path.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("street", "bucket", "won", "tied", "lost"))
        for street, counts in enumerate(found):
            lines.writerows((street, place, *row) for place, row in enumerate(counts.tolist()))
    return Outcomes(many, tuple(map(_summary, found, few)))


def by_street(deals: Deals, count: int, seed: int) -> list[NDArray[np.int64]]:
    """Return [buckets, 3] wins, ties and losses by street, both players together."""
    found, streets = bucket_outcomes(deals, count, seed), deals.tree.group_street.tolist()
    pairs = list(zip(streets, found, strict=True))
    return [
        np.sum([counts for at, counts in pairs if at == street], axis=0)
        for street in sorted(set(streets))
    ]


def win_rates(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return wins and half the ties by bucket; those that were not dealt have one half.

    Examples
    --------
    >>> win_rates(np.array([[3, 2, 5], [0, 0, 0]])).tolist()
    [0.4, 0.5]
    """
    dealt = counts.sum(axis=1)
    return np.where(dealt > 0, (counts[:, 0] + counts[:, 1] / 2) / np.maximum(dealt, 1), 0.5)


def _summary(counts: NDArray[np.int64], few: NDArray[np.int64]) -> StreetOutcomes:
    dealt, rates = counts.sum(axis=1), win_rates(counts)
    seen = rates[dealt > 0]
    ranges = np.bincount(np.searchsorted(_RANGES, seen, "right"), minlength=len(_RANGES) + 1)
    return StreetOutcomes(
        len(counts),
        len(seen),
        int(dealt[dealt > 0].min()),
        float(counts[:, 1].sum() / dealt.sum()),
        float(seen.min()),
        float(seen.max()),
        tuple(ranges.tolist()),
        float(np.average(np.abs(rates - win_rates(few)), weights=dealt)),
    )


def _start(shop: Workshop) -> NDArray[np.float32]:
    """Starting regrets from the win rates that were counted."""
    deals = shop.setup.deals
    with shop.run.path(OUTCOMES).open(newline="") as file:
        rows = [list(map(int, row)) for row in list(csv.reader(file))[1:]]
    table = np.array(rows)
    by = [win_rates(table[table[:, 0] == street, 2:]) for street in np.unique(table[:, 0])]
    rates = [by[street] for street in deals.tree.group_street.tolist()]
    worth = shop.recipe.start.iterations if shop.recipe.start else 1.0
    return starting_regrets(deals, rates, worth)


def fit_keyed(shop: Workshop) -> Keyed:
    """Train the author's own game from those weights, and write what comes out."""
    fit, start = DATA.fits("member")[0], _start(shop)
    recipe = shop.recipe_of(fit).changed({"budget.iterations": shop.amounts.key_iterations})
    setup = replace(shop.setup, threads=shop.threads, starting_regrets=start)
    solver = setup.solver(recipe)
    train_told(shop.run, solver, Until(iterations=shop.amounts.key_iterations), KEYED)
    report = solver.report()
    path = shop.write(solver, recipe, start, KEYED)
    return Keyed(
        sum(setup.tree.num_decisions),
        report.infosets,
        report.averaged / report.infosets,
        solver.iterations,
        solver.seconds,
        solver.nodes,
        solver.memory_bytes,
        path.stat().st_size,
    )


def measure_forks(shop: Workshop) -> Threads:
    """Time the same iterations in both ways: deals on threads, and subtrees on threads."""
    fit, count = DATA.fits("member")[0], shop.amounts.fork_iterations
    ours, alone, more = list[Speed](), 0.0, _TIMES * count
    shop.solver(fit, 1).run_all(iterations=count)  # reads what is read once
    for threads in thread_counts(shop.threads):
        shop.run.tell(0.1 * threads, f"deals on {threads} threads")
        solver, before = shop.solver(fit, threads), time.process_time()
        solver.run_all(iterations=more)
        alone = alone or (time.process_time() - before) / _TIMES
        ours.append(Speed(threads, solver.iterations, solver.seconds, solver.nodes))
    rules = [Forks(*rule, floor=_FLOOR) for rule in DATA.forks]
    parts = shop.run.part(0.3, 1.0).parts([rules[0]._replace(threads=False), *rules])
    forked = tuple(_forked(part, shop, rule, count) for part, rule in parts)
    return Threads(count, tuple(ours), alone, forked)


def _forked(run: ReproductionRun, shop: Workshop, rule: Forks, count: int) -> Forked:
    run.tell(0.0, "subtrees on threads")
    solver = shop.solver(DATA.fits("member")[0], 1)
    tables = (solver.regrets, solver.average)
    clock, cpu = time.perf_counter(), time.process_time()
    done = run_forked(shop.setup.deals, count, tables, rule, run.seed)
    spent = time.perf_counter() - clock, time.process_time() - cpu
    return Forked(rule.more_than, rule.last_street, done.threads, *spent, done.nodes, done.span)
