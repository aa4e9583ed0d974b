"""AIVAT: an unbiased, variance-reduced estimate of a seat's result in a hand.

Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games" (2018). The strategy of at least one seat is *known*. The
result is averaged over all hands of the known seat, weighted by the probability that it plays the
same line with each. For each choice of chance or of a known seat, a term is added: the expected
value over all choices, minus the value after the actual one. Each term has mean 0 for any value
function that is fixed in advance; a good one makes the terms cancel luck.

The value of a public state may depend on the other seat's cards and the known seat's range, but not
on the known seat's cards, because the result is averaged over them.

AIVAT does not change the mean over many hands; a single hand's estimate has no meaning of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

from riverboat.errors import GameError
from riverboat.game import Hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies

_Cards = tuple[int, ...]
# A decision with more actions gets no term, because that would take long: the mean of a term is 0.
_MOST_ACTIONS: Final = 100


class Situation(NamedTuple):
    """A public state, with the range of the known seat and the other seat's cards."""

    hand: Hand
    """The public hand without cards; its board is unknown, too."""
    board: _Cards
    """Public cards; where a street has just ended, without the next street's cards."""
    seat: int
    """The known seat, whose hands are averaged."""
    hole: _Cards
    """The other seat's cards."""
    weights: NDArray[np.float64]
    """[hands] range of the known seat: probability of hand and line, up to a factor."""


class AivatCards(Protocol):
    """The cards of a game, with numbered hands."""

    def index(self, hole: _Cards) -> int:
        """Return the number of a hand."""
        ...

    def live(self, cards: _Cards) -> NDArray[np.float64]:
        """Return 1 for each hand that has none of these cards, else 0: [hands]."""
        ...

    def shares(self, hole: _Cards, board: _Cards) -> NDArray[np.float64]:
        """Return each hand's mean share of the pot at a showdown against `hole`: [hands]."""
        ...

    def deals(self, dealt: _Cards, count: int) -> NDArray[np.intp]:
        """Return all deals of `count` new public cards: [deals, count], each row sorted."""
        ...

    def room(self, weights: NDArray[np.float64], new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the total weight of hands that are possible after each deal: [deals]."""
        ...


class AivatValue(Protocol):
    """EV of states for the known seat, in chips; fixed before the first hand."""

    @property
    def name(self) -> str:
        """Name and version of the value function."""
        ...

    def holes(self, hand: Hand, seat: int) -> NDArray[np.float64]:
        """Return the EV of `seat` before the first action, by the other seat's hand: [hands]."""
        ...

    def boards(self, at: Situation, new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the EV after each deal of new cards: [deals]. `at` is before the deal."""
        ...

    def action(self, at: Situation) -> float:
        """Return the EV after an action that does not end the hand."""
        ...


class AivatTerms(NamedTuple):
    """The parts of an estimate, in chips of the known seat; all but the first have mean 0."""

    base: float
    """Payoff, averaged over the known seat's hands."""
    holes: float
    """Luck of the other seat's cards."""
    boards: float
    """Luck of public cards."""
    own: float
    """Luck of the known seat's draws."""
    other: float
    """Luck of the other seat's draws, if it is known, too."""

    @property
    def total(self) -> float:
        """The estimate."""
        return sum(self)


@dataclass(frozen=True)
class Aivat:
    """Variance-reduced results of hands of two players.

    Parameters
    ----------
    cards
        Cards of the game.
    value
        Value function of its states.
    """

    cards: AivatCards
    value: AivatValue

    def terms(self, hand: Hand, seat: int, told: Sequence[HandStrategies | None]) -> AivatTerms:
        """Compute the terms of one hand.

        Parameters
        ----------
        hand
            A finished hand, with all cards known.
        seat
            A known seat.
        told
            For each action of the hand, the strategy of its seat for every hand; None for an
            unknown seat.

        Raises
        ------
        GameError
            If a known seat took an action with probability 0 for its hole cards.
        """
        walk = _Walk(self, hand, seat)
        for event, rows in zip(hand.events, told, strict=True):
            walk.deal(hand.spec.board_sizes[event.street])
            walk.act(event.seat, str(event.action), rows)
        return walk.terms()


class _Walk:
    """Replays the public part of a hand, and computes its terms."""

    def __init__(self, aivat: Aivat, hand: Hand, seat: int) -> None:
        self._cards, self._value = aivat.cards, aivat.value
        self._played, self._seat = hand, seat
        hole = hand.hole_cards(1 - seat)
        start = Hand(hand.spec, stacks=hand.starting_stacks)
        self._at = Situation(start, (), seat, hole, self._cards.live(hole))
        values = self._value.holes(start, seat)
        self._holes = float(values.mean() - values[self._cards.index(hole)])
        self._boards, self._draws = 0.0, [0.0, 0.0]

    def deal(self, size: int) -> None:
        """Deal the next public cards, if the street has any."""
        at = self._at
        count = size - len(at.board)
        if not count:
            return
        board = self._played.board[:size]
        new = self._cards.deals((*at.hole, *at.board), count)
        chances = self._cards.room(at.weights, new)
        values = self._value.boards(at, new)
        seen = _row(new, sorted(board[-count:]))
        # No dot product: numpy starts threads for long ones, which slows down parallel workers.
        self._boards += float((chances * values).sum() / chances.sum() - values[seen])
        self._at = at._replace(board=board, weights=at.weights * self._cards.live(board))

    def act(self, actor: int, action: str, rows: HandStrategies | None) -> None:
        """Play the next action."""
        at = self._at
        weights = at.weights
        if rows is not None:
            own = actor == self._seat
            self._check(actor, action, rows)
            if len(rows.actions) <= _MOST_ACTIONS:
                self._draws[actor] += self._own(action, rows) if own else self._other(action, rows)
            weights = weights * rows.column(action) if own else weights
        self._at = at._replace(hand=_after(at.hand, action), weights=weights)

    def _check(self, actor: int, action: str, rows: HandStrategies) -> None:
        held = self._played.hole_cards(actor)
        if not rows.column(action)[self._cards.index(held)] > 0:
            raise GameError(
                f"seat {actor} played {action} after '{self._at.hand.line}' with a hand for which "
                "its strategy has probability 0"
            )

    def _own(self, action: str, rows: HandStrategies) -> float:
        """Term of the known seat's decision, hand by hand."""
        weights = self._at.weights
        parts = [weights * rows.column(each) for each in rows.actions]
        chances = [float(part.sum()) / float(weights.sum()) for part in parts]
        return self._term(action, rows.actions, chances, parts)

    def _other(self, action: str, rows: HandStrategies) -> float:
        """Term of the other seat's decision; its cards are known."""
        chances = rows.rows[self._cards.index(self._at.hole)].tolist()
        return self._term(action, rows.actions, chances, [self._at.weights] * len(chances))

    def _term(
        self,
        taken: str,
        actions: tuple[str, ...],
        chances: Sequence[float],
        weights: Sequence[NDArray[np.float64]],
    ) -> float:
        """The mean of the values, minus the value of the actual action."""
        if len([chance for chance in chances if chance > 0]) == 1:
            return 0.0
        at, mean, seen, total = self._at, 0.0, 0.0, sum(chances)
        for action, chance, part in zip(actions, chances, weights, strict=True):
            if chance > 0:
                value = self._worth(at._replace(hand=_after(at.hand, action), weights=part))
                mean += chance / total * value
                seen = value if action == taken else seen
        return mean - seen

    def _worth(self, at: Situation) -> float:
        return self._value.action(at) if at.hand.actor is not None else self._paid(at)

    def _paid(self, at: Situation) -> float:
        """The payoff of a finished hand, averaged over hands and runouts."""
        chips, live = at.hand.contributions, at.hand.live
        if len(live) == 1:
            return float(chips[1 - at.seat] if live[0] == at.seat else -chips[at.seat])
        share = self._cards.shares(at.hole, at.board) @ at.weights / at.weights.sum()
        return float((2 * share - 1) * min(chips))

    def terms(self) -> AivatTerms:
        """All terms of the finished hand."""
        seat = self._seat
        draws = self._draws
        return AivatTerms(
            self._paid(self._at), self._holes, self._boards, draws[seat], draws[1 - seat]
        )


def _row(deals: NDArray[np.intp], cards: list[int]) -> int:
    """Index of a deal among all deals."""
    rows = np.arange(len(deals))
    for place, card in enumerate(cards):
        rows = rows[deals[rows, place] == card]
    return int(rows[0])


def _after(hand: Hand, action: str) -> Hand:
    """A public hand after an action."""
    following = hand.clone()
    following.do(action)
    return following
