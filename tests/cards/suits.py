"""Plain twin of canonical boards: the smallest of the 24 suit permutations."""

from collections.abc import Iterable
from itertools import permutations


def renamed(cards: Iterable[int], suits: tuple[int, ...]) -> tuple[int, ...]:
    """Apply a suit permutation to cards, sorted."""
    return tuple(sorted(4 * (card // 4) + suits[card % 4] for card in cards))


def smallest_renaming(cards: Iterable[int]) -> tuple[int, ...]:
    """Return a key of a set of cards, equal if and only if sets are isomorphic."""
    held = tuple(cards)
    return min(renamed(held, suits) for suits in permutations(range(4)))


def orbit_size(cards: Iterable[int]) -> int:
    """Return how many different sets the suit permutations of a set are."""
    held = tuple(cards)
    return len({renamed(held, suits) for suits in permutations(range(4))})
