"""Shark of husky: folds bad hands, raises good ones, calls with those between.

Thresholds 0.1 and 0.6 were its author's best against one Fish, 0.375 and 1
against All-In (University of Washington, 2024).
"""

from dataclasses import dataclass
from typing import Annotated

from riverboat.bots._equity_bot import EquityBot, SizedSettings
from riverboat.bots._moves import give_up, go_along, raise_by
from riverboat.bots._settings import number
from riverboat.game import View

__all__ = ["Shark", "SharkSettings"]


@dataclass(frozen=True, kw_only=True)
class SharkSettings(SizedSettings):
    """Settings of Shark."""

    low: Annotated[float, number("folds at this win rate or below")] = 0.1
    high: Annotated[float, number("raises above this win rate")] = 0.6


class Shark(EquityBot[SharkSettings]):
    """Folds at a low win rate, raises above a high one, else checks or calls.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = Shark(0, SharkSettings())
    >>> [bot.decide(view, rate) for rate in (0.1, 0.11, 0.6, 0.61)]
    ['f', 'c', 'c', 'b20']
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate."""
        settings, scale = self.settings, self.scale(view)
        if rate > settings.high * scale:
            return raise_by(view, settings.size)
        return go_along(view) if rate > settings.low * scale else give_up(view)
