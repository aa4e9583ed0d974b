"""Bots that decide by their win rate, and what they share.

Husky's (University of Washington, 2024), with thresholds that were their author's best: Honest
calls above 0.375, the best against All-In, and never raises; Angry Fish raises above 0.65, and
Shark folds below 0.1 and raises above 0.6, the best against one Fish (0.375 and 1 against
All-In); Matt, of its code, has three. Against N opponents they are multiplied by N^-1/4. Mike
subtracts a guess of the opponent's strength, which calls lower and raises increase.

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


class MikeSettings(SizedSettings, frozen=True, kw_only=True):
    """Settings of Mike."""

    start: Annotated[float, meaning("guess of an opponent's strength before he acts", 0, 1)] = 0.52
    on_call: Annotated[float, meaning("a call moves the guess by this", -1, 1)] = -0.05
    on_raise: Annotated[float, meaning("a bet or raise moves the guess by this", -1, 1)] = 0.2
    on_all_in: Annotated[float, meaning("an all-in moves the guess by this", -1, 1)] = 0.5
    low: Annotated[float, meaning("folds below this advantage", -1, 1)] = -0.15
    high: Annotated[float, meaning("raises from this advantage on", -1, 1)] = 0.15
    all_in: Annotated[float, meaning("goes all-in from this advantage on", -1, 1)] = 0.25
    size: Annotated[Size, meaning("of a raise")] = "double"


class Mike(EquityBot[MikeSettings]):
    """Acts on its win rate minus a guess of the opponent's strength.

    Against several opponents the guess is scaled as husky scales thresholds.

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
        self._listen(view)
        move = super().act(view)
        self._rivals.moved(view, move)
        return move

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate."""
        settings = self.settings
        advantage = rate - self.guess * self.scale(view)
        if advantage >= settings.all_in:
            return raise_by(view, "max")
        if advantage >= settings.high:
            return raise_by(view, settings.size)
        return go_along(view) if advantage >= settings.low else give_up(view)

    def hand_started(self, view: View) -> None:  # noqa: ARG002 - what is new does not matter
        """Begin with the first guess."""
        self._rivals.forget()

    def hand_over(self, view: View) -> None:
        """Nothing is learnt from hand to hand."""

    def _listen(self, view: View) -> None:
        """Move the guess by what the others did."""
        settings = self.settings
        if self._rivals.is_new_hand(view):
            self.guess = settings.start
        all_in = any(view.stacks[seat] == 0 for seat in view.live if seat != view.seat)
        for _, action in self._rivals.news(view):
            if action == "c":
                self.guess += settings.on_call
            elif Action(action).kind == "bet":
                self.guess += settings.on_all_in if all_in else settings.on_raise
