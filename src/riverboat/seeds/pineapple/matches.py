"""Its CFR bot against its backup bot, on the way and at the end, and by how bets are read."""

import msgspec

from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple.data import amounts, data
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.work import bot_text, played

__all__ = ["Against", "Matches", "play_matches"]


class Against(msgspec.Struct, frozen=True):
    """A match, and what stands for its first bot."""

    label: str
    won: Won
    """mbb/h."""
    iterations: int = 0


class Matches(msgspec.Struct, frozen=True):
    """All matches against the backup bot."""

    main: Won
    on_the_way: tuple[Against, ...]
    """By samples of the training, without the last."""
    readings: tuple[Against, ...]
    """Other ways to read bets that are not on the menu."""
    fallbacks: tuple[Against, ...]
    """Other bots where nothing was trained."""


def play_matches(run: Reproduction, training: Training) -> Matches:
    """Play the strategies of a training against the backup bot."""
    return run.step("matches", Matches, lambda: _play(run, training))


def _play(run: Reproduction, training: Training) -> Matches:
    own, recipe = amounts(run), data()
    kept = [point for point in training.points if point.strategy]
    last = kept[-1].strategy
    main = played(run, [(bot_text(run, last), recipe.opponent)], own.hands, (0.0, 0.5))[0]
    bots = {f"{point.iterations:,} samples": bot_text(run, point.strategy) for point in kept[:-1]}
    bots |= {name: bot_text(run, last, translation=name) for name in recipe.translations}
    bots |= {name: bot_text(run, last, fallback=name) for name in recipe.fallbacks}
    pairs = [(bot, recipe.opponent) for bot in bots.values()]
    won = dict(zip(bots, played(run, pairs, own.side_hands, (0.5, 1.0)), strict=True))
    way = [
        Against(f"{p.iterations:,} samples", won[f"{p.iterations:,} samples"], p.iterations)
        for p in kept[:-1]
    ]
    return Matches(
        main,
        tuple(way),
        tuple(Against(name, won[name]) for name in recipe.translations),
        tuple(Against(name, won[name]) for name in recipe.fallbacks),
    )
