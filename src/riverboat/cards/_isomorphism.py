"""Indices of hands up to suit isomorphism.

Suits have no rank in hold'em, so ``AhKh`` and ``AsKs`` are isomorphic.
`HandIndexer` numbers the classes of isomorphic hands without gaps, so that a
plain array can hold one entry for each class. The method is that of Waugh,
"A Fast and Optimal Hand Isomorphism Algorithm" (2013).

Cards are dealt in rounds. The order of the cards within a round does not
matter. Two settings are common:

* rounds of (2, 3, 1, 1): separate hole cards, flop, turn and river. Hands differ if a board card
  was dealt on another street: 169, 1,286,792, 55,190,538 and 2,428,287,420 classes.
* (2,), (2, 3), (2, 4), (2, 5), one for each street: hole cards and one set of board cards. These
  have fewer classes (13,960,050 on the turn, 123,156,254 on the river), for functions of the final
  cards only.

Indexing is lossless: hands share an index only if they are isomorphic.
"""

import operator
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat import _core
from riverboat.cards._checks import card_batch, whole_array, whole_number
from riverboat.errors import CardError


class HandIndexer:
    """Maps hands to the numbers of their classes under suit permutation, and back.

    Two hands get the same index if and only if one permutation of the suits maps
    each round of the first to the same round of the second. The indices of round
    ``r`` are exactly ``0 .. size(r) - 1``. Their order has no meaning. An indexer
    never changes, may be shared by threads, and takes under a megabyte for hold'em.

    Parameters
    ----------
    rounds
        Number of cards dealt in each round: 1 to 4 rounds of at least one
        card, at most 13 cards in total.

    Raises
    ------
    CardError
        If the rounds are not of that kind.

    Examples
    --------
    >>> indexer = HandIndexer()
    >>> [indexer.size(round_index) for round_index in range(4)]
    [169, 1286792, 55190538, 2428287420]
    >>> indexer.index("AhKh") == indexer.index("KsAs")
    True
    >>> indexer.index("AhKh 2h3c4d 5s 6s") == indexer.index("AhKh 2h3c4d 6s 5s")
    False
    """

    __slots__ = ("_kernel", "_rounds")

    def __init__(self, rounds: Sequence[int] = (2, 3, 1, 1)) -> None:
        self._rounds = _as_rounds(rounds)
        self._kernel = _core.HandIndexer(self._rounds)

    @property
    def rounds(self) -> tuple[int, ...]:
        """Number of cards dealt in each round."""
        return self._rounds

    def size(self, round_index: int) -> int:
        """Return the number of classes at the end of a round (rounds count from 0).

        Examples
        --------
        >>> HandIndexer((2, 5)).size(1)
        123156254
        """
        return self._kernel.size(self._checked_round(round_index))

    def index(self, cards: str | Sequence[int] | Sequence[str]) -> int:
        """Return the index of a hand's class; the number of cards determines the round.

        The cards of the first round come first. Raises CardError if a card does not exist or
        appears twice, or no round ends with that number of cards.

        Examples
        --------
        >>> HandIndexer().index("2c3d")
        1
        """
        return self._kernel.index(cards)

    def index_batch(self, cards: ArrayLike) -> NDArray[np.uint64]:
        """Return the indices of many hands of one round: `[n] uint64`.

        Hands are `[n, k]` cards 0..51; C-contiguous arrays of uint8 are not copied.

        Examples
        --------
        >>> HandIndexer().index_batch([[0, 5], [1, 4], [48, 44]])
        array([  1,   1, 168], dtype=uint64)
        """
        hands = card_batch(cards, self._rounds[0], "a batch of hands")
        indices = np.empty(len(hands), dtype=np.uint64)
        self._kernel.index_batch_into(hands, indices)
        return indices

    def unindex(self, round_index: int, index: int) -> list[int]:
        """Return a representative hand of a class, always the same; cards ascend within each round.

        Examples
        --------
        >>> HandIndexer().unindex(0, 1)  # 2c3d
        [0, 5]
        """
        return self._kernel.unindex(self._checked_round(round_index), index)

    def unindex_batch(self, round_index: int, indices: ArrayLike) -> NDArray[np.uint8]:
        """Return a representative hand of each of many classes of a round: `[n, k] uint8`.

        Examples
        --------
        >>> HandIndexer().unindex_batch(0, [0, 168])
        array([[ 0,  1],
               [44, 48]], dtype=uint8)
        """
        number = self._checked_round(round_index)
        names = ("a batch of indices", "an index")
        requested = whole_array(indices, ("n",), np.uint64, range(2**64), names)
        cards = np.empty((len(requested), sum(self._rounds[: number + 1])), dtype=np.uint8)
        self._kernel.unindex_batch_into(number, requested, cards)
        return cards

    def _checked_round(self, round_index: int) -> int:
        count = len(self._rounds)
        sentence = f"there is no round {round_index!r}: the rounds are 0 to {count - 1}"
        return whole_number(round_index, range(count), sentence)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HandIndexer) and self._rounds == other._rounds

    def __hash__(self) -> int:
        return hash((HandIndexer, self._rounds))

    def __reduce__(self) -> tuple[type["HandIndexer"], tuple[tuple[int, ...]]]:
        return HandIndexer, (self._rounds,)

    def __repr__(self) -> str:
        return f"HandIndexer({self._rounds})"


def _as_rounds(rounds: Sequence[int]) -> tuple[int, ...]:
    """Return a tuple of small integers; the kernel checks the rest."""
    try:
        numbers = tuple(operator.index(num_cards) for num_cards in rounds)
    except TypeError:
        numbers = (-1,)
    if any(not 0 <= num_cards <= 52 for num_cards in numbers):
        raise CardError(
            f"{rounds!r} are not rounds of cards: give the number of cards of each, "
            "such as (2, 3, 1, 1)"
        )
    return numbers
