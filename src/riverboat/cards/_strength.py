"""Strength of the best five of 5, 6 or 7 cards, as a number and in words.

A bigger number is a better hand: 0 (7-5-4-3-2) to 7461 (royal flush) with 52
cards, 0 to 1403 in short deck. In short deck a flush beats a full house, a
straight still beats three of a kind, and the ace is also low, below the six.
"""

from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat import _core
from riverboat._core import evaluate
from riverboat.cards._card import RANKS, CardsLike, as_cards
from riverboat.cards._checks import card_batch, whole_number

Category = Literal[
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)
_NUM_STANDARD = 7462
_RANK_NAMES = (
    *("deuce", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)


def kernels() -> str:
    """Return the instruction set that the loaded kernels are built for.

    Examples
    --------
    >>> kernels() in ("baseline", "x86-64-v3")
    True
    """
    return str(_core.ISA)


def evaluate_batch(cards: ArrayLike, *, short_deck: bool = False) -> NDArray[np.uint16]:
    """Return the strengths of many hands.

    Parameters
    ----------
    cards
        [n, 5], [n, 6] or [n, 7] cards 0..51; uint8 arrays are not copied.
    short_deck
        Rank by the rules of the 36-card game.

    Returns
    -------
    [n] uint16
        The strength of each row.

    Examples
    --------
    >>> evaluate_batch([[51, 47, 43, 39, 35], [0, 4, 8, 12, 21]])
    array([7461,    0], dtype=uint16)
    """
    hands = card_batch(cards, 5, "a batch of hands")
    out = np.empty(len(hands), np.uint16)
    _core.evaluate_batch_into(hands, out, bool(short_deck))
    return out


def num_strengths(*, short_deck: bool = False) -> int:
    """Return the number of strengths: 7,462, or 1,404 in short deck."""
    return _core.num_strengths(bool(short_deck))


def category(strength: int, *, short_deck: bool = False) -> Category:
    """Return the category of a strength.

    Examples
    --------
    >>> category(evaluate("AhKhQhJhTh2c2d"))
    'straight flush'
    """
    return CATEGORIES[_class_of(strength, short_deck)[0]]


def describe(hand: CardsLike, *, short_deck: bool = False) -> str:
    """Describe the best five of 5, 6 or 7 cards in words.

    Examples
    --------
    >>> describe("KhKd4s4c Qs7h2d")
    'two pair, kings and fours, queen kicker'
    """
    strength = evaluate(as_cards(hand), short_deck)
    return describe_strength(strength, short_deck=short_deck)


def describe_strength(strength: int, *, short_deck: bool = False) -> str:
    """Describe a strength in words.

    Examples
    --------
    >>> describe_strength(7461), describe_strength(0)
    ('royal flush', 'high card, seven, with five, four, three and deuce')
    """
    kind, ranks = _class_of(strength, short_deck)
    names = [_RANK_NAMES[rank] for rank in ranks]
    top = names[0]
    match CATEGORIES[kind]:
        case "straight flush":
            return "royal flush" if top == "ace" else f"straight flush, {top} high"
        case "four of a kind":
            return f"four of a kind, {_plural(top)}, {names[4]} kicker"
        case "full house":
            return f"full house, {_plural(top)} full of {_plural(names[3])}"
        case "flush":
            return f"flush, {top} high, with {_listed(names[1:])}"
        case "straight":
            return f"straight, {top} high"
        case "three of a kind":
            return f"three of a kind, {_plural(top)}, {_listed(names[3:])} kickers"
        case "two pair":
            return f"two pair, {_plural(top)} and {_plural(names[2])}, {names[4]} kicker"
        case "pair":
            return f"pair of {_plural(top)}, {_listed(names[2:])} kickers"
        case _:
            return f"high card, {top}, with {_listed(names[1:])}"


def cactus_kev(strength: int) -> int:
    """Convert a strength to the Cactus Kev number: 1 (royal flush) to 7462, smaller is better.

    Examples
    --------
    >>> cactus_kev(evaluate("AsKsQsJsTs")), cactus_kev(0)
    (1, 7462)
    """
    return _NUM_STANDARD - _checked(strength, _NUM_STANDARD)


@cache
def _classes(short_deck: bool) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return categories [strengths], and ranks [strengths, 5] in order of importance."""
    count = _core.num_strengths(short_deck)
    categories, ranks = np.empty(count, np.uint8), np.empty((count, 5), np.uint8)
    _core.hand_classes_into(categories, ranks, short_deck)
    return categories, ranks


def _class_of(strength: int, short_deck: bool) -> tuple[int, list[int]]:
    categories, ranks = _classes(bool(short_deck))
    number = _checked(strength, len(categories))
    return int(categories[number]), ranks[number].tolist()


def _checked(strength: int, count: int) -> int:
    sentence = f"{strength!r} is not a strength: strengths are 0 to {count - 1}"
    return whole_number(strength, range(count), sentence)


def _plural(name: str) -> str:
    return name + ("es" if name == "six" else "s")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


def evaluate_few_batch(cards: ArrayLike) -> NDArray[np.uint16]:
    """Return the strengths of many hands with the same number of cards, one to four.

    Straights and flushes need five cards. The order is quads, trips, two pair, pair, high card,
    then the ranks. Strengths compare hands with the same number of cards only; `evaluate_few`
    is the same for one hand.

    Parameters
    ----------
    cards
        [n, k] cards 0..51, k from 1 to 4; the cards of a row are different.

    Returns
    -------
    [n] uint16
        From 0 on, one number for each set of ranks; bigger is better.

    Examples
    --------
    >>> evaluate_few_batch([[0, 4], [48, 51]]).tolist()  # 3-2 and a pair of aces
    [0, 90]
    >>> from riverboat.cards import evaluate_few
    >>> evaluate_few("7c7d2h2s") > evaluate_few("AhAdKsQs")
    True
    """
    hands = card_batch(cards, 1, "a batch of hands")
    out = np.empty(len(hands), np.uint16)
    _core.evaluate_few_batch_into(hands, out)
    return out


class HandRank(NamedTuple):
    """The best five cards of a hand: category, the ranks that make it, and the kickers."""

    category: Category
    ranks: tuple[str, ...]
    """Ranks that make the category, most important first, such as K 4 of kings and fours."""
    kickers: tuple[str, ...]
    """Ranks of the other cards of the five, from high to low."""


def hand_rank(hand: CardsLike, *, short_deck: bool = False) -> HandRank:
    """Return category and kickers of the best five of 5, 6 or 7 cards.

    Examples
    --------
    >>> hand_rank("KhKd4s4c Qs7h2d")
    HandRank(category='two pair', ranks=('K', '4'), kickers=('Q',))
    >>> hand_rank("AhQh9h6h2h KsKd").kickers
    ('Q', '9', '6', '2')
    """
    strength = evaluate(as_cards(hand), short_deck)
    kind, ranks = _class_of(strength, short_deck)
    made = list(dict.fromkeys(RANKS[rank] for rank in ranks[: _MADE[CATEGORIES[kind]]]))
    kickers = [RANKS[rank] for rank in ranks[_MADE[CATEGORIES[kind]] :]]
    if CATEGORIES[kind] in ("straight", "straight flush"):
        made, kickers = made[:1], []
    return HandRank(CATEGORIES[kind], tuple(made), tuple(kickers))


# Cards that make a category; the others of the five are kickers.
_MADE: dict[Category, int] = {
    "high card": 1,
    "pair": 2,
    "two pair": 4,
    "three of a kind": 3,
    "straight": 5,
    "flush": 1,
    "full house": 5,
    "four of a kind": 4,
    "straight flush": 5,
}
