"""Six algorithms at equal CPU time, three players, and matches at the limit table.

The first comparison has the whole betting tree of limit hold'em and few buckets with perfect
recall. Its cards are tabulated, so that vanilla CFR can run and exploitability is exact; each
algorithm has several random seeds. The second comparison has the bot's own number of buckets. There
exploitability is a lower bound from trained responses, which short training weakens, so the
strategies also play each other in the abstraction.
"""

from itertools import combinations, permutations

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.evaluate import duel
from riverboat.game import catalogue
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import by_first, iterate_told, play_named
from riverboat.reproductions.yerevan._training import (
    DATA,
    NAME,
    Rival,
    bound_by_response,
    exactly,
    limit_recipe,
    limit_setup,
    mbb,
    run_trial,
    side_by_side,
    stops_at,
    workers_of,
)
from riverboat.solve import SCHEMES, Deals, Solver, tabulate
from riverboat.statistics import Estimate
from riverboat.training import Recipe, prepare


def compare_exactly(run: ReproductionRun) -> Found:
    """Train every algorithm for the same CPU time on one thread, and measure it exactly."""
    amounts = DATA.amounts(run)
    deals = limit_setup(run, cards=amounts.exact_cards).deals
    run.tell(0.0, "counts deals")
    table, other = (
        tabulate(deals, amounts.exact_deals, run.seed + more, merged=True) for more in (0, 1)
    )
    solvers = {
        name: [
            Solver(deals if name == "public-chance" else table, SCHEMES[name], seed=run.seed + seed)
            # Vanilla does not sample, so all its runs are the same.
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
        Found(label=DATA.schemes[name], trials=[next(trials) for _ in solvers[name]])
        for name in solvers
    ]
    pure, first = solvers["pure"], solvers["pure"][0].strategy()
    return Found(
        sequences=max(deals.num_buckets),
        deals=table.num_deals or 0,
        algorithms=runs,
        current=[exactly(table, solver.current_strategy()).mean for solver in pure],
        elsewhere=(exactly(table, first).mean, exactly(other, first).mean),
    )


def compare_at_size(run: ReproductionRun) -> Found:
    """Train every algorithm for the same CPU time, measure it, and play them against each other."""
    deals = limit_setup(run).deals
    measure, stops = bound_by_response(run, deals), stops_at([DATA.amounts(run).same_time])
    trials, strategies = dict[str, Found](), dict[str, NDArray[np.float32]]()
    for part, (name, label) in run.part(0.0, 0.75).parts(list(DATA.schemes.items())):
        solver = _fresh_solver(run, name, deals)
        course = iterate_told(part, solver, stops, name)
        trials[label] = run_trial(solver, course, measure)
        strategies[label] = solver.strategy(np.float32)
    return Found(trials=trials, duels=_duels(run.part(0.75, 1.0), deals, strategies))


def _fresh_solver(run: ReproductionRun, name: str, deals: Deals) -> Solver:
    """Return a solver; vanilla gets a table of sampled deals and one thread."""
    if name != "cfr":
        return Solver(deals, SCHEMES[name], seed=run.seed, threads=workers_of(run))
    table = tabulate(deals, DATA.amounts(run).table_deals, run.seed)
    return Solver(table, SCHEMES[name], seed=run.seed)


def _duels(
    run: ReproductionRun, deals: Deals, strategies: dict[str, NDArray[np.float32]]
) -> dict[str, dict[str, Estimate]]:
    """Play every strategy against every other."""
    fresh = {"score_deals": DATA.amounts(run).duel_deals, "seed": run.seed + 2}
    found = dict[tuple[str, str], Estimate]()
    for part, (one, other) in run.parts(list(combinations(strategies, 2))):
        part.tell(0.0, f"{one} v {other}")
        won = duel(deals, strategies[one], strategies[other], threads=workers_of(run), **fresh)
        found[one, other] = won.scaled(mbb(deals))
    return by_first(found)


def _three_plan(run: ReproductionRun, name: str) -> Recipe:
    amounts, game = DATA.amounts(run), catalogue("nolimit-100bb", players=3)
    changes = {"menu": amounts.three_menu, "cards": amounts.three_cards, "scheme": name}
    return limit_recipe(run, game=msgspec.to_builtins(game), **changes)


def compare_three_handed(run: ReproductionRun) -> Found:
    """Train each algorithm on three-handed no-limit, measure it, and play one bot against two.

    Claim 3: Monte-Carlo CFR is faster than Pure for no-limit with many players. No algorithm is
    known to find an equilibrium of three players, so strategies are judged by what trained
    responses gain, seat by seat, and by matches: one of them against two of another.
    """
    stops, setup = stops_at([DATA.amounts(run).three_time]), prepare(_three_plan(run, "external"))
    measure, trials = bound_by_response(run, setup.deals), dict[str, Found]()
    for part, name in run.part(0.0, 0.7).parts(DATA.three_schemes):
        plan = _three_plan(run, name)
        solver = setup.solver(plan)
        course = iterate_told(part, solver, stops, f"{name}, three players")
        trials[DATA.schemes[name]] = run_trial(solver, course, measure)
        setup.write(run.blueprint(f"three-{name}"), plan, solver)
    decisions = int(sum(setup.tree.num_decisions))
    return Found(trials=trials, decisions=decisions, won=_one_against_two(run.part(0.7, 1.0)))


def _one_against_two(run: ReproductionRun) -> dict[str, dict[str, Estimate]]:
    """Play every strategy at a table with two of every other."""
    files = {name: run.blueprint(f"three-{name}") for name in DATA.three_schemes}
    bots = {name: f"blueprint:{file}" for name, file in files.items()}
    pairs = {(a, b): (bots[a], bots[b], bots[b]) for a, b in permutations(bots, 2)}
    hands = DATA.amounts(run).three_hands
    played = play_named(run, pairs, game=catalogue("nolimit-100bb", players=3), hands=hands)
    label = DATA.schemes
    return by_first({(label[a], label[b]): won.mbb_per_hand(0) for (a, b), won in played.items()})


def _rivals(run: ReproductionRun) -> list[Rival]:
    """Return the source documents whose CFR bots this run trains for limit."""
    return [each for each in DATA.rival if each.name in DATA.amounts(run).rivals]


def train_rivals(run: ReproductionRun) -> Found:
    """Train the other documents' CFR bots on limit hold'em, each for our bot's CPU time."""
    trained = {each.name: _train_rival(part, each) for part, each in run.parts(_rivals(run))}
    return Found(trained)


def _train_rival(run: ReproductionRun, rival: Rival) -> Found:
    """Train one CFR bot and write its strategy file."""
    limit, seconds = catalogue("limit"), DATA.amounts(run).train_times[-1]
    name, streets = f"limit to street {rival.streets}", limit.streets[: rival.streets]
    game = msgspec.to_builtins(limit.replace(name=name, streets=streets))
    plan = limit_recipe(run, game=game, cards=rival.cards, scheme=rival.scheme)
    setup = prepare(plan)
    solver = setup.solver(plan)
    *_, last = iterate_told(run, solver, stops_at([seconds]), f"trains {rival.name}")
    setup.write(run.blueprint(f"{rival.name}-limit"), plan, solver)
    return Found(iterations=last.iterations, seconds=last.processor_seconds)


def play_limit(run: ReproductionRun) -> Found:
    """Play the strategy file against every bot with duplicate deals."""
    amounts, ours = DATA.amounts(run), f"blueprint:{run.blueprint(NAME)}"
    pairs = {DATA.bots[text]: (ours, text) for text in amounts.bots or DATA.bots}
    for rival in _rivals(run):
        file = run.blueprint(f"{rival.name}-limit")
        pairs[rival.label] = (ours, f"{rival.bot}:{file}")
    results = play_named(run, pairs, game="limit", hands=amounts.hands)
    return Found(
        won={label: each.mbb_per_hand(0) for label, each in results.items()},
        hands={label: each.hands for label, each in results.items()},
        failures=sum(sum(each.errors(0).values()) for each in results.values()),
    )


def setting(run: ReproductionRun) -> Found:
    """Return the settings of this run for the report."""
    return Found(rivals=tuple(rival.name for rival in _rivals(run)))
