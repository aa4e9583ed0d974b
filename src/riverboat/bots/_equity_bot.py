"""What bots share that ask their win rate first and decide then."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Final, Generic, TypeVar

from riverboat.bots._moves import SIZES, Size
from riverboat.bots._settings import Settings, choice, number, whole
from riverboat.bots._swap import discard
from riverboat.bots._win_rate import TIES, Ties, WinRate
from riverboat.game import View

__all__ = ["EquityBot", "EquitySettings", "ScaledSettings", "SizedSettings"]

_MOST_OPPONENTS: Final = 9


@dataclass(frozen=True, kw_only=True)
class EquitySettings(Settings):
    """How the win rate is had."""

    samples: Annotated[int, whole("run-outs for a win rate; 0 = exact where there is a table")] = (
        100
    )
    ties: Annotated[Ties, choice("what a tie counts", TIES)] = "half"


@dataclass(frozen=True, kw_only=True)
class ScaledSettings(EquitySettings):
    """Thresholds that fall with the number N of opponents, by N ** exponent."""

    exponent: Annotated[
        float, number("thresholds are multiplied by opponents ** exponent", -2, 0)
    ] = -0.25


@dataclass(frozen=True, kw_only=True)
class SizedSettings(ScaledSettings):
    """The same for bots that raise."""

    size: Annotated[Size, choice("of a raise", SIZES)] = "min"


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
