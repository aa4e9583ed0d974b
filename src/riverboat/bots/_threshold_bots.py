"""Bots that hold their win rate against thresholds.

Husky's (University of Washington, 2024), with thresholds that were their author's best: Honest
calls above 0.375, the best against All-In, and never raises; Angry Fish raises above 0.65, and
Shark folds below 0.1 and raises above 0.6, the best against one Fish (0.375 and 1 against
All-In); Matt, of its code, has three. Against N opponents they are multiplied by N^-1/4.

`HonestPyPokerEngine` is the example player of PyPokerEngine that cardiff's thesis played against:
1,000 samples, calls at 1/players or more, ties count as wins.
"""

from typing import Annotated

from riverboat.bots._equity_bot import (
    EquityBot,
    EquitySettings,
    Samples,
    ScaledSettings,
    SizedSettings,
    TieRule,
)
from riverboat.bots._moves import Size, give_up, go_along, raise_by
from riverboat.game import View
from riverboat.settings import meaning


class HonestSettings(ScaledSettings, frozen=True, kw_only=True):
    """Settings of husky's Honest."""

    low: Annotated[float, meaning("calls above this win rate", 0, 1)] = 0.375


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


class HonestPyPokerEngineSettings(EquitySettings, frozen=True, kw_only=True):
    """Settings of PyPokerEngine's Honest."""

    samples: Samples = 1000
    ties: TieRule = "win"


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


class AngryFishSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Angry Fish."""

    high: Annotated[float, meaning("raises above this win rate", 0, 1)] = 0.65


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


class SharkSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Shark."""

    low: Annotated[float, meaning("folds at this win rate or below", 0, 1)] = 0.1
    high: Annotated[float, meaning("raises above this win rate", 0, 1)] = 0.6


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


class MattSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Matt."""

    low: Annotated[float, meaning("folds below this win rate", 0, 1)] = 0.2
    high: Annotated[float, meaning("raises from this win rate on", 0, 1)] = 0.7
    all_in: Annotated[float, meaning("goes all-in from this win rate on", 0, 1)] = 0.9
    size: Annotated[Size, meaning("of a raise")] = "double"


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
