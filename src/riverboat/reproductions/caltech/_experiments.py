"""The author's own game (the author's key, no caps, threads by subtree), and all matches.

Each bot plays variants of itself, and strategies play each other.
"""

import csv
import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from riverboat.arena import MatchResult
from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import Style
from riverboat.buckets import parse_abstraction
from riverboat.files import atomic_path
from riverboat.reproductions._run import Found, ReproductionRun, machine
from riverboat.reproductions._work import by_first, play_named
from riverboat.reproductions.caltech._training import (
    BOT,
    DATA,
    KEYED,
    MEMBERS,
    Workshop,
    shop_of,
    speed_of,
    thread_counts,
    train_told,
)
from riverboat.solve import Deals, Forks, bucket_outcomes, run_forked, starting_regrets
from riverboat.training import Plan, Until, load_recipe
from riverboat.tree import BetMenu

#: The file of wins, ties and losses.
OUTCOMES = "outcomes.csv"
_FEW_DEALS = 1_000_000  # deals for the members' starting weights
_RANGES = (0.2, 0.4, 0.6, 0.8)  # limits of the ranges of win rates
_FLOOR = 0.05
_TIMES = 10  # iterations with a deal per thread (faster) per iteration with subtrees
_POINTS = 60  # points of a curve
#: Bots that play variants of themselves.
BOTS = (BOT, *MEMBERS, "linear", KEYED)
#: Matches between strategies; results are from the first one's point of view.
DUELS = (
    *((BOT, member) for member in MEMBERS),
    ("linear", BOT),
    *((name, member) for name in ("no-floor", "no-start") for member in MEMBERS),
    ("one-thread-same-time", "member-1"),
    ("one-thread", "member-1"),
    (KEYED, BOT),
    (KEYED, "member-1"),
)


def author_shop(run: ReproductionRun) -> Workshop:
    """Return tree, deals and settings of the author's own game."""
    menu = DATA.amounts(run).key_menu
    return run.shared("author's shop", lambda: Workshop(run, {"menu": menu}))


def count_outcomes(run: ReproductionRun) -> Found:
    """Count wins, ties and losses of every bucket, and write them to a file."""
    shop = author_shop(run)
    deals, many = shop.setup.deals, shop.amounts.outcome_deals
    run.tell(0.0, "counts wins, ties and losses")
    found, few = by_street(deals, many, 0), by_street(deals, min(_FEW_DEALS, many // 10), 1)
    with atomic_path(run.path(OUTCOMES)) as path, path.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("street", "bucket", "won", "tied", "lost"))
        for street, counts in enumerate(found):
            lines.writerows((street, place, *row) for place, row in enumerate(counts.tolist()))
    return Found(deals=many, streets=list(map(_summary, found, few)))


def by_street(deals: Deals, count: int, seed: int) -> list[NDArray[np.int64]]:
    """Return [buckets, 3] wins, ties and losses by street, both players together."""
    found, streets = bucket_outcomes(deals, count, seed), deals.tree.group_street.tolist()
    pairs = list(zip(streets, found, strict=True))
    return [
        np.sum([counts for at, counts in pairs if at == street], axis=0)
        for street in sorted(set(streets))
    ]


def win_rates(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the win rate of each bucket: wins plus half the ties; 0.5 if it was not dealt.

    Examples
    --------
    >>> win_rates(np.array([[3, 2, 5], [0, 0, 0]])).tolist()
    [0.4, 0.5]
    """
    dealt = counts.sum(axis=1)
    return np.where(dealt > 0, (counts[:, 0] + counts[:, 1] / 2) / np.maximum(dealt, 1), 0.5)


def _summary(counts: NDArray[np.int64], few: NDArray[np.int64]) -> Found:
    """Summarise the buckets of a street over both players' deals; a tie is half a win."""
    dealt, rates = counts.sum(axis=1), win_rates(counts)
    seen = rates[dealt > 0]
    ranges = np.bincount(np.searchsorted(_RANGES, seen, "right"), minlength=len(_RANGES) + 1)
    return Found(
        buckets=len(counts),
        dealt=len(seen),
        fewest=int(dealt[dealt > 0].min()),
        tied=float(counts[:, 1].sum() / dealt.sum()),
        least=float(seen.min()),
        greatest=float(seen.max()),
        ranges=ranges.tolist(),
        off=float(np.average(np.abs(rates - win_rates(few)), weights=dealt)),
    )


def _start(shop: Workshop) -> NDArray[np.float32]:
    """Compute starting regrets from the win rates that were counted."""
    deals = shop.setup.deals
    with shop.run.path(OUTCOMES).open(newline="") as file:
        rows = [list(map(int, row)) for row in list(csv.reader(file))[1:]]
    table = np.array(rows)
    by = [win_rates(table[table[:, 0] == street, 2:]) for street in np.unique(table[:, 0])]
    rates = [by[street] for street in deals.tree.group_street.tolist()]
    worth = shop.recipe.start.iterations if shop.recipe.start else 1.0
    return starting_regrets(deals, rates, worth)


def fit_keyed(run: ReproductionRun) -> Found:
    """Train the author's own game from the counted win rates, and write the strategy."""
    shop = author_shop(run)
    fit, start = DATA.fits("member")[0], _start(shop)
    recipe = shop.recipe_of(fit).changed({"budget.iterations": shop.amounts.key_iterations})
    setup = replace(shop.setup, threads=shop.threads, starting_regrets=start)
    solver = setup.solver(recipe)
    train_told(run, solver, Until(iterations=shop.amounts.key_iterations), KEYED)
    report = solver.report()
    path = shop.write(solver, recipe, start, KEYED)
    shop.close()
    return Found(
        decisions=sum(setup.tree.num_decisions),
        infosets=report.infosets,
        reached=report.averaged / report.infosets,
        iterations=solver.iterations,
        seconds=solver.seconds,
        nodes=solver.nodes,
        table_bytes=solver.memory_bytes,
        file_bytes=path.stat().st_size,
    )


def measure_forks(run: ReproductionRun) -> Found:
    """Time iterations by both methods: a deal per thread, and a subtree per thread."""
    shop = author_shop(run)
    fit, count = DATA.fits("member")[0], shop.amounts.fork_iterations
    ours, alone, more = list[Found](), 0.0, _TIMES * count
    shop.solver(fit, 1).run_all(iterations=count)  # reads the bucket tables from disk
    for threads in thread_counts(shop.threads):
        run.tell(0.1 * threads, f"deals on {threads} threads")
        solver, before = shop.solver(fit, threads), time.process_time()
        solver.run_all(iterations=more)
        alone = alone or (time.process_time() - before) / _TIMES
        ours.append(speed_of(solver))
    rules = [Forks(*rule, floor=_FLOOR) for rule in DATA.forks]
    parts = run.part(0.3, 1.0).parts([rules[0]._replace(threads=False), *rules])
    forked = [_forked(part, shop, rule, count) for part, rule in parts]
    return Found(iterations=count, ours=ours, alone_cpu=alone, forked=forked)


def _forked(run: ReproductionRun, shop: Workshop, rule: Forks, count: int) -> Found:
    run.tell(0.0, "subtrees on threads")
    solver = shop.solver(DATA.fits("member")[0], 1)
    tables = (solver.regrets, solver.average)
    clock, cpu = time.perf_counter(), time.process_time()
    done = run_forked(shop.setup.deals, count, tables, rule, run.seed)
    return Found(
        more_than=rule.more_than,
        last_street=rule.last_street,
        threads=done.threads,
        seconds=time.perf_counter() - clock,
        cpu_seconds=time.process_time() - cpu,
        nodes=done.nodes,
        span=done.span,
    )


def play_variants(run: ReproductionRun) -> Found:
    """Play each bot against the six variants of itself."""
    texts = {(bot, style): _bot(run, bot) for bot in BOTS for style in DATA.styles}
    pairs = {names: (text, f"{text},style={names[1]}") for names, text in texts.items()}
    return _played(run, pairs, DATA.amounts(run).hands)


def play_duels(run: ReproductionRun) -> Found:
    """Play strategies against each other."""
    pairs = {(bot, other): (_bot(run, bot), _bot(run, other)) for bot, other in DUELS}
    return _played(run, pairs, DATA.amounts(run).duel_hands)


def play_default(run: ReproductionRun) -> Found:
    """Play the default bot against its variants, without and with the threshold on both sides."""
    default = Blueprint.open(default_blueprint())
    sides = {"neither": 0.0, "both": default.threshold}
    texts = {
        (side, style): f"blueprint:threshold={threshold}"
        for side, threshold in sides.items()
        for style in DATA.styles
    }
    pairs = {names: (text, f"{text},style={names[1]}") for names, text in texts.items()}
    played = play_named(run, pairs, game=default.tree.spec, hands=DATA.amounts(run).hands)
    won = {names: result.mbb_per_hand() for names, result in played.items()}
    return Found(threshold=default.threshold, won=by_first(won))


def _bot(run: ReproductionRun, name: str) -> str:
    return f"blueprint:{run.blueprint(name)}"


def _played(
    run: ReproductionRun, pairs: Mapping[tuple[str, str], tuple[str, str]], hands: int
) -> Found:
    """Play matches, and return the first bot's winnings by bot and opponent."""
    results = play_named(run, pairs, game=shop_of(run).recipe.spec, hands=hands)
    return Found(matches=by_first({names: _one(each) for names, each in results.items()}))


def _one(result: MatchResult) -> Found:
    """Return the result in mbb/hand, and the curve of big blinds won with its 95 % band."""
    curve, blind = result.curve(points=_POINTS), result.settings.spec.big_blind
    totals = {
        name: [float(each) / blind for each in curve[column]]
        for name, column in (("blinds", "chips"), ("low", "low"), ("high", "high"))
    }
    hands = [int(hands) for hands in curve["hands"]]
    return Found(won=result.mbb_per_hand(), hands=hands, **totals)


def setting(run: ReproductionRun) -> Found:
    """Return the settings of this run for the report."""
    shop, seed = shop_of(run), run.seed
    recipe, amounts = shop.recipe, shop.amounts
    first, *_, later = BetMenu.parse(recipe.menu).streets
    two_raises = load_recipe(DATA.training).changed({"menu": DATA.two_raises})
    return Found(
        preflop=tuple(map(str, first.by_depth[0])),
        postflop=tuple(map(str, later.by_depth[0])),
        first_cap=first.cap or 0,
        later_cap=later.cap or 0,
        buckets="/".join(map(str, parse_abstraction(recipe.cards).num_buckets)),
        threads=shop.threads,
        start=round(recipe.start.iterations) if recipe.start else 0,
        iterations=amounts.iterations,
        seeds=" to ".join(str(seed + DATA.fits("member")[place].seed) for place in (0, -1)),
        hands=amounts.hands,
        machine=machine(),
        floor_ends=max((until for until, _ in recipe.solver_scheme.floor), default=0),
        two_raises_bytes=Plan.of(two_raises).sizes.table_bytes,
        factor=Style("aggressive").factor,
        threshold=Style("tight-aggressive").threshold,
    )
