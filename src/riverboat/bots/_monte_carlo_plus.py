"""Cardiff's Monte-Carlo bot with its thesis' future work done.

The thesis lists what its bot lacks: the pot, the opponent's line, a model of the
opponent, and sizes of bets. Here run-outs are dealt against a guess of the
opponent's range (`range_guess`), which narrows with his line by how often he was
seen to bet and to fold (`opponent`); and of fold, call and several sizes the move
is chosen that would earn most if nobody bet afterwards, as local best response
does (Lisy and Bowling 2017).

It is not an equilibrium: whoever knows it can trap it.
"""

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.bots._bot import BotSettings
from riverboat.bots._moves import give_up, go_along, raise_to
from riverboat.bots._opponent import OpponentModel, Situation
from riverboat.bots._range_guess import RangeGuess, showdowns
from riverboat.bots._rivals import Rivals
from riverboat.bots._swap import discard
from riverboat.bots._win_rate import WinRate
from riverboat.game import Action, View
from riverboat.settings import meaning

#: Sizes that are weighed, in shares of the pot after a call; all-in comes on top.
_SIZES: Final = (0.5, 1.0, 2.0)


class MonteCarloPlusSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of the improved Monte-Carlo bot."""

    samples: Annotated[int, meaning("run-outs for each decision", 20, 100_000)] = 500


class MonteCarloPlus:
    """Weighs fold, call and bets by their worth against the range it guesses.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["7d2c", "??"], seed=1)
    >>> hand.call()
    >>> bot = MonteCarloPlus(1)
    >>> hand.play("b500")
    >>> bot.act(hand.view(0))
    'f'
    """

    learns = True

    def __init__(self, seed: int, settings: MonteCarloPlusSettings | None = None) -> None:
        self.settings = settings or MonteCarloPlusSettings()
        self.model = OpponentModel()
        self._random = np.random.default_rng(seed)
        self._win_rate = WinRate(seed, self.settings.samples)
        self._rivals = Rivals()
        self._guess = RangeGuess()
        self._bet_share: float | None = None  # of the pot, if the own last move was a bet
        self._street = 0
        self._shown = False  # whether an opponent has bet on this street

    def act(self, view: View) -> str:
        """Choose a move."""
        if view.legal.stand or view.legal.discards:
            move = discard(view)
        else:
            self._listen(view)
            move = self._best_move(view, *self._showdowns(view))
            done = Action(move)
            self._bet_share = _pot_share(view, done.amount) if done.kind == "bet" else None
        self._rivals.moved(view, move)
        return move

    def hand_started(self, view: View) -> None:  # noqa: ARG002 - what is new does not matter
        """Begin a hand."""
        self._rivals.forget()

    def hand_over(self, view: View) -> None:
        """Count the last moves, a fold among them."""
        self._hear(view, narrow=False)
        self._rivals.forget()

    def _listen(self, view: View) -> None:
        """Count what the others did, and narrow the guess by it."""
        if self._rivals.is_new_hand(view):
            self._guess = RangeGuess()
            self._bet_share = None
            self._street, self._shown = 0, False
        self._hear(view, narrow=len(view.live) == 2 and view.spec.is_holdem)
        self._go_to(view.street)

    def _go_to(self, street: int) -> None:
        """Go on; on a new street nobody has shown anything yet."""
        if street != self._street:
            self._street, self._shown = street, False

    @property
    def _situation(self) -> Situation:
        return Situation(flop=self._street > 0, shown=self._shown)

    def _hear(self, view: View, *, narrow: bool) -> None:
        """Take the others' actions in: the first answers the own bet if there was one."""
        for street, action in self._rivals.news(view):
            letter = action[0]
            if letter not in "kcbf":
                continue
            self._go_to(street)
            if narrow:
                self._narrow(letter, view.board[: view.spec.board_sizes[street]])
            if self._bet_share is not None:
                self.model.answered(letter, self._bet_share, self._situation)
            else:
                self.model.acted(letter, self._situation)
            self._shown = self._shown or letter == "b"
            self._bet_share = None

    def _narrow(self, letter: str, board: tuple[int, ...]) -> None:
        """Weigh the opponent's hands by one action."""
        model, situation = self.model, self._situation
        if letter == "b":
            raising = self._bet_share is not None
            share = (model.raise_share if raising else model.bet_share)(situation)
            self._guess.bets(board, share)
        elif self._bet_share is not None:
            self._guess.calls(board, model.fold_share(self._bet_share, situation))
        elif letter == "k":
            self._guess.checks(board, model.bet_share(situation))

    def _showdowns(self, view: View) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Results and the opponent's places, [n] each; one sure rate where there is no guess."""
        if len(view.live) == 2 and view.spec.is_holdem:
            found = showdowns(view, self._guess, self.settings.samples, self._random)
            if len(found[0]):
                return found
        rate = self._win_rate(view)
        places = np.linspace(0, 1, 101)
        return (places < rate).astype(np.float64), places  # we beat his worst hands

    def _best_move(
        self, view: View, results: NDArray[np.float64], places: NDArray[np.float64]
    ) -> str:
        """Return the move of the greatest worth, in chips above folding."""
        rate = float(results.mean())
        best, most = go_along(view), rate * (view.pot + view.to_call) - view.to_call
        if most < 0:
            best, most = give_up(view), 0.0
        for amount in _amounts(view):
            worth = self._worth_of_bet(view, amount, results, places)
            if worth > most:
                best, most = raise_to(view, amount), worth
        return best

    def _worth_of_bet(
        self,
        view: View,
        amount: int,
        results: NDArray[np.float64],
        places: NDArray[np.float64],
    ) -> float:
        """Worth of betting to `amount`: all fold, or the better part of the range calls."""
        opponents = len(view.live) - 1
        fold_one = self.model.fold_share(_pot_share(view, amount), self._situation)
        called = results[places >= fold_one]
        rate = float(called.mean()) if len(called) else 0.0
        all_fold = fold_one**opponents
        cost = amount - view.bets[view.seat]
        answer = amount - max(view.bets[seat] for seat in view.live if seat != view.seat)
        return all_fold * view.pot + (1 - all_fold) * (rate * (view.pot + cost + answer) - cost)


def _pot_share(view: View, amount: int) -> float:
    """Size of a bet to `amount` as a share of the pot after a call."""
    price = view.bets[view.seat] + view.to_call
    return (amount - price) / max(1, view.pot + view.to_call)


def _amounts(view: View) -> list[int]:
    """List the bets that are weighed, within the bounds."""
    if view.legal.raise_to is None:
        return []
    least, most = view.legal.raise_to
    price, pot = view.bets[view.seat] + view.to_call, view.pot + view.to_call
    wanted = {min(max(int(price + share * pot), least), most) for share in _SIZES}
    return sorted(wanted | {most})
