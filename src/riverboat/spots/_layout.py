"""Order of strategies and values in a solution file.

A player's hands on a board are the hands of the range that the board does not block, by number.
Strategies are stored board by board, `[entries of the player's decisions on the street, hands]`;
isomorphic boards are stored once. Before the river the values of both players are stored in the
same order, `[nodes, hands]` (`early_values`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from riverboat.cards import (
    HOLES,
    NUM_CARDS,
    NUM_HOLES,
    SUIT_PERMUTATIONS,
    card_text,
    hands_met,
    hole_permutations,
)
from riverboat.errors import SpotError
from riverboat.files import ArraySpec
from riverboat.tree import DECISION, FOLD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.spots._engine import Engine
    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

#: A probability of 1 in 16 bits.
WHOLE: Final = 65535
_ALL_CARDS = np.arange(NUM_CARDS)
#: Each card after each permutation of suits.
_RENAMED = [
    [card - card % 4 + suits[card % 4] for card in range(NUM_CARDS)] for suits in SUIT_PERMUTATIONS
]


class Place(NamedTuple):
    """A board in a file: its number, its cards since the spot's board, the suit permutation."""

    number: int
    cards: tuple[int, ...]
    renaming: int


class Layout:
    """Position of the rows of each node and board.

    Parameters
    ----------
    spot, tree
        The solved spot and its tree.
    isomorphism
        Whether isomorphic boards are stored once.
    """

    def __init__(self, spot: Spot, tree: Tree, isomorphism: bool) -> None:
        self.spot, self.tree = spot, tree
        self.board = spot.cards
        self.last_street = tree.num_streets - 1
        self.weights = [held.weights for held in spot.ranges]
        self.hands = [np.flatnonzero(weights > 0) for weights in self.weights]
        held = [HOLES[hands] for hands in self.hands]
        self._free = [(pairs[None] != _ALL_CARDS[:, None, None]).all(axis=2) for pairs in held]
        self._decisions: dict[tuple[int, int], list[int]] = {}
        self._places: dict[tuple[int, ...], Place] = {}
        self.renamings = self._renamings() if isomorphism else [0]

    def _renamings(self) -> list[int]:
        """Suit permutations that leave the board and the ranges unchanged."""
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
        boards: list[tuple[int, ...]] = [()]
        before: list[tuple[int, ...]] = [()]
        for _ in range(self.last_street):
            before = [cards for parent in before for cards in self._after(parent)]
            boards += before
        return boards

    def _after(self, cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield the boards with one more card; isomorphic boards once."""
        fixing = [g for g in self.renamings if all(_RENAMED[g][card] == card for card in cards)]
        for card in self.deck:
            if card not in cards and min(_RENAMED[g][card] for g in fixing) == card:
                yield (*cards, card)

    @cached_property
    def deck(self) -> list[int]:
        """Cards of the deck that are not on the spot's board."""
        first = 0 if self.spot.deck == "full" else NUM_CARDS - 36
        return [card for card in range(first, NUM_CARDS) if card not in self.board]

    @cached_property
    def _index(self) -> dict[tuple[int, ...], int]:
        return {cards: index for index, cards in enumerate(self.boards)}

    def street(self, index: int) -> int:
        """Return the street of a board, counted from the spot's."""
        return len(self.boards[index])

    def place(self, cards: Sequence[int]) -> Place:
        """Return the stored board that represents a board."""
        if (known := self._places.get(tuple(cards))) is not None:
            return known
        for card in cards:
            if card not in self.deck or list(cards).count(card) > 1:
                raise SpotError(f"the card {card_text(card)} cannot be dealt to {self.spot.board}")
        renamed = ((tuple(_RENAMED[g][card] for card in cards), g) for g in self.renamings)
        least, renaming = min(renamed)
        place = self._places[tuple(cards)] = Place(self._index[least], least, renaming)
        return place

    def unmoved(self, cards: Sequence[int], rows: NDArray[Any]) -> bool:
        """Return whether suit permutations leave the cards and `[actions, 1326]` rows unchanged."""
        moved = hole_permutations()
        return all(
            all(_RENAMED[g][card] == card for card in cards)
            and np.array_equal(rows[:, moved[g]], rows, equal_nan=True)
            for g in self.renamings
        )

    # ---- Hands

    def equals(self, player: int) -> NDArray[np.intp]:
        """[1326] the representative of each class of isomorphic hands; -1 off the range."""
        least = np.array([hole_permutations()[g] for g in self.renamings]).min(axis=0)
        return np.where(self.weights[player] > 0, least.astype(np.intp), -1)

    def held(self, player: int, cards: Sequence[int]) -> NDArray[np.bool_]:
        """[hands of the range] whether the cards leave the hand possible."""
        held = np.ones(len(self.hands[player]), dtype=bool)
        for card in cards:
            held &= self._free[player][card]
        return held

    def holes(self, player: int, cards: Sequence[int]) -> NDArray[np.intp]:
        """Hole pairs of a player on a board, in the order of its rows."""
        left: NDArray[np.intp] = self.hands[player][self.held(player, cards)]
        return left

    def counts(self, player: int) -> NDArray[np.int64]:
        """[boards] number of a player's hands on each board."""
        free = self._free[player].astype(np.int64)
        left = free @ free.T  # [card, card] hands that have neither card
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
        """By player, [boards + 1] begin of each board's strategies."""
        streets = [len(cards) for cards in self.boards]
        rows = [[self.entries(s, p) for s in range(self.last_street + 1)] for p in (0, 1)]
        return [_begins(np.array(rows[p])[streets] * self.counts(p)) for p in (0, 1)]

    @cached_property
    def value_begins(self) -> list[NDArray[np.int64]]:
        """By player, [boards before the last street + 1] begin of each board's values."""
        rows = [len(nodes) for nodes in self.street_nodes]
        early = self.boards[: self.num_early]
        sizes = np.array([rows[len(cards)] for cards in early], dtype=np.int64)
        return [_begins(sizes * self.counts(p)[: self.num_early]) for p in (0, 1)]

    @cached_property
    def num_early(self) -> int:
        """Number of boards before the last street."""
        return sum(len(cards) < self.last_street for cards in self.boards)

    # ---- Arrays

    def arrays(self, bits: int, *, rivers: bool) -> dict[str, ArraySpec]:
        """Return the arrays of a file by name; `bits` is the precision of probabilities."""
        shares, floats = np.dtype(np.uint16 if bits == 16 else np.float32), np.dtype(np.float32)
        last = len(self.boards) if rivers else self.num_early
        sizes = {f"strategy{p}": (shares, int(self.strategy_begins[p][last])) for p in (0, 1)}
        if self.last_street:
            for player in (0, 1):
                equities = len(self.street_nodes[0]) * len(self.hands[player])
                sizes[f"values{player}"] = floats, int(self.value_begins[player][-1])
                sizes[f"equity{player}"] = floats, equities
        return {name: ArraySpec(kind, (count,)) for name, (kind, count) in sizes.items()}


def _begins(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def put_in(tree: Tree, child: int, player: int) -> int:
    """Return the chips of a player that an action put in."""
    return lying(tree, child, player) - lying(tree, int(tree.parent[child]), player)


def lying(tree: Tree, node: int, player: int) -> int:
    """Return a player's chips in the pot at a node; after a fold an uncalled bet counts."""
    at = tree.parent[node] if tree.kind[node] == FOLD else node
    return int(tree.contributions[at, player])


def early_values(layout: Layout, engine: Engine) -> Iterator[NDArray[np.float64]]:
    """Yield `[2, nodes of the street, 1326]` chips for each board before the last street."""
    worth = [engine.recorded_values(player) for player in (0, 1)]
    for number, cards in enumerate(layout.boards[: layout.num_early]):
        shape = (2, len(layout.street_nodes[len(cards)]), NUM_HOLES)
        values = np.full(shape, np.nan)
        for player in (0, 1):
            begin, end = layout.value_begins[player][number : number + 2]
            holes = layout.holes(player, cards)
            values[player][:, holes] = worth[player][begin:end].reshape(shape[1], len(holes))
        yield _per_hand_met(layout, engine, cards, values)


def _per_hand_met(
    layout: Layout, engine: Engine, cards: tuple[int, ...], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Divide sums over opposing hands by their reach; add the values of first nodes of a street."""
    tree, nodes = layout.tree, layout.street_nodes[len(cards)]
    place = {node: index for index, node in enumerate(nodes.tolist())}
    reach: dict[int, list[NDArray[np.float64]]] = {}
    for node, index in place.items():
        begins = int(tree.parent[node]) not in place or not node
        if begins:
            reach[node] = [engine.reach(player, node, cards) for player in (0, 1)]
        if tree.kind[node] != DECISION:
            continue
        actor, children = int(tree.player[node]), tree.children(node)
        strategy = engine.strategy(node, cards)
        for child, row in zip(children, strategy, strict=True):
            reach[child] = list(reach[node])
            reach[child][actor] = reach[node][actor] * np.nan_to_num(row)
        if begins:
            below = values[:, [place[child] for child in children]]
            values[actor, index] = (strategy * np.nan_to_num(below[actor])).sum(axis=0)
            values[1 - actor, index] = below[1 - actor].sum(axis=0)
    for node, index in place.items():
        met = hands_met(np.array(reach[node][::-1]))
        chips = [[lying(tree, node, player) - lying(tree, 0, player)] for player in (0, 1)]
        with np.errstate(invalid="ignore", divide="ignore"):
            values[:, index] = np.where(met > 0, values[:, index] / met, np.nan) + chips
    return values
