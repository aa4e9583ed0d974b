"""Hands of fewer than five cards."""

from itertools import combinations

import numpy as np
import pytest

from riverboat.cards import as_cards, evaluate, evaluate_few, evaluate_few_batch
from riverboat.errors import CardError
from twins.evaluator import few_value


@pytest.mark.parametrize(("num_cards", "different"), [(1, 13), (2, 91), (3, 455), (4, 1820)])
def test_as_many_strengths_as_hands_up_to_suits(num_cards: int, different: int) -> None:
    """Multisets of 13 ranks: C(12 + n, n)."""
    hands = np.array(list(combinations(range(52), num_cards)), np.uint8)
    assert np.array_equal(np.unique(evaluate_few_batch(hands)), np.arange(different))


@pytest.mark.parametrize("num_cards", [1, 2, 3, 4])
def test_the_kernel_orders_hands_as_its_twin_does(num_cards: int) -> None:
    hands = np.array(list(combinations(range(0, 52, 1 if num_cards < 4 else 2), num_cards)))
    keys = [few_value(hand) for hand in hands.tolist()]
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    strengths = evaluate_few_batch(hands)
    assert strengths.tolist() == [evaluate_few(hand) for hand in hands.tolist()]
    levels = np.unique(strengths, return_inverse=True)[1]
    assert levels.tolist() == [places[key] for key in keys]


def test_order() -> None:
    """From weak to strong."""
    texts = ("2c3d4h6s", "AcKdQhJs", "2c2d3h4s", "AcAdKhQs", "2c2d3h3s", "2c2d2h3s", "2c2d2h2s")
    strengths = [evaluate_few(text) for text in texts]
    assert strengths == sorted(set(strengths))


def test_pairs_rank_as_in_whole_hands() -> None:
    """On a board that helps nobody two cards keep their order."""
    board = as_cards("2c4d6h")
    holes = [as_cards(text) for text in ("JcJd", "QcQd", "KcQd", "AcKd", "AcAd")]
    few = sorted(holes, key=evaluate_few)
    assert few == sorted(holes, key=lambda hole: evaluate([*hole, *board]))


def test_the_order_of_cards_does_not_matter() -> None:
    assert evaluate_few("AcKdQh") == evaluate_few("QhAcKd")


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ([[1, 2, 3, 4, 5]], "a hand must have 1 to 4 cards here, not 5"),
        ([[1, 1]], "row 0 of the batch is not a hand of 2 different cards 0 to 51"),
    ],
)
def test_refused(cards: list[list[int]], words: str) -> None:
    with pytest.raises(CardError, match=words):
        evaluate_few_batch(cards)
    with pytest.raises(CardError, match=r"1 to 4 cards|appears twice"):
        evaluate_few(cards[0])
