"""The Monte-Carlo bot of cardiff's thesis (its figure 13).

A win rate from samples, ties counted as wins, is held against three thresholds of
the street: raise to twice the least, raise the least, call. Below all of them it
checks or folds. The thesis plays it with 10,000 samples, and with 50.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat.bots._all_hands import HandStrategies
from riverboat.bots._equity_bot import EquityBot, EquitySettings, Samples, TieRule
from riverboat.bots._moves import give_up, go_along, raise_by
from riverboat.bots._win_rate import hand_strength, share_above
from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError
from riverboat.game import View

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
