"""The confidence sequence: its twin, its coverage under repeated looks, its use in a match."""

from __future__ import annotations

import numpy as np
import pytest

from arena.table_bots import AllIn, Fish, Folder
from riverboat.arena import play_match
from riverboat.bots import RandomBot
from riverboat.errors import ArenaError
from riverboat.game import catalogue
from riverboat.statistics import ConfidenceSequence
from twins.confidence_sequence import betting_interval


def test_it_agrees_with_its_twin_however_it_is_fed() -> None:
    values = np.random.default_rng(1).beta(0.3, 0.6, 500)
    whole, parts = ConfidenceSequence(0, 1), ConfidenceSequence(0, 1)
    whole.add(values)
    for part in np.split(values, [1, 2, 77, 300]):
        parts.add(part)
    twin = betting_interval(list(values), 0.05, 0.75)
    assert whole.interval == pytest.approx(twin)
    assert parts.interval == pytest.approx(twin)
    assert parts.count == 500


def skewed(
    generator: np.random.Generator, count: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Like poker: mostly small losses and now and then a stack, mean 0, between -100 and 100."""
    wins = generator.random(count) < 0.05
    return np.where(wins, 95.0, -5.0)


def test_it_covers_at_all_looks_together() -> None:
    generator = np.random.default_rng(3)
    runs, count = 400, 2_000
    fixed_wrong = sequence_wrong = 0
    for _ in range(runs):
        values = skewed(generator, count)
        sequence = ConfidenceSequence(-100, 100)
        sequence.add(values)
        low, high = sequence.interval  # of all looks so far, so a miss is never forgotten
        sequence_wrong += not low <= 0 <= high
        looks = np.arange(100, count + 1, 20)
        means = np.cumsum(values)[looks - 1] / looks
        squares = np.cumsum(values**2)[looks - 1] / looks
        errors = np.sqrt((squares - means**2) / looks)
        fixed_wrong += bool((np.abs(means) > 1.96 * errors).any())
    # 5 % and 4 binomial standard deviations of 1.09 %.
    assert sequence_wrong / runs <= 0.05 + 4 * 0.0109
    assert fixed_wrong / runs > 0.15  # why a fixed interval must not be looked at again and again


def test_bounds_are_checked() -> None:
    with pytest.raises(ArenaError, match="low < high"):
        ConfidenceSequence(1, 1)
    with pytest.raises(ArenaError, match="2 is not between -1 and 1"):
        ConfidenceSequence(-1, 1).add(np.array([0.0, 2.0]))


def test_a_match_stops_when_it_is_sure() -> None:
    result = play_match([Folder, AllIn], hands=10**6, seed=1, session=50, until_sure=True)
    assert result.sequence is not None
    assert result.sequence.sign == -1
    assert result.hands < 20_000
    low, high = result.sequence.interval
    assert low <= -7.5 <= high < 0
    again = play_match([Folder, AllIn], hands=10**6, seed=1, session=50, until_sure=True, workers=2)
    assert again.hands == result.hands


def test_a_match_that_is_even_is_played_to_the_end() -> None:
    result = play_match([RandomBot, Fish], "leduc", hands=400, seed=1, until_sure=True)
    assert result.hands == 400
    assert result.summary()["sure"]["sign"] == 0


def test_the_bounds_of_three_seats() -> None:
    """A player can lose a stack of 100 big blinds, and win two."""
    bots = ["checkcall"] * 3
    game = catalogue("nolimit-100bb", players=3)
    result = play_match(bots, game, hands=12, seed=1, until_sure=True)
    assert result.sequence is not None
    assert (result.sequence.low, result.sequence.high) == (-1000, 2000)
