"""Sampled solving of a flop: CFR with public chance sampling, exact on the flop, by bins behind it.

Zinkevich, Johanson, Bowling & Piccione, NIPS 2007; Johanson, Bard, Lanctot, Gibson & Bowling,
AAMAS 2012; the discounts of Brown & Sandholm, AAAI 2019. Both players learn at once. Each pair of
hands is compared at each end; a tree node has its own rows for each turn card.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import HOLES, evaluate
from riverboat.plain import Random
from riverboat.tree import CHANCE, DECISION, FOLD, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PlainDeck", "SampledTwin", "plain_equities"]

Vector = NDArray[np.float64]
ALPHA, FLOP_BETA, LATER_BETA, GAMMA = 1.5, 0.75, 0.5, 4


class PlainDeck:
    """Deals from the end of a shuffled deck; shuffles when too few cards are left."""

    def __init__(self, cards: list[int], seed: int, stream: int) -> None:
        self.cards, self.left, self.random = cards, 0, Random(seed, stream)

    def deal(self, count: int) -> list[int]:
        """Deal cards."""
        if self.left < count:
            for i in range(len(self.cards) - 1, 0, -1):
                j = self.random.below(i + 1)
                self.cards[i], self.cards[j] = self.cards[j], self.cards[i]
            self.left = len(self.cards)
        self.left -= count
        return self.cards[self.left : self.left + count][::-1]


def matched(weights: Vector) -> Vector:
    """`[rows, actions]`: what is positive, as probabilities; even ones where nothing is."""
    positive = np.maximum(weights, 0)
    total = positive.sum(axis=1, keepdims=True)
    even = np.full_like(positive, 1 / weights.shape[1])
    shares: Vector = np.divide(positive, total, out=even, where=total > 0)
    return shares


@dataclass
class SampledTwin:
    """A flop that is being solved; `bins` are those of the kernel."""

    tree: Tree
    board: tuple[int, ...]
    ranges: tuple[Vector, Vector]
    bins: Callable[[int, tuple[int, ...]], NDArray[np.int64]]
    seed: int = 1
    turns: int = 2
    rivers: int = 1

    def __post_init__(self) -> None:
        dead = set(self.board)
        self.deck = [card for card in sorted(self.tree.spec.deck) if card not in dead]
        self.turn_deck = PlainDeck(list(self.deck), self.seed, 0)
        self.river_decks = {
            card: PlainDeck([c for c in self.deck if c != card], self.seed, 1 + place)
            for place, card in enumerate(self.deck)
        }
        blocked = np.isin(HOLES, list(self.board)).any(axis=1)
        self.hands = [np.flatnonzero((held > 0) & ~blocked) for held in self.ranges]
        self.weights = [
            held[hands].astype(np.float32).astype(float)
            for held, hands in zip(self.ranges, self.hands, strict=True)
        ]
        first, second = (HOLES[hands] for hands in self.hands)
        self.apart = ~(first[:, None, :, None] == second[None, :, None, :]).any(axis=(2, 3))
        self.locked: dict[int, Vector] = {}  # flop decisions: [hands, actions]
        self.regrets: dict[Any, Vector] = {}
        self.averages: dict[int, Vector] = {}
        self.visits: defaultdict[Any, int] = defaultdict(int)
        self.iteration = 0
        self.strength = cache(self._strengths)

    def run(self, iterations: int) -> None:
        """Run iterations."""
        for _ in range(iterations):
            self.iteration += 1
            turns = self.turn_deck.deal(self.turns)
            self.drawn = {turn: self.river_decks[turn].deal(self.rivers) for turn in turns}
            self.walk(0, (self.weights[0], self.weights[1]), ())

    def walk(
        self, node: int, reach: tuple[Vector, Vector], cards: tuple[int, ...]
    ) -> tuple[Vector, Vector]:
        """Return both players' values, times the other's reach."""
        kind = int(self.tree.kind[node])
        if kind == CHANCE:
            return self.deal(node, reach, cards)
        if kind != DECISION:
            return self.end(node, reach, cards)
        return self.decide(node, reach, cards)

    def decide(
        self, node: int, reach: tuple[Vector, Vector], cards: tuple[int, ...]
    ) -> tuple[Vector, Vector]:
        """Play a decision and learn there."""
        player, children = int(self.tree.player[node]), list(self.tree.children(node))
        key = (node, cards[:1])
        if cards:
            rows = np.asarray(self.bins(player, cards))[self.hands[player]]
            rows = np.maximum(rows, 0)  # hands that the cards block
            num_rows = 256
        else:
            num_rows = len(self.hands[player])
            rows = np.arange(num_rows)
        if key not in self.regrets:
            self.regrets[key] = np.zeros((num_rows, len(children)))
        strategy = self.locked.get(node, matched(self.regrets[key])[rows])
        found = []
        for a, child in enumerate(children):
            split = list(reach)
            split[player] = reach[player] * strategy[:, a]
            found.append(self.walk(child, (split[0], split[1]), cards))
        values = [np.sum([pair[p] for pair in found], axis=0) for p in (0, 1)]
        mine = np.stack([pair[player] for pair in found], axis=1)
        values[player] = (strategy * mine).sum(axis=1)
        if node not in self.locked:
            self.learn(key, player, rows, mine - values[player][:, None], cards)
        if not cards:
            self.collect(node, reach[player][:, None] * strategy)
        return values[0], values[1]

    def learn(
        self, key: Any, player: int, rows: Any, gains: Vector, cards: tuple[int, ...]
    ) -> None:
        """Discount regrets, then add those of this visit."""
        old, visits = self.regrets[key], self.visits[key]
        self.visits[key] += 1
        positive, negative = (
            visits**power / (visits**power + 1)
            for power in (ALPHA, LATER_BETA if cards else FLOP_BETA)
        )
        new = np.where(old > 0, old * positive, old * negative)
        weight = self.weights[player] * self.live(player, cards) if cards else np.ones(len(rows))
        np.add.at(new, rows, weight[:, None] * gains)
        self.regrets[key] = new

    def collect(self, node: int, strategy: Vector) -> None:
        """Add to the average, in which iteration t counts t^4."""
        keep = ((self.iteration - 1) / self.iteration) ** GAMMA
        self.averages[node] = self.averages.get(node, 0.0) * keep + strategy

    def deal(
        self, node: int, reach: tuple[Vector, Vector], cards: tuple[int, ...]
    ) -> tuple[Vector, Vector]:
        """Play the sampled cards of an iteration."""
        drawn = self.drawn[cards[0]] if cards else list(self.drawn)
        unseen = len(self.deck) - len(cards)
        weight = unseen / (unseen - 4) / len(drawn)
        total = [np.zeros(len(hands)) for hands in self.hands]
        for card in drawn:
            now = (*cards, card)
            live = [self.live(p, now) for p in (0, 1)]
            child = int(self.tree.first_child[node])
            found = self.walk(child, (reach[0] * live[0], reach[1] * live[1]), now)
            for p in (0, 1):
                total[p] += weight * found[p] * live[p]
        return total[0], total[1]

    def live(self, player: int, cards: tuple[int, ...]) -> NDArray[np.bool_]:
        """Return which hands the cards leave."""
        free = ~np.isin(HOLES[self.hands[player]], cards)
        return np.asarray(free[:, 0] & free[:, 1])

    def end(
        self, node: int, reach: tuple[Vector, Vector], cards: tuple[int, ...]
    ) -> tuple[Vector, Vector]:
        """Pay a fold or a showdown, pair of hands by pair."""
        pays = np.array([self.tree.settle(node, [1 + better, 1]) for better in (1, 0, -1)])
        pays = pays + np.asarray(self.tree.contributions[0])
        if int(self.tree.kind[node]) == FOLD:
            outcome = np.ones(self.apart.shape, dtype=np.int64)
        else:
            mine, others = self.strength(0, cards), self.strength(1, cards)
            outcome = 1 - np.sign(mine[:, None] - others[None, :])
        first, second = (pays[outcome, p] * self.apart for p in (0, 1))
        return first @ reach[1], second.T @ reach[0]

    def _strengths(self, player: int, cards: tuple[int, ...]) -> NDArray[np.int64]:
        board, short = (*self.board, *cards), self.tree.spec.showdown == "short-deck"
        live = self.live(player, cards)
        return np.array(
            [
                evaluate([*HOLES[hand], *board], short) if free else 0
                for hand, free in zip(self.hands[player], live, strict=True)
            ],
            dtype=np.int64,
        )


def plain_equities(twin: SampledTwin, player: int, turn: int) -> Vector:
    """Each hand's mean equity over the rivers against the other's range."""
    total, counts = np.zeros(len(twin.hands[player])), np.zeros(len(twin.hands[player]))
    for river in twin.deck:
        if river == turn:
            continue
        cards = (turn, river)
        mine, others = twin.strength(player, cards), twin.strength(1 - player, cards)
        apart = twin.apart if player == 0 else twin.apart.T
        weights = apart * (twin.weights[1 - player] * twin.live(1 - player, cards))
        wins = np.sign(mine[:, None] - others[None, :]) / 2 + 0.5
        mass, live = weights.sum(axis=1), twin.live(player, cards)
        shares = np.divide(
            (weights * wins).sum(axis=1), mass, out=np.full_like(mass, 0.5), where=mass > 0
        )
        total += shares * live
        counts += live
    return total / np.maximum(counts, 1)
