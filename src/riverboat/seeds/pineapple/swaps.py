"""What it costs to judge a discard: from tables, by dealing all run-outs, and inside a deal.

Two questions are timed, each both ways: keep or swap by the authors' fixed rule, and which card
a swap gives away, as in training.
"""

import time
from collections.abc import Callable

import msgspec
import numpy as np

from riverboat import _core
from riverboat.blueprint import SwapRule
from riverboat.bots import GAIN, discard, hand_strength
from riverboat.buckets import swap_values
from riverboat.cards import card_text, run_out_points
from riverboat.game import Hand, View
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple.data import amounts
from riverboat.seeds.pineapple.work import prepared, recipe_of

__all__ = ["BothWays", "SwapTimes", "discard_by_run_outs", "time_swaps"]

_HALF_POINTS = 1_980  # of a run-out: 2 for a win, 1 for a tie, against 990 hands


class BothWays(msgspec.Struct, frozen=True):
    """Seconds of the same decision."""

    tables: float
    """From the tables."""
    run_outs: float
    """By dealing all run-outs to the river."""

    @property
    def ratio(self) -> float:
        """How many times as long the run-outs take."""
        return self.run_outs / self.tables


class SwapTimes(msgspec.Struct, frozen=True):
    """Seconds."""

    rule_flop: BothWays
    """Keep or swap by the fixed rule: the mean equity over all replacements of each card."""
    rule_turn: BothWays
    card_flop: BothWays
    """Another question: which card a swap gives away, as in training."""
    card_turn: BothWays
    deal: float
    """One deal in training, with all cards, buckets and swaps."""
    swaps_a_deal: int
    """Choices between two cards in it."""
    preparing: float
    """The tables of swap values, once a training."""


def time_swaps(run: Reproduction) -> SwapTimes:
    """Time discards."""
    return run.step("swaps", SwapTimes, lambda: _time(run))


def _time(run: Reproduction) -> SwapTimes:
    own, recipe = amounts(run), recipe_of(run)
    tables = hand_strength()
    flops, turns = (_views(run, line, own.swap_views) for line in ("ck/", "ck/sskk/"))
    run.tell(0.0, "keep or swap")
    rule_flop, rule_turn = (
        _both(run, views, discard, discard_by_run_outs) for views in (flops, turns)
    )
    run.tell(0.4, "which card")
    looked_up, dealt = SwapRule(tables), SwapRule()
    card_flop, card_turn = (
        _both(run, views, looked_up.card, dealt.card) for views in (flops, turns)
    )
    run.tell(0.8, "deals")
    began = time.perf_counter()
    for street in ("flop", "turn"):
        swap_values(tables, street)
    preparing = time.perf_counter() - began
    setup = prepared(recipe)
    groups, swaps = len(setup.deals.num_buckets), 2
    buckets = np.empty((own.deals, groups), np.uint32)
    strengths = np.empty((own.deals, 2, 1 << swaps), np.uint32)
    began = time.perf_counter()
    _core.deals_into(setup.deals.compiled, run.seed, 0, buckets, strengths)
    deal = (time.perf_counter() - began) / own.deals
    # In phase k a player has 2^k hands, by his earlier swaps.
    choices = 2 * ((1 << swaps) - 1)
    return SwapTimes(rule_flop, rule_turn, card_flop, card_turn, deal, choices, preparing)


def discard_by_run_outs(view: View) -> str:
    """Decide a discard as `riverboat.bots._swap.discard` does, by dealing all run-outs.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["2c7d", "AsAd"], board="AhAcKsQh3c", seed=1)
    >>> hand.play("ck/sskk/")
    >>> view = hand.view(hand.actor)
    >>> discard_by_run_outs(view) == discard(view)
    True
    """
    board, (first, second) = list(view.board), view.hole
    gone = {first, second, *board, *view.discarded}
    fresh = [card for card in range(52) if card not in gone]

    def equity(one: int, other: int) -> float:
        return float(run_out_points([one, other], board).mean()) / _HALF_POINTS

    stand = equity(first, second)
    values = [sum(equity(kept, card) for card in fresh) / len(fresh) for kept in (second, first)]
    best = max(range(2), key=lambda index: values[index])
    return "s" if values[best] - stand < GAIN else f"d{card_text(view.hole[best])}"


def _both(
    run: Reproduction,
    views: list[View],
    tables: Callable[[View], str],
    run_outs: Callable[[View], str],
) -> BothWays:
    few = views[: amounts(run).slow_views]
    return BothWays(_mean(views, tables), _mean(few, run_outs))


def _views(run: Reproduction, line: str, count: int) -> list[View]:
    """Views of swap decisions after a line of play."""
    views = []
    for number in range(count):
        hand = Hand(recipe_of(run).spec(), seed=run.seed + number)
        hand.play(line)
        if hand.actor is not None:
            views.append(hand.view(hand.actor))
    return views


def _mean(views: list[View], judge: Callable[[View], object]) -> float:
    judge(views[0])  # maps what it reads
    began = time.perf_counter()
    for view in views:
        judge(view)
    return (time.perf_counter() - began) / len(views)
