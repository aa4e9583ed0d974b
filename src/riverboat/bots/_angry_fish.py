"""Angry Fish of husky: raises good hands, calls with the rest.

The threshold 0.65 was its author's best against one Fish; against N opponents
it is multiplied by N^-1/4 (University of Washington, 2024).
"""

from dataclasses import dataclass
from typing import Annotated

from riverboat.bots._equity_bot import EquityBot, SizedSettings
from riverboat.bots._moves import go_along, raise_by
from riverboat.bots._settings import number
from riverboat.game import View

__all__ = ["AngryFish", "AngryFishSettings"]


@dataclass(frozen=True, kw_only=True)
class AngryFishSettings(SizedSettings):
    """Settings of Angry Fish."""

    high: Annotated[float, number("raises above this win rate")] = 0.65


class AngryFish(EquityBot[AngryFishSettings]):
    """Raises above a win rate, else checks or calls.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = AngryFish(0, AngryFishSettings())
    >>> bot.decide(view, 0.65), bot.decide(view, 0.66)
    ('c', 'b20')
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate."""
        if rate > self.settings.high * self.scale(view):
            return raise_by(view, self.settings.size)
        return go_along(view)
