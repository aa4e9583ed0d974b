"""The thesis's main claim: with isomorphism and buckets CFR runs a lot faster.

Four ways to name hands: each by itself, up to the suits' names, and in buckets of two sizes.
The same Pure CFR is trained with each on a small deck and measured in the real game of that deck.
For the deck of 52 it is counted what each would need, and timed what finding a bucket costs.
"""

import time
from dataclasses import dataclass
from functools import partial
from math import comb
from threading import Event

import msgspec
import numpy as np

from riverboat import _core
from riverboat.buckets import CardAbstraction
from riverboat.cards import BOARD_CARDS, NO_STREET_MEMORY, HandIndexer
from riverboat.errors import RecipeError
from riverboat.evaluate import exploitability
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.cards import limit_setup
from riverboat.seeds.yerevan.data import MBB, Trial, amounts
from riverboat.seeds.yerevan.deck import Naming, SmallDeck, expanded, small_game
from riverboat.seeds.yerevan.trial import run_jobs, run_trial
from riverboat.solve import SCHEMES, Deals, Solver
from riverboat.tree import DECISION, Tree

__all__ = ["Isomorphism", "Named", "Need", "compare_namings", "full_needs"]

_PURE_BYTES = 8  # an int32 regret and a count


class Named(msgspec.Struct, frozen=True):
    """Pure CFR on the small deck with one way to name hands."""

    label: str
    hands: int
    """Names on the flop."""
    trials: tuple[Trial, ...]
    """One for each seed."""


class Need(msgspec.Struct, frozen=True):
    """What the deck of 52 would need with one way to name hands."""

    label: str
    hands: tuple[int, ...]
    """By street."""
    infosets: int
    table_bytes: int


class Isomorphism(msgspec.Struct, frozen=True):
    """What was found."""

    cards: int
    deals: int
    """All of the small deck."""
    named: tuple[Named, ...]
    needs: tuple[Need, ...]
    looked_up: float
    """Processor seconds to deal nine cards and find all eight buckets in tables over isomorphic
    boards."""
    on_the_fly: float
    """The same, with every strength counted anew."""
    iterations: float
    """Iterations a processor second of Pure CFR with the tables, dealing included."""


def compare_namings(run: Reproduction) -> Isomorphism:
    """Train with and without isomorphism and buckets, and count and time the real deck."""
    given = amounts(run)
    deck = SmallDeck(small_game(given.ranks, given.suits))
    run.tell(0.0, f"{len(deck.deals):,} deals")
    ways = _ways(run, deck)
    seeds = range(run.seed, run.seed + given.deck_seeds)
    jobs = [partial(_train, way, given.deck_times, seed) for way in ways for seed in seeds]
    trials = run_jobs(run, jobs, "a small deck")
    named = [
        Named(way.label, way.hands, tuple(trials[at * len(seeds) : (at + 1) * len(seeds)]))
        for at, way in enumerate(ways)
    ]
    setup = limit_setup(run)
    if setup.cards is None:
        raise RecipeError("the recipe's cards are no buckets")
    looked_up, iterations = _by_tables(setup.deals, run.seed)
    buckets = setup.cards.num_buckets
    return Isomorphism(
        len(deck.cards),
        len(deck.deals),
        tuple(named),
        full_needs(setup.tree, buckets),
        looked_up,
        _on_the_fly(setup.cards, given.fly_deals, run.seed),
        iterations,
    )


@dataclass(frozen=True)
class _Way:
    """A way to name hands, and who judges its strategies."""

    label: str
    naming: Naming
    deals: Deals
    judge: tuple[Naming, Deals]
    """Names and deals of single hands: strategies in buckets are written in those."""

    @property
    def hands(self) -> int:
        """Names on the flop."""
        return int(self.naming.flop.max()) + 1

    def exploitability(self, solver: Solver) -> float:
        """Return exploitability in the real game of the deck, mbb a hand."""
        strategy = solver.strategy()
        naming, deals = self.judge
        if deals is not self.deals:
            strategy = expanded(strategy, self.deals, deals, self.naming, naming)
        return exploitability(deals, strategy).exploitability * MBB


def _ways(run: Reproduction, deck: SmallDeck) -> list[_Way]:
    every, classes = deck.every_hand(), deck.isomorphic()
    whole, lossless = deck.named(every), deck.named(classes)
    ways = [
        _Way("every hand by itself", every, whole, (every, whole)),
        _Way("isomorphism", classes, lossless, (classes, lossless)),
    ]
    for counts in amounts(run).deck_buckets:
        # Percentiles are the same for hands that differ by suits' names only.
        naming = deck.by_strength(*counts)
        label = f"isomorphism and {int(naming.flop.max()) + 1} buckets"
        ways.append(_Way(label, naming, deck.named(naming), (classes, lossless)))
    return ways


def _train(way: _Way, times: tuple[float, ...], seed: int, stop: Event) -> Trial:
    """Train on one thread, measured on its way."""
    solver = Solver(way.deals, SCHEMES["pure"], seed=seed)
    return run_trial(
        "pure", solver, times, lambda each: (way.exploitability(each), 0.0),
        clock=time.thread_time, stop=stop,
    )  # fmt: skip


def full_needs(tree: Tree, buckets: tuple[int, ...]) -> tuple[Need, ...]:
    """Count hands, information sets and table bytes of Pure CFR with the deck of 52.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> needs = full_needs(Tree(catalogue("limit"), "min"), (169, 200, 200, 200))
    >>> needs[0].hands, needs[1].hands
    ((1326, 25989600, 305377800, 2809475760), (169, 1286792, 13960050, 123156254))
    """
    every = tuple(comb(52, 2) * comb(50, board) for board in BOARD_CARDS)
    classes = tuple(HandIndexer(rounds).size(len(rounds) - 1) for rounds in NO_STREET_MEMORY)
    ways = (
        ("every hand by itself", every),
        ("isomorphism", classes),
        ("isomorphism and buckets", buckets),
    )
    return tuple(_need(tree, label, hands) for label, hands in ways)


def _need(tree: Tree, label: str, hands: tuple[int, ...]) -> Need:
    decisions = tree.kind == DECISION
    streets = tree.group_street[tree.group[decisions]]
    counts = np.array(hands, object)[streets]
    entries = int((counts * tree.num_actions[decisions].astype(object)).sum())
    return Need(label, tuple(int(each) for each in hands), int(counts.sum()), entries * _PURE_BYTES)


def _by_tables(deals: Deals, seed: int, count: int = 20_000) -> tuple[float, float]:
    """Processor seconds of one deal from tables; iterations a processor second."""
    buckets = np.zeros((count, len(deals.num_buckets)), np.uint32)
    strengths = np.zeros((count, 2, 1), np.uint32)
    began = time.thread_time()
    _core.deals_into(deals.compiled, seed, 0, buckets, strengths)
    a_deal = (time.thread_time() - began) / count
    solver = Solver(deals, SCHEMES["pure"], seed=seed)
    began = time.thread_time()
    solver.run_all(iterations=count)
    return a_deal, count / (time.thread_time() - began)


def _on_the_fly(cards: CardAbstraction, count: int, seed: int) -> float:
    """Processor seconds to find both players' buckets of all streets of a deal without tables."""
    draws = np.random.default_rng(seed)
    began = time.thread_time()
    for _ in range(count):
        dealt = draws.permutation(52)[:9].tolist()
        for hole in (dealt[:2], dealt[2:4]):
            for board in BOARD_CARDS:
                cards.street_bucket(hole, dealt[4 : 4 + board])
    return (time.thread_time() - began) / count
