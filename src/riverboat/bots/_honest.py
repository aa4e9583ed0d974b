"""Two bots called Honest: they call with good hands, fold the others and never raise.

`Honest` is husky's: it calls above 0.375, its best threshold against All-In.
`HonestPyPokerEngine` is the example player of PyPokerEngine that cardiff's thesis
played against: 1,000 samples, calls at 1/players or more, ties count as wins.
"""

from dataclasses import dataclass
from typing import Annotated

from riverboat.bots._equity_bot import EquityBot, EquitySettings, ScaledSettings
from riverboat.bots._moves import give_up, go_along
from riverboat.bots._settings import choice, number, whole
from riverboat.bots._win_rate import TIES, Ties
from riverboat.game import View

__all__ = [
    "Honest",
    "HonestPyPokerEngine",
    "HonestPyPokerEngineSettings",
    "HonestSettings",
]


@dataclass(frozen=True, kw_only=True)
class HonestSettings(ScaledSettings):
    """Settings of husky's Honest."""

    low: Annotated[float, number("calls above this win rate")] = 0.375


class Honest(EquityBot[HonestSettings]):
    """Calls above a win rate, else checks or folds.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = Honest(0, HonestSettings())
    >>> bot.decide(view, 0.375), bot.decide(view, 0.376)
    ('f', 'c')
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate."""
        good = rate > self.settings.low * self.scale(view)
        return go_along(view) if good else give_up(view)


@dataclass(frozen=True, kw_only=True)
class HonestPyPokerEngineSettings(EquitySettings):
    """Settings of PyPokerEngine's Honest."""

    samples: Annotated[int, whole("run-outs for a win rate; 0 = exact where there is a table")] = (
        1000
    )
    ties: Annotated[Ties, choice("what a tie counts", TIES)] = "win"


class HonestPyPokerEngine(EquityBot[HonestPyPokerEngineSettings]):
    """Calls if its win rate is at least its fair share, 1/players, else checks or folds.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = HonestPyPokerEngine(0, HonestPyPokerEngineSettings())
    >>> bot.decide(view, 0.49), bot.decide(view, 0.5)
    ('f', 'c')
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate; the players are those still in the hand."""
        return go_along(view) if rate >= 1 / len(view.live) else give_up(view)
