"""How strategies and values lie in a solution file.

A player's hands on a board are those of his range that it leaves, by number. His strategies lie
board by board, `[entries of his decisions on the street, hands]`; of boards that renamed suits make
equal only one is there. Before the river the values of both lie likewise, `[nodes, hands]`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riverboat.cards import (
    HOLES,
    NUM_CARDS,
    SUIT_PERMUTATIONS,
    card_text,
    hole_permutations,
)
from riverboat.errors import SpotError
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

_ALL_CARDS = np.arange(NUM_CARDS)
#: Each card with its suit renamed, by renaming.
_RENAMED = [
    [card - card % 4 + suits[card % 4] for card in range(NUM_CARDS)] for suits in SUIT_PERMUTATIONS
]


class Place(NamedTuple):
    """A board in a file: its number, cards since the spot's board, and the suits' renaming."""

    number: int
    cards: tuple[int, ...]
    renaming: int


class Layout:
    """Where the rows of each node and board are.

    Parameters
    ----------
    spot, tree
        What was solved.
    isomorphism
        Whether boards that renamed suits make equal are there once.
    """

    def __init__(self, spot: Spot, tree: Tree, isomorphism: bool) -> None:
        self.spot, self.tree = spot, tree
        self.board = spot.cards
        self.last_street = tree.num_streets - 1
        self.weights = [each.weights for each in spot.ranges]
        self.hands = [np.flatnonzero(weights > 0) for weights in self.weights]
        held = [HOLES[hands] for hands in self.hands]
        self._free = [(pairs[None] != _ALL_CARDS[:, None, None]).all(axis=2) for pairs in held]
        self._decisions: dict[tuple[int, int], list[int]] = {}
        self._places: dict[tuple[int, ...], Place] = {}
        self._group = self._renamings() if isomorphism else [0]

    def _renamings(self) -> list[int]:
        """Renamings of suits that leave board and ranges as they are."""
        board = set(self.board)
        moved = hole_permutations()
        return [
            index
            for index in range(len(SUIT_PERMUTATIONS))
            if {_RENAMED[index][card] for card in board} == board
            and all((weights[moved[index]] == weights).all() for weights in self.weights)
        ]

    # ---- Boards

    @cached_property
    def boards(self) -> list[tuple[int, ...]]:
        """The boards of the file by number: cards since the spot's board; streets in order."""
        found: list[tuple[int, ...]] = [()]
        before: list[tuple[int, ...]] = [()]
        for _ in range(self.last_street):
            before = [cards for parent in before for cards in self._after(parent)]
            found += before
        return found

    def _after(self, cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The boards that one more card makes, equal ones once."""
        fixing = [g for g in self._group if all(_RENAMED[g][card] == card for card in cards)]
        for card in self.deck:
            if card not in cards and min(_RENAMED[g][card] for g in fixing) == card:
                yield (*cards, card)

    @cached_property
    def deck(self) -> list[int]:
        """The cards that the spot's board leaves."""
        first = 0 if self.spot.deck == "full" else NUM_CARDS - 36
        return [card for card in range(first, NUM_CARDS) if card not in self.board]

    @cached_property
    def _index(self) -> dict[tuple[int, ...], int]:
        return {cards: index for index, cards in enumerate(self.boards)}

    def street(self, index: int) -> int:
        """Return the street of a board, counted from the spot's."""
        return len(self.boards[index])

    def place(self, cards: Sequence[int]) -> Place:
        """Return the board of the file that stands for one."""
        if (known := self._places.get(tuple(cards))) is not None:
            return known
        for card in cards:
            if card not in self.deck or list(cards).count(card) > 1:
                raise SpotError(f"the card {card_text(card)} cannot come on {self.spot.board}")
        renamed = ((tuple(_RENAMED[g][card] for card in cards), g) for g in self._group)
        least, renaming = min(renamed)
        place = self._places[tuple(cards)] = Place(self._index[least], least, renaming)
        return place

    def unmoved(self, cards: Sequence[int], rows: NDArray[Any]) -> bool:
        """Return whether renamed suits leave `[actions, 1326]` on these cards as they are."""
        moved = hole_permutations()
        return all(
            all(_RENAMED[g][card] == card for card in cards)
            and np.array_equal(rows[:, moved[g]], rows, equal_nan=True)
            for g in self._group
        )

    # ---- Hands

    def equals(self, player: int) -> NDArray[np.intp]:
        """[1326] the hand that stands for all that renamed suits make equal; -1 off the range."""
        least = np.array([hole_permutations()[g] for g in self._group]).min(axis=0)
        return np.where(self.weights[player] > 0, least.astype(np.intp), -1)

    def held(self, player: int, cards: Sequence[int]) -> NDArray[np.bool_]:
        """[hands of the range] which of them these cards leave."""
        held = np.ones(len(self.hands[player]), dtype=bool)
        for card in cards:
            held &= self._free[player][card]
        return held

    def holes(self, player: int, cards: Sequence[int]) -> NDArray[np.intp]:
        """Hole pairs of a player on a board, in the order of its rows."""
        left: NDArray[np.intp] = self.hands[player][self.held(player, cards)]
        return left

    def counts(self, player: int) -> NDArray[np.int64]:
        """[boards] hands of a player on each."""
        free = self._free[player].astype(np.int64)
        left = free @ free.T  # [card, card] hands that have neither
        whole = len(self.hands[player])
        ends = [(cards[0], cards[-1]) if cards else None for cards in self.boards]
        return np.array([whole if both is None else left[both] for both in ends], dtype=np.int64)

    # ---- Rows

    def decisions(self, street: int, player: int) -> list[int]:
        """The decisions of a player on a street, in the order of their rows."""
        if (street, player) not in self._decisions:
            mine = (self.tree.kind == DECISION) & (self.tree.player == player)
            nodes = np.flatnonzero(mine & (self.tree.street == street))
            self._decisions[street, player] = nodes[np.argsort(self.tree.offset[nodes])].tolist()
        return self._decisions[street, player]

    @cached_property
    def street_nodes(self) -> list[NDArray[np.intp]]:
        """The nodes of each street before the last."""
        return [np.flatnonzero(self.tree.street == street) for street in range(self.last_street)]

    def entries(self, street: int, player: int) -> int:
        """Rows of a player's decisions on a street."""
        group = (self.tree.group_player == player) & (self.tree.group_street == street)
        return int(self.tree.group_entries[group].sum())

    @cached_property
    def strategy_begins(self) -> list[NDArray[np.int64]]:
        """By player, [boards + 1] where a board's strategies begin."""
        streets = [len(cards) for cards in self.boards]
        rows = [[self.entries(s, p) for s in range(self.last_street + 1)] for p in (0, 1)]
        return [_begins(np.array(rows[p])[streets] * self.counts(p)) for p in (0, 1)]

    @cached_property
    def value_begins(self) -> list[NDArray[np.int64]]:
        """By player, [boards before the last street + 1] where a board's values begin."""
        rows = [len(nodes) for nodes in self.street_nodes]
        early = self.boards[: self.num_early]
        sizes = np.array([rows[len(cards)] for cards in early], dtype=np.int64)
        return [_begins(sizes * self.counts(p)[: self.num_early]) for p in (0, 1)]

    @cached_property
    def num_early(self) -> int:
        """Boards before the last street."""
        return sum(len(cards) < self.last_street for cards in self.boards)


def _begins(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
