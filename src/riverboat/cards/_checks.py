"""Checks of numbers and arrays from callers: whole and in range, or CardError.

A plain cast would turn 256 into 0 and 1.5 into 1; these functions refuse both.
"""

import operator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat.cards._card import CardsLike, as_cards, cards_text
from riverboat.errors import CardError

_Number = TypeVar("_Number", bound=np.unsignedinteger[Any])


def whole_number(value: object, allowed: range, sentence: str) -> int:
    """Return a number as a plain int, or raise CardError with the sentence.

    Examples
    --------
    >>> whole_number(np.int64(3), range(5), "not raised here")
    3
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # checked by this call
    except TypeError:
        raise CardError(sentence) from None
    if number not in allowed:
        raise CardError(sentence)
    return number


def whole_array(
    values: ArrayLike,
    shape: tuple[str | int, ...],
    dtype: type[_Number],
    allowed: range,
    names: tuple[str, str],
) -> NDArray[_Number]:
    """Return a C-contiguous array of whole numbers; arrays of that dtype are not copied.

    Parameters
    ----------
    values
        The numbers; `[]` means no rows.
    shape
        The length of each axis, or a letter for any length.
    dtype
        Type of the result; wide enough for `allowed`.
    allowed
        Allowed numbers. Not checked if the array already has the dtype: the caller does that.
    names
        What the error calls the array, and one number in it.

    Examples
    --------
    >>> whole_array([[50, 46]], ("n", "k"), np.uint8, range(52), ("a batch of hands", "a card"))
    array([[50, 46]], dtype=uint8)
    """
    what, item = names
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise CardError(f"the rows of {what} must have equal length") from None
    if array.shape == (0,):  # NumPy reads an empty list as one axis of floats
        array = np.empty([0 if isinstance(n, str) else n for n in shape], dtype)
    fits = len(shape) == array.ndim and all(
        isinstance(n, str) or n == length for n, length in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in "iu":
        raise CardError(
            f"{what} is an array [{', '.join(map(str, shape))}] of whole numbers, "
            f"not one of shape {list(array.shape)} and type {array.dtype}"
        )
    if array.dtype != dtype:
        wrong = array[(array < allowed.start) | (array >= allowed.stop)]
        if wrong.size:
            raise CardError(
                f"{wrong.flat[0]} is not {item}: {what} holds numbers "
                f"{allowed.start} to {allowed.stop - 1}"
            )
    return np.ascontiguousarray(array, dtype=dtype)


def hole_and_board(
    hole: CardsLike, board: CardsLike, sizes: tuple[int, ...] = (0, 3, 4, 5)
) -> tuple[tuple[int, int], list[int]]:
    """Read two hole cards and a board of one of the sizes, all different.

    Examples
    --------
    >>> hole_and_board("AhKd", "2c3c4c")
    ((50, 45), [0, 4, 8])
    """
    held, table = as_cards(hole), as_cards(board)
    if len(held) != 2 or len(table) not in sizes:
        allowed = " or ".join(filter(None, (", ".join(map(str, sizes[:-1])), str(sizes[-1]))))
        raise CardError(
            f"{cards_text(held) or 'no cards'} on {cards_text(table) or 'no board'}: "
            f"two hole cards are needed, and a board of {allowed} cards"
        )
    if set(held) & set(table):
        raise CardError(
            f"the hole pair {cards_text(held)} and the board {cards_text(table)} share a card"
        )
    return (held[0], held[1]), table


def card_batch(cards: ArrayLike, num_cards: int, what: str) -> NDArray[np.uint8]:
    """Return an [n, k] uint8 array of cards; the kernels check the values of uint8 arrays.

    An empty list becomes no rows of `num_cards` cards.
    """
    batch = whole_array(cards, ("n", "k"), np.uint8, range(52), (what, "a card"))
    return batch if batch.shape != (0, 0) else np.empty((0, num_cards), np.uint8)
