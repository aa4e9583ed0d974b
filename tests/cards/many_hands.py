"""Plain twins for many hands, in NumPy: slow, but fast enough for tests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards import num_strengths
from riverboat.runs import in_order
from twins.equity import Hole, Outcomes
from twins.evaluator import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    order,
)
from twins.isomorphism import SUIT_PERMUTATIONS

EvaluateBatch = Callable[[NDArray[np.uint8]], NDArray[Any]]


def all_hands(num_cards: int, lowest_card: int = 0) -> NDArray[np.uint8]:
    """Return all hands of the deck that starts at a card, [hands, num_cards]."""
    hands = combinations(range(lowest_card, 52), num_cards)
    return np.fromiter(hands, np.dtype((np.uint8, num_cards)))


def strength_counts(num_cards: int, short_deck: bool = False) -> NDArray[np.int64]:
    """Return how many of all hands of 5, 6 or 7 cards have each strength, [strengths]."""

    def count(first: int) -> NDArray[np.int64]:
        counts = np.zeros(num_strengths(short_deck=short_deck), np.int64)
        _core.count_strengths_into(counts, num_cards, first, first + 1, short_deck)
        return counts

    total = np.zeros(num_strengths(short_deck=short_deck), np.int64)
    for counts in in_order(count, range(51, -1, -1)):  # by their highest card
        total += counts
    return total


def five_card_codes(hands: NDArray[np.uint8], short_deck: bool = False) -> NDArray[np.int64]:
    """Return `five_card_value` of many hands [n, 5] as one number each, bigger is better."""
    ranks = (hands // 4).astype(np.int8)
    copies = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2, dtype=np.int8)
    by_importance = -np.sort(-(16 * copies + ranks), axis=1) % 16
    # Ones, a pair, two pairs, trips, a full house, quads: 1 + 1 + .., 2 + 2 + 1 + .., and so on.
    totals = {5: HIGH_CARD, 7: PAIR, 9: TWO_PAIR, 11: TRIPS, 13: FULL_HOUSE, 17: QUADS}
    category = np.array([totals.get(total, -1) for total in range(18)])[copies.sum(axis=1)]
    lowest = 4 if short_deck else 0
    wheel = (by_importance == [12, *range(lowest + 3, lowest - 1, -1)]).all(axis=1)
    by_importance[wheel] = [*range(lowest + 3, lowest - 1, -1), 12]
    straight = wheel | (np.diff(by_importance, axis=1) == -1).all(axis=1)
    flush = (hands % 4 == hands[:, :1] % 4).all(axis=1)
    category[straight] = STRAIGHT
    category[flush] = FLUSH
    category[straight & flush] = STRAIGHT_FLUSH
    place = np.argsort(order(short_deck))[category]
    codes: NDArray[np.int64] = np.column_stack([place, by_importance]) @ 16 ** np.arange(5, -1, -1)
    return codes


@cache
def _choices(num_cards: int, count: int) -> NDArray[np.uint8]:
    """Return all choices of `count` of `num_cards` places, [choices, count]."""
    choices = combinations(range(num_cards), count)
    return np.fromiter(choices, np.dtype((np.uint8, count)))


def count_boards(
    hole: Hole, other: Hole, evaluate_batch: EvaluateBatch, board: Iterable[int] = ()
) -> Outcomes:
    """Count showdowns of two hands over all runouts of a board of any size."""
    dealt = list(board)
    known = {*hole, *other, *dealt}
    deck = np.array([card for card in range(52) if card not in known], np.uint8)
    run_outs = deck[_choices(len(deck), 5 - len(dealt))]

    def strengths(pair: Hole) -> NDArray[np.int64]:
        fixed = np.tile(np.array([*pair, *dealt], np.uint8), (len(run_outs), 1))
        return evaluate_batch(np.hstack([fixed, run_outs])).astype(np.int64)

    ahead = np.sign(strengths(hole) - strengths(other))
    return Outcomes(int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum()))


def image_codes(
    hands: NDArray[np.uint8], rounds: Sequence[int], suits: Sequence[int]
) -> NDArray[np.uint64]:
    """Code each hand's image, [n] uint64: its sorted rounds, 6 bits a card, at most 10 cards."""
    images = hands // 4 * 4 + np.array(suits, dtype=np.uint8)[hands % 4]
    codes = np.zeros(len(hands), dtype=np.uint64)
    for part in np.split(images, np.cumsum(rounds)[:-1], axis=1):
        for column in np.sort(part, axis=1).T:
            codes = codes * np.uint64(64) + column
    return codes


def canonical_codes(hands: NDArray[np.uint8], rounds: Sequence[int]) -> NDArray[np.uint64]:
    """Smallest image of each hand, as a number: `canonical_form` for many hands [n, k]."""
    codes = image_codes(hands, rounds, SUIT_PERMUTATIONS[0])
    for suits in SUIT_PERMUTATIONS[1:]:
        np.minimum(codes, image_codes(hands, rounds, suits), out=codes)
    return codes


def class_sizes(hands: NDArray[np.uint8], rounds: Sequence[int]) -> NDArray[np.int64]:
    """Count the hands in each hand's class, [n] int64: 24 / permutations that change nothing."""
    codes = image_codes(hands, rounds, SUIT_PERMUTATIONS[0])
    fixing = np.zeros(len(hands), dtype=np.int64)
    for suits in SUIT_PERMUTATIONS:
        fixing += image_codes(hands, rounds, suits) == codes
    return 24 // fixing


def all_rounds(rounds: Sequence[int], dealt: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every hand, once for each choice of the rounds' card sets."""
    if not rounds:
        yield dealt
        return
    left = [card for card in range(52) if card not in dealt]
    for cards in combinations(left, rounds[0]):
        yield from all_rounds(rounds[1:], dealt + cards)
