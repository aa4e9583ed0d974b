"""A small deck, dealt completely: limit hold'em of two streets whose every hand can be named.

With 52 cards, hands without isomorphism do not fit into memory. With a small deck they do, and
one can see what isomorphism and buckets are worth, by exact exploitability in the real game of
that deck: also of strategies that were trained with buckets.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards import evaluate_batch
from riverboat.game import GameSpec, catalogue
from riverboat.solve import Deals
from riverboat.tree import DECISION, Tree

__all__ = ["Naming", "SmallDeck", "expanded", "percentiles", "small_game"]

_Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Naming:
    """A number for what a player sees; hands with the same number are played alike."""

    preflop: _Ints
    """[hole pairs]"""
    flop: _Ints
    """[hole pairs, flops]; -1 where they share a card."""


def small_game(ranks: str, suits: str) -> GameSpec:
    """Return limit hold'em to the flop with another deck; five cards make the hand.

    Examples
    --------
    >>> len(small_game("TJQKA", "cdh").deck)
    15
    """
    limit = catalogue("limit")
    name = f"limit to the flop, {len(ranks) * len(suits)} cards"
    return limit.replace(name=name, streets=limit.streets[:2], ranks=ranks, suits=suits)


class SmallDeck:
    """All deals of a small deck.

    Parameters
    ----------
    spec
        From `small_game`.

    Attributes
    ----------
    deals
        [deals, 3] both hole pairs and the flop, by their numbers.
    winner
        [deals] 1, 0 or -1: who has the better hand.

    Examples
    --------
    >>> deck = SmallDeck(small_game("QKA", "cdh"))
    >>> len(deck.deals), len(deck.holes), len(deck.flops)  # 36 x 21 x 10 deals
    (7560, 36, 84)
    """

    def __init__(self, spec: GameSpec) -> None:
        self.tree = Tree(spec, "min")
        self.cards: _Ints = np.array(sorted(spec.deck), np.int64)
        count = len(self.cards)
        self.holes: _Ints = np.array(list(combinations(range(count), 2)), np.int64)
        self.flops: _Ints = np.array(list(combinations(range(count), 3)), np.int64)
        self._hole_masks: _Ints = (1 << self.holes).sum(axis=1)
        self._flop_masks: _Ints = (1 << self.flops).sum(axis=1)
        self.deals = self._all_deals()
        mine, other, flop = self.deals.T
        self.winner: _Ints = np.sign(self.strengths[mine, flop] - self.strengths[other, flop])

    def _all_deals(self) -> _Ints:
        mine, other = np.nonzero((self._hole_masks[:, None] & self._hole_masks) == 0)
        held = self._hole_masks[mine] | self._hole_masks[other]
        parts = []
        for flop, mask in enumerate(self._flop_masks):
            free = np.flatnonzero((held & mask) == 0)
            parts.append(np.stack([mine[free], other[free], np.full(len(free), flop)], axis=1))
        return np.concatenate(parts)

    @cached_property
    def _possible(self) -> tuple[_Ints, _Ints]:
        """Return hole pairs and flops that share no card."""
        holes, flops = np.nonzero((self._hole_masks[:, None] & self._flop_masks) == 0)
        return holes.astype(np.int64), flops.astype(np.int64)

    @cached_property
    def strengths(self) -> _Ints:
        """[hole pairs, flops] the strength of five cards; 0 where they share one."""
        holes, flops = self._possible
        cards = np.concatenate([self.holes[holes], self.flops[flops]], axis=1)
        found = np.zeros((len(self.holes), len(self.flops)), np.int64)
        found[holes, flops] = evaluate_batch(self.cards[cards].astype(np.uint8))
        return found

    def every_hand(self) -> Naming:
        """Name every hand by itself: no isomorphism."""
        holes, flops = self._possible
        numbers = np.full((len(self.holes), len(self.flops)), -1)
        numbers[holes, flops] = np.arange(len(holes))
        return Naming(np.arange(len(self.holes)), numbers)

    def isomorphic(self) -> Naming:
        """Give one name to hands that are the same up to the names of the suits."""
        suits = sorted({int(card) % 4 for card in self.cards})
        size = len(self.flops)
        preflop = np.arange(len(self.holes))
        flop = np.arange(len(self.holes))[:, None] * size + np.arange(size)
        for order in permutations(suits):
            to = dict(zip(suits, order, strict=True))
            cards = np.array([card - card % 4 + to[card % 4] for card in self.cards.tolist()])
            moved = np.searchsorted(self.cards, cards)
            holes, flops = _moved(self.holes, moved), _moved(self.flops, moved)
            preflop = np.minimum(preflop, holes)
            flop = np.minimum(flop, holes[:, None] * size + flops)
        return Naming(_numbered(preflop), self._only_possible(flop))

    def by_strength(self, num_preflop: int, num_flop: int) -> Naming:
        """Name hands by their percentile of strength against a random hand."""
        mine, _, flop = self.deals.T
        size = len(self.flops)
        points = (self.winner + 1) / 2
        pair = mine * size + flop
        counts = np.bincount(pair, minlength=len(self.holes) * size).astype(np.float64)
        wins = np.bincount(pair, points, len(self.holes) * size)
        possible = np.flatnonzero(counts)
        flop_names = np.full(len(counts), -1)
        flop_names[possible] = percentiles(
            wins[possible] / counts[possible], counts[possible], num_flop
        )
        by_hole = np.bincount(mine, points) / np.bincount(mine)
        preflop = percentiles(by_hole, np.ones(len(by_hole)), num_preflop)
        return Naming(preflop, flop_names.reshape(len(self.holes), size))

    def _only_possible(self, keys: _Ints) -> _Ints:
        holes, flops = self._possible
        numbers = np.full(keys.shape, -1)
        numbers[holes, flops] = _numbered(keys[holes, flops])
        return numbers

    def named(self, naming: Naming) -> Deals:
        """Deal with these names as buckets; deals that nobody can tell apart are merged."""
        columns = []
        for player, street in zip(
            self.tree.group_player.tolist(), self.tree.group_street.tolist(), strict=True
        ):
            hole = self.deals[:, player]
            columns.append(naming.flop[hole, self.deals[:, 2]] if street else naming.preflop[hole])
        key = self.winner + 1
        factor = 3
        for column in columns:
            key = key + factor * column
            factor *= int(column.max()) + 1
        _, first, counts = np.unique(key, return_index=True, return_counts=True)
        buckets = np.stack([column[first] for column in columns], axis=1).astype(np.uint32)
        winner = self.winner[first]
        strengths = np.stack([winner > 0, winner < 0], axis=1).astype(np.uint32)
        compiled = _core.enumerated_dealer(
            self.tree.compiled, buckets.ravel(), strengths.ravel(), counts.astype(np.float64)
        )
        return Deals(self.tree, compiled, None, len(first))


def _moved(sets: _Ints, moved: _Ints) -> _Ints:
    """Return the number of each set of cards after the cards were renamed."""
    count = len(moved)
    renamed = np.sort(moved[sets], axis=1)
    powers = count ** np.arange(sets.shape[1])[::-1]
    return np.searchsorted(sets @ powers, renamed @ powers)


def _numbered(keys: _Ints) -> _Ints:
    """Return keys as numbers from 0 in their order."""
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)


def percentiles(strengths: NDArray[np.float64], weights: NDArray[np.float64], count: int) -> _Ints:
    """Sort hands into buckets of about equal weight; equal strengths share one.

    Examples
    --------
    >>> percentiles(np.array([0.1, 0.9, 0.5, 0.5]), np.ones(4), 2).tolist()
    [0, 1, 1, 1]
    """
    levels, place = np.unique(strengths.round(12), return_inverse=True)
    mass = np.bincount(place, weights, len(levels))
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    return _numbered(np.minimum((middle * count).astype(np.int64), count - 1))[place]


def expanded(
    strategy: NDArray[np.float64], coarse: Deals, fine: Deals, names: Naming, into: Naming
) -> NDArray[np.float64]:
    """Write a strategy with coarse names in fine ones: the same play, in the larger table.

    Parameters
    ----------
    strategy
        [entries of coarse] probabilities.
    coarse, fine
        Deals of the same deck with the names `names` and `into`.
    """
    found = np.empty(fine.num_entries)
    for group, street in enumerate(fine.tree.group_street.tolist()):
        small, large = coarse.num_buckets[group], fine.num_buckets[group]
        begin, size = fine.compiled.base(group), _entries(fine, group)
        start = coarse.compiled.base(group)
        rows = strategy[start : start + small * size].reshape(small, size)
        old, new = (names.flop, into.flop) if street else (names.preflop, into.preflop)
        to = np.zeros(large, np.int64)
        to[new[new >= 0]] = old[new >= 0]
        found[begin : begin + large * size] = rows[to].ravel()
    return found


def _entries(deals: Deals, group: int) -> int:
    """Actions of all decisions of a group: entries of one bucket."""
    tree = deals.tree
    mine = (tree.kind == DECISION) & (tree.group == group)
    return int(tree.num_actions[mine].sum())
