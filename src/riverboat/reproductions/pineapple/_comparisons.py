"""Other trainings beside the authors': schemes at equal time, the paper's settings, our choices.

At equal time each scheme has one thread, because full-width CFR has no more, and the same seconds
of processor time, so that other work on the machine favours none. Full-width CFR walks a table of
deals that were drawn once; on the smaller tree, where exploitability is exact, all schemes do.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np

from riverboat.evaluate import exploitability
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import iterate_told
from riverboat.reproductions.pineapple._recipe import DATA, Sampled
from riverboat.reproductions.pineapple._results import (
    Descent,
    Exact,
    Improved,
    Scheme,
    Schemes,
    Settings,
    SettingTrained,
    Training,
)
from riverboat.reproductions.pineapple._workshop import Workshop
from riverboat.solve import Deals, Solver, tabulate
from riverboat.statistics import Estimate
from riverboat.training import Plan, Recipe, Until

_OTHER_SEED = 0x5EED  # of the table, and of responses
_PAPER = "average-strategy"


def compare_settings(shop: Workshop, training: Training) -> Settings:
    """Train with the paper's settings as many samples as a kept strategy had."""
    own, recipe, name = shop.amounts, shop.recipe, "papers-settings-samples"
    theirs = next(p for p in training.points if p.iterations == own.setting_iterations)
    paper = recipe.changed({"scheme": _PAPER, "budget": {"iterations": theirs.iterations}})
    until = Until(iterations=theirs.iterations)
    solver, _ = shop.train(shop.run.part(0.0, 0.8), shop.setup(recipe), paper, name, until)
    bots = [shop.bot(theirs.strategy), shop.bot(name)]
    pairs = [(bot, DATA.opponent) for bot in bots] + [(bots[1], bots[0])]
    first, second, head = shop.play(shop.run.part(0.8, 1.0), pairs, own.side_hands)
    rows = []
    for name, each, seconds, visited, won in (
        ("theirs", recipe, theirs.seconds, theirs.visited, first),
        ("the paper's", paper, solver.seconds, solver.report().visited, second),
    ):
        scheme = each.solver_scheme
        numbers = (scheme.exploration, scheme.beta_offset, scheme.tau)
        rows.append(SettingTrained(name, *numbers, seconds, visited, won))
    return Settings(tuple(rows), head)


def compare_samplings(shop: Workshop) -> Schemes:
    """Train with each scheme for the same time; measure and play what came of it."""
    schemes, count = DATA.samplings, len(DATA.samplings)
    rows = [_sampled(shop, *each) for each in shop.run.part(0.0, 0.8).parts(schemes)]
    bots = [shop.bot(scheme.file) for scheme in schemes]
    pairs = [(bot, DATA.opponent) for bot in bots] + list(combinations(bots, 2))
    won = shop.play(shop.run.part(0.8, 1.0), pairs, shop.amounts.side_hands)
    return Schemes(tuple(rows), tuple(won[:count]), cross_table(count, won[count:]))


def cross_table(count: int, won: list[Estimate]) -> tuple[tuple[Estimate | None, ...], ...]:
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
    return tuple(map(tuple, cells))


def _sampled(shop: Workshop, run: ReproductionRun, scheme: Sampled) -> Scheme:
    """Train with one scheme, and bound its exploitability from below."""
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
    figures = (solver.iterations, seconds, solver.nodes, report.visited, report.infosets)
    del solver  # room for the responses
    run.tell(0.5, f"measures {scheme.file}")
    how = {"seed": shop.recipe.seed + _OTHER_SEED, "threads": Plan.of(shop.recipe).threads}
    return Scheme(scheme.name, *figures, own.bound.bound(whole.deals, strategy, **how))


def measure_exactly(shop: Workshop) -> Exact:
    """Train each scheme on the smaller tree and follow its exploitability."""
    recipe = shop.recipe
    setup = shop.setup(recipe.changed({"menu": DATA.exact_menu}), threads=1)
    deals = tabulate(setup.deals, shop.amounts.exact_deals, recipe.seed)
    first = Solver(deals, recipe.solver_scheme)
    rows = [_descent(shop, deals, *each) for each in shop.run.parts(DATA.samplings)]
    uniform = exploitability(deals, first.strategy()).exploitability
    decisions = sum(setup.tree.num_decisions)
    return Exact(decisions, first.report().infosets, uniform, tuple(rows))


def _descent(shop: Workshop, deals: Deals, run: ReproductionRun, scheme: Sampled) -> Descent:
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
    return Descent(scheme.name, seconds, iterations, exploitable)


def improve(shop: Workshop, training: Training) -> Improved:
    """Train with our choices in the same time, and play both of the authors' bots."""
    better, name = DATA.better, "better"
    seconds = min(shop.amounts.better_seconds, training.last.seconds)
    recipe = _better_recipe(shop, seconds)
    part, until = shop.run.part(0.0, 0.7), Until(seconds=seconds)
    solver, _ = shop.train(part, shop.setup(recipe), recipe, name, until)
    report, bot = solver.report(), shop.bot(name, better.translation, better.fallback)
    same_reading = shop.bot(name, DATA.translation, better.fallback)
    theirs = shop.bot(training.last.strategy)
    pairs = [(bot, DATA.opponent), (same_reading, DATA.opponent), (bot, theirs)]
    won = shop.play(shop.run.part(0.7, 1.0), pairs, shop.amounts.side_hands)
    reached = (report.seconds, report.iterations, report.visited, report.infosets)
    return Improved(recipe.menu, recipe.cards, *reached, *won)


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
