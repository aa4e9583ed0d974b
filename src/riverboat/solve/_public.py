"""Public deals: the cards of a game for public-chance sampling.

Public-chance sampling (Johanson, Bard, Lanctot, Gibson & Bowling 2012) samples the public cards and
computes all private hands of both players together. Hold'em deals from bucket tables support that
directly; small games are enumerated a second time, board by board. Buckets and the layout of the
tables stay the same, so that strategies can be compared and evaluated across schemes.

An iteration samples one public outcome and traverses the tree once for each player. Linear CFR and
DCFR discount the whole table after every `Scheme.step` iterations, because a sampled iteration
updates only a part of it; the averaging weight changes with the same step. CFR+ and predictive
CFR+ set negative regrets to zero in each updated infoset at once; the prediction is the regret of
the last visit of the infoset. With a single public outcome and steps of one iteration, all rules
equal those of full-width CFR. Regrets are float32, as in the other sampled schemes, because they
take most of the memory in hold'em; averages and sums over hands are float64.
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
    """Enumerate the deals and the public outcomes of a small two-player game.

    Parameters
    ----------
    tree
        Tree of a game that `enumerate_deals` can enumerate.

    Returns
    -------
    Deals
        The result of `enumerate_deals`, with `public` set: boards, each with the weights of all
        pairs of private hands.

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
        raise SolveError(f"public-chance sampling needs two players, not {tree.spec.players}")
    deals = enumerate_deals(tree)
    boards = _boards(tree.spec)
    hands = sorted({hand for board in boards for hand in board.cards})
    weights = np.array([board.matrix(hands) for board in boards])
    strengths = np.array([board.strengths(hands, tree.spec) for board in boards], np.uint32)
    buckets = np.array([_buckets(board, hands, deals) for board in boards], np.uint32)
    public = _core.enumerated_public(deals.compiled, weights, strengths, buckets)
    return replace(deals, public=public)


def public_walkers(deals: Deals, threads: int) -> _core.PublicChance:
    """Create the kernels of public-chance sampling, one for each thread."""
    public = deals.public
    if public is None and deals.num_deals is not None:
        raise SolveError(
            "public-chance sampling needs public outcomes: create the deals with enumerate_public"
        )
    if public is None:
        public = _core.holdem_public(deals.compiled)
    return _core.PublicChance(public, threads)


@dataclass
class _Board:
    """A public outcome, with the pairs of hands that are possible on it."""

    weights: dict[tuple[_Cards, _Cards], float] = field(default_factory=lambda: defaultdict(float))
    cards: dict[_Cards, tuple[_Cards, _Cards, _Cards]] = field(default_factory=dict)
    """By hand, an example deal: the hand, an opponent's hand, the board."""

    def matrix(self, hands: list[_Cards]) -> list[list[float]]:
        """Return the weights [hands of seat 0, hands of seat 1]."""
        return [[self.weights.get((first, second), 0.0) for second in hands] for first in hands]

    def strengths(self, hands: list[_Cards], spec: GameSpec) -> list[int]:
        """Return the showdown strength of each hand, 0 for an impossible one."""
        examples = [self.cards.get(hand) for hand in hands]
        return [strengths_of(spec, deal[:2], deal[2])[0] if deal else 0 for deal in examples]


def _boards(spec: GameSpec) -> list[_Board]:
    """List the public outcomes; cards that players cannot distinguish share one number."""
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

    An impossible hand has the bucket of a possible one; its weight is 0.
    """
    spec, tree = deals.tree.spec, deals.tree
    possible = next(iter(board.cards))
    rows = []
    for street, keys in zip(tree.group_street.tolist(), deals.bucket_keys or (), strict=True):
        number = {key: bucket for bucket, key in enumerate(keys)}
        examples = (board.cards[hand if hand in board.cards else possible] for hand in hands)
        rows.append([number[bucket_key(spec, hole, dealt, street)] for hole, _, dealt in examples])
    return rows
