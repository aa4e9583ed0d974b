"""States valued by a strategy file: what it wins there from itself.

The other seat's cards have a bucket, and the table of the strategy's worth (`_aivat_table`) has its
share of the pot at each node, over all hands that the strategy brings there. Bets that are not on
the menu are read as the likelier of two sizes, and shares are of the real pot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import BOARD_CARDS, canonical_boards, hole_index, hole_permutations
from riverboat.evaluate._aivat_check_down import CheckDown
from riverboat.translation import Place, Tracker

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.buckets import BucketTables
    from riverboat.evaluate._aivat import Situation
    from riverboat.evaluate._aivat_table import WorthTable
    from riverboat.game import GameSpec, Hand

_MOST_LINES = 4096


class BlueprintValue:
    """The value that a strategy file has of states.

    Parameters
    ----------
    name
        What it is, with its version.
    table
        The strategy's worth by node and bucket.
    buckets
        The tables of its cards.
    """

    def __init__(self, name: str, table: WorthTable, buckets: BucketTables) -> None:
        self.name = name
        self._table, self._buckets = table, buckets
        self._tracker = Tracker(table.tree)
        self._plain = CheckDown()
        # Of the game that was seen last, by line.
        self._spec: GameSpec | None = None
        self._places: dict[str, Place] = {}
        self._flops: dict[tuple[int, ...], NDArray[np.intp]] = {}

    def holes(self, hand: Hand, seat: int) -> NDArray[np.float64]:
        """Return the worth by the other's pair."""
        shares = self._table.begun(0, 1 - seat, self._buckets.tables[0][0].astype(np.intp))
        return self._plain.holes(hand, seat) if shares is None else _chips(hand, seat, shares)

    def boards(self, at: Situation, new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the worth after each deal of new cards."""
        node = self._node(at.hand)
        buckets = self._deals(at.hole, at.board, new)
        shares = None if node < 0 else self._table.begun(node, 1 - at.seat, buckets)
        return self._plain.boards(at, new) if shares is None else _chips(at.hand, at.seat, shares)

    def action(self, at: Situation) -> float:
        """Return the worth after an action."""
        node = self._node(at.hand)
        buckets = self._deals(at.hole, at.board, np.empty((1, 0), np.intp))
        shares = None if node < 0 else self._table.entered(node, 1 - at.seat, buckets)
        if shares is None:
            return self._plain.action(at)
        return float(_chips(at.hand, at.seat, shares)[0])

    def _deals(
        self, hole: tuple[int, ...], board: tuple[int, ...], new: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """The bucket of a hand on each board; those of flops are remembered for the next asker."""
        if board or not new.shape[1]:
            return self._found(hole, board, new)
        if hole not in self._flops:
            self._flops = {hole: self._found(hole, board, new), **dict([*self._flops.items()][:3])}
        return self._flops[hole]

    def _found(
        self, hole: tuple[int, ...], board: tuple[int, ...], new: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        boards = np.hstack([np.broadcast_to(np.array(board, int), (len(new), len(board))), new])
        return buckets_on(self._buckets, hole_index(*hole), boards.astype(np.uint8))

    def _node(self, hand: Hand) -> int:
        """The decision that a line leads to; -1 off the tree."""
        place = self._place(hand)
        if place.node >= 0 and not place.exact and hand.actor is not None:
            place = self._tracker.aligned(place, hand.actor, hand.street)
        decision = place.node >= 0 and self._tracker.nodes.is_decision(place.node)
        return place.node if decision and not place.committed else -1

    def _place(self, hand: Hand) -> Place:
        if hand.spec is not self._spec or len(self._places) > _MOST_LINES:
            self._spec = hand.spec
            self._places = {"": self._tracker.start(hand.spec, hand.starting_stacks)}
        found = self._places.get(hand.line)
        if found is None:
            found = self._places[hand.line] = self._read(hand)
        return found

    def _read(self, hand: Hand) -> Place:
        """Read the last action, and those before it that are not known."""
        before = hand.clone()
        action = str(before.events[-1].action)
        before.undo()
        places = self._tracker.readings(self._place(before), before, action)
        return max(places, key=lambda each: each[1])[0]


def _chips(hand: Hand, seat: int, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the other's shares of the pot leave to a seat."""
    return hand.contributions[1 - seat] - shares * sum(hand.contributions)


def buckets_on(buckets: BucketTables, hole: int, boards: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the bucket of a hole pair on many boards of one size: [boards]."""
    street = BOARD_CARDS.index(boards.shape[1])
    found = np.zeros(len(boards), np.intp)
    for seen in range(street + 1) if buckets.recall else (street,):
        cells = _cells(buckets, hole, boards[:, : BOARD_CARDS[seen]])
        found = found * buckets.num_buckets[seen] + cells
    return found


def _cells(buckets: BucketTables, hole: int, boards: NDArray[np.uint8]) -> NDArray[np.intp]:
    table = buckets.tables[BOARD_CARDS.index(boards.shape[1])]
    if not boards.shape[1]:
        return np.full(len(boards), int(table[0, hole]), np.intp)
    ids, moves = canonical_boards(boards)
    cells: NDArray[np.intp] = table[ids, hole_permutations()[moves, hole]].astype(np.intp)
    return cells
