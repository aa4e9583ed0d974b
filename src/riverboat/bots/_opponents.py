"""Models of opponents: their last actions, their frequencies, an estimate of their range.

`Rivals` reads opponents' actions from the public line. `OpponentModel` counts how often opponents
bet, and fold to bets. Its counts start with some imagined decisions of an average player, so that
the first real ones do not weigh too much. `RangeGuess` has a weight for every hole pair: a bet
raises the weights of strong hands, a check those of weak hands, with a soft step at the share of
hands that bet.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.bots._win_rate import hand_strength
from riverboat.cards import HOLES, NUM_HOLES, evaluate_batch
from riverboat.game import Action, View, actions_of


class Rivals:
    """Reads opponents' actions from the line, for the bot on one seat.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25", seed=1)
    >>> rivals = Rivals()
    >>> rivals.news(hand.view(1))
    [(0, 'b25')]
    >>> rivals.moved(hand.view(1), "c")
    >>> hand.call()
    >>> rivals.moved(hand.view(1), "k")
    >>> hand.play("/kb30")
    >>> rivals.news(hand.view(1))
    [(1, 'b30')]
    """

    def __init__(self) -> None:
        self._past = ""
        self._cards: frozenset[int] = frozenset()

    def is_new_hand(self, view: View) -> bool:
        """Whether the view belongs to another hand than the last move."""
        if self._past == "" or not view.line.startswith(self._past):
            return True
        return not self._cards <= {*view.hole, *view.discarded}  # a swap changes the hand

    def news(self, view: View) -> list[tuple[int, str]]:
        """Return the street and text of each action since the own last move, or of a new hand."""
        past = "" if self.is_new_hand(view) else self._past
        streets = view.line[len(past) :].split("/")
        return [
            (street, action)
            for street, part in enumerate(streets, past.count("/"))
            for action in actions_of(part)
        ]

    def moved(self, view: View, move: str) -> None:
        """Remember an own move; the public line does not show which card was swapped."""
        hidden = Action(move).kind == "discard" and view.legal.stand
        slashes = "/" * (view.street - view.line.count("/"))  # if the move is a street's first
        self._past = view.line + slashes + ("d" if hidden else move)
        self._cards = frozenset(view.hole)

    def forget(self) -> None:
        """Expect a new hand."""
        self._past = ""


#: Upper bounds of the classes of bet sizes, as shares of the pot; the last class has none.
SIZE_BOUNDS: Final = (0.6, 1.2, 2.5)
_FOLDS: Final = (0.25, 0.4, 0.5, 0.6)  # prior fold frequency by class of bet sizes
_SHOWN_FOLDS: Final = 0.5  # factor of it after the opponent showed strength
_BETS: Final = 0.35  # prior bet frequency
_RAISES: Final = 0.15  # prior raise frequency
_IMAGINED: Final = 10.0  # number of imagined decisions


class Situation(NamedTuple):
    """A class of situations with frequencies of its own."""

    flop: bool
    """Whether there is a board."""
    shown: bool
    """Whether an opponent has bet or raised on this street."""


class OpponentModel:
    """Frequencies of the opponents' actions in each situation.

    Examples
    --------
    >>> model = OpponentModel()
    >>> quiet = Situation(flop=True, shown=False)
    >>> before = model.fold_share(1.0, quiet)
    >>> for _ in range(90):
    ...     model.answered("c", 1.0, quiet)
    >>> before, round(model.fold_share(1.0, quiet), 2)
    (0.4, 0.04)
    """

    def __init__(self) -> None:
        self._parts = {
            Situation(flop, shown): _Counts(_SHOWN_FOLDS if shown else 1.0)
            for flop in (False, True)
            for shown in (False, True)
        }

    def answered(self, letter: str, pot_share: float, situation: Situation) -> None:
        """Count the answer (f, c or b) to an own bet of a share of the pot."""
        counts, size = self._parts[situation], _size_class(pot_share)
        counts.answers[size] += 1
        counts.folds[size] += letter == "f"
        counts.answers_any += 1
        counts.raises += letter == "b"

    def acted(self, letter: str, situation: Situation) -> None:
        """Count an action other than an answer to an own bet."""
        counts = self._parts[situation]
        counts.turns += 1
        counts.bets += letter == "b"

    def fold_share(self, pot_share: float, situation: Situation) -> float:
        """Return how often one opponent folds to a bet of this share of the pot."""
        counts, size = self._parts[situation], _size_class(pot_share)
        return counts.folds[size] / counts.answers[size]

    def bet_share(self, situation: Situation) -> float:
        """Return how often an opponent bets or raises when this bot did not bet."""
        return self._parts[situation].bets / self._parts[situation].turns

    def raise_share(self, situation: Situation) -> float:
        """Return how often an opponent raises this bot's bet."""
        return self._parts[situation].raises / self._parts[situation].answers_any


class _Counts:
    """Counts of real and imagined decisions."""

    def __init__(self, folds: float) -> None:
        self.answers = [_IMAGINED] * len(_FOLDS)
        self.folds = [_IMAGINED * folds * share for share in _FOLDS]
        self.answers_any = _IMAGINED
        self.raises = _IMAGINED * _RAISES
        self.turns = _IMAGINED
        self.bets = _IMAGINED * _BETS


def _size_class(pot_share: float) -> int:
    return sum(pot_share > bound for bound in SIZE_BOUNDS)


_SOFTNESS: Final = 0.3  # width of the step, relative to the share of hands that bet
_WIDEST: Final = 0.08
_DOUBT: Final = 0.15  # weight of unlikely hands, relative to likely ones
_HOLES: Final = np.array(HOLES, np.uint8)
_WITHOUT: Final = np.array(  # [52, 1326] float64: 0 where the hole has the card, else 1
    [np.not_equal(_HOLES, card).all(axis=1) for card in range(52)], np.float64
)
_DECK: Final = np.arange(52, dtype=np.uint8)


@lru_cache(maxsize=64)
def weakest_first(board: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the possible hole pairs by strength against a random hand, the weakest first."""
    strength = hand_strength().board_strength(board).mean
    order = np.argsort(strength, kind="stable")  # impossible pairs are NaN, which sorts last
    return order[: int(np.count_nonzero(~np.isnan(strength)))]


class RangeGuess:
    """An estimate of an opponent's range: weights of hole pairs, [1326].

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
        """Return the share of the range that each pair beats or ties, [1326]; impossible: 0."""
        order = weakest_first(board)
        places = np.zeros(NUM_HOLES)
        below = np.cumsum(self.weights[order])
        places[order] = below / below[-1]
        return places

    def bets(self, board: tuple[int, ...], share: float) -> None:
        """Update for a bet or raise, which the opponent makes with about the best `share`."""
        self.weights *= _upper(self.places(board), share)

    def checks(self, board: tuple[int, ...], share: float) -> None:
        """Update for a check, where the best `share` would bet; some strong hands slow-play."""
        self.weights *= 1 - 0.5 * _step(self.places(board), share)

    def calls(self, board: tuple[int, ...], fold_share: float) -> None:
        """Update for a call, where the worst `fold_share` would fold."""
        self.weights *= _upper(self.places(board), 1 - fold_share)


def _step(places: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return a soft step from 0 to 1 where the best `share` begins."""
    width = min(_WIDEST, _SOFTNESS * share)
    return np.asarray(1 / (1 + np.exp(np.minimum((1 - share - places) / width, 500))))


def _upper(places: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return the likelihood of an action that the best `share` makes, and rarely other hands."""
    share = min(max(share, 0.02), 0.98)
    doubt = min(1.0, _DOUBT * share / (1 - share))
    return doubt + (1 - doubt) * _step(places, share)


def showdowns(
    view: View, guess: RangeGuess, samples: int, generator: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sample an opponent's hands and runouts.

    Parameters
    ----------
    view
        Hole cards and board.
    guess
        The opponent's range.
    samples
        Number of deals tried; deals with a repeated card are left out.
    generator
        Random generator of the cards.

    Returns
    -------
    result : [n] float64
        1 won, 0.5 tied, 0 lost.
    place : [n] float64
        Share of the opponent's range that the sampled hand beats or ties on the current board.
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
