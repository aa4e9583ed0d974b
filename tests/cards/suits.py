"""Plain twin of the canonical boards: the smallest of the 24 renamings of the suits."""

from collections.abc import Iterable
from itertools import permutations


def renamed(cards: Iterable[int], suits: tuple[int, ...]) -> tuple[int, ...]:
    """Give every card the suit that its own becomes; sorted."""
    return tuple(sorted(4 * (card // 4) + suits[card % 4] for card in cards))


def smallest_renaming(cards: Iterable[int]) -> tuple[int, ...]:
    """Stand-in for the class of a set of cards: equal for equivalent sets, different else."""
    held = tuple(cards)
    return min(renamed(held, suits) for suits in permutations(range(4)))


def orbit_size(cards: Iterable[int]) -> int:
    """How many different sets a set of cards is renamed to."""
    held = tuple(cards)
    return len({renamed(held, suits) for suits in permutations(range(4))})
