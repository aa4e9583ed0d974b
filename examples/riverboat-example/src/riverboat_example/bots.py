"""Two bots: a class is enough; a `BotKind` adds settings."""

import random
from typing import Annotated

from riverboat.bots import BotKind, BotSettings, give_up, go_along, raise_pot_share
from riverboat.game import View
from riverboat.settings import meaning

__all__ = ["MOODY", "MatchMaker", "Moody", "MoodySettings"]


class MatchMaker:
    """Bets the pot with a pair or better made of its own cards, else checks or folds."""

    def act(self, view: View) -> str:
        """Decide."""
        own = [card // 4 for card in view.hole]
        public = [card // 4 for card in view.board]
        if len(set(own)) < len(own) or set(own) & set(public):
            return raise_pot_share(view, 1)
        return give_up(view)


class MoodySettings(BotSettings, frozen=True, kw_only=True):
    """What can be written after the colon: `moody:temper=0.8`."""

    temper: Annotated[float, meaning("how often it raises", 0, 1)] = 0.5


class Moody:
    """Raises by chance, else goes along."""

    def __init__(self, seed: int, settings: MoodySettings) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a game
        self._settings = settings

    def act(self, view: View) -> str:
        """Decide."""
        if self._random.random() < self._settings.temper:
            return raise_pot_share(view, 0.5)
        return go_along(view)


MOODY = BotKind("moody", "raises by chance, else goes along", "example", Moody, MoodySettings)
