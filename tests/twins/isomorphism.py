"""Hands up to the names of the suits, straight from the definition.

Two hands are the same when one of the 24 suit permutations maps each round of
the first, as a set, to the same round of the second. The canonical form is the
smallest of the 24 images. Twin of core/cards/isomorphism.cpp.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import numpy as np

__all__ = ["canonical_form", "num_classes"]

SUIT_PERMUTATIONS: Final = list(permutations(range(4)))

Form = tuple[tuple[int, ...], ...]


def rename_suits(cards: Sequence[int], permutation: Sequence[int]) -> list[int]:
    """Give each card of suit s the suit permutation[s]."""
    return [card // 4 * 4 + permutation[card % 4] for card in cards]


def split_rounds(cards: Sequence[int], rounds: Sequence[int]) -> list[Sequence[int]]:
    """Cut a hand into its rounds."""
    ends = np.cumsum(rounds).tolist()
    return [cards[end - size : end] for size, end in zip(rounds, ends, strict=True)]


def canonical_form(cards: Sequence[int], rounds: Sequence[int]) -> Form:
    """Smallest image of a hand under the 24 suit permutations.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> canonical_form(as_cards("AhKh"), (2,)) == canonical_form(as_cards("AsKs"), (2,))
    True
    """
    return min(
        tuple(tuple(sorted(part)) for part in split_rounds(rename_suits(cards, suits), rounds))
        for suits in SUIT_PERMUTATIONS
    )


def num_classes(rounds: Sequence[int]) -> int:
    """Count the classes by Burnside's lemma: the mean number of hands that a permutation fixes.

    A hand is fixed when each cycle of suits lies, for each rank, wholly in one
    round or in none. So the fixed hands are counted by the coefficient of
    prod x_r^rounds[r] in prod over ranks and cycles of (1 + sum_r x_r^length).

    Examples
    --------
    >>> num_classes((2,)), num_classes((2, 3))
    (169, 1286792)
    """
    total = 0
    for suits in SUIT_PERMUTATIONS:
        fixed = {(0,) * len(rounds): 1}
        for length in _cycle_lengths(suits) * 13:
            fixed = _times_cycle(fixed, length, rounds)
        total += fixed.get(tuple(rounds), 0)
    return total // len(SUIT_PERMUTATIONS)


def _cycle_lengths(permutation: Sequence[int]) -> list[int]:
    lengths = []
    left = set(range(len(permutation)))
    while left:
        item = min(left)
        length = 0
        while item in left:
            left.remove(item)
            item = permutation[item]
            length += 1
        lengths.append(length)
    return lengths


def _times_cycle(
    polynomial: dict[tuple[int, ...], int], length: int, rounds: Sequence[int]
) -> dict[tuple[int, ...], int]:
    """Multiply by 1 + sum_r x_r^length, without powers above those of `rounds`."""
    product = dict(polynomial)
    for powers, coefficient in polynomial.items():
        for r, power in enumerate(powers):
            if power + length <= rounds[r]:
                raised = (*powers[:r], power + length, *powers[r + 1 :])
                product[raised] = product.get(raised, 0) + coefficient
    return product
