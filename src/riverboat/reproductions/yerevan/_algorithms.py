"""Six algorithms at equal processor time.

First with the whole betting tree of limit hold'em and few buckets that never forget, its cards
tabulated, so that vanilla can run and exploitability is exact; several seeds each. Then with the
seed's own number of buckets. Exploitability is then a lower bound from trained responses, which
finds less the worse it is trained; so the strategies also play each other in the abstraction.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from riverboat.evaluate import duel
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import iterate_told
from riverboat.reproductions.yerevan._recipe import DATA
from riverboat.reproductions.yerevan._results import Exact, Runs, SameTime, Trial
from riverboat.reproductions.yerevan._training import (
    bound_by_response,
    exactly,
    limit_setup,
    mbb,
    run_trial,
    side_by_side,
    stops_at,
    workers_of,
)
from riverboat.solve import SCHEMES, Deals, Solver, tabulate
from riverboat.statistics import Estimate


def compare_exactly(run: ReproductionRun) -> Exact:
    """Train every algorithm for the same processor time on one thread, and measure exactly."""
    amounts = DATA.amounts(run)
    deals = limit_setup(run, cards=amounts.exact_cards).deals
    run.tell(0.0, "counts deals")
    table, other = (
        tabulate(deals, amounts.exact_deals, run.seed + more, merged=True) for more in (0, 1)
    )
    solvers = {
        name: [
            Solver(deals if name == "public-chance" else table, SCHEMES[name], seed=run.seed + seed)
            # Vanilla draws nothing: all its runs are the same.
            for seed in range(1 if name == "cfr" else amounts.exact_seeds)
        ]
        for name in DATA.schemes
    }
    jobs = [
        (solver, lambda each: exactly(table, each.strategy()))
        for some in solvers.values()
        for solver in some
    ]
    trials = iter(side_by_side(run, jobs, amounts.exact_times, "six algorithms"))
    runs = [
        Runs(DATA.schemes[name], tuple(next(trials) for _ in solvers[name])) for name in solvers
    ]
    pure, first = solvers["pure"], solvers["pure"][0].strategy()
    return Exact(
        sequences=max(deals.num_buckets),
        deals=table.num_deals or 0,
        algorithms=tuple(runs),
        current=tuple(exactly(table, solver.current_strategy()).mean for solver in pure),
        elsewhere=(exactly(table, first).mean, exactly(other, first).mean),
        as_written=tuple(
            exactly(table, each.current_strategy()).mean for each in solvers["chance"]
        ),
    )


def compare_at_size(run: ReproductionRun) -> SameTime:
    """Train every algorithm for the same processor time; measure; play them against each other."""
    deals = limit_setup(run).deals
    measure, stops = bound_by_response(run, deals), stops_at([DATA.amounts(run).same_time])
    trials, strategies = dict[str, Trial](), dict[str, NDArray[np.float32]]()
    for part, (name, label) in run.part(0.0, 0.75).parts(list(DATA.schemes.items())):
        solver = _solver(run, name, deals)
        course = iterate_told(part, solver, stops, name)
        trials[label] = run_trial(solver, course, measure)
        strategies[label] = solver.strategy(np.float32)
    return SameTime(trials, _duels(run.part(0.75, 1.0), deals, strategies))


def _solver(run: ReproductionRun, name: str, deals: Deals) -> Solver:
    """Make a solver; vanilla gets a table of sampled deals, and has one thread."""
    if name != "cfr":
        return Solver(deals, SCHEMES[name], seed=run.seed, threads=workers_of(run))
    table = tabulate(deals, DATA.amounts(run).table_deals, run.seed)
    return Solver(table, SCHEMES[name], seed=run.seed)


def _duels(
    run: ReproductionRun, deals: Deals, strategies: dict[str, NDArray[np.float32]]
) -> dict[str, dict[str, Estimate]]:
    """Play every strategy against every other."""
    fresh = {"score_deals": DATA.amounts(run).duel_deals, "seed": run.seed + 2}
    found = dict[str, dict[str, Estimate]]()
    for part, (one, other) in run.parts(list(combinations(strategies, 2))):
        part.tell(0.0, f"{one} v {other}")
        won = duel(deals, strategies[one], strategies[other], threads=workers_of(run), **fresh)
        found.setdefault(one, {})[other] = won.scaled(mbb(deals))
    return found
