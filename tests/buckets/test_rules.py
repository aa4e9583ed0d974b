"""Each rule against its definition."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from buckets.hands import random_hands
from cards.suits import renamed
from riverboat.buckets import (
    CardAbstraction,
    bucket_examples,
    bucket_sizes,
    bucket_tables,
    make_abstraction,
)
from riverboat.cards import (
    CLASS_COMBOS,
    CLASS_HOLES,
    HOLES,
    STREETS,
    HandStrength,
    as_cards,
    board_cards,
    board_multiplicities,
    class_text,
    hole_permutations,
    live_holes,
)
from riverboat.errors import AbstractionError, CardError
from twins import abstraction as twin

SIZES = (0, 3, 4, 5)
SUITS = list(permutations(range(4)))
FLOPS = 22_100 * 1_176  # deals: flops times hole pairs that are left


def restored(*streets: tuple[str, dict[str, Any], dict[str, Any]], recall: bool = False) -> Any:
    """An abstraction from rules as files have them: kind, parameters and arrays of each street."""
    saved = [{"kind": kind, "parameters": parameters} for kind, parameters, _ in streets]
    values = {"version": 1, "name": "x", "recall": recall, "streets": saved}
    named = zip(STREETS, streets, strict=False)
    arrays = {f"{s}.{name}": np.asarray(a) for s, rule in named for name, a in rule[2].items()}
    return CardAbstraction.restore(values, arrays)


def limits(street: str, measure: str, values: Any) -> tuple[str, dict[str, Any], dict[str, Any]]:
    return "limits", {"street": street, "measure": measure}, {"limits": values}


def classes(buckets: Any) -> tuple[str, dict[str, Any], dict[str, Any]]:
    return "classes", {}, {"buckets": buckets}


def random_cards(board: int, count: int) -> list[tuple[list[int], list[int]]]:
    drawn = random_hands(np.random.default_rng(board), count, board).tolist()
    return [(cards[:2], cards[2:]) for cards in drawn]


def test_equity_bins_are_those_of_the_definition(tables: HandStrength) -> None:
    cards = make_abstraction("equity-bins 3/4/3/4", tables)
    assert cards.num_buckets == (3, 4, 3, 4)  # pineapple's bins
    for hole in HOLES[::37].tolist():
        expected = min(int(tables.strength(hole).mean * 3), 2)
        assert cards.street_bucket(hole) == expected
    for hole, board in [*random_cards(4, 6), *random_cards(5, 100)]:
        count = (3, 4)[len(board) - 4]
        assert cards.street_bucket(hole, board) == twin.equity_bin(
            twin.hand_strength(hole, board), count
        )


def test_bins_begin_at_their_limits(tables: HandStrength) -> None:
    """On the river of 1,980 points, four bins begin at 0, 495, 990 and 1,485."""
    rule = make_abstraction("equity-bins 1/1/1/4", tables).rules[3]
    assert rule.arrays()["limits"].tolist() == [495, 990, 1485]
    ties_all = (as_cards("2c2d"), as_cards("AsKsQsJsTs"))  # the board plays: 990 points
    assert twin.hand_strength(*ties_all) == 0.5
    assert rule.bucket(*ties_all) == 2
    wins_all = (as_cards("AsKs"), as_cards("QsJsTs2c2d"))
    assert rule.bucket(*wins_all) == 3


@pytest.mark.parametrize("measure", ["points", "squares"])
def test_percentiles_before_the_flop(measure: str, tables: HandStrength) -> None:
    text = {"points": "percentile 10", "squares": "percentile-squared 10"}[measure]
    buckets = [make_abstraction(text, tables).street_bucket(HOLES[h[0]]) for h in CLASS_HOLES]
    strengths = [tables.strength(HOLES[holes[0]].tolist()) for holes in CLASS_HOLES]
    values = [round((s.mean if measure == "points" else s.mean_square) * 10**15) for s in strengths]
    masses = dict(zip(values, CLASS_COMBOS.tolist(), strict=True))
    assert len(masses) == 169  # no two classes are equally strong
    for value, bucket in zip(values, buckets, strict=True):
        assert bucket == twin.percentile(value, masses, 10)
    assert buckets[[class_text(i) for i in range(169)].index("AA")] == 9
    assert make_abstraction("percentile 169", tables).num_buckets == (169,)


def test_squares_and_points_are_those_of_single_hands() -> None:
    for measure, power in (("points", 1), ("squares", 2)):
        (rule,) = restored(limits("turn", measure, np.arange(1, 200) * 910**power)).rules
        for hole, board in random_cards(4, 4):
            value = sum(points**power for points in twin.run_outs(hole, board))
            assert rule.bucket(hole, board) == min(value // 910**power, 199)


def test_squared_percentiles_have_equal_mass(tables: HandStrength) -> None:
    """No mass is off by more than the heaviest value: half of one at each limit."""
    count = 60
    made = bucket_tables(make_abstraction("percentile-squared 9/60", tables), tables)
    assert made.num_buckets[1] == count
    buckets, squares = made.tables[1], tables.squares("flop")
    live = squares != np.iinfo(squares.dtype).max  # what dead holes have
    values = squares.astype(np.int64)
    weights = np.broadcast_to(board_multiplicities(3)[:, None], live.shape)[live]
    masses = np.bincount(buckets[live], weights)
    assert masses.sum() == FLOPS
    order = np.sort(values[live])
    most_alike = np.diff(np.flatnonzero(np.diff(order, prepend=-1, append=order[-1] + 1))).max()
    assert np.abs(masses - masses.sum() / count).max() <= most_alike * 24
    tops = [values[live & (buckets == b)] for b in (0, 1, 58, 59)]
    assert tops[0].max() < tops[1].min() <= tops[1].max() < tops[2].min()
    assert tops[2].max() < tops[3].min()


def hole_classes(flop: int) -> int:
    """Live hole pairs that no renaming which leaves the flop as it is turns into each other."""
    board = tuple(board_cards(3)[flop].tolist())
    same = [index for index, suits in enumerate(SUITS) if renamed(board, suits) == board]
    return len(np.unique(hole_permutations()[same].min(axis=0)[live_holes(board)]))


@pytest.mark.slow  # classes are counted in tests/cards, tables tried in test_same_buckets
def test_lossless_is_as_fine_as_can_be() -> None:
    cards = make_abstraction("lossless 3")
    # Waugh 2013, table 1, for the flop; hand classes without street memory for the turn.
    assert cards.num_buckets == (169, 1_286_792, 13_960_050)
    table = bucket_tables(cards).tables[1]
    assert len(np.unique(table)) == 1_286_792  # dead cells are 0, and so is one class
    assert table.max() == 1_286_791
    for row in (0, 700, 1754):
        assert len(np.unique(table[row])) - 1 <= hole_classes(row) <= len(np.unique(table[row]))


@pytest.mark.parametrize("text", ["lossless", "suitless"])
@pytest.mark.parametrize("board", ["Qh7c2d", "QhQc2d9d", "AhKhQh2c2d"])
def test_names_of_suits_do_not_matter(text: str, board: str) -> None:
    cards, table = make_abstraction(text), as_cards(board)
    for hole in ([51, 33], [38, 39], [4, 8]):
        if set(hole) & set(table):
            continue
        moved = {
            cards.street_bucket(list(renamed(hole, suits)), list(renamed(table, suits)))
            for suits in permutations(range(4))
        }
        assert len(moved) == 1


def test_lossless_tells_hands_apart_and_suitless_does_not() -> None:
    lossless, suitless = make_abstraction("lossless"), make_abstraction("suitless")
    hands = [("AhKh", "Qh7h2h"), ("AhKh", "Qh7h2d"), ("AhKh", "Qd7d2d"), ("AhKh", "Qd7c2s")]
    assert len({lossless.street_bucket(*hand) for hand in hands}) == 4
    assert len({suitless.street_bucket(*hand) for hand in hands}) == 1
    assert suitless.street_bucket("AhKh", "Qh7h2h") != suitless.street_bucket("AhKd", "Qh7h2h")


def test_suitless_buckets_are_class_and_ranks() -> None:
    cards = make_abstraction("suitless")
    # 169 times C(15, 3), C(16, 4) and C(17, 5) - 13 (five of one rank do not exist).
    assert cards.num_buckets == (169, 169 * 455, 169 * 1820, 169 * 6175)
    for size in SIZES[1:]:
        seen: dict[int, tuple[int, list[int]]] = {}
        for hole, board in random_cards(size, 2000):
            bucket = cards.street_bucket(hole, board)
            known = cards.street_bucket(hole), twin.board_ranks(board)
            assert seen.setdefault(bucket, known) == known


def test_combined_buckets_are_a_numbering() -> None:
    rules = classes(np.arange(169) % 3), limits("flop", "points", [5, 9, 11])
    cards = restored(*rules, recall=True)
    assert cards.num_buckets == (3, 12)
    assert [cards.combine([a, b]) for a in range(3) for b in range(4)] == list(range(12))
    assert [cards.combine([a]) for a in range(3)] == [0, 1, 2]
    assert restored(*rules).combine([2, 3]) == 3


def test_what_falls_into_buckets(tables: HandStrength) -> None:
    buckets = bucket_tables(make_abstraction("suitless 2"))
    sizes = bucket_sizes(buckets, tables, "flop")
    assert sizes.deals.sum() == FLOPS
    # Aces on a flop of 2, 2, 3: 6 boards of twos, 4 threes, 6 pairs of aces.
    aces = buckets.bucket("AcAd", "2c2d3h")
    assert sizes.deals[aces] == 6 * 4 * 6
    strengths = [tables.strength("AcAd", board).mean for board in ("2c2d3h", "2h2s3h")]
    assert min(strengths) < sizes.strength[aces] < 1
    for example in bucket_examples(buckets, "flop", aces, 5, seed=2):
        assert {card // 4 for card in example.hole} == {12}
        assert sorted(card // 4 for card in example.board) == [0, 0, 1]
    # Pocket aces with three aces on the board: nobody can hold them.
    nobody = buckets.num_buckets[1] - 169 + int(buckets.tables[0][0, -1])
    assert sizes.deals[nobody] == 0
    assert np.isnan(sizes.strength[nobody])
    assert bucket_examples(buckets, "flop", nobody) == []


# ---- Saving and restoring


def test_what_is_not_whole_is_refused(tables: HandStrength) -> None:
    values, arrays = make_abstraction("equity-bins 3/8/7/6 recall", tables).save()
    again = CardAbstraction.restore(values, {**arrays, "strategy": np.zeros(3)})
    assert again.num_buckets == (3, 24, 168, 1008)
    assert again.name == "equity-bins 3/8/7/6 recall"
    assert sorted(arrays) == ["flop.limits", "preflop.buckets", "river.limits", "turn.limits"]
    wrong = [
        ({**values, "version": 2}, "version 2"),
        ({**values, "name": None}, "lacks"),
        ({**values, "streets": []}, "1 to 4"),
        ({**values, "streets": [{"kind": "magic", "parameters": {}}]}, "'magic' is not a kind"),
        ({**values, "streets": ["limits"]}, "incomplete"),
        (
            {**values, "streets": [{"kind": "limits", "parameters": {"street": "flop"}}]},
            "incomplete",
        ),
        (
            {
                **values,
                "streets": [{"kind": "ranks", "parameters": {"street": "fourth"}}],
            },
            "'fourth' is not a street",
        ),
        ({}, "version None"),
    ]
    for bad, sentence in wrong:
        with pytest.raises(AbstractionError, match=sentence):
            CardAbstraction.restore(bad, arrays)
    del arrays["turn.limits"]
    with pytest.raises(AbstractionError, match="limits"):
        CardAbstraction.restore(values, arrays)
    arrays["turn.limits"] = np.array([3, 2])
    with pytest.raises(AbstractionError, match="ascend"):
        CardAbstraction.restore(values, arrays)


def test_bad_rules_are_refused() -> None:
    with pytest.raises(AbstractionError, match="169"):
        restored(classes([1, 2]))
    with pytest.raises(AbstractionError, match="gap"):
        restored(classes([2] * 169))
    with pytest.raises(AbstractionError, match="'preflop' is not a street here"):
        restored(classes([0] * 169), limits("preflop", "points", [1]))
    with pytest.raises(AbstractionError, match="points or squares"):
        restored(classes([0] * 169), limits("flop", "cubes", [1]))


def test_bad_cards_are_refused() -> None:
    cards = make_abstraction("suitless 2")
    with pytest.raises(CardError, match="share a card"):
        cards.street_bucket("AsKs", "As2c3d")
    with pytest.raises(CardError, match="a board of 0 or 3 cards"):
        cards.street_bucket("AsKs", "2c3d4h5h")
    with pytest.raises(CardError, match="two hole cards"):
        cards.street_bucket("As")
