"""The four streets of hold'em by name, and how many cards lie on the board."""

from typing import Final, Literal, get_args

StreetName = Literal["preflop", "flop", "turn", "river"]
STREETS: Final[tuple[StreetName, ...]] = get_args(StreetName)

#: Cards on the board by street.
BOARD_CARDS: Final = (0, 3, 4, 5)


def board_size(street: StreetName) -> int:
    """Cards on the board of a street.

    Examples
    --------
    >>> board_size("turn")
    4
    """
    return BOARD_CARDS[STREETS.index(street)]
