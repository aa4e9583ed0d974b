"""The Monte Carlo bots: that of cardiff's thesis (figure 13), and one with its future work.

`MonteCarlo` compares a sampled win rate, with ties as wins, with three thresholds of the street:
raise to twice the minimum, raise to the minimum, call. Below all thresholds it checks or folds. The
thesis uses 10,000 samples, and 50.

The thesis says that its bot ignores the pot, the opponent's line, a model of the opponent, and bet
sizes. `MonteCarloPlus` samples runouts against an estimate of the opponent's range, which it
updates with the line and the opponent's observed frequencies of bets and folds. Of fold, call and
several bet sizes it chooses the move with the highest EV if there were no more bets, as local best
response does (Lisy and Bowling 2017). It is not an equilibrium, and can be exploited.
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
    """Settings of the Monte Carlo bot."""

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
        """Choose a move at this win rate; other boards use the thresholds of the street before."""
        cards = len(view.board)
        street = cards if cards in CALL else max(size for size in CALL if size <= cards)
        if rate > RAISE_DOUBLE[street]:
            return raise_by(view, "double")
        if rate > RAISE_LEAST[street]:
            return raise_by(view, "min")
        return go_along(view) if rate > CALL[street] else give_up(view)

    def strategies(self, view: View) -> HandStrategies:
        """Return the exact strategy with every hole pair, averaged over the samples.

        For hold'em without discards, against one opponent.
        """
        if len(view.live) > 2 or not view.spec.is_holdem or self.settings.ties == "half":
            raise GameError(
                "montecarlo gives its strategy with every hand only in heads-up hold'em, and only "
                "with ties=win or ties=loss"
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
    """Return each pair's probability to be above the three thresholds, lowest first: [1326]."""
    strength = hand_strength().board_strength(list(board))
    win = np.nan_to_num(strength.win)
    rates = win + np.nan_to_num(strength.tie) if ties_win else win
    limits = (thresholds[len(board)] for thresholds in (CALL, RAISE_LEAST, RAISE_DOUBLE))
    return tuple(share_above(limit, rates, samples) for limit in limits)


#: Bet sizes as shares of the pot after a call; all-in is considered, too.
_SIZES: Final = (0.5, 1.0, 2.0)


class MonteCarloPlusSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of the improved Monte Carlo bot."""

    samples: Annotated[int, meaning("runouts per decision", 20, 100_000)] = 500


class MonteCarloPlus:
    """Chooses fold, call or a bet by EV against an estimated range.

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
            self._update(view)
            move = self._best_move(view, *self._showdowns(view))
            done = Action(move)
            self._bet_share = _pot_share(view, done.amount) if done.kind == "bet" else None
        self._rivals.moved(view, move)
        return move

    def hand_started(self, view: View) -> None:  # noqa: ARG002 - a hook's parameter
        """Expect a new hand."""
        self._rivals.forget()

    def hand_over(self, view: View) -> None:
        """Count the opponents' last actions, including folds."""
        self._count_actions(view, narrow=False)
        self._rivals.forget()

    def _update(self, view: View) -> None:
        """Update frequencies and range with the opponents' actions."""
        if self._rivals.is_new_hand(view):
            self._guess = RangeGuess()
            self._bet_share = None
            self._street, self._shown = 0, False
        self._count_actions(view, narrow=len(view.live) == 2 and view.spec.is_holdem)
        self._start_street(view.street)

    def _start_street(self, street: int) -> None:
        """Reset the state on a new street: no opponent has bet there yet."""
        if street != self._street:
            self._street, self._shown = street, False

    @property
    def _situation(self) -> Situation:
        return Situation(flop=self._street > 0, shown=self._shown)

    def _count_actions(self, view: View, *, narrow: bool) -> None:
        """Count the opponents' actions; the first one answers the own bet if there was one."""
        for street, action in self._rivals.news(view):
            letter = action[0]
            if letter not in "kcbf":
                continue
            self._start_street(street)
            if narrow:
                self._narrow(letter, view.board[: view.spec.board_sizes[street]])
            if self._bet_share is not None:
                self.model.answered(letter, self._bet_share, self._situation)
            else:
                self.model.acted(letter, self._situation)
            self._shown = self._shown or letter == "b"
            self._bet_share = None

    def _narrow(self, letter: str, board: tuple[int, ...]) -> None:
        """Update the opponent's range with one action."""
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
        """Return results and the opponent's places, [n] each; by win rate if there is no range."""
        if len(view.live) == 2 and view.spec.is_holdem:
            sampled = showdowns(view, self._guess, self.settings.samples, self._random)
            if len(sampled[0]):
                return sampled
        rate = self._win_rate(view)
        places = np.linspace(0, 1, 101)
        return (places < rate).astype(np.float64), places  # we beat the worst hands

    def _best_move(
        self, view: View, results: NDArray[np.float64], places: NDArray[np.float64]
    ) -> str:
        """Return the move with the highest EV, relative to a fold."""
        rate = float(results.mean())
        best, most = go_along(view), rate * (view.pot + view.to_call) - view.to_call
        if most < 0:
            best, most = give_up(view), 0.0
        for amount in _amounts(view):
            ev = self._bet_ev(view, amount, results, places)
            if ev > most:
                best, most = raise_to(view, amount), ev
        return best

    def _bet_ev(
        self, view: View, amount: int, results: NDArray[np.float64], places: NDArray[np.float64]
    ) -> float:
        """Return the EV of a bet to `amount`: all fold, or the better part of the range calls."""
        opponents = len(view.live) - 1
        fold_one = self.model.fold_share(_pot_share(view, amount), self._situation)
        called = results[places >= fold_one]
        rate = float(called.mean()) if len(called) else 0.0
        all_fold = fold_one**opponents
        cost = amount - view.bets[view.seat]
        answer = amount - max(view.bets[seat] for seat in view.live if seat != view.seat)
        return all_fold * view.pot + (1 - all_fold) * (rate * (view.pot + cost + answer) - cost)


def _pot_share(view: View, amount: int) -> float:
    """Return the size of a bet to `amount` as a share of the pot after a call."""
    price = view.bets[view.seat] + view.to_call
    return (amount - price) / max(1, view.pot + view.to_call)


def _amounts(view: View) -> list[int]:
    """Return the bet sizes to consider, within the legal limits."""
    if view.legal.raise_to is None:
        return []
    least, most = view.legal.raise_to
    price, pot = view.bets[view.seat] + view.to_call, view.pot + view.to_call
    wanted = {min(max(int(price + share * pot), least), most) for share in _SIZES}
    return sorted(wanted | {most})
