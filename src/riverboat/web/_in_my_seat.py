"""After a hand: what the bot would have done in the person's seat."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import msgspec

from riverboat.bots import BlueprintBot, StrategyBot, make_bot
from riverboat.cards import cards_text
from riverboat.errors import RiverboatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.bots import Bot
    from riverboat.game import Hand, View

__all__ = ["Choice", "decisions_of", "in_my_seat"]

_TWO: Final = 2
_RUN_OUTS: Final = 60  # drawn before the turn: a third of a second


class Choice(msgspec.Struct, frozen=True):
    """A decision of the person, and the bot's."""

    street: str
    line: str
    board: str
    hole: str
    did: str
    by: str
    actions: dict[str, float]
    """How often the bot does what; empty where it cannot say."""
    values: dict[str, float]
    """What each of them is worth, chips; empty where that is not known."""
    loss: float | None
    """Chips that the best of them is worth more than what was done."""
    error: float
    """Standard error of the values; 0 where they are exact."""
    reason: str
    """Why it cannot say."""


def decisions_of(hand: Hand, seat: int) -> list[tuple[View, str]]:
    """Return what a seat saw before each of its actions in a hand, and what it did."""
    again, found = hand.clone(), []
    for _ in hand.events:
        again.undo()
    for event in hand.events:
        if again.actor == seat:
            found.append((again.view(seat), str(event.action)))
        again.do(event.action)
    return found


def in_my_seat(name: str, decisions: Sequence[tuple[View, str]]) -> list[Choice]:
    """Ask a bot about decisions of a hand that is over.

    Parameters
    ----------
    name
        The bot.
    decisions
        What the person saw, and what he did.
    """
    bot = make_bot(name, 0)
    return [_choice(bot, name, view, did) for view, did in decisions]


def _choice(bot: Bot, name: str, view: View, did: str) -> Choice:
    street = view.spec.street_names[view.street]
    place = (street, view.line, cards_text(view.board), cards_text(view.hole), did, name)
    if not isinstance(bot, StrategyBot):
        return Choice(*place, {}, {}, None, 0.0, f"{name} does not say how often it does what")
    try:
        actions = {str(action): share for action, share in bot.strategy(view).items()}
        values, error = _values(bot, view)
    except RiverboatError as told:
        return Choice(*place, {}, {}, None, 0.0, str(told))
    loss = max(values.values()) - values[did] if did in values else None
    return Choice(*place, actions, values, loss, error, "")


def _values(bot: Bot, view: View) -> tuple[dict[str, float], float]:
    """What actions are worth, by the bot's own strategy file, and the largest standard error."""
    if not isinstance(bot, BlueprintBot) or view.spec.has_swaps or view.spec.players > _TWO:
        return {}, 0.0
    found = [
        each for each in bot.query.values(view, _RUN_OUTS).actions if not math.isnan(each.value)
    ]
    error = max((each.error for each in found), default=0.0)
    return {each.action: round(each.value, 3) for each in found}, round(error, 3)
