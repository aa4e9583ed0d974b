"""The thesis's main claim: isomorphism and buckets make CFR much faster.

With 52 cards, hands without isomorphism do not fit into memory. With a small deck they do, and all
deals are enumerated: Pure CFR is trained with four card abstractions (none, isomorphism, and
buckets of two sizes) and measured exactly in the real game of that deck. For 52 cards the module
computes the memory of each abstraction, and times the lookup of a bucket.
"""

import time
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import CardAbstraction
from riverboat.cards import BOARD_CARDS, evaluate_batch
from riverboat.errors import RunError
from riverboat.game import GameSpec, catalogue
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions.yerevan._sizes import check_counts, full_needs
from riverboat.reproductions.yerevan._training import DATA, exactly, limit_setup, side_by_side
from riverboat.solve import (
    SCHEMES,
    DealRows,
    Deals,
    Solver,
    merge_deals,
    sample_deals,
    table_deals,
)
from riverboat.statistics import Estimate
from riverboat.tree import Tree

_Ints = NDArray[np.int64]


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


@dataclass(frozen=True)
class Naming:
    """A card abstraction of the small deck: hands with the same number share a strategy."""

    preflop: _Ints
    """[hole pairs]"""
    flop: _Ints
    """[hole pairs, flops]; -1 where they share a card."""
    deals: Deals
    """Deals with these numbers as buckets; equal deals are merged."""

    @property
    def hands(self) -> int:
        """Number of buckets on the flop."""
        return int(self.flop.max()) + 1

    def expanded(self, strategy: NDArray[np.float64], fine: "Naming") -> NDArray[np.float64]:
        """Return the same strategy, [entries], in the larger table of a finer abstraction."""
        found = np.empty(fine.deals.num_entries)
        for group, street in enumerate(self.deals.tree.group_street.tolist()):
            old, new = (self.flop, fine.flop) if street else (self.preflop, fine.preflop)
            to = np.zeros(fine.deals.num_buckets[group], np.int64)
            to[new[new >= 0]] = old[new >= 0]
            fine.deals.rows(found, group)[:] = self.deals.rows(strategy, group)[to]
        return found


class SmallDeck:
    """All deals of a small deck.

    Parameters
    ----------
    spec
        A game made by `small_game`.

    Attributes
    ----------
    deals
        [deals, 3] both hole pairs and the flop, by their numbers.
    winner
        [deals] 1, 0 or -1: the first hand wins, a tie, the second hand wins.

    Examples
    --------
    >>> deck = SmallDeck(small_game("QKA", "cdh"))
    >>> len(deck.deals), len(deck.holes), len(deck.flops)  # 36 x 21 x 10 deals
    (7560, 36, 84)
    """

    def __init__(self, spec: GameSpec) -> None:
        self.tree = Tree(spec, "min")
        self.cards: _Ints = np.array(sorted(spec.deck), np.int64)
        self.holes, self.flops = (
            np.array(list(combinations(range(len(self.cards)), size)), np.int64) for size in (2, 3)
        )
        self._masks = tuple((1 << sets).sum(axis=1) for sets in (self.holes, self.flops))
        self.deals = self._all_deals()
        mine, other, flop = self.deals.T
        self.winner: _Ints = np.sign(self.strengths[mine, flop] - self.strengths[other, flop])

    def _all_deals(self) -> _Ints:
        held, flops = self._masks
        mine, other = np.nonzero((held[:, None] & held) == 0)
        both, parts = held[mine] | held[other], []
        for flop, mask in enumerate(flops):
            free = np.flatnonzero((both & mask) == 0)
            parts.append(np.stack([mine[free], other[free], np.full(len(free), flop)], axis=1))
        return np.concatenate(parts)

    @cached_property
    def _possible(self) -> tuple[_Ints, _Ints]:
        """[hole pairs, flops] whether they share no card."""
        holes, flops = self._masks
        found = np.nonzero((holes[:, None] & flops) == 0)
        return found[0].astype(np.int64), found[1].astype(np.int64)

    def _on_flops(self, values: NDArray[np.integer[Any]], elsewhere: int) -> _Ints:
        """Return values of possible pairs as [hole pairs, flops]."""
        found = np.full((len(self.holes), len(self.flops)), elsewhere)
        found[self._possible] = values
        return found

    @cached_property
    def strengths(self) -> _Ints:
        """[hole pairs, flops] strength of the five cards; 0 where they share a card."""
        holes, flops = self._possible
        cards = np.concatenate([self.holes[holes], self.flops[flops]], axis=1)
        return self._on_flops(evaluate_batch(self.cards[cards].astype(np.uint8)), 0)

    def every_hand(self) -> Naming:
        """Return the abstraction without isomorphism: each hand has its own number."""
        flop = self._on_flops(np.arange(len(self._possible[0])), -1)
        return self._naming(np.arange(len(self.holes)), flop)

    def isomorphic(self) -> Naming:
        """Return the lossless abstraction: isomorphic hands share a number."""
        suits, size = sorted({int(card) % 4 for card in self.cards}), len(self.flops)
        preflop = np.arange(len(self.holes))
        flop = preflop[:, None] * size + np.arange(size)
        for order in permutations(suits):
            to = dict(zip(suits, order, strict=True))
            cards = np.array([card - card % 4 + to[card % 4] for card in self.cards.tolist()])
            moved = np.searchsorted(self.cards, cards)
            holes, flops = _moved(self.holes, moved), _moved(self.flops, moved)
            preflop = np.minimum(preflop, holes)
            flop = np.minimum(flop, holes[:, None] * size + flops)
        return self._naming(_numbered(preflop), self._on_flops(_numbered(flop[self._possible]), -1))

    def by_strength(self, num_preflop: int, num_flop: int) -> Naming:
        """Return buckets by percentile of strength against a random hand."""
        mine, _, flop = self.deals.T
        points, pair = (self.winner + 1) / 2, mine * len(self.flops) + flop
        counts = np.bincount(pair).astype(np.float64)
        possible = np.flatnonzero(counts)  # in the order of _possible
        rates = np.bincount(pair, points)[possible] / counts[possible]
        by_hole = np.bincount(mine, points) / np.bincount(mine)
        return self._naming(
            percentiles(by_hole, np.ones(len(by_hole)), num_preflop),
            self._on_flops(percentiles(rates, counts[possible], num_flop), -1),
        )

    def _naming(self, preflop: _Ints, flop: _Ints) -> Naming:
        """Enumerate the deals with numbers as buckets."""
        board, columns = self.deals[:, 2], []
        for player, street in zip(self.tree.group_player, self.tree.group_street, strict=True):
            hole = self.deals[:, player]
            columns.append(flop[hole, board] if street else preflop[hole])
        strengths = np.stack([self.winner > 0, self.winner < 0], axis=1)[:, :, None]
        rows = DealRows(np.stack(columns, axis=1).astype(np.uint32), strengths.astype(np.uint32))
        merged, weights = merge_deals(rows, np.ones(len(self.deals)))
        return Naming(preflop, flop, table_deals(self.tree, merged, weights))


def _moved(sets: _Ints, moved: _Ints) -> _Ints:
    """Return the index of each set of cards after a permutation of the cards."""
    renamed = np.sort(moved[sets], axis=1)
    powers = len(moved) ** np.arange(sets.shape[1])[::-1]
    return np.searchsorted(sets @ powers, renamed @ powers)


def _numbered(keys: _Ints) -> _Ints:
    """Return the ranks of keys, from 0."""
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)


def percentiles(strengths: NDArray[np.float64], weights: NDArray[np.float64], count: int) -> _Ints:
    """Assign hands to buckets of about equal weight; equal strengths share a bucket.

    Examples
    --------
    >>> percentiles(np.array([0.1, 0.9, 0.5, 0.5]), np.ones(4), 2).tolist()
    [0, 1, 1, 1]
    """
    levels, place = np.unique(strengths.round(12), return_inverse=True)
    mass = np.bincount(place, weights, len(levels))
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    return _numbered(np.minimum((middle * count).astype(np.int64), count - 1))[place]


def compare_namings(run: ReproductionRun) -> Found:
    """Train with and without isomorphism and buckets; compute memory and times for 52 cards."""
    amounts, setup = DATA.amounts(run), limit_setup(run)
    if setup.cards is None:
        raise RunError("the recipe's cards have no bucket tables")
    deck = SmallDeck(small_game(amounts.ranks, amounts.suits))
    run.tell(0.0, f"{len(deck.deals):,} deals")
    named = _train_namings(run, deck)
    looked_up, iterations = _by_tables(setup.deals, run.seed)
    return Found(
        cards=len(deck.cards),
        deals=len(deck.deals),
        named=named,
        needs=full_needs(setup.tree, setup.cards.num_buckets),
        checks=check_counts(amounts.ranks, amounts.suits),
        looked_up=looked_up,
        on_the_fly=_on_the_fly(setup.cards, amounts.fly_deals, run.seed),
        iterations_per_second=iterations,
    )


def _train_namings(run: ReproductionRun, deck: SmallDeck) -> list[Found]:
    amounts, labels = DATA.amounts(run), DATA.namings
    every, classes = deck.every_hand(), deck.isomorphic()
    # Isomorphic hands have the same percentile.
    some = [deck.by_strength(*counts) for counts in amounts.deck_buckets]
    ways = {labels.every: (every, every), labels.classes: (classes, classes)}
    ways |= {labels.some.format(each.hands): (each, classes) for each in some}
    seeds = range(run.seed, run.seed + amounts.deck_seeds)
    jobs = [
        (Solver(way[0].deals, SCHEMES["pure"], seed=seed), partial(_in_the_real_game, *way))
        for way in ways.values()
        for seed in seeds
    ]
    trials = iter(side_by_side(run, jobs, amounts.deck_times, "a small deck"))
    return [
        Found(label=label, trials=[next(trials) for _ in seeds], hands=naming.hands)
        for label, (naming, _) in ways.items()
    ]


def _in_the_real_game(naming: Naming, fine: Naming, solver: Solver) -> Estimate:
    """Return the exact exploitability of a strategy in a lossless abstraction; mbb/hand."""
    return exactly(fine.deals, naming.expanded(solver.strategy(), fine))


def _by_tables(deals: Deals, seed: int, count: int = 20_000) -> tuple[float, float]:
    """Return CPU seconds per deal with tables, and iterations per CPU second."""
    began = time.thread_time()
    sample_deals(deals, count, seed)
    a_deal = (time.thread_time() - began) / count
    solver = Solver(deals, SCHEMES["pure"], seed=seed)
    began = time.thread_time()
    solver.run_all(iterations=count)
    return a_deal, count / (time.thread_time() - began)


def _on_the_fly(cards: CardAbstraction, count: int, seed: int) -> float:
    """Return CPU seconds to find both players' buckets of a deal without tables."""
    draws = np.random.default_rng(seed)
    began = time.thread_time()
    for _ in range(count):
        dealt = draws.permutation(52)[:9].tolist()
        for hole in (dealt[:2], dealt[2:4]):
            for board in BOARD_CARDS:
                cards.street_bucket(hole, dealt[4 : 4 + board])
    return (time.thread_time() - began) / count
