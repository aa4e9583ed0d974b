"""PyPokerEngine's card names, and its game as a `GameSpec`."""

from functools import lru_cache
from typing import Final

from riverboat.cards import RANKS, SUITS
from riverboat.errors import GameError
from riverboat.game import HOLDEM_STREETS, GameSpec, Street

#: Text of each card: the suit first, upper case.
_TEXTS: Final = tuple(suit.upper() + rank for rank in RANKS for suit in SUITS)
_NUMBERS: Final = {text: card for card, text in enumerate(_TEXTS)}
# Heads-up the small blind acts first on every street.
_SMALL_BLIND_FIRST: Final = (
    Street(hole=2),
    Street(board=3, first=0),
    Street(board=1, first=0),
    Street(board=1, first=0),
)


def card_text(card: int) -> str:
    """Write a card as PyPokerEngine does.

    Examples
    --------
    >>> card_text(51), card_text(0)
    ('SA', 'C2')
    """
    return _TEXTS[card]


def card_number(text: str) -> int:
    """Read a card as PyPokerEngine writes it.

    Examples
    --------
    >>> card_number("SA"), card_number("C2")
    (51, 0)
    """
    number = _NUMBERS.get(text)
    if number is None:
        raise GameError(
            f"{text!r} is not a card of PyPokerEngine: write suit, then rank, such as 'HT'"
        )
    return number


def engine_game(
    players: int = 2, stack: int = 1000, small_blind: int = 5, ante: int = 0
) -> GameSpec:
    """Return the `GameSpec` that is closest to PyPokerEngine's game.

    Heads-up, the small blind acts first on every street. The minimum raise is one small blind,
    because the engine counts the big blind as a raise by one small blind. Its minimum bet after the
    flop is nevertheless a big blind; views have the right bounds.

    Parameters
    ----------
    players
        Seats, 2 to 10.
    stack, small_blind, ante
        Chips of every seat. The big blind is always twice the small blind.

    Examples
    --------
    >>> from riverboat.game import Hand
    >>> hand = Hand(engine_game(), seed=1)
    >>> hand.legal().raise_to
    (15, 1000)
    >>> hand.play("ck")
    >>> hand.actor  # the small blind
    0
    """
    return game_of((stack,) * players, small_blind, ante, button_is_small_blind=False)


@lru_cache(maxsize=256)
def game_of(
    stacks: tuple[int, ...], small_blind: int, ante: int, *, button_is_small_blind: bool
) -> GameSpec:
    """Return the game of a table; the same object for the same table."""
    players = len(stacks)
    usual = players > 2 or button_is_small_blind
    return GameSpec(
        name="pypokerengine",
        stacks=stacks,
        blinds=(small_blind, 2 * small_blind, *(0,) * (players - 2)),
        antes=(ante,) * players,
        streets=HOLDEM_STREETS if usual else _SMALL_BLIND_FIRST,
        min_bet=small_blind,
    )
