"""Hands of one to four cards, ranked: quads, trips, two pair, pair, high card, then the ranks.

So few cards make no straight and no flush. Husky's evaluator takes hands of any size; ours looks
them up in tables of all 13 to the power n ranks. Numbers compare hands of equally many cards only.
"""

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat.cards._card import CardsLike, as_cards
from riverboat.cards._checks import card_batch
from riverboat.errors import CardError

_MOST = 4
_RANKS = 13


def evaluate_few(cards: CardsLike) -> int:
    """Return the strength of one to four cards, bigger is better, among hands of so many cards.

    Examples
    --------
    >>> evaluate_few("2c2d") > evaluate_few("AhKh")
    True
    >>> evaluate_few("7c7d2h2s") > evaluate_few("AhAdKsQs")
    True
    """
    hand, ranks = as_cards(cards), 0
    _check_size(len(hand))
    for card in reversed(hand):
        ranks = _RANKS * ranks + card // 4
    return int(_table(len(hand))[ranks])


def evaluate_few_batch(cards: ArrayLike) -> NDArray[np.uint16]:
    """Return the strengths of many hands of one to four cards.

    Parameters
    ----------
    cards
        [n, k] cards 0..51, k from 1 to 4, those of a row all different.

    Returns
    -------
    [n] uint16
        From 0 on, as many numbers as there are different hands up to suits.

    Examples
    --------
    >>> evaluate_few_batch([[0, 4], [48, 51]]).tolist()  # 3-2 and a pair of aces
    [0, 90]
    """
    hands = card_batch(cards, 1, "a batch of hands")
    _check_size(hands.shape[1])
    in_order = np.sort(hands, axis=1)
    if (in_order[:, 1:] == in_order[:, :-1]).any():
        raise CardError("a batch of hands: the cards of a hand must all be different")
    powers = _RANKS ** np.arange(hands.shape[1])
    strengths: NDArray[np.uint16] = _table(hands.shape[1])[(hands // 4) @ powers]
    return strengths


def _check_size(num_cards: int) -> None:
    if not 1 <= num_cards <= _MOST:
        raise CardError(f"a hand has 1 to {_MOST} cards here, not {num_cards}")


@cache
def _table(num_cards: int) -> NDArray[np.uint16]:
    """[13 ** n] uint16: the strength by the ranks as digits, in any order."""
    every = list(product(range(_RANKS), repeat=num_cards))
    worth = [_worth(ranks) for ranks in every]
    places = {each: place for place, each in enumerate(sorted(set(worth)))}
    return np.array([places[each] for each in worth], np.uint16)


def _worth(ranks: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How often its ranks come, most first, then the ranks in that order."""
    counted = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    return tuple(count for count, _ in counted), tuple(rank for _, rank in counted)
