"""A game for the plain algorithms: a tree and all its deals, by brute force.

Every order of the cards is equally likely. For games without swaps, in which every player has one
hand at the showdown. A bucket consists of the cards that a player has seen: hole cards, and the
board by street, up to suit isomorphism.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

from riverboat.plain._poker_rules import showdown_strength
from riverboat.tree import DECISION, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.game import GameSpec
    from riverboat.plain._random import Random

Key = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Deal:
    """The cards of one hand, as buckets and strengths for a solver.

    Examples
    --------
    >>> Deal(1 / 6, (0, 1), (0, 1)).buckets
    (0, 1)
    """

    weight: float
    """Probability of the deal, up to a factor."""
    buckets: tuple[int, ...]
    """Bucket of the player of each group."""
    strengths: tuple[int, ...]
    """Strength of each player's hand at the showdown; bigger is better."""


def card_deals(spec: GameSpec) -> Iterator[tuple[list[tuple[int, ...]], tuple[int, ...]]]:
    """Yield (hole cards by seat, board) of all deals, ignoring the order within a hand."""

    def choose(deck: frozenset[int], counts: list[int]) -> Iterator[list[tuple[int, ...]]]:
        if not counts:
            yield []
            return
        for cards in combinations(sorted(deck), counts[0]):
            for rest in choose(deck - set(cards), counts[1:]):
                yield [cards, *rest]

    hole = sum(street.hole for street in spec.streets)
    counts = [hole] * spec.players + [street.board for street in spec.streets]
    for dealt in choose(frozenset(spec.deck), counts):
        yield dealt[: spec.players], sum(dealt[spec.players :], ())


def seen(spec: GameSpec, hole: tuple[int, ...], board: tuple[int, ...], street: int) -> Key:
    """Return the cards that a player has seen on a street, up to suit isomorphism."""
    parts = [hole]
    for earlier in spec.streets[: street + 1]:
        parts.append(board[: earlier.board])
        board = board[earlier.board :]
    if spec.showdown in {"one-card", "leduc"}:  # suits never matter in these games
        return tuple(tuple(sorted(card // 4 for card in part)) for part in parts)
    suits = sorted({card % 4 for card in spec.deck})
    return min(
        tuple(
            tuple(sorted(card - card % 4 + order[suits.index(card % 4)] for card in part))
            for part in parts
        )
        for order in permutations(suits)
    )


def keyed_deals(tree: Tree) -> dict[tuple[tuple[Key, ...], tuple[int, ...]], float]:
    """Return the probability of each (seen cards by group, order at the showdown).

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> len(keyed_deals(Tree(catalogue("kuhn"), "min")))
    6
    """
    spec = tree.spec
    groups = list(zip(tree.group_player.tolist(), tree.group_street.tolist(), strict=True))
    weights: dict[tuple[tuple[Key, ...], tuple[int, ...]], float] = {}
    for holes, board in card_deals(spec):
        keys = tuple(seen(spec, holes[player], board, street) for player, street in groups)
        strengths = [showdown_strength(spec, list(hole), list(board)) for hole in holes]
        order = tuple(sorted(set(strengths)).index(strength) for strength in strengths)
        weights[keys, order] = weights.get((keys, order), 0.0) + 1.0
    total = sum(weights.values())
    return {deal: weight / total for deal, weight in weights.items()}


def plain_deals(tree: Tree) -> list[Deal]:
    """Return all deals, with the buckets of each group numbered in order of appearance.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> plain_deals(Tree(catalogue("kuhn"), "min"))[0].strengths
    (0, 1)
    """
    names: list[dict[Key, int]] = [{} for _ in tree.group_player]
    deals = []
    for (keys, order), weight in keyed_deals(tree).items():
        buckets = tuple(
            name.setdefault(key, len(name)) for name, key in zip(names, keys, strict=True)
        )
        deals.append(Deal(weight, buckets, order))
    return deals


class Nodes:
    """A tree as lists, which are faster than arrays in Python, and the layout of its infosets.

    Parameters
    ----------
    tree
        The tree.
    num_buckets
        Number of buckets of each group.
    """

    def __init__(self, tree: Tree, num_buckets: Sequence[int]) -> None:
        self.tree = tree
        self.player: list[int] = tree.player.tolist()
        self.is_terminal: list[bool] = (tree.kind != DECISION).tolist()
        self.children = [tree.children(node) for node in range(tree.num_nodes)]
        self._group: list[int] = tree.group.tolist()
        self._offset: list[int] = tree.offset.tolist()
        self._entries: list[int] = tree.group_entries.tolist()
        *self._base, self.num_entries = tree.table_bases(num_buckets)

    def place(self, node: int, buckets: Sequence[int]) -> int:
        """Return the first table entry of the actor's infoset, given the buckets of a deal."""
        group = self._group[node]
        return self._base[group] + buckets[group] * self._entries[group] + self._offset[node]


class Game(Nodes):
    """A tree and the list of its deals.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import plain_deals
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> game.num_entries, game.children[0]
    (24, range(1, 3))
    """

    def __init__(self, tree: Tree, deals: list[Deal]) -> None:
        by_group = zip(*(deal.buckets for deal in deals), strict=True)
        super().__init__(tree, [1 + max(buckets) for buckets in by_group])
        self.deals = deals
        self.num_players = tree.num_players
        self.street: list[int] = tree.street.tolist()
        total = _added(deal.weight for deal in deals)
        self.weights = [deal.weight / total for deal in deals]
        self._cumulative = list(accumulate(self.weights))
        self._payoffs: dict[tuple[int, tuple[int, ...]], NDArray[np.float32]] = {}

    def row(self, node: int, deal: Deal) -> int:
        """Return the first table entry of the actor's infoset."""
        return self.place(node, deal.buckets)

    def bucket(self, node: int, deal: Deal) -> int:
        """Return the actor's bucket."""
        return deal.buckets[self._group[node]]

    def entries(self, node: int, deal: Deal) -> range:
        """Return the table entries of the infoset, one for each action."""
        row = self.row(node, deal)
        return range(row, row + len(self.children[node]))

    def utility(self, node: int, deal: Deal, player: int) -> np.float32:
        """Return the payoff of a terminal, chips."""
        key = (node, deal.strengths)
        if key not in self._payoffs:
            self._payoffs[key] = self.tree.settle(node, deal.strengths)
        return np.float32(self._payoffs[key][player])

    def draw(self, random: Random) -> Deal:
        """Sample a deal."""
        index = bisect_right(self._cumulative, random.uniform())
        return self.deals[min(index, len(self.deals) - 1)]


def _added(values: Iterable[float]) -> float:
    """Add numbers one by one, as the kernels do; from Python 3.12 on `sum` rounds differently.

    Where a regret is 0, rounding decides whether it counts as positive.
    """
    total = 0.0
    for value in values:
        total += value
    return total
