"""What better choices give in the same time: other bets, other cards, another sampling."""

import msgspec

from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple.data import amounts, data
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.work import bot_text, played, prepared, recipe_of, solved

__all__ = ["Improved", "improve"]

_FILE = "better"


class Improved(msgspec.Struct, frozen=True):
    """Our choices."""

    menu: str
    cards: str
    scheme: str
    seconds: float
    iterations: int
    visited: int
    infosets: int
    against_backup: Won
    against_backup_their_reading: Won
    """With bets read as the authors' bot does."""
    against_theirs: Won
    """From the strategy that was trained as the authors did, mbb/h."""


def improve(run: Reproduction, training: Training) -> Improved:
    """Train with our choices, and play both of the authors' bots."""
    return run.step("better", Improved, lambda: _improve(run, training))


def _improve(run: Reproduction, training: Training) -> Improved:
    own, better = amounts(run), data().better
    recipe = recipe_of(run).changed(
        {
            "menu": own.better_menu or better.menu,
            "cards": own.better_cards or better.cards,
            "scheme": better.scheme,
            "fallback": better.fallback,
            "budget": {"seconds": min(own.better_seconds, training.last.seconds)},
        }
    )
    solver = solved(run, prepared(recipe), recipe, _FILE, (0.0, 0.7))
    report = solver.report()
    bot = bot_text(run, _FILE, better.translation, better.fallback)
    same_reading = bot_text(run, _FILE, data().translation, better.fallback)
    pairs = [
        (bot, data().opponent),
        (same_reading, data().opponent),
        (bot, bot_text(run, training.last.strategy)),
    ]
    results = played(run, pairs, own.side_hands, (0.7, 1.0))
    return Improved(
        recipe.menu,
        recipe.cards,
        better.scheme,
        report.seconds,
        report.iterations,
        report.visited,
        report.infosets,
        *results,
    )
