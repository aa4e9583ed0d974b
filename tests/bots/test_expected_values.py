"""Matches of built-in bots whose results can be computed."""

import numpy as np
import pytest

from riverboat.arena import play_match
from riverboat.cards import HandStrength
from sizes import few_or_many


def test_all_in_against_fish_is_even() -> None:
    assert play_match(["all-in", "fish"], hands=400, seed=1).chips_per_hand().interval == (0, 0)
    single = play_match(["all-in", "fish"], hands=4_000, seed=2, duplicate=False)
    low, high = single.mbb_per_hand().interval
    assert low < 0 < high


def test_folding_to_all_in_loses_750() -> None:
    # Half a big blind and a whole one in turn: 750 mbb/h, reference section 7.
    result = play_match(["fold", "all-in"], hands=200, seed=1)
    assert result.mbb_per_hand().interval == (-750, -750)


@pytest.mark.parametrize("hands", few_or_many(3_000, 10_000))
@pytest.mark.parametrize("low", [0.375, 0.5])
def test_honest_against_all_in(low: float, tables: HandStrength, hands: int) -> None:
    """It plays for 1,000 chips above its threshold, else gives its blind up: 7.5 in the mean."""
    rates = tables.board_strength().mean
    exact = np.where(rates > low, (2 * rates - 1) * 1000, -7.5).mean()
    result = play_match([f"honest:low={low},samples=0", "all-in"], hands=hands, seed=3)
    for value in (result.chips_per_hand(), result.corrected_per_hand()):
        assert abs(value.mean - exact) < 4 * value.standard_error
