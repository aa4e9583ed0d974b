"""Matches, timings of discards, and trainings that are compared with the authors'.

Trainings are compared for schemes at equal time, for the paper's settings, and for our choices. At
equal time each scheme has one thread, because full-width CFR supports only one, and the same CPU
time, so that other work on the machine favours no scheme. Full-width CFR traverses a table of deals
that were sampled once; on the smaller tree, where exploitability is exact, all schemes do.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np

from riverboat.blueprint import SwapRule
from riverboat.bots import GAIN, BackupSettings, discard, hand_strength
from riverboat.buckets import swap_values
from riverboat.cards import card_text, run_out_points
from riverboat.evaluate import exploitability
from riverboat.game import Hand, View
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import iterate_told
from riverboat.reproductions.pineapple._training import (
    DATA,
    Sampled,
    Workshop,
    kept_points,
    shop_of,
)
from riverboat.solve import Deals, Solver, sample_deals, tabulate
from riverboat.statistics import Estimate
from riverboat.training import Plan, Recipe, Until
from riverboat.tree import find_menu

_OTHER_SEED = 0x5EED  # random seed of the table of deals and of responses
_PAPER = "average-strategy"
_HALF_POINTS = 1_980  # of a runout: 2 for a win, 1 for a tie, against 990 hands


def setting(run: ReproductionRun) -> Found:
    """Return the settings of this run for the report."""
    shop = shop_of(run)
    backup, recipe = BackupSettings(), shop.recipe
    return Found(
        iterations=shop.amounts.iterations,
        hands=shop.amounts.hands,
        menu=str(find_menu(recipe.menu)),
        cards=recipe.cards,
        big_blind=recipe.spec.big_blind,
        preflop_share=backup.preflop_share,
        all_in_score=backup.all_in,
    )


def play_matches(run: ReproductionRun) -> Found:
    """Play the strategies of a training against the backup bot."""
    shop = shop_of(run)
    *way, last = kept_points(run.found.training)
    recipe, own, final = DATA, shop.amounts, last.strategy
    ours = (shop.bot(final), recipe.opponent)
    (main,) = shop.play(run.part(0.0, 0.5), [ours], own.hands)
    bots = [shop.bot(point.strategy) for point in way]
    bots += [shop.bot(final, translation=name) for name in recipe.translations]
    bots += [shop.bot(final, fallback=name) for name in recipe.fallbacks]
    by_score = recipe.opponent_by_score
    pairs = [(bot, recipe.opponent) for bot in bots]
    pairs += [(ours[0], by_score), (by_score, recipe.opponent)]
    won = iter(shop.play(run.part(0.5, 1.0), pairs, own.side_hands))
    return Found(
        main=main,
        on_the_way={point.iterations: next(won) for point in way},
        readings={name: next(won) for name in recipe.translations},
        fallbacks={name: next(won) for name in recipe.fallbacks},
        by_score=next(won),
        score_against_equity=next(won),
    )


def compare_settings(run: ReproductionRun) -> Found:
    """Train with the paper's settings for the number of samples of a saved strategy."""
    shop = shop_of(run)
    own, recipe, name = shop.amounts, shop.recipe, "papers-settings-samples"
    theirs = next(p for p in run.found.training.points if p.iterations == own.setting_iterations)
    paper = recipe.changed({"scheme": _PAPER, "budget": {"iterations": theirs.iterations}})
    until = Until(iterations=theirs.iterations)
    solver, _ = shop.train(run.part(0.0, 0.8), shop.setup(recipe), paper, name, until)
    bots = [shop.bot(theirs.strategy), shop.bot(name)]
    pairs = [(bot, DATA.opponent) for bot in bots] + [(bots[1], bots[0])]
    first, second, head = shop.play(run.part(0.8, 1.0), pairs, own.side_hands)
    rows = []
    for name, each, seconds, visited, won in (
        ("theirs", recipe, theirs.seconds, theirs.visited, first),
        ("the paper's", paper, solver.seconds, solver.report().visited, second),
    ):
        scheme = each.solver_scheme
        rows.append(
            Found(
                name=name,
                epsilon=scheme.exploration,
                beta=scheme.beta_offset,
                tau=scheme.tau,
                seconds=seconds,
                visited=visited,
                against_backup=won,
            )
        )
    return Found(rows=rows, head_to_head=head)


def compare_samplings(run: ReproductionRun) -> Found:
    """Train with each scheme for the same time, and measure and play the strategies."""
    shop = shop_of(run)
    schemes, count = DATA.samplings, len(DATA.samplings)
    rows = [_sampled(shop, *each) for each in run.part(0.0, 0.8).parts(schemes)]
    bots = [shop.bot(scheme.file) for scheme in schemes]
    pairs = [(bot, DATA.opponent) for bot in bots] + list(combinations(bots, 2))
    won = shop.play(run.part(0.8, 1.0), pairs, shop.amounts.side_hands)
    table = cross_table(count, won[count:])
    return Found(rows=rows, against_backup=won[:count], table=table)


def cross_table(count: int, won: list[Estimate]) -> list[list[Estimate | None]]:
    """Arrange the results of all pairs in a square.

    Examples
    --------
    >>> won = [Estimate.with_margin(3.0, 1.0)]
    >>> [[cell and cell.mean for cell in row] for row in cross_table(2, won)]
    [[None, 3.0], [-3.0, None]]
    """
    cells: list[list[Estimate | None]] = [[None] * count for _ in range(count)]
    for (i, j), result in zip(combinations(range(count), 2), won, strict=True):
        cells[i][j], cells[j][i] = result, result.scaled(-1)
    return cells


def _sampled(shop: Workshop, run: ReproductionRun, scheme: Sampled) -> Found:
    """Train with one scheme, and compute a lower bound on its exploitability."""
    own = shop.amounts
    options = {"scheme": scheme.scheme, "budget": {"seconds": own.sampling_seconds}}
    recipe = shop.recipe.changed(options)
    setup = whole = shop.setup(recipe, threads=1)
    if recipe.solver_scheme.sampling == "full":
        table = tabulate(whole.deals, own.tabulated_deals, recipe.seed + _OTHER_SEED)
        setup = replace(whole, deals=table)
    until = Until(processor_seconds=own.sampling_seconds)
    solver, seconds = shop.train(run.part(0.0, 0.5), setup, recipe, scheme.file, until)
    report, strategy = solver.report(), solver.strategy(np.float32)
    figures = {"iterations": solver.iterations, "seconds": seconds, "nodes": solver.nodes}
    figures |= {"visited": report.visited, "infosets": report.infosets}
    del solver  # frees memory for the responses
    run.tell(0.5, f"measures {scheme.file}")
    how = {"seed": shop.recipe.seed + _OTHER_SEED, "threads": Plan.of(shop.recipe).threads}
    bound = own.bound.bound(whole.deals, strategy, **how)
    return Found(name=scheme.name, bound=bound, **figures)


def measure_exactly(run: ReproductionRun) -> Found:
    """Train each scheme on the smaller tree and measure its exploitability over time."""
    shop = shop_of(run)
    recipe = shop.recipe
    setup = shop.setup(recipe.changed({"menu": DATA.exact_menu}), threads=1)
    deals = tabulate(setup.deals, shop.amounts.exact_deals, recipe.seed)
    first = Solver(deals, recipe.solver_scheme)
    rows = [_descent(shop, deals, *each) for each in run.parts(DATA.samplings)]
    uniform = exploitability(deals, first.strategy()).exploitability
    return Found(
        decisions=sum(setup.tree.num_decisions),
        infosets=first.report().infosets,
        uniform_exploitability=uniform,
        rows=rows,
    )


def _descent(shop: Workshop, deals: Deals, run: ReproductionRun, scheme: Sampled) -> Found:
    recipe = shop.recipe.changed({"scheme": scheme.scheme})
    solver = Solver(deals, recipe.solver_scheme, seed=recipe.seed)
    stops = [Until(processor_seconds=seconds) for seconds in shop.amounts.exact_seconds]
    points: list[tuple[float, int, float]] = []
    for now in iterate_told(run, solver, stops, scheme.name):
        if now.stop is not None:
            found = exploitability(deals, solver.strategy()).exploitability
            point = (now.processor_seconds, now.iterations, found)
            points += [point] * (now.stop + 1 - len(points))  # a slice may pass several
    seconds, iterations, exploitable = zip(*points, strict=True)
    return Found(
        name=scheme.name, seconds=seconds, iterations=iterations, exploitability=exploitable
    )


def improve(run: ReproductionRun) -> Found:
    """Train with our choices, and play both of the authors' bots."""
    better, name, shop = DATA.better, "better", shop_of(run)
    final = run.found.training.points[-1]
    seconds = shop.amounts.better_seconds
    recipe = _better_recipe(shop, seconds)
    part, until = run.part(0.0, 0.7), Until(processor_seconds=seconds)
    solver, spent = shop.train(part, shop.setup(recipe), recipe, name, until)
    report, bot = solver.report(), shop.better
    same_reading = shop.bot(name, DATA.translation, better.fallback)
    theirs = shop.bot(final.strategy)
    pairs = [(bot, DATA.opponent), (same_reading, DATA.opponent), (bot, theirs)]
    backup, same, theirs_won = shop.play(run.part(0.7, 1.0), pairs, shop.amounts.side_hands)
    return Found(
        menu=recipe.menu,
        cards=recipe.cards,
        cpu_seconds=spent,
        iterations=report.iterations,
        visited=report.visited,
        infosets=report.infosets,
        against_backup=backup,
        against_backup_their_reading=same,
        against_theirs=theirs_won,
    )


def _better_recipe(shop: Workshop, seconds: float) -> Recipe:
    own, better = shop.amounts, DATA.better
    changes = {
        "menu": own.better_menu or better.menu,
        "cards": own.better_cards or better.cards,
        "scheme": better.scheme,
        "fallback": better.fallback,
        "budget": {"seconds": seconds},
    }
    return shop.recipe.changed(changes)


def time_swaps(run: ReproductionRun) -> Found:
    """Time discards with tables, with all runouts, and inside a deal.

    Two decisions are timed, each with tables and without: whether to swap by the authors' fixed
    rule, and which card a swap gives away, as in training.
    """
    shop = shop_of(run)
    own, tables = shop.amounts, hand_strength()
    spots = [_swap_views(shop, line) for line in ("ck/", "ck/sskk/")]
    ways = [
        ("keep or swap", discard, discard_by_run_outs),
        ("which card", SwapRule(tables).card, SwapRule().card),
    ]
    times = list[Found]()
    for part, (text, look_up, run_out) in run.part(0.0, 0.8).parts(ways):
        part.tell(0.0, text)
        few = own.slow_views
        times += [
            Found(tables=_mean(each, look_up), run_outs=_mean(each[:few], run_out))
            for each in spots
        ]
    run.tell(0.8, "deals")
    preparing = _seconds(lambda: [swap_values(tables, street) for street in ("flop", "turn")])
    deals = shop.setup(shop.recipe).deals
    dealing = _seconds(lambda: sample_deals(deals, own.deals, shop.run.seed))
    choices = 2 * len(shop.recipe.spec.swap_streets)  # one per player and phase
    names = ("rule_flop", "rule_turn", "card_flop", "card_turn")
    return Found(
        zip(names, times, strict=True),
        deal=dealing / own.deals,
        swaps_a_deal=choices,
        preparing=preparing,
    )


def discard_by_run_outs(view: View) -> str:
    """Decide a discard as `riverboat.bots.discard` does, by dealing all runouts.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["2c7d", "AsAd"], board="AhAcKsQh3c", seed=1)
    >>> hand.play("ck/sskk/")
    >>> view = hand.view(hand.actor)
    >>> discard_by_run_outs(view) == discard(view)
    True
    """
    board, (first, second) = list(view.board), view.hole
    gone = {first, second, *board, *view.discarded}
    fresh = [card for card in range(52) if card not in gone]

    def equity(one: int, other: int) -> float:
        return float(run_out_points([one, other], board).mean()) / _HALF_POINTS

    stand = equity(first, second)
    values = [sum(equity(kept, card) for card in fresh) / len(fresh) for kept in (second, first)]
    best = max(range(2), key=lambda index: values[index])
    return "s" if values[best] - stand < GAIN else f"d{card_text(view.hole[best])}"


def _swap_views(shop: Workshop, line: str) -> list[View]:
    """Return views of swap decisions after a betting line."""
    views = []
    for number in range(shop.amounts.swap_views):
        hand = Hand(shop.recipe.spec, seed=shop.run.seed + number)
        hand.play(line)
        if hand.actor is not None:
            views.append(hand.view(hand.actor))
    return views


def _mean(views: list[View], judge: Callable[[View], object]) -> float:
    judge(views[0])  # maps the tables into memory
    return _seconds(lambda: [judge(view) for view in views]) / len(views)


def _seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of some work, which other programs do not change."""
    began = time.process_time()
    work()
    return time.process_time() - began
