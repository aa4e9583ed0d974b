"""River buckets by equity against clusters of hands: features by definition, tables, the fit."""

import numpy as np
import pytest
from numpy.typing import NDArray

from buckets.hands import random_hands
from riverboat import _core
from riverboat.buckets import KINDS, FitTask, dead_holes, no_progress
from riverboat.buckets._kmeans import assigned
from riverboat.buckets._opponent_clusters import (
    OpponentClustersRule,
    fit_river,
    opponent_clusters,
    opponent_points,
)
from riverboat.cards import (
    HOLE_CLASS,
    NUM_CLASSES,
    NUM_HOLES,
    HandStrength,
    StreetName,
    as_cards,
    canonical_board,
    class_text,
    hole_index,
    hole_permutations,
)
from riverboat.errors import AbstractionError
from sizes import few_or_many
from twins.distribution import nearest
from twins.opponent_clusters import river_features

UNIT = _core.EQUITY_UNIT
SAMPLE = 8_000  # hands of the fit
BUCKETS = 200


def task(tables: HandStrength, street: StreetName, count: int, seed: int = 0) -> FitTask:
    return FitTask(street, count, lambda: tables, seed, no_progress)


def kernel_features(hand: list[int], clusters: NDArray[np.uint16]) -> list[int]:
    """Features of one hand on its canonical board."""
    board = canonical_board(hand[2:])
    hole = hole_permutations()[board.permutation, hole_index(*hand[:2])]
    out = np.empty((1, _core.NUM_OPPONENT_CLUSTERS), np.int16)
    _core.opponent_features_into(
        np.array([board.id], np.uint32),
        np.array([hole], np.uint16),
        clusters[HOLE_CLASS].astype(np.uint8),
        out,
    )
    features: list[int] = out[0].tolist()
    return features


@pytest.fixture(scope="module")
def clusters(tables: HandStrength) -> NDArray[np.uint16]:
    return opponent_clusters(task(tables, "river", 1))


@pytest.fixture(scope="module")
def rule(tables: HandStrength) -> OpponentClustersRule:
    """Fitted on few hands: enough for everything but the quality."""
    return fit_river(task(tables, "river", BUCKETS), sample=SAMPLE)


def only_aces() -> NDArray[np.uint16]:
    """Two clusters: two aces, and all other hands."""
    found = np.ones(NUM_CLASSES, np.uint16)
    found[0] = 0
    return found


def test_clusters_of_hands(clusters: NDArray[np.uint16]) -> None:
    assert np.array_equal(np.unique(clusters), np.arange(8))
    members = {class_text(index): int(cluster) for index, cluster in enumerate(clusters)}
    assert members["AA"] == 7
    assert members["32o"] == 0
    assert 0 < members["T9s"] < members["AKs"] < 7


@pytest.mark.parametrize("count", few_or_many(3, 30))
def test_features_are_their_twins(count: int, clusters: NDArray[np.uint16]) -> None:
    for hand in random_hands(np.random.default_rng(1), count, 5).tolist():
        expected = river_features((hand[0], hand[1]), hand[2:], clusters.tolist(), 8, UNIT)
        assert kernel_features(hand, clusters) == expected, hand


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("AhKd AsAc7d3h2c", 0),  # one ace left: nobody can hold two
        ("KhKd AsAc7d3h2c", 1),
        ("KhKd As9c7d3h2c", 3),
    ],
)
def test_clusters_without_live_hands_count_as_all_hands(text: str, live: int) -> None:
    hand = list(as_cards(text.replace(" ", "")))
    found = kernel_features(hand, only_aces())
    assert found == river_features((hand[0], hand[1]), hand[2:], only_aces().tolist(), 8, UNIT)
    assert (found[0] == found[7]) == (live == 0)  # the eighth cluster is empty before any card
    assert (found[0] == 0) == (live > 0)


def test_features_add_up_to_the_strength(
    clusters: NDArray[np.uint16], tables: HandStrength
) -> None:
    """Weighted by the live hands of the clusters, equities are the strength of the tables."""
    for hand in random_hands(np.random.default_rng(2), 200, 5).tolist():
        dead = sum((1 << card) for card in hand)
        live = np.zeros(8)
        for high in range(52):
            for low in range(high):
                if not dead & (1 << low | 1 << high):
                    live[clusters[HOLE_CLASS[hole_index(low, high)]]] += 1
        assert live.sum() == 990
        mean = float(np.array(kernel_features(hand, clusters)) @ live) / 990 / UNIT
        assert abs(mean - tables.strength(hand[:2], hand[2:]).mean) <= 0.5 / UNIT + 1e-12


@pytest.mark.parametrize("count", few_or_many(400, 4_000))
def test_tables_single_hands_and_twins_agree(
    count: int, tables: HandStrength, rule: OpponentClustersRule
) -> None:
    restored = OpponentClustersRule.restore(rule.parameters(), rule.arrays())
    clusters, centroids = rule.arrays()["clusters"], rule.arrays()["centroids"].tolist()
    row = np.empty((1, NUM_HOLES), np.uint16)
    for hand in random_hands(np.random.default_rng(4), count, 5).tolist():
        board = canonical_board(hand[2:])
        rule.fill(tables, board.id, row)
        place = hole_permutations()[board.permutation, hole_index(*hand[:2])]
        expected = nearest(kernel_features(hand, clusters), centroids)
        assert restored.bucket(hand[:2], hand[2:]) == row[0, place] == expected, hand


def test_filling_many_rows_and_wide_ones(tables: HandStrength, rule: OpponentClustersRule) -> None:
    narrow, wide = np.full((9, NUM_HOLES), 99, np.uint16), np.full((9, NUM_HOLES), 99, np.uint32)
    rule.fill(tables, 134_450, narrow)
    rule.fill(tables, 134_450, wide)
    assert np.array_equal(narrow, wide)
    assert (narrow[dead_holes("river", 134_450, 134_459)] == 0).all()
    assert narrow.max() < BUCKETS


def test_buckets_ascend_and_none_is_empty(rule: OpponentClustersRule) -> None:
    centroids = rule.arrays()["centroids"]
    assert rule.num_buckets == BUCKETS
    assert (np.diff(centroids.sum(axis=1, dtype=int)) >= 0).all()
    points = opponent_points(rule.arrays()["clusters"], sample=SAMPLE, seed=0)
    assert np.array_equal(np.unique(assigned(points, centroids)[0]), np.arange(BUCKETS))


def test_hands_of_equal_strength_have_other_features(
    tables: HandStrength, clusters: NDArray[np.uint16]
) -> None:
    """Top pair beats more middling starting hands than a low flush does, and fewer of the best."""
    hands = ("Kd3h", "KcTd9s4h2c"), ("7s6h", "AsJs9s4s2h")
    means = [tables.strength(*hand).mean for hand in hands]
    assert abs(means[0] - means[1]) < 0.003
    features = [
        kernel_features([*as_cards(hole), *as_cards(board)], clusters) for hole, board in hands
    ]
    assert features[0][3] > features[1][3] + 0.1 * UNIT  # 0.87 and 0.76
    assert features[0][7] < features[1][7] - 0.1 * UNIT  # 0.46 and 0.60


def test_before_the_river_it_is_distribution(tables: HandStrength) -> None:
    names = ("ochs", "distribution")
    ours, theirs = (KINDS[name].fit(task(tables, "preflop", 9)).arrays() for name in names)
    assert ours["buckets"].tolist() == theirs["buckets"].tolist()


@pytest.mark.parametrize("count", [0, 65_537])
def test_impossible_numbers_are_refused(count: int, tables: HandStrength) -> None:
    with pytest.raises(AbstractionError, match=f"1 to 65,536 buckets, not {count:,}"):
        KINDS["ochs"].fit(task(tables, "river", count))


def test_damaged_rules_are_refused(rule: OpponentClustersRule) -> None:
    clusters, centroids = rule.arrays()["clusters"], rule.arrays()["centroids"]
    with pytest.raises(AbstractionError, match="must be 0 to 7, not up to 168"):
        OpponentClustersRule(np.arange(NUM_CLASSES), centroids)
    with pytest.raises(AbstractionError, match="starting classes need 169 whole numbers"):
        OpponentClustersRule(clusters[:168], centroids)
    with pytest.raises(AbstractionError, match="must ascend"):
        OpponentClustersRule(clusters, centroids[::-1])
    with pytest.raises(AbstractionError, match="from 0 to"):
        OpponentClustersRule(clusters, -centroids[::-1])
    with pytest.raises(AbstractionError, match="int16"):
        OpponentClustersRule(clusters, centroids.astype(np.int32))
    with pytest.raises(AbstractionError, match="rows of 8"):
        OpponentClustersRule(clusters, np.ascontiguousarray(centroids[:, :7]))
