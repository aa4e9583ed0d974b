"""Distribution buckets: features by definition, tables and single hands, quality."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from buckets.hands import random_hands
from buckets.quality import squared_error
from riverboat import _core
from riverboat.buckets import (
    KINDS,
    FitTask,
    dead_holes,
    fit_clusters,
    no_progress,
    num_boards,
)
from riverboat.buckets._distribution import (
    DistributionRule,
    cell_features,
    class_points,
    distribution_units,
    river_counts,
    sampled_points,
)
from riverboat.buckets._kmeans import Points, assigned, line_limits
from riverboat.cards import (
    CLASS_COMBOS,
    NUM_HOLES,
    HandStrength,
    StreetName,
    board_multiplicities,
    board_size,
    canonical_board,
    hole_index,
    hole_permutations,
    run_out_points,
)
from riverboat.errors import AbstractionError
from twins.distribution import features

BUCKETS = 40
SAMPLE = 8_000  # hands of a fit
POSTFLOP: tuple[StreetName, ...] = ("flop", "turn")


def task(tables: HandStrength, street: StreetName, count: int = BUCKETS, seed: int = 0) -> FitTask:
    return FitTask(street, count, lambda: tables, seed, no_progress)


def hand_features(hole: list[int], board: list[int], units: tuple[int, int]) -> NDArray[np.int16]:
    out = np.empty(96 if len(board) == 3 else 48, np.int16)
    _core.hand_features_into((hole[0], hole[1]), board, units, out)
    return out


def all_cells(street: StreetName, boards: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Every live hole on some boards: places in the list, board ids, holes."""
    live = np.stack([~dead_holes(street, board, board + 1)[0] for board in boards])
    places, holes = np.nonzero(live)
    return places, boards[places], holes


@pytest.fixture(scope="module")
def rules(tables: HandStrength) -> dict[StreetName, DistributionRule]:
    """Fitted on few hands: enough for every promise but the quality."""
    return {
        street: fit_clusters(task(tables, street), sample=SAMPLE, threads=2) for street in POSTFLOP
    }


@pytest.mark.parametrize(("street", "count"), [("flop", 12), ("turn", 100)])
def test_features_of_hands_are_their_twins(street: StreetName, count: int) -> None:
    units = distribution_units(street, 0.3)
    for hand in random_hands(np.random.default_rng(1), count, board_size(street)).tolist():
        found = hand_features(hand[:2], hand[2:], units)
        assert found.tolist() == features(hand[:2], hand[2:], units)


@pytest.mark.parametrize(("street", "count"), [("flop", 100), ("turn", 1_000)])
def test_features_from_tables_are_those_of_hands(
    street: StreetName, count: int, tables: HandStrength
) -> None:
    units = distribution_units(street)
    hands = random_hands(np.random.default_rng(2), count, board_size(street)).tolist()
    found = [canonical_board(hand[2:]) for hand in hands]
    boards = np.array([board.id for board in found])
    holes = np.array(
        [
            hole_permutations()[board.permutation, hole_index(*hand[:2])]
            for hand, board in zip(hands, found, strict=True)
        ]
    )
    rows = cell_features(tables, street, units, boards, holes)
    for hand, row in zip(hands, rows, strict=True):
        assert np.array_equal(row, hand_features(hand[:2], hand[2:], units)), hand


def test_the_sum_of_a_feature_is_the_mean_strength() -> None:
    """So that buckets by ascending sums are buckets by ascending strength."""
    units = distribution_units("turn")
    for hand in random_hands(np.random.default_rng(3), 300, 4).tolist():
        mean = float(run_out_points(hand[:2], hand[2:]).mean()) / 1_980
        least = float(hand_features(hand[:2], hand[2:], units).sum(dtype=int)) / units[0] / 49
        rounded = 48 * 0.5 / units[0] / 49
        assert least - rounded <= mean <= least + 1 / 49 + rounded  # a bin is 1/49 wide


@pytest.mark.parametrize(
    ("street", "count"),
    [
        ("flop", 50),
        ("turn", 800),
        pytest.param("flop", 250, marks=pytest.mark.slow),
        pytest.param("turn", 4_000, marks=pytest.mark.slow),
    ],
)
def test_tables_and_single_hands_agree(
    street: StreetName, count: int, tables: HandStrength, rules: dict[StreetName, DistributionRule]
) -> None:
    rule, rng = rules[street], np.random.default_rng(4)
    rows: dict[int, NDArray[np.uint8]] = {}
    restored = DistributionRule.restore(rule.parameters(), rule.arrays())
    for hand in random_hands(rng, count, board_size(street)).tolist():
        board = canonical_board(hand[2:])
        if board.id not in rows:
            rows[board.id] = np.empty((1, NUM_HOLES), np.uint8)
            rule.fill(tables, board.id, rows[board.id])
        place = hole_permutations()[board.permutation, hole_index(*hand[:2])]
        assert restored.bucket(hand[:2], hand[2:]) == rows[board.id][0, place], hand


def test_filling_many_rows_and_wide_ones(
    tables: HandStrength, rules: dict[StreetName, DistributionRule]
) -> None:
    narrow, wide = np.full((9, NUM_HOLES), 99, np.uint16), np.full((9, NUM_HOLES), 99, np.uint32)
    rules["turn"].fill(tables, 16_423, narrow)
    rules["turn"].fill(tables, 16_423, wide)
    assert np.array_equal(narrow, wide)
    assert (narrow[dead_holes("turn", 16_423, 16_432)] == 0).all()
    assert narrow.max() < BUCKETS


@pytest.mark.threads
def test_seeds_and_threads(tables: HandStrength, rules: dict[StreetName, DistributionRule]) -> None:
    for threads, seed, same in ((1, 0, True), (3, 0, True), (1, 1, False)):
        again = fit_clusters(task(tables, "turn", seed=seed), sample=SAMPLE, threads=threads)
        assert np.array_equal(again.centroids, rules["turn"].centroids) == same


@pytest.mark.parametrize("street", POSTFLOP)
def test_buckets_ascend_and_none_is_empty(
    street: StreetName, tables: HandStrength, rules: dict[StreetName, DistributionRule]
) -> None:
    rule = rules[street]
    assert rule.num_buckets == BUCKETS
    assert (np.diff(rule.centroids.sum(axis=1, dtype=int)) >= 0).all()
    points = sampled_points(tables, street, distribution_units(street), sample=SAMPLE, seed=0)
    assert np.array_equal(np.unique(assigned(points, rule.centroids)[0]), np.arange(BUCKETS))


@pytest.mark.parametrize("street", POSTFLOP)
def test_hands_are_nearer_than_in_percentiles(
    street: StreetName, tables: HandStrength, rules: dict[StreetName, DistributionRule]
) -> None:
    """The mean squared distance within buckets, on boards drawn apart from the fit."""
    boards = np.random.default_rng(8).choice(num_boards(street), 30, replace=False)
    places, ids, holes = all_cells(street, boards)
    weights = board_multiplicities(board_size(street))[ids].astype(np.uint32)
    points = Points(cell_features(tables, street, distribution_units(street), ids, holes), weights)

    def error(fill: Callable[[HandStrength, int, NDArray[np.uint16]], None]) -> float:
        table = np.zeros((len(boards), NUM_HOLES), np.uint16)
        for place, board in enumerate(boards):
            fill(tables, int(board), table[place : place + 1])
        return squared_error(points, table[places, holes], BUCKETS)

    ours = error(rules[street].fill)
    theirs = error(KINDS["percentile"].fit(task(tables, street)).fill)
    assert ours < 0.6 * theirs  # measured: 0.43 on the flop, 0.44 on the turn


@pytest.fixture(scope="module")
def counts(tables: HandStrength) -> NDArray[np.int64]:
    return river_counts(tables)


def test_the_river_is_cut_where_nothing_is_better(counts: NDArray[np.int64]) -> None:
    masses = counts.sum(axis=0)
    assert masses.sum() == 2_598_960 * 1_081

    def spread(limits: NDArray[np.int64]) -> float:
        total = 0.0
        for part, first in zip(np.split(masses, limits), [0, *limits], strict=True):
            values = first + np.arange(len(part))
            mean = (part * values).sum() / part.sum()
            total += float((part * (values - mean) ** 2).sum())
        return total

    limits = line_limits(masses, 30)
    equal = masses.cumsum().searchsorted(masses.sum() * np.arange(1, 30) // 30)
    assert spread(limits) < spread(equal)  # percentiles
    for place in range(len(limits)):  # no limit can be moved to advantage
        for step in (-1, 1):
            moved = limits.copy()
            moved[place] += step
            assert spread(moved) >= spread(limits) * (1 - 1e-9)


def test_the_river_has_limits(tables: HandStrength, counts: NDArray[np.int64]) -> None:
    rule = KINDS["distribution"].fit(task(tables, "river", 30))
    assert rule.name == "limits"
    assert rule.num_buckets == 30
    assert rule.arrays()["limits"].tolist() == line_limits(counts.sum(axis=0), 30).tolist()


def test_starting_classes(tables: HandStrength) -> None:
    assert KINDS["distribution"].fit(task(tables, "preflop", 169)).name == "classes"
    rule = KINDS["distribution"].fit(task(tables, "preflop", 12))
    assert rule.num_buckets == 12
    buckets = [rule.bucket(cards, []) for cards in ([51, 50], [0, 5], [51, 47])]
    assert buckets[0] == 11  # aces
    assert buckets[1] == 0  # three and two of different suits
    assert 0 < buckets[2] < 11  # ace king


def test_counts_of_starting_classes_are_the_tables(
    tables: HandStrength, counts: NDArray[np.int64]
) -> None:
    """River counts summed over all boards give the exact strength before the flop."""
    assert counts.sum(axis=1).tolist() == (CLASS_COMBOS.astype(int) * 2_118_760).tolist()
    points = class_points(tables, (4_000, 4_000))
    assert points.rows.shape == (169, 96)
    aces = int(counts[0] @ np.arange(1_981))
    strength = tables.strength("AhAs").mean
    found = aces / (6 * 2_118_760 * 1_980)
    assert found == pytest.approx(strength, abs=1e-12)
    # Both parts have the same mean, up to a bin.
    parts = points.rows.reshape(169, 2, 48).sum(axis=2) / 4_000 / 49
    assert np.abs(parts[:, 0] - parts[:, 1]).max() < 1 / 49


@pytest.mark.parametrize(
    ("street", "count", "sentence"),
    [
        ("preflop", 170, "preflop can have 1 to 169 buckets, not 170"),
        ("flop", 65_537, "a street can have 1 to 65,536 buckets, not 65,537"),
        ("turn", 0, "a street can have 1 to 65,536 buckets, not 0"),
        ("river", 2_000, "2000 buckets are not possible: 19"),
    ],
)
def test_impossible_numbers_are_refused(
    street: StreetName, count: int, sentence: str, tables: HandStrength
) -> None:
    with pytest.raises(AbstractionError, match=sentence):
        KINDS["distribution"].fit(task(tables, street, count))


def test_damaged_rules_are_refused(rules: dict[StreetName, DistributionRule]) -> None:
    rule = rules["turn"]
    centroids = rule.centroids
    unit = distribution_units("turn")[0]
    with pytest.raises(AbstractionError, match="'river' is not a street here"):
        DistributionRule("river", (unit, 0), centroids)
    with pytest.raises(AbstractionError, match="units"):
        DistributionRule("turn", (unit, 1), centroids)
    with pytest.raises(AbstractionError, match="units"):
        DistributionRule("turn", (unit + 1, 0), centroids)
    with pytest.raises(AbstractionError, match="sum of their squares"):
        DistributionRule("flop", (1, unit), rules["flop"].centroids)
    with pytest.raises(AbstractionError, match="must ascend"):
        DistributionRule("turn", (unit, 0), centroids[::-1])
    with pytest.raises(AbstractionError, match="from 0 to the units"):
        DistributionRule("turn", (unit // 2, 0), centroids)
    with pytest.raises(AbstractionError, match="int16"):
        DistributionRule("turn", (unit, 0), centroids.astype(np.int32))
    with pytest.raises(AbstractionError, match="rows"):
        DistributionRule("flop", (100, 100), centroids)
    with pytest.raises(AbstractionError, match="potential must be from 0 to 1, not 2"):
        distribution_units("flop", 2)


@pytest.mark.slow
def test_a_sample_fits_nearly_as_well_as_all_hands(tables: HandStrength) -> None:
    """Mean squared distance over all flops: sampled fit against full fit, within 2 %."""
    units = distribution_units("flop")
    every = sampled_points(tables, "flop", units, sample=None, seed=0)
    assert every.mass == 22_100 * 1_176
    errors = {
        sample: assigned(every, fit_clusters(task(tables, "flop", 200), sample=sample).centroids)[1]
        for sample in (None, 250_000)
    }
    assert errors[250_000] < 1.02 * errors[None]
