"""The Monte-Carlo bots of cardiff's thesis: its own (figure 13), and one with its future work done.

A win rate from samples, ties counted as wins, is held against three thresholds of
the street: raise to twice the least, raise the least, call. Below all of them it
checks or folds. The thesis plays it with 10,000 samples, and with 50.

The thesis lists what its bot lacks: the pot, the opponent's line, a model of the
opponent, and sizes of bets. `MonteCarloPlus` deals runouts against a guess of the
opponent's range, which narrows with the line by how often the opponent was seen to
bet and to fold. Of fold, call and several sizes it chooses the move that would earn
most if nobody bet afterwards, as local best response does (Lisy and Bowling 2017).
It is not an equilibrium: whoever knows it can trap it.
"""

from functools import lru_cache
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.bots._all_hands import HandStrategies
from riverboat.bots._bot import BotSettings
from riverboat.bots._equity_bots import EquityBot, EquitySettings, Samples, TieRule
from riverboat.bots._moves import give_up, go_along, raise_by, raise_to
from riverboat.bots._opponents import OpponentModel, RangeGuess, Rivals, Situation, showdowns
from riverboat.bots._swap import discard
from riverboat.bots._win_rate import WinRate, hand_strength, share_above
from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError
from riverboat.game import Action, View
from riverboat.settings import meaning

#: Thresholds by number of board cards: preflop, flop, turn, river.
CALL: Final = {0: 0.13, 3: 0.30, 4: 0.40, 5: 0.70}
RAISE_LEAST: Final = {0: 0.17, 3: 0.45, 4: 0.47, 5: 0.80}
RAISE_DOUBLE: Final = {0: 0.20, 3: 0.55, 4: 0.47, 5: 0.90}


class MonteCarloSettings(EquitySettings, frozen=True, kw_only=True):
    """Settings of the Monte-Carlo bot."""

    samples: Samples = 10_000
    ties: TieRule = "win"


class MonteCarlo(EquityBot[MonteCarloSettings]):
    """Raises, calls or folds by thresholds of the street.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = MonteCarlo(0, MonteCarloSettings())
    >>> [bot.decide(view, rate) for rate in (0.13, 0.17, 0.20, 0.21)]
    ['f', 'c', 'b20', 'b40']
    """

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate; other boards take the thresholds of the street below."""
        cards = len(view.board)
        street = cards if cards in CALL else max(size for size in CALL if size <= cards)
        if rate > RAISE_DOUBLE[street]:
            return raise_by(view, "double")
        if rate > RAISE_LEAST[street]:
            return raise_by(view, "min")
        return go_along(view) if rate > CALL[street] else give_up(view)

    def strategies(self, view: View) -> HandStrategies:
        """Return what it does with every hole pair: exact, over all that it could draw.

        For hold'em without discards, against one opponent.
        """
        if len(view.live) > 2 or not view.spec.is_holdem or self.settings.ties == "half":
            raise GameError(
                "what montecarlo does with every hand is known in heads-up hold'em only, and only "
                "where ties count as win or loss"
            )
        above = _shares_above(view.board, self.settings.ties == "win", self.settings.samples)
        moves = (give_up(view), go_along(view), raise_by(view, "min"), raise_by(view, "double"))
        one, none = np.ones(NUM_HOLES), np.zeros(NUM_HOLES)
        bounds = [one, above[0], np.minimum.reduce(above[:2]), np.minimum.reduce(above), none]
        # With 0.47 for both raises on the turn the smaller one is never made.
        actions = tuple(dict.fromkeys(moves))
        rows = np.zeros((NUM_HOLES, len(actions)))
        for index, move in enumerate(moves):
            rows[:, actions.index(move)] += bounds[index] - bounds[index + 1]
        return HandStrategies(actions, rows)


@lru_cache(maxsize=64)
def _shares_above(
    board: tuple[int, ...], ties_win: bool, samples: int
) -> tuple[NDArray[np.float64], ...]:
    """How likely each pair's rate is above the three thresholds, lowest first: [1326] each."""
    found = hand_strength().board_strength(list(board))
    win = np.nan_to_num(found.win)
    rates = win + np.nan_to_num(found.tie) if ties_win else win
    limits = (thresholds[len(board)] for thresholds in (CALL, RAISE_LEAST, RAISE_DOUBLE))
    return tuple(share_above(limit, rates, samples) for limit in limits)


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
        self, view: View, amount: int, results: NDArray[np.float64], places: NDArray[np.float64]
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
