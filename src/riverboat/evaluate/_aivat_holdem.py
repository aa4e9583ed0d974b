"""AIVAT in hold'em: the cards, a simple value function, and scoring the hands of bots.

The simple value of a state assumes that both players check and call to the end. It is for games
without a strategy file. It has no value for flops, because there are too many to enumerate.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.cards import (
    CLASS_HOLES,
    HOLE_CLASS,
    HOLES,
    NUM_CARDS,
    equity_against_each,
    hole_index,
    live_holes,
)
from riverboat.errors import GameError
from riverboat.evaluate._aivat import Aivat
from riverboat.game import Hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies
    from riverboat.evaluate._aivat import AivatValue, Situation
    from riverboat.game import GameSpec

_Cards = tuple[int, ...]
_FIRST, _SECOND = HOLES.astype(np.intp).T


class HoldemCards:
    """The 1,326 hole pairs, and the boards.

    Examples
    --------
    >>> cards = HoldemCards()
    >>> cards.deals((0, 1, 2, 3), 3).shape, int(cards.live((0, 1)).sum())
    ((17296, 3), 1225)
    """

    def index(self, hole: _Cards) -> int:
        """Return the number of a hole pair."""
        return hole_index(*hole)

    def live(self, cards: _Cards) -> NDArray[np.float64]:
        """Return 1 for each pair that has none of these cards, else 0."""
        return live_holes(cards).astype(np.float64)

    def shares(self, hole: _Cards, board: _Cards) -> NDArray[np.float64]:
        """Return how often each pair wins against `hole`, exactly."""
        return _shares(hole, board)

    def deals(self, dealt: _Cards, count: int) -> NDArray[np.intp]:
        """Return all flops, or all next cards."""
        return _deals(frozenset(dealt), count)

    def room(self, weights: NDArray[np.float64], new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the weight of possible pairs after each deal, by inclusion and exclusion."""
        by_card = np.bincount(_FIRST, weights, NUM_CARDS) + np.bincount(_SECOND, weights, NUM_CARDS)
        both = np.zeros((NUM_CARDS, NUM_CARDS))
        both[_FIRST, _SECOND] = both[_SECOND, _FIRST] = weights
        room: NDArray[np.float64] = weights.sum() - by_card[new].sum(axis=1)
        for one, other in combinations(range(new.shape[1]), 2):
            room += both[new[:, one], new[:, other]]
        return room.clip(0.0)  # rounding can give small negative numbers


@lru_cache(maxsize=16)
def _deals(dealt: frozenset[int], count: int) -> NDArray[np.intp]:
    left = np.array([card for card in range(NUM_CARDS) if card not in dealt])
    return left[_choices(len(left), count)]


@lru_cache(maxsize=8)
def _choices(total: int, count: int) -> NDArray[np.intp]:
    return np.array(list(combinations(range(total), count)), np.intp)


@lru_cache(maxsize=64)
def _shares(hole: _Cards, board: _Cards) -> NDArray[np.float64]:
    found = live_holes((*hole, *board)) - equity_against_each(hole, board)
    return np.maximum(found, 0.0)


_CARDS: Final = HoldemCards()


class CheckDown:
    """Values states by the equity of the known seat's hands, checked down."""

    name = "checking down, version 1"

    def holes(self, hand: Hand, seat: int) -> NDArray[np.float64]:
        """Return the EV by the other seat's pair."""
        del seat  # both seats put in the same chips
        return _chips(_preflop_shares(), hand)

    def boards(self, at: Situation, new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the EV after each card; 0 for flops."""
        if new.shape[1] > 1:
            return np.zeros(len(new))
        boards = [(*at.board, card) for card in new[:, 0].tolist()]
        rows = [(at.weights * _CARDS.live(board[-1:]), board) for board in boards]
        return _chips(
            np.array([_share(weights, at.hole, board) for weights, board in rows]), at.hand
        )

    def action(self, at: Situation) -> float:
        """Return the EV if bets are called."""
        return float(_chips(np.array(_share(at.weights, at.hole, at.board)), at.hand))


def _chips(shares: NDArray[np.float64], hand: Hand) -> NDArray[np.float64]:
    """EV in chips of shares of the pot after a call."""
    stacks = zip(hand.contributions, hand.stacks, strict=True)
    return (2 * shares - 1) * min(max(hand.contributions), *(paid + left for paid, left in stacks))


def _share(weights: NDArray[np.float64], hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    total = float(weights.sum())
    return float(_CARDS.shares(hole, board) @ weights) / total if total else 0.5


@cache
def _preflop_shares() -> NDArray[np.float64]:
    """[1326] equity of a random hand against each pair."""
    firsts = [tuple(HOLES[holes[0]].tolist()) for holes in CLASS_HOLES]
    by_class = [_share(_CARDS.live(hole), hole, ()) for hole in firsts]
    return np.array(by_class)[HOLE_CLASS]


def check_aivat_game(spec: GameSpec) -> None:
    """Refuse games that AIVAT does not support.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> check_aivat_game(catalogue("leduc"))
    Traceback (most recent call last):
    ...
    riverboat.errors.GameError: AIVAT needs hold'em for two players without rake and discards: \
'leduc' with 2 players is not such a game
    """
    if not spec.is_holdem or spec.players != 2 or spec.has_swaps or spec.rake.percent:
        raise GameError(
            "AIVAT needs hold'em for two players without rake and discards: "
            f"'{spec.name}' with {spec.players} players is not such a game"
        )


def is_known(bot: object) -> bool:
    """Return whether a bot has known strategies for all hands, independent of earlier hands.

    A bot whose strategies are not repeatable, such as one with a time limit, has the attribute
    `repeats = False`.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> is_known(make_bot("fish", 0)), is_known(make_bot("shark", 0))
    (True, False)
    """
    if not hasattr(bot, "strategies") or getattr(bot, "learns", False):
        return False
    if not getattr(bot, "repeats", True):
        return False
    behind = getattr(bot, "fallback", None)
    return behind is None or hasattr(behind, "strategies") or hasattr(behind, "strategy")


class AivatScorer:
    """Scores hands of two bots.

    With two known bots the score is the mean of the estimates for both seats, each with the terms
    of both bots' decisions.

    Parameters
    ----------
    value
        The value function.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.evaluate import CheckDown
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhAd", "KsKc"], board="2c7d9hTs3s")
    >>> hand.play("b1000c")
    >>> shove = make_bot("fish", 0), None
    >>> try:
    ...     AivatScorer(CheckDown()).score(hand, shove)
    ... except GameError as error:
    ...     print(error)
    seat 0 played b1000 after '' with a hand for which its strategy has probability 0
    """

    def __init__(self, value: AivatValue) -> None:
        self._aivat = Aivat(HoldemCards(), value)

    def score(self, hand: Hand, bots: Sequence[object | None]) -> float:
        """Return the variance-reduced result of seat 0, in chips.

        Parameters
        ----------
        hand
            The played hand, with all cards known.
        bots
            Bots by seat; None for an unknown one. At least one must be known.

        Raises
        ------
        GameError
            If a known bot played an action whose probability is 0.
        """
        strategies = _strategies(hand, bots)
        known = [seat for seat, bot in enumerate(bots) if bot is not None]
        signs = (1, -1)
        chips = [signs[seat] * self._aivat.terms(hand, seat, strategies).total for seat in known]
        return sum(chips) / len(chips)


def _strategies(hand: Hand, bots: Sequence[object | None]) -> list[HandStrategies | None]:
    """The strategies of known bots at each decision of a hand."""
    replay = Hand(hand.spec, cards=hand.deal, stacks=hand.starting_stacks)
    strategies: list[HandStrategies | None] = []
    for event in hand.events:
        bot = bots[event.seat]
        method = None if bot is None else getattr(bot, "strategies", None)
        strategies.append(None if method is None else method(replay.view(event.seat)))
        replay.do(event.action)
    return strategies
