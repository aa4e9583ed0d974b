"""After a hand: what the bot would have done in the person's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from riverboat.bots import StrategyBot, make_bot
from riverboat.cards import cards_text
from riverboat.errors import RiverboatError
from riverboat.learn import bot_grader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.bots import Bot
    from riverboat.game import View
    from riverboat.learn import Grade

_TWO: Final = 2


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
    """Chips that the strategy itself is worth more than what was done; 0 of its own choices."""
    error: float
    """Standard error of the loss; 0 where it is exact."""
    reason: str
    """Why it cannot say."""


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
        graded = _graded(name, view, did)
    except RiverboatError as told:
        return Choice(*place, {}, {}, None, 0.0, str(told))
    if graded is None:
        return Choice(*place, actions, {}, None, 0.0, "")
    return Choice(*place, actions, graded.values, graded.loss, round(graded.error, 3), "")


def _graded(name: str, view: View, did: str) -> Grade | None:
    """What actions are worth and what the choice cost, by the bot's own strategy file."""
    grader = None if view.spec.has_swaps or view.spec.players > _TWO else bot_grader(name)
    found = None if grader is None else grader.grade(view, did, values=True)
    return found if found is not None and found.graded else None
