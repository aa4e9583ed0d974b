"""Hand strength by definition: the best five of n cards, compared as tuples.

Nothing is shared with the kernel: every choice of five cards is looked at, and
five cards are worth (place of the category, ranks by importance). Cards are
4 * rank + suit, rank 0 = deuce .. 12 = ace.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

__all__ = ["best_value", "few_value", "hand_class"]

Value = tuple[int, tuple[int, ...]]

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)

STANDARD_ORDER = tuple(range(9))
SHORT_DECK_ORDER = (
    *(HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT),
    *(FULL_HOUSE, FLUSH, QUADS, STRAIGHT_FLUSH),
)

SHAPES = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): TRIPS,
    (3, 2): FULL_HOUSE,
    (4, 1): QUADS,
}


def order(short_deck: bool) -> tuple[int, ...]:
    """Return the categories from worst to best."""
    return SHORT_DECK_ORDER if short_deck else STANDARD_ORDER


def straight_ranks(ranks: set[int], short_deck: bool) -> tuple[int, ...] | None:
    """Return the ranks of a straight from its top, or None."""
    lowest = 4 if short_deck else 0
    wheel = (lowest + 3, lowest + 2, lowest + 1, lowest, 12)
    if ranks == set(wheel):
        return wheel
    top = max(ranks)
    run = (top, top - 1, top - 2, top - 3, top - 4)
    return run if ranks == set(run) else None


def hand_class(cards: Iterable[int], short_deck: bool = False) -> tuple[int, tuple[int, ...]]:
    """Category and ranks by importance of five cards.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> hand_class(as_cards("AhAdKcKs2c"))
    (2, (12, 12, 11, 11, 0))
    """
    hand = list(cards)
    copies = Counter(card // 4 for card in hand)
    by_importance = sorted(copies, key=lambda rank: (copies[rank], rank), reverse=True)
    ranks = tuple(rank for rank in by_importance for _ in range(copies[rank]))
    category = SHAPES[tuple(copies[rank] for rank in by_importance)]
    flush = len({card % 4 for card in hand}) == 1
    straight = straight_ranks(set(copies), short_deck)
    if straight:
        return (STRAIGHT_FLUSH if flush else STRAIGHT), straight
    return (FLUSH if flush else category), ranks


def five_card_value(cards: Iterable[int], short_deck: bool = False) -> Value:
    """Return a value of five cards that is bigger for better hands."""
    category, ranks = hand_class(cards, short_deck)
    return order(short_deck).index(category), ranks


def best_value(cards: Iterable[int], short_deck: bool = False) -> Value:
    """Return the value of the best five of any number of cards.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> best_value(as_cards("AhAdKcKs2c3d7h")) > best_value(as_cards("AhAdQcQs2c3d7h"))
    True
    """
    return max(five_card_value(five, short_deck) for five in combinations(cards, 5))


def few_value(hand: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a value of one to four cards: how often ranks appear, then these ranks."""
    counted = sorted(
        ((count, rank) for rank, count in Counter(card // 4 for card in hand).items()), reverse=True
    )
    return tuple(count for count, _ in counted), tuple(rank for _, rank in counted)
