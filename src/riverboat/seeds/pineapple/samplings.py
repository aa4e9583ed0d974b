"""Average-strategy sampling against external sampling and vanilla CFR at equal time.

Each scheme has one thread, because full-width CFR has no more, and the same seconds of processor
time, so that other work on the machine favours none. Full-width CFR walks a table of deals that
were drawn once; all others draw theirs from the whole game.
"""

from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np

from riverboat.evaluate import response_bound
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple.data import Sampled, amounts, data
from riverboat.seeds.pineapple.tabulated import tabulated
from riverboat.seeds.pineapple.work import bot_text, played, prepared, recipe_of, solved_alone
from riverboat.training import Setup, solver_threads

__all__ = ["Scheme", "Schemes", "compare_samplings"]

_OTHER_SEED = 0x5EED  # of the table, and of responses


class Scheme(msgspec.Struct, frozen=True):
    """What a scheme made of its time."""

    name: str
    iterations: int
    seconds: float
    """Of processor time."""
    nodes: int
    visited: int
    infosets: int
    bound: Won
    """What trained responses win, chips a hand: a lower bound on exploitability."""
    against_backup: Won
    """mbb/h."""


class Schemes(msgspec.Struct, frozen=True):
    """All schemes, and matches of each with each."""

    seconds: float
    tabulated_deals: int
    rows: tuple[Scheme, ...]
    table: tuple[tuple[Won | None, ...], ...]
    """[schemes, schemes] what the one of the row wins from the one of the column, mbb/h."""


def compare_samplings(run: Reproduction) -> Schemes:
    """Train with each scheme for the same time; measure and play what came of it."""
    return run.step("samplings", Schemes, lambda: _compare(run))


def _compare(run: Reproduction) -> Schemes:
    own, schemes = amounts(run), data().samplings
    count = len(schemes)
    trained = [
        _train(run, scheme, (0.8 * index / count, 0.8 * (index + 1) / count))
        for index, scheme in enumerate(schemes)
    ]
    bots = [bot_text(run, scheme.file) for scheme in schemes]
    pairs = [(bot, data().opponent) for bot in bots]
    pairs += [(bots[i], bots[j]) for i, j in combinations(range(count), 2)]
    won = played(run, pairs, own.side_hands, (0.8, 1.0))
    rows = tuple(
        msgspec.structs.replace(row, against_backup=result)
        for row, result in zip(trained, won[:count], strict=True)
    )
    return Schemes(own.sampling_seconds, own.tabulated_deals, rows, cross_table(count, won[count:]))


def cross_table(count: int, won: list[Won]) -> tuple[tuple[Won | None, ...], ...]:
    """Arrange the results of all pairs in a square.

    Examples
    --------
    >>> [[cell and cell.mean for cell in row] for row in cross_table(2, [Won(3.0, 1.0, 10)])]
    [[None, 3.0], [-3.0, None]]
    """
    cells: list[list[Won | None]] = [[None] * count for _ in range(count)]
    for (i, j), result in zip(combinations(range(count), 2), won, strict=True):
        cells[i][j] = result
        cells[j][i] = Won(-result.mean, result.margin, result.hands)
    return tuple(map(tuple, cells))


def _train(run: Reproduction, scheme: Sampled, share: tuple[float, float]) -> Scheme:
    own = amounts(run)
    options = {"scheme": scheme.scheme, "budget": {"seconds": own.sampling_seconds}}
    recipe = recipe_of(run).changed(options)
    setup = prepared(recipe_of(run), threads=1)
    middle = (share[0] + share[1]) / 2
    whole = setup
    if recipe.solver_scheme().sampling == "full":
        deals = tabulated(setup.deals, own.tabulated_deals, recipe.seed + _OTHER_SEED)
        setup = replace(setup, deals=deals)
    solver, seconds = solved_alone(run, setup, recipe, scheme.file, (share[0], middle))
    report, strategy = solver.report(), solver.strategy(np.float32)
    figures = (solver.iterations, seconds, solver.nodes, report.visited, report.infosets)
    del solver  # room for the responses
    run.tell(middle, f"measures {scheme.file}")
    nothing = Won(0.0, -1.0, 0)
    return Scheme(scheme.name, *figures, _bound(run, whole, strategy), nothing)


def _bound(run: Reproduction, setup: Setup, strategy: np.ndarray) -> Won:
    own, recipe = amounts(run), recipe_of(run)
    found = response_bound(
        setup.deals,
        strategy,
        seconds=own.bound_seconds,
        score_deals=own.bound_deals,
        seed=recipe.seed + _OTHER_SEED,
        threads=solver_threads(recipe),
    ).bound
    return Won(found.mean, found.margin, found.units)
