"""What it costs to judge a discard: by table, by looking ahead, and inside a deal."""

import time
from collections.abc import Callable

import msgspec
import numpy as np

from riverboat import _core
from riverboat.abstraction import swap_values
from riverboat.blueprint.swap_rule import SwapRule
from riverboat.bots.swap import discard
from riverboat.bots.win_rate import hand_strength
from riverboat.game import Hand, View
from riverboat.recipes.pineapple.data import amounts
from riverboat.recipes.pineapple.work import prepared, recipe_of
from riverboat.recipes.run import Run

__all__ = ["SwapTimes", "time_swaps"]


class SwapTimes(msgspec.Struct, frozen=True):
    """Seconds."""

    rule: float
    """The fixed rule with all replacements, from the tables."""
    look_ahead_flop: float
    """The same sums by dealing all run-outs to the river, on a flop."""
    look_ahead_turn: float
    deal: float
    """One deal in training, with all cards, buckets and swaps."""
    swaps_a_deal: int
    """Choices between two cards in it."""
    preparing: float
    """The tables of swap values, once a training."""


def time_swaps(run: Run) -> SwapTimes:
    """Time discards."""
    return run.step("swaps", SwapTimes, lambda: _time(run))


def _time(run: Run) -> SwapTimes:
    own, recipe = amounts(run), recipe_of(run)
    tables = hand_strength()
    flops, turns = (_views(run, line, own.swap_views) for line in ("ck/", "ck/sskk/"))
    rule = _mean([*flops, *turns], discard)
    run.tell(0.2, "looks ahead")
    slow = SwapRule()
    flop, turn = (_mean(views[: own.slow_views], slow.card) for views in (flops, turns))
    run.tell(0.6, "deals")
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
    return SwapTimes(rule, flop, turn, deal, 2 * ((1 << swaps) - 1), preparing)


def _views(run: Run, line: str, count: int) -> list[View]:
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
