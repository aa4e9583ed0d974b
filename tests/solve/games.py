"""Games for the tests of the solvers: the classics, and random small ones with their deals."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from riverboat import _core
from riverboat.errors import GameError
from riverboat.game import GameSpec, Rake, Street, catalogue
from riverboat.plain import Game, plain_deals
from riverboat.solve import Deals, enumerate_deals
from riverboat.tree import Tree
from twins.public_chance import PublicGame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.plain import Deal

MENUS = ["min", "min", "50%, a", "100%", "min, a", "2x | a"]


@cache
def classic(name: str) -> Deals:
    """Kuhn, Leduc or three-player Kuhn poker."""
    return enumerate_deals(Tree(catalogue(name), "min"))


def random_tree(rng: random.Random, players: int = 2, most_nodes: int = 60) -> Tree:
    """One card each, one or two streets, unequal stacks, rake, any betting."""
    while True:
        try:
            return Tree(_random_spec(rng, players), rng.choice(MENUS), max_nodes=most_nodes)
        except GameError:  # more nodes: take another
            continue


def _random_spec(rng: random.Random, players: int) -> GameSpec:
    two_streets = rng.random() < 0.6
    fixed = rng.random() < 0.5
    blinds = rng.random() < 0.5
    streets = (
        Street(hole=1, bet_size=2, max_raises=rng.choice([1, 2])),
        Street(board=1, bet_size=3, max_raises=rng.choice([1, 2])),
    )
    return GameSpec(
        stacks=tuple(rng.randint(3, 14) for _ in range(players)),
        blinds=((1, 2) + (0,) * (players - 2)) if blinds else (),
        antes=() if blinds else (rng.choice([1, 2]),) * players,
        min_bet=0 if blinds else 2,
        betting="fixed-limit" if fixed else "no-limit",
        streets=streets if two_streets else streets[:1],
        showdown="leduc" if two_streets else "one-card",
        ranks="23456"[: rng.randint(3 if players == 2 else 4, 5)],
        suits="cd"[: rng.randint(1, 2)],
        rake=rng.choice([Rake(), Rake(), Rake(10.0, 2), Rake(5.0, 0, no_flop_no_drop=False)]),
    )


def random_game(seed: int, players: int = 2, most_nodes: int = 60) -> tuple[Game, Deals]:
    """A random game for the twins, and the same one for the kernels.

    The decks are loaded: every deal has a probability of its own.
    """
    rng = random.Random(seed)
    tree = random_tree(rng, players, most_nodes)
    deals = [replace(deal, weight=deal.weight * rng.uniform(0.5, 2)) for deal in plain_deals(tree)]
    return Game(tree, deals), compiled(tree, deals)


def compiled(tree: Tree, deals: list[Deal]) -> Deals:
    """The core's dealer of a list of deals."""
    dealer = _core.enumerated_dealer(
        tree.compiled,
        np.array([deal.buckets for deal in deals], np.uint32).ravel(),
        np.array([deal.strengths for deal in deals], np.uint32).ravel(),
        np.array([deal.weight for deal in deals]),
    )
    return Deals(tree, dealer, None, len(deals))


def random_strategy(seed: int, game: Game) -> NDArray[np.float64]:
    """A mixed strategy; some actions are never taken."""
    rng = np.random.default_rng(seed)
    strategy: NDArray[np.float64] = rng.random(game.num_entries)
    strategy *= rng.random(game.num_entries) < 0.7
    for node, terminal in enumerate(game.is_terminal):
        if terminal:
            continue
        for deal in game.deals:
            entries = game.entries(node, deal)
            here = strategy[entries.start : entries.stop]
            total = here.sum()
            here[:] = here / total if total > 0 else 1 / len(here)
    return strategy


def random_public_game(seed: int, name: str) -> tuple[PublicGame, Deals]:
    """Any pairs of hands, strengths and buckets: hands share buckets, and buckets forget."""
    rng = np.random.default_rng(seed)
    tree = Tree(catalogue(name), "min")
    outcomes, hands, groups = 3, int(rng.integers(3, 7)), len(tree.group_player)
    weights = rng.random((outcomes, hands, hands)) * (rng.random((outcomes, hands, hands)) < 0.8)
    strengths = rng.integers(0, 4, (outcomes, hands)).astype(np.uint32)
    num_buckets = rng.integers(1, 4, groups).astype(np.uint32)
    buckets = rng.integers(0, num_buckets[None, :, None], (outcomes, groups, hands), np.uint32)
    # One deal with the largest buckets: it only sets the order of the tables.
    compiled = _core.enumerated_dealer(
        tree.compiled, num_buckets - 1, np.zeros(2, np.uint32), np.ones(1)
    )
    public = _core.enumerated_public(compiled, weights, strengths, buckets)
    game = PublicGame(tree, num_buckets.tolist(), weights, strengths, buckets)
    return game, Deals(tree, compiled, None, 1, public)
