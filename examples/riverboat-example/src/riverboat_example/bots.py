"""Two bots: one is only a class, the other is a `BotKind` with settings."""

import random
from typing import Annotated

from riverboat.bots import BotKind, BotSettings, give_up, go_along, raise_pot_share
from riverboat.game import View
from riverboat.settings import meaning

__all__ = ["MOODY", "MatchMaker", "Moody", "MoodySettings"]


class MatchMaker:
    """Bets the pot if a hole card makes a pair or better, else checks or folds."""

    def act(self, view: View) -> str:
        """Choose an action."""
        hole = [card // 4 for card in view.hole]
        board = [card // 4 for card in view.board]
        if len(set(hole)) < len(hole) or set(hole) & set(board):
            return raise_pot_share(view, 1)
        return give_up(view)


class MoodySettings(BotSettings, frozen=True, kw_only=True):
    """The settings after the colon: `moody:temper=0.8`."""

    temper: Annotated[float, meaning("probability of a raise", 0, 1)] = 0.5


class Moody:
    """Raises at random, else checks or calls."""

    def __init__(self, seed: int, settings: MoodySettings) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a game
        self._settings = settings

    def act(self, view: View) -> str:
        """Choose an action."""
        if self._random.random() < self._settings.temper:
            return raise_pot_share(view, 0.5)
        return go_along(view)


MOODY = BotKind("moody", "raises at random, else checks or calls", "example", Moody, MoodySettings)
