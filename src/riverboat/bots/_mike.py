"""Mike of husky's code: weighs its hand against a guess of the opponent's.

The guess starts at 0.52 in each hand, falls by 0.05 with each call of an
opponent, and rises by 0.2 with a raise and 0.5 with an all-in.
"""

from typing import Annotated

from riverboat.bots._equity_bot import EquityBot, SizedSettings
from riverboat.bots._moves import Size, give_up, go_along, raise_by
from riverboat.bots._rivals import Rivals
from riverboat.game import Action, View
from riverboat.settings import meaning


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
