"""Public deals: what a solver with hand vectors knows of the cards.

Public-chance sampling (Johanson, Bard, Lanctot, Gibson & Bowling 2012) draws
what everybody sees and keeps all private hands of both players. Deals of
hold'em from bucket tables can do that as they are; small games are enumerated
once more, board by board. The one-bucket deals and the order of the tables stay
the same, so that strategies can be compared and evaluated across schemes.

An iteration is one public outcome and one traversal for each player. Linear CFR
and DCFR discount the whole table after every `Scheme.step` iterations, because
a sampled iteration touches only a part of it; the averaging weight changes with
the same step. CFR+ and predictive CFR+ cut regrets off at zero in each touched
infoset at once; the prediction is the regret of the infoset's last visit. With
one public outcome and steps of one iteration all rules are those of full-width
CFR. Regrets are float32, as in the other sampled schemes, because they fill the
memory in hold'em; averages and sums over hands are float64.
"""

from collections import defaultdict
from dataclasses import dataclass, field, replace

import numpy as np

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.game import GameSpec
from riverboat.solve._deals import (
    Deals,
    all_deals,
    bucket_key,
    enumerate_deals,
    strengths_of,
    suit_renamings,
)
from riverboat.tree import Tree

_Cards = tuple[int, ...]


def enumerate_public(tree: Tree) -> Deals:
    """Enumerate a small two-player game as deals and as public outcomes.

    Parameters
    ----------
    tree
        Of a game that `enumerate_deals` can enumerate.

    Returns
    -------
    Deals
        Those of `enumerate_deals`, with `public` set: boards, each with a matrix
        of the weights of all pairs of private hands.

    Examples
    --------
    >>> from riverboat.evaluate import exploitability
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver
    >>> deals = enumerate_public(Tree(catalogue("leduc"), "min"))
    >>> solver = Solver(deals, Scheme("public-chance", "cfr+", "linear"), seed=1)
    >>> _ = solver.run_all(iterations=2000)
    >>> exploitability(deals, solver.strategy()).exploitability < 0.1
    True
    """
    if tree.spec.players != 2:
        raise SolveError(f"public-chance sampling is for two players, not {tree.spec.players}")
    deals = enumerate_deals(tree)
    boards = _boards(tree.spec)
    hands = sorted({hand for board in boards for hand in board.cards})
    weights = np.array([board.matrix(hands) for board in boards])
    strengths = np.array([board.strengths(hands, tree.spec) for board in boards], np.uint32)
    buckets = np.array([_buckets(board, hands, deals) for board in boards], np.uint32)
    public = _core.enumerated_public(deals.compiled, weights, strengths, buckets)
    return replace(deals, public=public)


def public_walkers(deals: Deals, threads: int) -> _core.PublicChance:
    """Make the walkers of public-chance sampling, one for each thread."""
    public = deals.public
    if public is None and deals.num_deals is not None:
        raise SolveError(
            "public-chance sampling works on hand vectors: take the deals of enumerate_public"
        )
    if public is None:
        public = _core.holdem_public(deals.compiled)
    return _core.PublicChance(public, threads)


@dataclass
class _Board:
    """A public outcome: the pairs of hands that go with it."""

    weights: dict[tuple[_Cards, _Cards], float] = field(default_factory=lambda: defaultdict(float))
    cards: dict[_Cards, tuple[_Cards, _Cards, _Cards]] = field(default_factory=dict)
    """By hand, one way to deal it: its cards, another player's, the board's."""

    def matrix(self, hands: list[_Cards]) -> list[list[float]]:
        """Return the weights [hands of seat 0, hands of seat 1]."""
        return [[self.weights.get((first, second), 0.0) for second in hands] for first in hands]

    def strengths(self, hands: list[_Cards], spec: GameSpec) -> list[int]:
        """Return the showdown strength of each hand, 0 where it cannot be held."""
        ways = [self.cards.get(hand) for hand in hands]
        return [strengths_of(spec, way[:2], way[2])[0] if way else 0 for way in ways]


def _boards(spec: GameSpec) -> list[_Board]:
    """List the public outcomes; cards that nobody can tell apart have one name."""
    renamings = suit_renamings(spec)
    name = renamings[0] if len(renamings) == 1 else {card: card for card in spec.deck}
    boards: dict[_Cards, _Board] = defaultdict(_Board)
    for (first, second), board in all_deals(spec):
        outcome = boards[tuple(name[card] for card in board)]
        mine, other = (tuple(name[card] for card in hole) for hole in (first, second))
        outcome.weights[mine, other] += 1.0
        outcome.cards.setdefault(mine, (first, second, board))
        outcome.cards.setdefault(other, (second, first, board))
    return list(boards.values())


def _buckets(board: _Board, hands: list[_Cards], deals: Deals) -> list[list[int]]:
    """Return the bucket [groups, hands] of every hand on a board.

    A hand that cannot be held there goes with one that can: it weighs nothing.
    """
    spec, tree = deals.tree.spec, deals.tree
    possible = next(iter(board.cards))
    rows = []
    for street, keys in zip(tree.group_street.tolist(), deals.bucket_keys or (), strict=True):
        number = {key: bucket for bucket, key in enumerate(keys)}
        ways = (board.cards[hand if hand in board.cards else possible] for hand in hands)
        rows.append([number[bucket_key(spec, hole, dealt, street)] for hole, _, dealt in ways])
    return rows
