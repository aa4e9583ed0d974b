"""Matt of husky's code: three thresholds and two sizes of raise."""

from dataclasses import dataclass
from typing import Annotated

from riverboat.bots._equity_bot import EquityBot, SizedSettings
from riverboat.bots._moves import SIZES, Size, give_up, go_along, raise_by
from riverboat.bots._settings import choice, number
from riverboat.game import View

__all__ = ["Matt", "MattSettings"]


@dataclass(frozen=True, kw_only=True)
class MattSettings(SizedSettings):
    """Settings of Matt."""

    low: Annotated[float, number("folds below this win rate")] = 0.2
    high: Annotated[float, number("raises from this win rate on")] = 0.7
    all_in: Annotated[float, number("goes all-in from this win rate on")] = 0.9
    size: Annotated[Size, choice("of a raise", SIZES)] = "double"


class Matt(EquityBot[MattSettings]):
    """Folds, calls, raises to twice the least, or goes all-in, by its win rate.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = Matt(0, MattSettings())
    >>> [bot.decide(view, rate) for rate in (0.1, 0.2, 0.7, 0.9)]
    ['f', 'c', 'b40', 'b1000']
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate."""
        settings, scale = self.settings, self.scale(view)
        if rate >= settings.all_in * scale:
            return raise_by(view, "max")
        if rate >= settings.high * scale:
            return raise_by(view, settings.size)
        return go_along(view) if rate >= settings.low * scale else give_up(view)
