"""Hands of real bots, scored by AIVAT: who is known, and what a hand was worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.errors import GameError
from riverboat.evaluate._aivat import Aivat
from riverboat.evaluate._aivat_cards import HoldemCards
from riverboat.game import Hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.bots import HandStrategies
    from riverboat.evaluate._aivat import AivatValue
    from riverboat.game import GameSpec


def check_aivat_game(spec: GameSpec) -> None:
    """Refuse games that are not counted out.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> check_aivat_game(catalogue("leduc"))
    Traceback (most recent call last):
    ...
    riverboat.errors.GameError: AIVAT is for hold'em of two players without rake and discards: \
'leduc' with 2 players is not such a game
    """
    if not spec.is_holdem or spec.players != 2 or spec.has_swaps or spec.rake.percent:
        raise GameError(
            "AIVAT is for hold'em of two players without rake and discards: "
            f"'{spec.name}' with {spec.players} players is not such a game"
        )


def is_known(bot: object) -> bool:
    """Return whether a bot can say how often it does what with every hand, whatever came before.

    One whose answers are not the same when it is asked again, such as one that thinks by the
    clock, says so with an attribute `repeats = False`.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> is_known(make_bot("fish", 0)), is_known(make_bot("shark", 0))
    (True, False)
    """
    if not hasattr(bot, "strategies") or getattr(bot, "learns", False):
        return False
    if not getattr(bot, "repeats", True):
        return False
    behind = getattr(bot, "fallback", None)
    return behind is None or hasattr(behind, "strategies") or hasattr(behind, "strategy")


class AivatScorer:
    """Scores hands of two bots.

    With two known bots the estimate is the mean of both points of view, each with the terms of
    both bots' decisions.

    Parameters
    ----------
    value
        What states are worth.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.evaluate import CheckDown
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhAd", "KsKc"], board="2c7d9hTs3s")
    >>> hand.play("b1000c")
    >>> shove = make_bot("fish", 0), None
    >>> try:
    ...     AivatScorer(CheckDown()).score(hand, shove)
    ... except GameError as error:
    ...     print(error)
    seat 0 did b1000 after '' with cards with which it says that it never does
    """

    def __init__(self, value: AivatValue) -> None:
        self._aivat = Aivat(HoldemCards(), value)

    def score(self, hand: Hand, bots: Sequence[object | None]) -> float:
        """Return what a hand was worth to seat 0, in chips.

        Parameters
        ----------
        hand
            As it was played, with all cards known.
        bots
            By seat; None where a bot is not known. One of them must be.

        Raises
        ------
        GameError
            If a known bot did what it says that it never does.
        """
        told = _told(hand, bots)
        known = [seat for seat, bot in enumerate(bots) if bot is not None]
        signs = (1, -1)
        chips = [signs[seat] * self._aivat.terms(hand, seat, told).total for seat in known]
        return sum(chips) / len(chips)


def _told(hand: Hand, bots: Sequence[object | None]) -> list[HandStrategies | None]:
    """What known bots say of each decision of a hand."""
    again = Hand(hand.spec, cards=hand.deal, stacks=hand.starting_stacks)
    told: list[HandStrategies | None] = []
    for event in hand.events:
        bot = bots[event.seat]
        asked = None if bot is None else getattr(bot, "strategies", None)
        told.append(None if asked is None else asked(again.view(event.seat)))
        again.do(event.action)
    return told
