"""A guess of one opponent's cards from his line of play, heads-up.

Every hole pair has a weight. A bet makes the strong ones more likely, a check the
weak ones, by a soft step at the share of hands with which he is known to bet.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat.bots._win_rate import hand_strength
from riverboat.cards import HOLES, NUM_HOLES, evaluate_batch
from riverboat.game import View

_SOFTNESS: Final = 0.3  # width of the step, in parts of the share of hands that bet
_WIDEST: Final = 0.08
_DOUBT: Final = 0.15  # mass of the hands that he "cannot" have, in parts of those he can
_HOLES: Final = np.array(HOLES, np.uint8)
_WITHOUT: Final = np.array(  # [52, 1326] float64: 0 where the hole has the card, else 1
    [np.not_equal(_HOLES, card).all(axis=1) for card in range(52)], np.float64
)
_DECK: Final = np.arange(52, dtype=np.uint8)


@lru_cache(maxsize=64)
def weakest_first(board: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the holes that are possible with this board, by strength against a random hand."""
    strength = hand_strength().board_strength(board).mean
    order = np.argsort(strength, kind="stable")  # dead holes are NaN and come last
    return order[: int(np.count_nonzero(~np.isnan(strength)))]


class RangeGuess:
    """Weights of an opponent's hole pairs, [1326].

    Examples
    --------
    >>> guess = RangeGuess()
    >>> guess.bets((), share=0.3)
    >>> places = RangeGuess().places(())
    >>> bool(guess.weights[places > 0.9].min() > guess.weights[places < 0.5].max())
    True
    """

    def __init__(self) -> None:
        self.weights = np.ones(NUM_HOLES)

    def places(self, board: tuple[int, ...]) -> NDArray[np.float64]:
        """Return the share of his hands that each hole beats or equals, [1326]; 0 for dead ones."""
        order = weakest_first(board)
        places = np.zeros(NUM_HOLES)
        below = np.cumsum(self.weights[order])
        places[order] = below / below[-1]
        return places

    def bets(self, board: tuple[int, ...], share: float) -> None:
        """He bet or raised, as he does with about the best `share` of his hands."""
        self.weights *= _upper(self.places(board), share)

    def checks(self, board: tuple[int, ...], share: float) -> None:
        """He did not bet, though he would with the best `share`; some of these lie in wait."""
        self.weights *= 1 - 0.5 * _step(self.places(board), share)

    def calls(self, board: tuple[int, ...], fold_share: float) -> None:
        """He called a bet that he folds to with the worst `fold_share`."""
        self.weights *= _upper(self.places(board), 1 - fold_share)


def _step(places: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Rise from 0 to 1 where the best `share` begins."""
    width = min(_WIDEST, _SOFTNESS * share)
    return np.asarray(1 / (1 + np.exp(np.minimum((1 - share - places) / width, 500))))


def _upper(places: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Likelihood of a move that is made with the best `share`, and with others in doubt."""
    share = min(max(share, 0.02), 0.98)
    doubt = min(1.0, _DOUBT * share / (1 - share))
    return doubt + (1 - doubt) * _step(places, share)


def showdowns(
    view: View, guess: RangeGuess, samples: int, generator: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Deal an opponent's hands and run-outs many times.

    Parameters
    ----------
    view
        Own cards and board.
    guess
        The opponent's hole pairs.
    samples
        Deals tried; those that need a card twice are left out, evenly for all hands.
    generator
        Deals the cards.

    Returns
    -------
    result : [n] float64
        1 won, 0.5 tied, 0 lost.
    place : [n] float64
        Share of the opponent's hands that his hand beats or equals on the board as it is now.
    """
    known = list(view.hole + view.board)
    possible = guess.weights * _WITHOUT[known].prod(axis=0)
    total = np.cumsum(possible)
    chosen = np.searchsorted(total, generator.random(samples) * total[-1], side="right")
    missing = 5 - len(view.board)
    deck = np.delete(_DECK, known)
    cards = np.hstack(
        [_HOLES[chosen], deck[generator.integers(len(deck), size=(samples, missing))]]
    )
    ordered = np.sort(cards, axis=1)
    good = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    chosen, cards = chosen[good], cards[good]
    board = np.tile(np.array(view.board, np.uint8), (len(cards), 1))
    own = np.tile(np.array(view.hole, np.uint8), (len(cards), 1))
    mine = evaluate_batch(np.hstack([own, board, cards[:, 2:]])).astype(np.int32)
    theirs = evaluate_batch(np.hstack([cards[:, :2], board, cards[:, 2:]]))
    return 0.5 + 0.5 * np.sign(mine - theirs), guess.places(view.board)[chosen]
