"""Bots that decide by their win rate, and their base class.

Husky's bots (University of Washington, 2024) have the thresholds that their author found best.
Honest calls above 0.375, the best value against All-In, and never raises. Angry Fish raises above
0.65. Shark folds below 0.1 and raises above 0.6, the best values against one Fish (0.375 and 1
against All-In). Matt, which is only in husky's code, has three thresholds. Against N opponents
thresholds are multiplied by N^-1/4. Mike subtracts an estimate of the opponent's strength, which
calls decrease and raises increase.

`HonestPyPokerEngine` is the example player of PyPokerEngine that cardiff's thesis played against:
1,000 samples, calls at 1/players or more, ties count as wins.
"""

from abc import ABC, abstractmethod
from typing import Annotated, Final, Generic, TypeVar

from riverboat.bots._bot import BotSettings
from riverboat.bots._moves import Size, give_up, go_along, raise_by
from riverboat.bots._opponents import Rivals
from riverboat.bots._swap import discard
from riverboat.bots._win_rate import WinRate
from riverboat.cards import Ties
from riverboat.game import Action, View
from riverboat.settings import meaning

Samples = Annotated[
    int, meaning("runouts per win rate (0 = exact, if there is a table)", 0, 1_000_000)
]
TieRule = Annotated[Ties, meaning("value of a tie in the win rate")]

_MOST_OPPONENTS: Final = 9


class EquitySettings(BotSettings, frozen=True, kw_only=True):
    """How the win rate is computed."""

    samples: Samples = 100
    ties: TieRule = "half"


class ScaledSettings(EquitySettings, frozen=True, kw_only=True):
    """Settings of bots whose thresholds are multiplied by opponents ** exponent."""

    exponent: Annotated[
        float, meaning("multiply thresholds by opponents ** exponent", -2, 0)
    ] = -0.25


class SizedSettings(ScaledSettings, frozen=True, kw_only=True):
    """The same settings for bots that raise."""

    size: Annotated[Size, meaning("raise size")] = "min"


S = TypeVar("S", bound=EquitySettings)


class EquityBot(ABC, Generic[S]):
    """Base class of bots that decide by their win rate; they discard by the rule of `_swap`.

    Parameters
    ----------
    seed
        Seed of the samples.
    settings
        Settings of the bot.
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
        """Return the factor of thresholds: opponents ** exponent."""
        return self._scales[len(view.live) - 1]


class HonestSettings(ScaledSettings, frozen=True, kw_only=True):
    """Settings of husky's Honest."""

    low: Annotated[float, meaning("call above this win rate", 0, 1)] = 0.375


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
        """Choose a move at this win rate."""
        good = rate > self.settings.low * self.scale(view)
        return go_along(view) if good else give_up(view)


class HonestPyPokerEngineSettings(EquitySettings, frozen=True, kw_only=True):
    """Settings of PyPokerEngine's Honest."""

    samples: Samples = 1000
    ties: TieRule = "win"


class HonestPyPokerEngine(EquityBot[HonestPyPokerEngineSettings]):
    """Calls if its win rate is at least 1/players, else checks or folds.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = HonestPyPokerEngine(0, HonestPyPokerEngineSettings())
    >>> bot.decide(view, 0.49), bot.decide(view, 0.5)
    ('f', 'c')
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose a move at this win rate; only players still in the hand count."""
        return go_along(view) if rate >= 1 / len(view.live) else give_up(view)


class AngryFishSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Angry Fish."""

    high: Annotated[float, meaning("raise above this win rate", 0, 1)] = 0.65


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
        """Choose a move at this win rate."""
        if rate > self.settings.high * self.scale(view):
            return raise_by(view, self.settings.size)
        return go_along(view)


class SharkSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Shark."""

    low: Annotated[float, meaning("fold at this win rate or below", 0, 1)] = 0.1
    high: Annotated[float, meaning("raise above this win rate", 0, 1)] = 0.6


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
        """Choose a move at this win rate."""
        settings, scale = self.settings, self.scale(view)
        if rate > settings.high * scale:
            return raise_by(view, settings.size)
        return go_along(view) if rate > settings.low * scale else give_up(view)


class MattSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Matt."""

    low: Annotated[float, meaning("fold below this win rate", 0, 1)] = 0.2
    high: Annotated[float, meaning("raise from this win rate on", 0, 1)] = 0.7
    all_in: Annotated[float, meaning("go all-in from this win rate on", 0, 1)] = 0.9
    size: Annotated[Size, meaning("raise size")] = "double"


class Matt(EquityBot[MattSettings]):
    """Folds, calls, raises to twice the minimum, or goes all-in, by its win rate.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = Matt(0, MattSettings())
    >>> [bot.decide(view, rate) for rate in (0.1, 0.2, 0.7, 0.9)]
    ['f', 'c', 'b40', 'b1000']
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose a move at this win rate."""
        settings, scale = self.settings, self.scale(view)
        if rate >= settings.all_in * scale:
            return raise_by(view, "max")
        if rate >= settings.high * scale:
            return raise_by(view, settings.size)
        return go_along(view) if rate >= settings.low * scale else give_up(view)


class MikeSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Mike."""

    start: Annotated[float, meaning("first estimate of an opponent's strength", 0, 1)] = 0.52
    on_call: Annotated[float, meaning("change of the estimate by a call", -1, 1)] = -0.05
    on_raise: Annotated[float, meaning("change of the estimate by a bet or raise", -1, 1)] = 0.2
    on_all_in: Annotated[float, meaning("change of the estimate by an all-in", -1, 1)] = 0.5
    low: Annotated[float, meaning("fold below this advantage", -1, 1)] = -0.15
    high: Annotated[float, meaning("raise from this advantage on", -1, 1)] = 0.15
    all_in: Annotated[float, meaning("go all-in from this advantage on", -1, 1)] = 0.25
    size: Annotated[Size, meaning("raise size")] = "double"


class Mike(EquityBot[MikeSettings]):
    """Decides by its win rate minus an estimate of the opponent's strength.

    Against several opponents the estimate is scaled like husky's thresholds.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AsAh", "??"], seed=1)
    >>> Mike(0, MikeSettings(samples=0)).act(hand.view(0))  # 0.85 - 0.52 = 0.33
    'b1000'
    """

    def __init__(self, seed: int, settings: MikeSettings) -> None:
        super().__init__(seed, settings)
        self._rivals = Rivals()
        self.guess = settings.start

    def act(self, view: View) -> str:
        """Choose a move."""
        self._update_guess(view)
        move = super().act(view)
        self._rivals.moved(view, move)
        return move

    def decide(self, view: View, rate: float) -> str:
        """Choose a move at this win rate."""
        settings = self.settings
        advantage = rate - self.guess * self.scale(view)
        if advantage >= settings.all_in:
            return raise_by(view, "max")
        if advantage >= settings.high:
            return raise_by(view, settings.size)
        return go_along(view) if advantage >= settings.low else give_up(view)

    def hand_started(self, view: View) -> None:  # noqa: ARG002 - a hook's parameter
        """Expect a new hand."""
        self._rivals.forget()

    def hand_over(self, view: View) -> None:
        """Do nothing: the bot does not learn."""

    def _update_guess(self, view: View) -> None:
        """Update the estimate with the opponents' actions."""
        settings = self.settings
        if self._rivals.is_new_hand(view):
            self.guess = settings.start
        all_in = any(view.stacks[seat] == 0 for seat in view.live if seat != view.seat)
        for _, action in self._rivals.news(view):
            if action == "c":
                self.guess += settings.on_call
            elif Action(action).kind == "bet":
                self.guess += settings.on_all_in if all_in else settings.on_raise
