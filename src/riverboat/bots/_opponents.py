"""What a bot knows of its opponents: their last moves, their habits, a guess of their range.

`Rivals` reads the moves from the public line. `OpponentModel` counts how often opponents bet, and
fold to bets; its counts start with some imagined hands of an average player, so that the first few
real ones do not decide everything. `RangeGuess` has a weight for every hole pair: a bet makes the
strong ones more likely, a check the weak ones, by a soft step at the share of hands that bet.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.bots._win_rate import hand_strength
from riverboat.cards import HOLES, NUM_HOLES, evaluate_batch
from riverboat.game import Action, View, actions_of


class Rivals:
    """Follows one seat's hand; all actions between its own moves are others'.

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
        """Whether the view cannot belong to the hand of the last move."""
        if self._past == "" or not view.line.startswith(self._past):
            return True
        return not self._cards <= {*view.hole, *view.discarded}  # a swap changes the hand

    def news(self, view: View) -> list[tuple[int, str]]:
        """Return streets and actions since the own last move, or since the deal of a new hand."""
        past = "" if self.is_new_hand(view) else self._past
        streets = view.line[len(past) :].split("/")
        return [
            (street, action)
            for street, part in enumerate(streets, past.count("/"))
            for action in actions_of(part)
        ]

    def moved(self, view: View, move: str) -> None:
        """Remember an own move; the public line hides which card was swapped."""
        hidden = Action(move).kind == "discard" and view.legal.stand
        slashes = "/" * (view.street - view.line.count("/"))  # of a street that is opened
        self._past = view.line + slashes + ("d" if hidden else move)
        self._cards = frozenset(view.hole)

    def forget(self) -> None:
        """Expect a new hand."""
        self._past = ""


#: Bets fall into classes by their share of the pot: up to each of these, and above.
SIZE_BOUNDS: Final = (0.6, 1.2, 2.5)
_FOLDS: Final = (0.25, 0.4, 0.5, 0.6)  # imagined share of folds by class of size
_SHOWN_FOLDS: Final = 0.5  # the same after he showed strength, in proportion
_BETS: Final = 0.35  # imagined share of bets where he may check or bet
_RAISES: Final = 0.15  # imagined share of raises of a bet
_IMAGINED: Final = 10.0  # how many imagined decisions


class Situation(NamedTuple):
    """What frequencies are counted for: flop seen or not, strength shown or not."""

    flop: bool
    """Whether there is a board."""
    shown: bool
    """Whether an opponent has bet or raised on this street."""


class OpponentModel:
    """Frequencies of the opponents' moves, apart for each situation.

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
        """Count the answer to an own bet of a share of the pot: f, c or b."""
        counts, size = self._parts[situation], _size_class(pot_share)
        counts.answers[size] += 1
        counts.folds[size] += letter == "f"
        counts.answers_any += 1
        counts.raises += letter == "b"

    def acted(self, letter: str, situation: Situation) -> None:
        """Count a move that was no answer to an own bet."""
        counts = self._parts[situation]
        counts.turns += 1
        counts.bets += letter == "b"

    def fold_share(self, pot_share: float, situation: Situation) -> float:
        """How often a bet of this share of the pot makes one opponent fold."""
        counts, size = self._parts[situation], _size_class(pot_share)
        return counts.folds[size] / counts.answers[size]

    def bet_share(self, situation: Situation) -> float:
        """How often an opponent bets or raises when we did not bet."""
        return self._parts[situation].bets / self._parts[situation].turns

    def raise_share(self, situation: Situation) -> float:
        """How often an opponent raises our bet."""
        return self._parts[situation].raises / self._parts[situation].answers_any


class _Counts:
    """Counted and imagined decisions."""

    def __init__(self, folds: float) -> None:
        self.answers = [_IMAGINED] * len(_FOLDS)
        self.folds = [_IMAGINED * folds * share for share in _FOLDS]
        self.answers_any = _IMAGINED
        self.raises = _IMAGINED * _RAISES
        self.turns = _IMAGINED
        self.bets = _IMAGINED * _BETS


def _size_class(pot_share: float) -> int:
    return sum(pot_share > bound for bound in SIZE_BOUNDS)


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
