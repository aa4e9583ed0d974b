"""Hole pairs 0..1325 and the 169 starting classes.

The pair of cards a < b has index b * (b - 1) / 2 + a, as in `core/cards/card.hpp`. A class is
13 * row + column of the usual grid: row and column 0 are aces, pairs lie on the diagonal,
suited hands above it and offsuit hands below it.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NoReturn, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from riverboat.cards._card import RANKS, as_cards, cards_text, parse_cards
from riverboat.errors import CardError

NUM_HOLES: Final = 1326
NUM_CLASSES: Final = 169


def _hole_classes(holes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Class of each pair of cards low < high."""
    low, high = holes[:, 0], holes[:, 1]
    column, row = 12 - (low >> 2), 12 - (high >> 2)  # column and row 0 are the ace
    suited = (low & 3) == (high & 3)
    return np.where(suited, 13 * row + column, 13 * column + row).astype(np.uint8)


HOLES: Final[NDArray[np.uint8]] = np.stack(np.tril_indices(52, -1)[::-1], axis=1).astype(np.uint8)
"""Cards of each hole pair, the lower number first: `[1326, 2] uint8`, read-only."""

HOLE_CLASS: Final[NDArray[np.uint8]] = _hole_classes(HOLES)
"""Starting class of each hole pair: `[1326] uint8`, read-only."""

CLASS_COMBOS: Final[NDArray[np.uint8]] = np.bincount(HOLE_CLASS).astype(np.uint8)
"""Hole pairs in each class, 6, 4 or 12: `[169] uint8`, read-only."""

CLASS_HOLES: Final[tuple[NDArray[np.intp], ...]] = tuple(
    np.split(np.argsort(HOLE_CLASS, kind="stable"), np.cumsum(CLASS_COMBOS)[:-1])
)
"""Hole pairs of each class, rising: 169 arrays `[6, 4 or 12] intp`, read-only."""

for _array in (HOLES, HOLE_CLASS, CLASS_COMBOS):
    _array.setflags(write=False)
for _holes in CLASS_HOLES:
    _holes.setflags(write=False)


def live_holes(dead: Iterable[int]) -> NDArray[np.bool_]:
    """Return which hole pairs contain no dead card: `[1326] bool`.

    Examples
    --------
    >>> int(live_holes([0, 1]).sum()) == 50 * 49 // 2
    True
    """
    left = np.ones(52, bool)
    left[list(dead)] = False
    return left[HOLES[:, 0]] & left[HOLES[:, 1]]


def hole_index(first: SupportsIndex | str, second: SupportsIndex | str) -> int:
    """Return the index 0..1325 of two different cards in either order, numbers or text.

    Examples
    --------
    >>> hole_index(0, 1), hole_index("As", "Ah")
    (0, 1325)
    """
    low, high = sorted(as_cards((first, second)))
    return high * (high - 1) // 2 + low


def hole_cards(index: SupportsIndex) -> tuple[int, int]:
    """Return the cards of a hole pair 0..1325, the lower number first.

    Examples
    --------
    >>> hole_cards(1325)
    (50, 51)
    """
    low, high = HOLES[_checked_hole(index)].tolist()
    return low, high


def parse_hole(text: str) -> int:
    """Read a hole pair: two cards in either order, such as `AhKd`.

    Examples
    --------
    >>> parse_hole("AhKd") == parse_hole("Kd Ah")
    True
    """
    cards = parse_cards(text)
    if len(cards) != 2:
        raise CardError(f"a hole pair has 2 cards, such as AhKd: {text!r} has {len(cards)}")
    return hole_index(*cards)


def hole_text(index: SupportsIndex) -> str:
    """Return a hole pair as text, the higher card first; equal ranks in the order s, h, d, c.

    Examples
    --------
    >>> hole_text(parse_hole("KdAh"))
    'AhKd'
    """
    return hole_texts()[_checked_hole(index)]


@lru_cache(maxsize=1)
def hole_texts() -> tuple[str, ...]:
    """Return the texts of all pairs by index, cached for reading and writing ranges."""
    return tuple(cards_text((high, low)) for low, high in HOLES.tolist())


def class_text(index: SupportsIndex) -> str:
    """Return a class 0..168 as text: `AKs`, `72o` or `77`.

    Examples
    --------
    >>> class_text(0), class_text(1), class_text(13)
    ('AA', 'AKs', 'AKo')
    """
    return _CLASS_TEXTS[_checked_class(index)]


def parse_class(text: str) -> int:
    """Read a starting class: two ranks in either order, then `s` or `o` unless they are equal.

    Upper and lower case are the same, and a ten is `T` or `10`. Raises CardError if the text is
    not a class; `AK` is two classes.

    Examples
    --------
    >>> parse_class("AKs"), parse_class("kao"), parse_class("22")
    (1, 13, 168)
    """
    is_ascii = isinstance(text, str) and text.isascii()
    index = _CLASSES.get(text.upper().replace("10", "T")) if is_ascii else None
    if index is None:
        _refuse_class_text(text)
    return index


# The starting classes by exact preflop equity against one random hand (a tie counts half), the best
# first. No two are equal. It is a constant so that reading a range needs no tables; a test compares
# it with the tables.
BEST_FIRST = """
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o
KJo 55 QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44
A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s
Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s
J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o
T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o
75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s
43o 72o 52o 62o 42o 32o
"""


def best_holes(percent: float) -> NDArray[np.intp]:
    """Return the best `percent` of hole pairs, class by class: `[n] intp`.

    Whole classes are taken until the percentage of 1,326 is reached.

    Examples
    --------
    >>> len(best_holes(1)), len(best_holes(100))  # AA, KK and QQ are 1.36 %
    (18, 1326)
    """
    order = [parse_class(text) for text in BEST_FIRST.split()]
    before = np.cumsum([0, *CLASS_COMBOS[order[:-1]].tolist()])
    count = int((100 * before < percent * NUM_HOLES).sum())
    return np.concatenate([np.empty(0, np.intp), *(CLASS_HOLES[index] for index in order[:count])])


def _text_of_class(index: int) -> str:
    row, column = divmod(index, 13)
    kind = "" if row == column else "s" if row < column else "o"
    return RANKS[12 - min(row, column)] + RANKS[12 - max(row, column)] + kind


_CLASS_TEXTS = tuple(_text_of_class(index) for index in range(NUM_CLASSES))
_CLASSES = {
    spelling.upper(): index
    for index, text in enumerate(_CLASS_TEXTS)
    for spelling in (text, text[1] + text[0] + text[2:])
}


def _refuse_class_text(text: str) -> NoReturn:
    raise CardError(
        f"{text!r} is not a starting class: give two ranks of {RANKS}, then s (suited) or "
        "o (offsuit) unless they are equal, such as AKs, 72o or 77"
    )


def _checked_hole(index: SupportsIndex) -> int:
    return _checked(index, NUM_HOLES, "hole pair")


def _checked_class(index: SupportsIndex) -> int:
    return _checked(index, NUM_CLASSES, "starting class")


def _checked(index: SupportsIndex, count: int, what: str) -> int:
    """Return the index as a plain int, or raise CardError."""
    try:
        number = index.__index__()
    except (AttributeError, TypeError):
        number = -1
    if not 0 <= number < count:
        raise CardError(f"{index!r} is not a {what}: they are numbered 0 to {count - 1}")
    return number
