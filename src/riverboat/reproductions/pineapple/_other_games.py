"""Two other games beside the document's: raises as in the code, and swaps that training solves."""

from typing import Any

from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions.pineapple._training import DATA, Other, Workshop, shop_of
from riverboat.training import Until
from riverboat.tree import find_menu


def train_other_games(run: ReproductionRun) -> Found:
    """Train each game for the same samples; play the backup bot and the document's game."""
    shop = shop_of(run)
    rows = [_trained(shop, part, other) for part, other in run.part(0.0, 0.6).parts(DATA.others)]
    bots = [shop.bot(other.file) for other in DATA.others]
    document = shop.bot(run.found.training.points[-1].strategy)
    pairs = [(bot, rival) for rival in (DATA.opponent, document) for bot in bots]
    won = shop.play(run.part(0.6, 1.0), pairs, shop.amounts.side_hands)
    return Found(rows=rows, against_backup=won[: len(bots)], against_document=won[len(bots) :])


def _trained(shop: Workshop, run: ReproductionRun, other: Other) -> Found:
    changes: dict[str, Any] = {"menu": shop.amounts.menu or other.menu}
    if other.solved:
        changes["swap_gain"] = None
    recipe = shop.recipe.changed(changes)
    until = Until(iterations=shop.amounts.iterations)
    solver, _ = shop.train(run, shop.setup(recipe), recipe, other.file, until)
    now = solver.report()
    return Found(
        name=other.name,
        menu=str(find_menu(recipe.menu)),
        infosets=now.infosets,
        visited=now.visited,
        iterations=now.iterations,
        seconds=now.seconds,
    )
