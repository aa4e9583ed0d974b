"""Counted deals, threads by subtree, and all matches.

Each bot plays variants of itself, and strategies play each other.
"""

import csv
import time
from collections.abc import Mapping

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
    CAPPED,
    DATA,
    MEMBERS,
    OUTCOMES,
    Workshop,
    shop_of,
    speed_of,
    thread_counts,
    win_rates,
)
from riverboat.solve import Deals, bucket_outcomes, count_forks
from riverboat.statistics import Estimate
from riverboat.training import Plan
from riverboat.tree import BetMenu

_FEW_DEALS = 1_000_000  # deals for the members' starting weights
_RANGES = (0.2, 0.4, 0.6, 0.8)  # limits of the ranges of win rates
_RULE = ("more_than", "last_street")
_TIMES = 10  # iterations with a deal per thread (faster) per iteration with subtrees
_POINTS = 60  # points of a curve
#: Bots that play variants of themselves.
BOTS = (BOT, *MEMBERS, "linear")
#: Matches between strategies; results are from the first one's point of view.
DUELS = (
    *((BOT, member) for member in MEMBERS),
    ("linear", BOT),
    *((name, member) for name in ("no-floor", "no-start") for member in MEMBERS),
    ("one-thread-same-time", "member-1"),
    ("one-thread", "member-1"),
    (CAPPED, BOT),
    (CAPPED, "member-1"),
)


def count_outcomes(run: ReproductionRun) -> Found:
    """Count wins, ties and losses of every bucket, and write them to a file."""
    shop = shop_of(run)
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


def measure_forks(run: ReproductionRun) -> Found:
    """Time iterations by both methods: a deal per thread, and a subtree per thread."""
    shop = shop_of(run)
    fit, count = DATA.fits("member")[0], shop.amounts.fork_iterations
    ours, alone, more = list[Found](), 0.0, _TIMES * count
    shop.solver(fit, 1).run_all(iterations=count)  # reads the bucket tables from disk
    for threads in thread_counts(shop.threads):
        run.tell(0.1 * threads, f"deals on {threads} threads")
        solver, before = shop.solver(fit, threads), time.process_time()
        solver.run_all(iterations=more)
        alone = alone or (time.process_time() - before) / _TIMES
        ours.append(speed_of(solver))
    rules = [(DATA.forks[0], 1), *((rule, DATA.fork_threads) for rule in DATA.forks)]
    parts = run.part(0.3, 1.0).parts(rules)
    forked = [_forked(part, shop, *each, count) for part, each in parts]
    return Found(iterations=count, ours=ours, alone_cpu=alone, forked=forked)


def _forked(
    run: ReproductionRun, shop: Workshop, rule: tuple[int, int], threads: int, count: int
) -> Found:
    """Time iterations with a thread for each large subtree; one thread takes locks only."""
    run.tell(0.0, "subtrees on threads")
    scheme = shop.recipe.changed({"scheme.forks": dict(zip(_RULE, rule, strict=True))})
    deals = shop.setup.deals
    # Not `zeros`, whose pages would be mapped while the clock runs.
    tables = np.full(deals.num_entries, 0, np.float32), np.full(deals.num_entries, 0.0)
    clock, cpu = time.perf_counter(), time.process_time()
    done = count_forks(deals, scheme.solver_scheme, count, threads, run.seed, tables)
    return Found(
        more_than=rule[0],
        last_street=rule[1],
        live=threads,
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


def play_strengths(run: ReproductionRun) -> Found:
    """Play the bot against variants of other strengths, which the journal does not give."""
    bot, found = _bot(run, BOT), dict[str, list[Estimate]]()
    names = [(style, strength) for style in DATA.varied for strength in DATA.strengths]
    pairs = {name: (bot, f"{bot},style={name[0]},strength={name[1]:g}") for name in names}
    played = play_named(
        run, pairs, game=shop_of(run).recipe.spec, hands=DATA.amounts(run).strength_hands
    )
    for (style, _), result in played.items():
        found.setdefault(style, []).append(result.mbb_per_hand())
    return Found(strengths=list(DATA.strengths), won=found)


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
    return Found(
        preflop=tuple(map(str, first.by_depth[0])),
        postflop=tuple(map(str, later.by_depth[0])),
        capped_menu=amounts.capped_menu,
        decisions=sum(Plan.of(recipe).tree.num_decisions),
        buckets="/".join(map(str, parse_abstraction(recipe.cards).num_buckets)),
        threads=shop.threads,
        start=round(recipe.start.iterations) if recipe.start else 0,
        iterations=amounts.iterations,
        seeds=" to ".join(str(seed + DATA.fits("member")[place].seed) for place in (0, -1)),
        hands=amounts.hands,
        machine=machine(),
        floor_ends=max((until for until, _ in recipe.solver_scheme.floor), default=0),
        factor=Style("aggressive").factor,
        threshold=Style("tight-aggressive").threshold,
    )
