"""Streets, and boards as sets of cards up to suit isomorphism.

There are 1,755 flops, 16,432 turns and 134,459 rivers up to isomorphism. Each
board has the id of its canonical board, and one of the 24 suit permutations
turns the board into the canonical one. The same permutation applies to hole
cards, so any function of (hole, board) fits in a table `[canonical board, hole]`.
"""

from functools import cache
from itertools import permutations
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat import _core
from riverboat.cards._card import CardsLike, as_cards
from riverboat.cards._checks import card_batch, whole_number

StreetName = Literal["preflop", "flop", "turn", "river"]
STREETS: Final[tuple[StreetName, ...]] = get_args(StreetName)

#: Number of board cards by street.
BOARD_CARDS: Final = (0, 3, 4, 5)

#: Number of canonical boards by number of cards.
NUM_BOARDS: Final = {3: 1_755, 4: 16_432, 5: 134_459}

#: `SUIT_PERMUTATIONS[p][s]` is the suit that `s` becomes.
SUIT_PERMUTATIONS: Final = tuple(permutations(range(4)))


def board_size(street: StreetName) -> int:
    """Return the number of board cards of a street.

    Examples
    --------
    >>> board_size("turn")
    4
    """
    return BOARD_CARDS[STREETS.index(street)]


class CanonicalBoard(NamedTuple):
    """The id of a canonical board, and the suit permutation that leads to it."""

    id: int
    permutation: int


def canonical_board(board: CardsLike) -> CanonicalBoard:
    """Find the canonical board of a board of 3, 4 or 5 cards.

    Parameters
    ----------
    board
        Text or cards, in any order.

    Returns
    -------
    CanonicalBoard
        The id among the canonical boards of that size, and the index into
        `SUIT_PERMUTATIONS` of the permutation that makes the board canonical.

    Examples
    --------
    >>> canonical_board("AhKh2c").id == canonical_board("2d As Ks").id
    True
    """
    cards = as_cards(board)
    ids, moves = canonical_boards(np.array([cards], np.uint8))
    return CanonicalBoard(int(ids[0]), int(moves[0]))


def canonical_boards(boards: ArrayLike) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Find the canonical boards of many boards.

    Parameters
    ----------
    boards
        [n, 3], [n, 4] or [n, 5] uint8 cards.

    Returns
    -------
    ids : [n] uint32
    permutations : [n] uint8
    """
    cards = card_batch(boards, 3, "a batch of boards")
    ids, moves = np.empty(len(cards), np.uint32), np.empty(len(cards), np.uint8)
    _core.find_boards_into(cards, ids, moves)
    return ids, moves


def board_cards(num_cards: int) -> NDArray[np.uint8]:
    """Return the cards of the canonical boards of one size, [boards, num_cards].

    Examples
    --------
    >>> board_cards(3).shape
    (1755, 3)
    """
    return _board_cards(_board_size(num_cards))


@cache
def _board_cards(num_cards: int) -> NDArray[np.uint8]:
    cards = np.empty((NUM_BOARDS[num_cards], num_cards), np.uint8)
    _core.board_cards_into(cards)
    cards.flags.writeable = False
    return cards


def board_multiplicities(num_cards: int) -> NDArray[np.uint8]:
    """Return how many boards each canonical board represents, [boards].

    Examples
    --------
    >>> int(board_multiplicities(3).sum())
    22100
    """
    return _board_multiplicities(_board_size(num_cards))


@cache
def _board_multiplicities(num_cards: int) -> NDArray[np.uint8]:
    counts = np.empty(NUM_BOARDS[num_cards], np.uint8)
    _core.board_multiplicities_into(num_cards, counts)
    counts.flags.writeable = False
    return counts


@cache
def hole_permutations() -> NDArray[np.uint16]:
    """Return the index of each hole pair after each suit permutation, [24, 1326]."""
    table = np.empty((len(SUIT_PERMUTATIONS), 1326), np.uint16)
    _core.hole_permutations_into(table)
    table.flags.writeable = False
    return table


def _board_size(num_cards: int) -> int:
    return whole_number(num_cards, range(3, 6), f"a board has 3, 4 or 5 cards, not {num_cards!r}")
