"""Semantic buckets: known hands, a plain twin, tables and single hands."""

from typing import Any

import numpy as np
import pytest

from buckets.hands import random_hands
from riverboat.buckets import (
    KINDS,
    CardAbstraction,
    FitTask,
    dead_holes,
    no_progress,
    num_boards,
    semantic_features,
)
from riverboat.cards import (
    NUM_HOLES,
    StreetName,
    board_size,
    canonical_board,
    hole_index,
    hole_permutations,
)
from riverboat.errors import AbstractionError, CardError
from twins.semantic import semantic

STREET: dict[int, StreetName] = {3: "flop", 4: "turn", 5: "river"}

#: Written by hand from the definitions in docs/buckets.md.
KNOWN = [
    # The two hands of the Caltech journal, section 5, which it plays alike.
    ("AcTc", "Ts5s2h", "top pair, good kicker, two-tone board"),
    ("AcJc", "Js5s2h", "top pair, good kicker, two-tone board"),
    # No pair.
    ("AhKh", "Qh7c2d", "no pair, two overcards, rainbow board"),
    ("KdJc", "As7h2c", "no pair, best high card, rainbow board"),
    ("Ad3c", "Ks7h2c", "no pair, best high card, rainbow board"),
    ("9d3c", "Ks7h2c", "no pair, medium high card, rainbow board"),
    ("4d3c", "Ks9h8c", "no pair, weak high card, rainbow board"),
    ("AhKh", "QhJh2d", "no pair, two overcards, two-tone board, best flush draw, gutshot"),
    ("9h8h", "Th7c2d", "no pair, medium high card, rainbow board, open-ended straight draw"),
    ("9h7h", "Jc8dTs", "straight, rainbow board, connected board"),
    ("5h4h", "AcKd3s", "no pair, weak high card, rainbow board, gutshot"),
    # Pairs with the board; what pairs the board alone is everybody's.
    ("QdTc", "TsTh5h", "trips, medium kicker, paired board, two-tone board"),
    ("Qd5c", "TsTh5h", "second pair, medium kicker, paired board, two-tone board"),
    ("AdQc", "TsTh5h", "no pair, two overcards, paired board, two-tone board"),
    ("8d7c", "Ks8h2c", "second pair, weak kicker, rainbow board"),
    ("Ad2d", "Ks8h2c", "low pair, good kicker, rainbow board"),
    ("KdQc", "Ks8h8c3d3s", "top pair, good kicker, twice paired board, no flush on the board"),
    ("Ad3h", "KsKh8c8d3s", "no pair, best high card, twice paired board, no flush on the board"),
    (
        "Th9c",
        "AsKhQcTd2s",
        "low pair, weak kicker, no flush on the board, four to a straight on the board",
    ),
    # Pocket pairs.
    ("QdQc", "Js8h2c", "overpair, rainbow board"),
    ("9d9c", "Js8h2c", "middle pocket pair, rainbow board"),
    ("4d4c", "Js8h5c", "underpair, rainbow board"),
    ("3d3c", "KsKh7c7d4s", "plays the board"),
    ("5d5c", "KsKh7c7d4s", "no pair, weak high card, twice paired board, no flush on the board"),
    # Better.
    ("Jd8c", "Js8h2c", "top two pair, rainbow board"),
    ("Jd2d", "Js8h2c", "top pair and a lower pair, rainbow board"),
    ("8d2d", "Js8h2c", "low two pair, rainbow board"),
    ("8d8c", "Js8h2c", "set, rainbow board"),
    ("JdJc", "Js8h2c", "top set, rainbow board"),
    ("6d5c", "4s3h2c", "best straight, rainbow board, connected board"),
    ("Ad5c", "4s3h2c", "straight, rainbow board, connected board"),
    ("AhTh", "Kh7h2h", "best flush, three of a suit on the board"),
    ("QhTh", "Kh7h2h", "high flush, three of a suit on the board"),
    ("6h5h", "Kh7h2h", "low flush, three of a suit on the board"),
    ("Qd4c", "KhTh7h2h", "no pair, good high card, four of a suit on the board"),
    ("Ah4c", "Kh7h2h", "no pair, best high card, three of a suit on the board, best flush draw"),
    ("2d2s", "KhKc2h", "full house, paired board, two-tone board"),
    ("KdJs", "KhKcJh", "full house of the top card, paired board, two-tone board"),
    ("KdKs", "KhKcJh", "quads or straight flush, paired board, two-tone board"),
    ("9h8h", "7h6h5h", "quads or straight flush, three of a suit on the board, connected board"),
    ("AdQc", "7h7d7s7c", "no pair, two overcards, board with trips, rainbow board"),
    ("3d2c", "AsKhQcJdTs", "plays the board"),
    ("AdQc", "9h8h7h6h5h", "plays the board"),
]


@pytest.mark.parametrize(("hole", "board", "words"), KNOWN)
def test_known_hands(hole: str, board: str, words: str) -> None:
    found = semantic_features(hole, board).words(STREET[len(board) // 2])
    assert found == words or (words == "plays the board" and found.startswith(words))


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("lowest", [0, 20, 32])  # few ranks make pairs, straights and boats common
@pytest.mark.parametrize("suits", [2, 4])
def test_hands_are_their_twins(size: int, lowest: int, suits: int) -> None:
    rng = np.random.default_rng(size * 100 + lowest + suits)
    deck = [card for card in range(lowest, 52) if card % 4 < suits]
    for _ in range(400):
        hand = rng.choice(deck, size + 2, replace=False).tolist()
        assert semantic_features(hand[:2], hand[2:]) == semantic(hand[:2], hand[2:]), hand


@pytest.fixture(scope="module")
def rules() -> dict[StreetName, Any]:
    return {street: fit(street) for street in ("flop", "turn")}


def fit(street: StreetName) -> Any:
    def no_tables() -> None:
        pytest.fail("semantic buckets need no tables")

    return KINDS["semantic"].fit(FitTask(street, None, no_tables, 0, no_progress))  # type: ignore[arg-type]  # tables that must not be asked


def test_numbers_of_buckets(rules: dict[StreetName, Any]) -> None:
    """Counted by the first version; another number means other buckets for the same words."""
    assert {street: rule.num_buckets for street, rule in rules.items()} == {
        "flop": 560,
        "turn": 1_678,
    }


@pytest.mark.slow
def test_number_of_buckets_on_the_river() -> None:
    rule = fit("river")
    assert rule.num_buckets == 626
    check_tables(rule, "river", 20_000)


def check_tables(rule: Any, street: StreetName, count: int) -> None:
    restored = type(rule).restore(rule.parameters(), rule.arrays())
    boards = np.random.default_rng(1).choice(num_boards(street), 300, replace=False)
    rows = np.empty((300, NUM_HOLES), np.uint16)
    for place, board in enumerate(boards):
        rule.fill(None, int(board), rows[place : place + 1])
        assert (rows[place][dead_holes(street, int(board), int(board) + 1)[0]] == 0).all()
    table = dict(zip(boards.tolist(), rows, strict=True))
    for hand in random_hands(np.random.default_rng(2), count, board_size(street)).tolist():
        board = canonical_board(hand[2:])
        if board.id in table:
            place = hole_permutations()[board.permutation, hole_index(*hand[:2])]
            assert restored.bucket(hand[:2], hand[2:]) == table[board.id][place], hand


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_tables_and_single_hands_agree(street: StreetName, rules: dict[StreetName, Any]) -> None:
    check_tables(rules[street], street, 20_000)


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_every_bucket_has_words_of_its_own(
    street: StreetName, rules: dict[StreetName, Any]
) -> None:
    rule = rules[street]
    words = [rule.explain(bucket) for bucket in range(rule.num_buckets)]
    assert len(set(words)) == rule.num_buckets
    hand = semantic_features("AhKh", "Qh7c2d" if street == "flop" else "Qh7c2d9s")
    cards = [50, 46], [42, 20, 1] if street == "flop" else [42, 20, 1, 31]
    assert rule.explain(rule.bucket(*cards)) == hand.words(street)


def restored(street: str, codes: list[float]) -> CardAbstraction:
    """An abstraction of one street, from what a file has."""
    saved = [{"kind": "semantic", "parameters": {"street": street}}]
    values = {"version": 1, "name": "x", "recall": False, "streets": saved}
    return CardAbstraction.restore(values, {"preflop.codes": np.array(codes)})


def test_wrong_questions_get_sentences(rules: dict[StreetName, Any]) -> None:
    with pytest.raises(AbstractionError, match="the flop has no bucket 560: they are 0 to 559"):
        rules["flop"].explain(560)
    with pytest.raises(CardError, match="AhKh and the board Ah7c2d share a card"):
        semantic_features("AhKh", "Ah7c2d")
    with pytest.raises(AbstractionError, match="'preflop' is not a street here"):
        restored("preflop", [0, 1, 2])
    with pytest.raises(AbstractionError, match="ascend"):
        restored("flop", [3, 3])
    with pytest.raises(AbstractionError, match="list of whole numbers"):
        restored("flop", [0.5])
