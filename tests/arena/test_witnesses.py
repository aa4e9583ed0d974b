"""Matches whose results can be computed otherwise."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from arena.table_bots import AllIn, Fish, Folder, Threshold
from riverboat.arena import play_match
from riverboat.bots import RandomBot
from sizes import few_or_many

if TYPE_CHECKING:
    from riverboat.arena import MatchResult
    from riverboat.cards import HandStrength


def test_all_in_against_a_caller_is_even() -> None:
    duplicate = play_match([AllIn, Fish], hands=2_000, seed=1)
    assert duplicate.chips_per_hand().interval == (0, 0)  # the same stakes on the same cards
    single = play_match([AllIn, Fish], hands=4_000, seed=1, duplicate=False)
    low, high = single.mbb_per_hand().interval
    assert low < 0 < high
    assert single.unit_chips.std() > 900  # 1,000 chips each time


def test_folding_every_hand_to_all_in_loses_750() -> None:
    # Half a big blind and a whole one in turn: 750 mbb/h, reference section 7.
    result = play_match([Folder, AllIn], hands=500, seed=2)
    assert result.mbb_per_hand().interval == (-750, -750)
    assert [part.per_hand.mean for part in result.by_seat(0)] == [-5, -10]
    assert result.summary()["bots"][0]["sb_per_hand"]["mean"] == -1.5


@pytest.mark.parametrize("hands", few_or_many(3_000, 20_000))
@pytest.mark.parametrize("low", [0.375, 0.5, 0.6])
def test_a_threshold_caller_against_all_in(tables: HandStrength, low: float, hands: int) -> None:
    win_rates = tables.board_strength().mean
    # It gives up half a blind or a whole one, or plays for 1,000 chips.
    calls = win_rates >= low
    exact = np.where(calls, (2 * win_rates - 1) * 1000, -7.5).mean()
    caller = partial(Threshold, low, win_rates)

    def make(seed: int) -> Threshold:  # noqa: ARG001 - it needs none
        return caller()

    result = play_match([make, AllIn], hands=hands, seed=3)
    for value in (result.chips_per_hand(), result.corrected_per_hand()):
        assert abs(value.mean - exact) < 4 * value.standard_error
    reduction = result.variance_reduction()
    assert reduction is not None
    assert reduction > 2  # most of the luck is in the run-outs


def coverage(game: str, hands: int, matches: int) -> float:
    """Share of matches of a bot against itself whose interval holds the true mean, zero."""
    inside = 0
    for seed in range(matches):
        result = play_match([RandomBot, RandomBot], game, hands=hands, seed=seed)
        low, high = result.chips_per_hand().interval
        inside += low <= 0 <= high
    return inside / matches


@pytest.mark.parametrize("matches", few_or_many(60, 400))
@pytest.mark.parametrize(("game", "hands"), [("leduc", 40), ("limit", 60)])
def test_intervals_cover_at_the_stated_rate(game: str, hands: int, matches: int) -> None:
    # 95 % less or more 4 binomial standard deviations: of 400 matches 1.09 % each.
    deviation = (0.95 * 0.05 / matches) ** 0.5
    assert abs(coverage(game, hands, matches) - 0.95) < 4 * deviation


def deviation(result: MatchResult) -> float:
    """Standard deviation of the chips of one hand, were all hands independent."""
    return float(result.chips_per_hand().standard_error * result.hands**0.5)


@pytest.mark.parametrize("hands", few_or_many(3_000, 20_000))
def test_duplicate_deals_reduce_variance(hands: int) -> None:
    settings: dict[str, Any] = {"game": "limit", "hands": hands, "seed": 4}
    plain = play_match([RandomBot, Fish], duplicate=False, **settings)
    duplicate = play_match([RandomBot, Fish], duplicate=True, **settings)
    ratio = (deviation(plain) / deviation(duplicate)) ** 2
    assert ratio > 1.5, ratio  # as many hands tell this many times more


def test_three_at_a_table_rotate_through_all_seats() -> None:
    result = play_match([Fish, AllIn, Folder], hands=600, seed=1)
    assert [[part.hands for part in result.by_seat(bot)] for bot in range(3)] == [[200] * 3] * 3
    # The folder pays half a blind, a blind and nothing.
    assert [part.per_hand.mean for part in result.by_seat(2)] == [-5, -10, 0]
    assert result.mbb_per_hand(2).interval == (-500, -500)
