"""Order of strategies and values in a solution file, as the core lays them out.

A player's hands on a board are the hands of the range that the board does not block, by number.
Strategies are stored board by board, `[entries of the player's decisions on the street, hands]`;
isomorphic boards are stored once. Before the river the values of both players are stored in the
same order, `[nodes, hands]` (`early_values`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from riverboat import _core
from riverboat.cards import (
    NUM_HOLES,
    SUIT_PERMUTATIONS,
    hands_met,
    hole_permutations,
    live_holes,
)
from riverboat.errors import CardError, SpotError
from riverboat.files import ArraySpec
from riverboat.spots._inputs import core_weights
from riverboat.tree import DECISION, FOLD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.spots._engine import Engine
    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

#: A probability of 1 in 16 bits.
WHOLE: Final = 65535


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

    Attributes
    ----------
    boards
        The boards of the file by number: cards since the spot's board; streets in order.
    hands
        Hole pairs of each player's hands on the spot's board.
    strategy_begins
        By player, [boards + 1] offset of each board's strategies.
    value_begins
        By player, [boards before the last street + 1] offset of each board's values.
    num_early
        Number of boards before the last street.
    """

    def __init__(self, spot: Spot, tree: Tree, isomorphism: bool) -> None:
        self.spot, self.tree = spot, tree
        self.board = spot.cards
        self.last_street = tree.num_streets - 1
        self.weights = [held.weights for held in spot.ranges]
        ranges = core_weights((self.weights[0], self.weights[1]), None)
        self._core = _core.SpotLayout(tree.compiled, self.board, ranges, isomorphism)
        self.boards = self._core.boards()
        self.hands = [np.array(self._core.hands(player)) for player in (0, 1)]
        self.strategy_begins = [np.array(self._core.strategy_begins(p)) for p in (0, 1)]
        self.value_begins = [np.array(self._core.value_begins(p)) for p in (0, 1)]
        self.num_early = len(self.value_begins[0]) - 1
        self.renamings = self._core.renamings()

    # ---- Boards

    def place(self, cards: Sequence[int]) -> Place:
        """Return the stored board that represents a board."""
        try:
            number, renaming = self._core.find(cards)
        except CardError as error:
            raise SpotError(f"{error}: the board is {self.spot.board}") from error
        return Place(number, self.boards[number], renaming)

    # ---- Suits

    def unmoved(self, cards: Sequence[int], rows: NDArray[Any]) -> bool:
        """Return whether suit permutations leave the cards and `[actions, 1326]` rows unchanged."""
        return all(
            all(SUIT_PERMUTATIONS[g][card % 4] == card % 4 for card in cards)
            and np.array_equal(rows[:, hole_permutations()[g]], rows, equal_nan=True)
            for g in self.renamings
        )

    def equals(self, player: int) -> NDArray[np.intp]:
        """[1326] the representative of each class of isomorphic hands; -1 off the range."""
        least = np.array([hole_permutations()[g] for g in self.renamings]).min(axis=0)
        return np.where(self.weights[player] > 0, least.astype(np.intp), -1)

    # ---- Rows

    def holes(self, player: int, cards: Sequence[int]) -> NDArray[np.intp]:
        """Hole pairs of a player on a board, in the order of its rows."""
        hands = self.hands[player]
        left: NDArray[np.intp] = hands[live_holes(cards)[hands]]
        return left

    def decisions(self, street: int, player: int) -> list[int]:
        """The decisions of a player on a street, in the order of their rows."""
        mine = (self.tree.kind == DECISION) & (self.tree.player == player)
        nodes = np.flatnonzero(mine & (self.tree.street == street))
        return [int(node) for node in nodes[np.argsort(self.tree.offset[nodes])]]

    @cached_property
    def value_rows(self) -> NDArray[np.int64]:
        """[nodes] row of a node's values among those of its street."""
        return np.array(self._core.value_rows())

    def nodes(self, street: int) -> NDArray[np.intp]:
        """The nodes of a street, in the order of their values."""
        return np.flatnonzero(self.tree.street == street)

    def entries(self, street: int, player: int) -> int:
        """Rows of a player's decisions on a street."""
        group = (self.tree.group_player == player) & (self.tree.group_street == street)
        return int(self.tree.group_entries[group].sum())

    # ---- Arrays

    def arrays(self, bits: int, *, rivers: bool) -> dict[str, ArraySpec]:
        """Return the arrays of a file by name; `bits` is the precision of probabilities."""
        shares, floats = np.dtype(np.uint16 if bits == 16 else np.float32), np.dtype(np.float32)
        last = len(self.boards) if rivers else self.num_early
        sizes = {f"strategy{p}": (shares, int(self.strategy_begins[p][last])) for p in (0, 1)}
        if self.last_street:
            for player in (0, 1):
                equities = len(self.nodes(0)) * len(self.hands[player])
                sizes[f"values{player}"] = floats, int(self.value_begins[player][-1])
                sizes[f"equity{player}"] = floats, equities
        return {name: ArraySpec(kind, (count,)) for name, (kind, count) in sizes.items()}


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
        shape = (2, len(layout.nodes(len(cards))), NUM_HOLES)
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
    tree, nodes = layout.tree, layout.nodes(len(cards))
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
