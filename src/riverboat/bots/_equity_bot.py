"""What bots share that ask their win rate first and decide then."""

from abc import ABC, abstractmethod
from typing import Annotated, Final, Generic, TypeVar

from riverboat.bots._bot import BotSettings
from riverboat.bots._moves import Size
from riverboat.bots._swap import discard
from riverboat.bots._win_rate import WinRate
from riverboat.cards import Ties
from riverboat.game import View
from riverboat.settings import meaning

Samples = Annotated[
    int, meaning("run-outs for a win rate; 0 = exact where there is a table", 0, 1_000_000)
]
TieRule = Annotated[Ties, meaning("what a tie counts")]

_MOST_OPPONENTS: Final = 9


class EquitySettings(BotSettings, frozen=True, kw_only=True):
    """How the win rate is had."""

    samples: Samples = 100
    ties: TieRule = "half"


class ScaledSettings(EquitySettings, frozen=True, kw_only=True):
    """Thresholds that fall with the number N of opponents, by N ** exponent."""

    exponent: Annotated[
        float, meaning("thresholds are multiplied by opponents ** exponent", -2, 0)
    ] = -0.25


class SizedSettings(ScaledSettings, frozen=True, kw_only=True):
    """The same for bots that raise."""

    size: Annotated[Size, meaning("of a raise")] = "min"


S = TypeVar("S", bound=EquitySettings)


class EquityBot(ABC, Generic[S]):
    """Base of bots that decide by their win rate; in discard phases they follow `swap`'s rule.

    Parameters
    ----------
    seed
        Of the samples.
    settings
        Those of the bot.
    """

    def __init__(self, seed: int, settings: S) -> None:
        self.settings = settings
        self.win_rate = WinRate(seed, settings.samples, settings.ties)
        exponent = float(getattr(settings, "exponent", 0.0))
        self._scales: tuple[float, ...] = (
            1.0,
            *(n**exponent for n in range(1, _MOST_OPPONENTS + 1)),
        )

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        if legal.stand or legal.discards:
            return discard(view)
        return self.decide(view, self.win_rate(view))

    @abstractmethod
    def decide(self, view: View, rate: float) -> str:
        """Choose a bet, check, call or fold at this win rate."""

    def scale(self, view: View) -> float:
        """Return what thresholds are multiplied by at this table: opponents ** exponent."""
        return self._scales[len(view.live) - 1]
