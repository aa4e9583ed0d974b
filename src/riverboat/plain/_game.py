"""A game as the plain algorithms see it: a tree and all its deals, by brute force.

Every order of the cards is equally likely. For games without swaps: every player has one hand at
the showdown. A bucket is what its player has seen: his hole cards and the board by street, with
suits that cannot matter taken out.
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
    """The cards of one hand, as a solver sees them.

    Examples
    --------
    >>> Deal(1 / 6, (0, 1), (0, 1)).buckets
    (0, 1)
    """

    weight: float
    """How likely it is, up to a factor."""
    buckets: tuple[int, ...]
    """The bucket of each group's player there."""
    strengths: tuple[int, ...]
    """Of each player's hand at the showdown; bigger is better."""


def card_deals(spec: GameSpec) -> Iterator[tuple[list[tuple[int, ...]], tuple[int, ...]]]:
    """Yield (hole cards by seat, board) of all deals; each hand of cards once."""

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
    """What a player knows on a street, the same for cards that differ by suits only."""
    parts = [hole]
    for each in spec.streets[: street + 1]:
        parts.append(board[: each.board])
        board = board[each.board :]
    if spec.showdown in {"one-card", "leduc"}:  # suits never count there
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
    """Probability of each (what each group's player has seen, order at the showdown).

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> len(keyed_deals(Tree(catalogue("kuhn"), "min")))
    6
    """
    spec = tree.spec
    groups = list(zip(tree.group_player.tolist(), tree.group_street.tolist(), strict=True))
    found: dict[tuple[tuple[Key, ...], tuple[int, ...]], float] = {}
    for holes, board in card_deals(spec):
        keys = tuple(seen(spec, holes[player], board, street) for player, street in groups)
        made = [showdown_strength(spec, list(hole), list(board)) for hole in holes]
        order = tuple(sorted(set(made)).index(each) for each in made)
        found[keys, order] = found.get((keys, order), 0.0) + 1.0
    total = sum(found.values())
    return {deal: weight / total for deal, weight in found.items()}


def plain_deals(tree: Tree) -> list[Deal]:
    """Number the buckets of every group as they come.

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
    """A tree in lists, which Python reads quicker than arrays, and where its infosets lie.

    Parameters
    ----------
    tree
        The tree.
    num_buckets
        Of each group.
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
        """The first table entry of the deciding player's infoset; buckets are those of a deal."""
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
        self._paid: dict[tuple[int, tuple[int, ...]], NDArray[np.float32]] = {}

    def row(self, node: int, deal: Deal) -> int:
        """The first table entry of the deciding player's infoset."""
        return self.place(node, deal.buckets)

    def bucket(self, node: int, deal: Deal) -> int:
        """What the deciding player has seen."""
        return deal.buckets[self._group[node]]

    def entries(self, node: int, deal: Deal) -> range:
        """Table entries of the infoset, one for each action."""
        row = self.row(node, deal)
        return range(row, row + len(self.children[node]))

    def utility(self, node: int, deal: Deal, player: int) -> np.float32:
        """What a terminal pays, chips."""
        key = (node, deal.strengths)
        if key not in self._paid:
            self._paid[key] = self.tree.settle(node, deal.strengths)
        return np.float32(self._paid[key][player])

    def draw(self, random: Random) -> Deal:
        """A deal by its probability."""
        index = bisect_right(self._cumulative, random.uniform())
        return self.deals[min(index, len(self.deals) - 1)]


def _added(values: Iterable[float]) -> float:
    """Add numbers one after the other, as kernels do; `sum` rounds otherwise from Python 3.12 on.

    Where a regret is nothing, rounding decides whether it counts as positive.
    """
    total = 0.0
    for value in values:
        total += value
    return total
