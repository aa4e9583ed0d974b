"""Hand strength: every class in its place, published counts, words."""

from collections.abc import Iterable
from itertools import pairwise, permutations
from typing import Any, SupportsIndex

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cards import many_hands
from riverboat.cards import (
    CATEGORIES,
    as_cards,
    cactus_kev,
    category,
    describe,
    describe_strength,
    evaluate,
    evaluate_batch,
    num_strengths,
)
from sizes import slowly
from twins import evaluator as reference

SUIT_PERMUTATIONS = list(permutations(range(4)))

# Classes of five-card hands, best first: Kevin Suffecool's ("Cactus Kev's") table of the
# 7,462 hand values.
CACTUS_KEV_CLASSES = (10, 156, 156, 1277, 10, 858, 858, 2860, 1277)
# Best first, by counting: 6 straights from A6789 to TJQKA; C(9, 5) - 6 flushes; 9 * 8 full
# houses and quads; 9 * C(8, 2) trips, C(9, 2) * 7 two pairs, 9 * C(8, 3) pairs.
SHORT_DECK_CLASSES = (6, 72, 120, 72, 6, 252, 252, 504, 120)

# Numbers of hands of each category, worst first.
# 5 and 7 cards: "Poker probability", Wikipedia. 6 cards: Brian Alspach, "6-Card Poker Hands".
PUBLISHED_COUNTS = {
    5: (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
    6: (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844),
    7: (
        *(23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020),
        *(4_047_644, 3_473_184, 224_848, 41_584),
    ),
}

hands = st.integers(5, 7).flatmap(
    lambda count: st.lists(st.integers(0, 51), min_size=count, max_size=count, unique=True)
)
short_deck_hands = st.integers(5, 7).flatmap(
    lambda count: st.lists(st.integers(16, 51), min_size=count, max_size=count, unique=True)
)


def counts_by_category(counts: NDArray[np.int64], short_deck: bool = False) -> tuple[int, ...]:
    """Sum the counts of strengths in each category, by the number of the category."""
    kinds = [
        CATEGORIES.index(category(strength, short_deck=short_deck))
        for strength in range(len(counts))
    ]
    return tuple(np.bincount(kinds, counts, minlength=9).astype(int).tolist())


def random_hands(seed: int, number: int, num_cards: int, lowest_card: int = 0) -> NDArray[np.uint8]:
    deck = np.arange(lowest_card, 52, dtype=np.uint8)
    shuffled = np.random.default_rng(seed).permuted(np.tile(deck, (number, 1)), axis=1)
    return np.ascontiguousarray(shuffled[:, :num_cards])


def ranking(values: Iterable[Any]) -> list[int]:
    """Place of each value among the different ones."""
    found = list(values)
    places = {value: place for place, value in enumerate(sorted(set(found)))}
    return [places[value] for value in found]


@pytest.mark.parametrize(
    ("short_deck", "num_hands", "sizes"),
    [(True, 376_992, SHORT_DECK_CLASSES), *slowly((False, 2_598_960, CACTUS_KEV_CLASSES))],
    ids=["short deck", "standard"],
)
def test_every_five_card_hand_has_its_place(
    short_deck: bool, num_hands: int, sizes: tuple[int, ...]
) -> None:
    hands = many_hands.all_hands(5, lowest_card=16 if short_deck else 0)
    assert len(hands) == num_hands
    strengths = evaluate_batch(hands, short_deck=short_deck)
    count = num_strengths(short_deck=short_deck)
    assert count == sum(sizes) == strengths.max() + 1
    firsts = np.full(count, -1)  # the first hand of each strength
    firsts[strengths[::-1]] = np.arange(num_hands)[::-1]
    assert firsts.min() >= 0
    # The strength of a hand is the place of its value among all values.
    codes = many_hands.five_card_codes(hands, short_deck)
    values = codes[firsts]
    assert (values[1:] > values[:-1]).all()
    np.testing.assert_array_equal(codes, values[strengths])
    # The same by the plain twin, one hand of each class.
    worths = [reference.five_card_value(hand, short_deck) for hand in hands[firsts].tolist()]
    assert all(worse < better for worse, better in pairwise(worths))
    best_first = [CATEGORIES[kind] for kind in reversed(reference.order(short_deck))]
    expected = [name for name, size in zip(best_first, sizes, strict=True) for _ in range(size)]
    assert [
        category(strength, short_deck=short_deck) for strength in range(len(values))
    ] == expected[::-1]


@pytest.mark.parametrize("short_deck", [False, True])
def test_five_card_codes_are_the_twin(short_deck: bool) -> None:
    hands = random_hands(5, 5_000, 5, lowest_card=16 if short_deck else 0)
    codes = many_hands.five_card_codes(hands, short_deck).tolist()
    values = [reference.five_card_value(hand, short_deck) for hand in hands.tolist()]
    assert ranking(codes) == ranking(values)


@pytest.mark.parametrize("num_cards", [5, 6, 7])
def test_all_hands_give_the_published_counts(num_cards: int) -> None:
    counts = many_hands.strength_counts(num_cards)
    assert counts.sum() == {5: 2_598_960, 6: 20_358_520, 7: 133_784_560}[num_cards]
    assert counts_by_category(counts) == PUBLISHED_COUNTS[num_cards]


def test_seven_cards_reach_4824_strengths() -> None:
    # 4,824 of the 7,462 values are the best of some seven cards: "Poker probability", Wikipedia.
    assert np.count_nonzero(many_hands.strength_counts(7)) == 4_824
    assert np.count_nonzero(many_hands.strength_counts(5)) == 7_462


@pytest.mark.parametrize("short_deck", [True, *slowly(False)])
def test_strength_counts_are_those_of_the_batch(short_deck: bool) -> None:
    hands = many_hands.all_hands(5, lowest_card=16 if short_deck else 0)
    by_batch = np.bincount(evaluate_batch(hands, short_deck=short_deck))
    np.testing.assert_array_equal(many_hands.strength_counts(5, short_deck=short_deck), by_batch)


def test_short_deck_counts_of_five_cards() -> None:
    # By counting, as for SHORT_DECK_CLASSES: times 4 for suited classes, 4^5 - 4 for unsuited
    # runs of ranks, and so on; in all C(36, 5) = 376,992.
    expected = (122_400, 193_536, 36_288, 16_128, 6_120, 480, 1_728, 288, 24)
    counts = many_hands.strength_counts(5, short_deck=True)
    assert counts_by_category(counts, short_deck=True) == expected
    assert counts.sum() == 376_992
    assert many_hands.strength_counts(6, short_deck=True).sum() == 1_947_792
    assert many_hands.strength_counts(7, short_deck=True).sum() == 8_347_680


@pytest.mark.parametrize("short_deck", [False, True], ids=["standard", "short deck"])
@pytest.mark.parametrize("num_cards", [5, 6, 7])
def test_random_hands_are_ordered_as_by_the_twin(num_cards: int, short_deck: bool) -> None:
    hands = random_hands(num_cards, 1_500, num_cards, lowest_card=16 if short_deck else 0)
    strengths = evaluate_batch(hands, short_deck=short_deck).tolist()
    values = [reference.best_value(hand, short_deck) for hand in hands.tolist()]
    assert ranking(strengths) == ranking(values)
    order = reference.order(short_deck)
    kinds = [CATEGORIES.index(category(s, short_deck=short_deck)) for s in strengths]
    assert kinds == [order[place] for place, _ in values]


@given(hands, hands)
def test_two_hands_compare_as_by_the_twin(hand: list[int], other: list[int]) -> None:
    sign = np.sign(evaluate(hand) - evaluate(other))
    ours, theirs = reference.best_value(hand), reference.best_value(other)
    assert sign == (ours > theirs) - (ours < theirs)


@given(short_deck_hands, short_deck_hands)
def test_two_short_deck_hands_compare_as_by_the_twin(hand: list[int], other: list[int]) -> None:
    sign = np.sign(evaluate(hand, short_deck=True) - evaluate(other, short_deck=True))
    ours, theirs = reference.best_value(hand, True), reference.best_value(other, True)
    assert sign == (ours > theirs) - (ours < theirs)


@given(hands, st.sampled_from(SUIT_PERMUTATIONS), st.randoms(use_true_random=False))
def test_suits_and_order_change_nothing(
    hand: list[int], suits: tuple[int, ...], random: Any
) -> None:
    moved = [4 * (card // 4) + suits[card % 4] for card in hand]
    random.shuffle(moved)
    assert evaluate(moved) == evaluate(hand)


@given(short_deck_hands, st.sampled_from(SUIT_PERMUTATIONS), st.randoms(use_true_random=False))
def test_suits_and_order_change_nothing_in_short_deck(
    hand: list[int], suits: tuple[int, ...], random: Any
) -> None:
    moved = [4 * (card // 4) + suits[card % 4] for card in hand]
    random.shuffle(moved)
    assert evaluate(moved, short_deck=True) == evaluate(hand, short_deck=True)


@given(st.lists(st.integers(0, 51), min_size=6, max_size=7, unique=True))
def test_a_card_more_is_never_worse(hand: list[int]) -> None:
    assert evaluate(hand) >= evaluate(hand[:-1])


@pytest.mark.parametrize("num_cards", [5, 6, 7])
@pytest.mark.parametrize("short_deck", [False, True])
def test_batch_is_single_many_times(num_cards: int, short_deck: bool) -> None:
    hands = random_hands(7, 2_000, num_cards, lowest_card=16 if short_deck else 0)
    strengths = evaluate_batch(hands, short_deck=short_deck)
    assert strengths.dtype == np.uint16
    assert strengths.tolist() == [evaluate(hand, short_deck) for hand in hands.tolist()]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64])
def test_batch_takes_any_whole_numbers(dtype: type[np.integer[Any]]) -> None:
    hands = random_hands(3, 100, 7)
    np.testing.assert_array_equal(evaluate_batch(hands.astype(dtype)), evaluate_batch(hands))


def test_batch_takes_lists_views_and_nothing() -> None:
    hands = random_hands(4, 100, 7)
    expected = evaluate_batch(hands)
    np.testing.assert_array_equal(evaluate_batch(hands.tolist()), expected)
    np.testing.assert_array_equal(evaluate_batch(hands[::-1]), expected[::-1])
    np.testing.assert_array_equal(evaluate_batch(np.asfortranarray(hands)), expected)
    np.testing.assert_array_equal(evaluate_batch(hands[:, ::-1]), expected)
    assert evaluate_batch(np.empty((0, 7), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    "hand",
    [
        "AhKhQhJhTh2c2d",
        " Ah Kh,Qh JhTh 2c2d",
        [50, 46, 42, 38, 34, 0, 1],
        (50, 46, 42, 38, 34, 0, 1),
        ["Ah", "Kh", "Qh", "Jh", "Th", "2c", "2d"],
        ["Ah", 46, np.uint8(42), 38, "Th", np.int64(0), 1],
        np.array([50, 46, 42, 38, 34, 0, 1], np.uint8),
        np.array([[50, 46, 42, 38, 34, 0, 1]])[0],
        {50, 46, 42, 38, 34, 0, 1},
    ],
    ids=lambda hand: type(hand).__name__,
)
def test_evaluate_takes_cards_in_any_form(hand: str | Iterable[SupportsIndex | str]) -> None:
    assert evaluate(hand) == 7461


# What Cactus Kev's table says of its first and last lines of each class.
@pytest.mark.parametrize(
    ("hand", "number"),
    [
        ("AsKsQsJsTs", 1),
        ("5h4h3h2hAh", 10),
        ("AcAdAhAsKc", 11),
        ("2c2d2h2s3c", 166),
        ("AcAdAhKsKc", 167),
        ("2c2d2h3s3c", 322),
        ("AdKdQdJd9d", 323),
        ("7d5d4d3d2d", 1599),
        ("AsKdQhJcTs", 1600),
        ("5s4d3h2cAs", 1609),
        ("AcAdAhKsQc", 1610),
        ("2c2d2h4s3c", 2467),
        ("AcAdKhKsQc", 2468),
        ("3c3d2h2s4c", 3325),
        ("AcAdKhQsJc", 3326),
        ("2c2d5h4s3c", 6185),
        ("AcKdQhJs9c", 6186),
        ("7c5d4h3s2c", 7462),
    ],
)
def test_cactus_kev_numbers(hand: str, number: int) -> None:
    assert cactus_kev(evaluate(hand)) == number


def test_cactus_kev_counts_down() -> None:
    assert [cactus_kev(strength) for strength in range(7462)] == list(range(7462, 0, -1))


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("AhKhQhJhTh 2c2d", "royal flush"),
        ("KhQhJhTh9h Ac2d", "straight flush, king high"),
        ("Ah2h3h4h5h 7h7d", "straight flush, five high"),
        ("6c6d6h6s Ac Kd2h", "four of a kind, sixes, ace kicker"),
        ("QcQdQh 5s5c 4d4h", "full house, queens full of fives"),
        ("8c8d8h 3s3c3d Ah", "full house, eights full of threes"),
        ("AdQd9d5d2d KcKh", "flush, ace high, with queen, nine, five and deuce"),
        ("Ts9d8h7c6s 6d6h", "straight, ten high"),
        ("As2d3h4c5s KdQh", "straight, five high"),
        ("JcJdJh Ks9c 4d2h", "three of a kind, jacks, king and nine kickers"),
        ("KhKd4s4c Qs7h2d", "two pair, kings and fours, queen kicker"),
        ("KhKd4s4c 3s3h2d", "two pair, kings and fours, three kicker"),
        ("6h6d As9c4s 3h2d", "pair of sixes, ace, nine and four kickers"),
        ("2h2d 5s4c3s", "pair of deuces, five, four and three kickers"),
        ("AhQd Ts8c6s 4h2d", "high card, ace, with queen, ten, eight and six"),
    ],
)
def test_hands_in_words(hand: str, words: str) -> None:
    assert describe(hand) == words
    assert describe_strength(evaluate(hand)) == words
    assert describe(as_cards(hand)) == words


def test_every_strength_has_words_of_its_own() -> None:
    for short_deck in (False, True):
        count = num_strengths(short_deck=short_deck)
        words = {describe_strength(s, short_deck=short_deck) for s in range(count)}
        assert len(words) == count


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("As9d8h7c6s", "straight, nine high"),
        ("Ah9h8h7h6h", "straight flush, nine high"),
        ("AhKhQhJhTh", "royal flush"),
        ("AhKh9h7h6h", "flush, ace high, with king, nine, seven and six"),
        ("6h6d6cKsKd", "full house, sixes full of kings"),
        ("9h8d7s6cKd", "high card, king, with nine, eight, seven and six"),
    ],
)
def test_short_deck_hands_in_words(hand: str, words: str) -> None:
    assert describe(hand, short_deck=True) == words


def test_short_deck_order_of_categories() -> None:
    worst_to_best = [
        "KhQdJs9c8d",  # high card
        "6h6d7s8cTd",  # pair
        "6h6d7s7cTd",  # two pair
        "AhAdAsKcQd",  # three of a kind: the best, and still below
        "Ah9d8s7c6d",  # the worst straight
        "AhAdAsKcKd",  # the best full house
        "JhTh8h7h6h",  # the worst flush
        "6h6d6s6c7d",  # four of a kind
        "Ah9h8h7h6h",  # the worst straight flush
    ]
    strengths = [evaluate(hand, short_deck=True) for hand in worst_to_best]
    assert strengths == sorted(strengths)
    assert [category(s, short_deck=True) for s in strengths] == [
        CATEGORIES[kind] for kind in reference.SHORT_DECK_ORDER
    ]
    assert evaluate("Ah9d8s7c6d", short_deck=True) < evaluate("Th9d8s7c6d", short_deck=True)
    assert category(evaluate("Ah9d8s7c6d")) == "high card"
