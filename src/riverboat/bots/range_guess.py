"""A guess of one opponent's cards from his line of play, heads-up.

Every hole pair has a weight. A bet makes the strong ones more likely, a check the
weak ones, by a soft step at the share of hands with which he is known to bet.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat.bots.win_rate import hand_strength
from riverboat.cards import HOLES, NUM_HOLES, evaluate_batch
from riverboat.game import View

__all__ = ["RangeGuess", "percentiles", "showdowns"]

_SOFTNESS: Final = 0.08  # width of the step between hands that bet and hands that do not
_DOUBT: Final = 0.15  # weight that a hand keeps whatever he does
_HOLES: Final = np.array(HOLES, np.uint8)


@lru_cache(maxsize=64)
def percentiles(board: tuple[int, ...]) -> NDArray[np.float64]:
    """Return each hole's place by strength on this board, [1326], 0 = weakest, 1 = best.

    Dead holes stand at 0.
    """
    strength = hand_strength().board_strength(board).mean
    alive = ~np.isnan(strength)
    places = np.zeros(NUM_HOLES)
    order = np.argsort(np.where(alive, strength, -1.0), kind="stable")
    num_alive = int(alive.sum())
    places[order[NUM_HOLES - num_alive :]] = np.arange(num_alive) / (num_alive - 1)
    return places


class RangeGuess:
    """Weights of an opponent's hole pairs, [1326].

    Examples
    --------
    >>> guess = RangeGuess()
    >>> guess.bets((), share=0.3)
    >>> places = percentiles(())
    >>> bool(guess.weights[places > 0.9].min() > guess.weights[places < 0.5].max())
    True
    """

    def __init__(self) -> None:
        self.weights = np.ones(NUM_HOLES)

    def bets(self, board: tuple[int, ...], share: float) -> None:
        """He bet or raised, as he does with about the best `share` of his hands."""
        self.weights *= _DOUBT + (1 - _DOUBT) * _step(percentiles(board), 1 - share)

    def checks(self, board: tuple[int, ...], share: float) -> None:
        """He did not bet, though he would with the best `share`; some of these lie in wait."""
        self.weights *= 1 - 0.5 * _step(percentiles(board), 1 - share)

    def calls(self, board: tuple[int, ...], fold_share: float) -> None:
        """He called a bet that he folds to with the worst `fold_share`."""
        self.weights *= _DOUBT + (1 - _DOUBT) * _step(percentiles(board), fold_share)


def _step(places: NDArray[np.float64], middle: float) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp((middle - places) / _SOFTNESS)))


def showdowns(
    view: View, weights: NDArray[np.float64], samples: int, generator: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Deal an opponent's hands and run-outs many times.

    Parameters
    ----------
    view
        Own cards and board.
    weights
        [1326] of the opponent's hole pairs.
    samples
        Deals tried; those that need a card twice are left out, evenly for all hands.
    generator
        Deals the cards.

    Returns
    -------
    result : [n] float64
        1 won, 0.5 tied, 0 lost.
    place : [n] float64
        Percentile of the opponent's hand on the board as it is now.
    """
    known = np.array(view.hole + view.board, np.uint8)
    possible = weights * ~np.isin(_HOLES, known).any(axis=1)
    total = np.cumsum(possible)
    chosen = np.searchsorted(total, generator.random(samples) * total[-1], side="right")
    missing = 5 - len(view.board)
    deck = np.setdiff1d(np.arange(52, dtype=np.uint8), known)
    cards = np.hstack([_HOLES[chosen], deck[generator.integers(len(deck), size=(samples, missing))]])
    ordered = np.sort(cards, axis=1)
    good = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    chosen, cards = chosen[good], cards[good]
    board = np.tile(np.array(view.board, np.uint8), (len(cards), 1))
    own = np.tile(np.array(view.hole, np.uint8), (len(cards), 1))
    mine = evaluate_batch(np.hstack([own, board, cards[:, 2:]])).astype(np.int32)
    theirs = evaluate_batch(np.hstack([cards[:, :2], board, cards[:, 2:]]))
    return 0.5 + 0.5 * np.sign(mine - theirs), percentiles(view.board)[chosen]
