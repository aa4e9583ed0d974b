"""Category, ranks and kickers of the best five cards."""

import pytest

from riverboat.cards import HandRank, hand_rank


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AhQd9s7c5h3d2c", HandRank("high card", ("A",), ("Q", "9", "7", "5"))),
        ("KhKdQs9c4h3d2c", HandRank("pair", ("K",), ("Q", "9", "4"))),
        ("KhKd4s4cQs7h7d", HandRank("two pair", ("K", "7"), ("Q",))),
        ("8h8d8sAcJh3d2c", HandRank("three of a kind", ("8",), ("A", "J"))),
        ("Ah2d3s4c5hKdQc", HandRank("straight", ("5",), ())),
        ("AhQh9h6h2hKsKd", HandRank("flush", ("A",), ("Q", "9", "6", "2"))),
        ("8h8d8sAcAhAd2c", HandRank("full house", ("A", "8"), ())),
        ("9h9d9s9cKhKdQc", HandRank("four of a kind", ("9",), ("K",))),
        ("9hThJhQhKhAdAc", HandRank("straight flush", ("K",), ())),
    ],
)
def test_the_fields_of_each_category(hand: str, expected: HandRank) -> None:
    assert hand_rank(hand) == expected


def test_short_deck_has_its_own_straight() -> None:
    assert hand_rank("As6d7h8c9sKdQd", short_deck=True) == HandRank("straight", ("9",), ())
