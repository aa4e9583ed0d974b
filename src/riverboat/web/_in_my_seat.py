"""After a hand: what the bot would have done in the user's seat."""

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
    """A decision of the user, compared with the bot."""

    street: str
    line: str
    board: str
    hole: str
    did: str
    by: str
    actions: dict[str, float]
    """The bot's probability of each action; empty if the bot cannot say it."""
    values: dict[str, float]
    """EV of each action in chips; empty if unknown."""
    loss: float | None
    """EV loss of the user's action in chips; None if unknown."""
    error: float
    """Standard error of the EV loss; 0 if it is exact."""
    reason: str
    """Why there are no probabilities."""


def in_my_seat(name: str, decisions: Sequence[tuple[View, str]]) -> list[Choice]:
    """Ask a bot about the user's decisions in a finished hand.

    Parameters
    ----------
    name
        The bot.
    decisions
        The user's views and actions.
    """
    bot = make_bot(name, 0)
    return [_choice(bot, name, view, did) for view, did in decisions]


def _choice(bot: Bot, name: str, view: View, did: str) -> Choice:
    street = view.spec.street_names[view.street]
    place = (street, view.line, cards_text(view.board), cards_text(view.hole), did, name)
    if not isinstance(bot, StrategyBot):
        return Choice(*place, {}, {}, None, 0.0, f"{name} does not report action probabilities")
    try:
        actions = {str(action): share for action, share in bot.strategy(view).items()}
        graded = _graded(name, view, did)
    except RiverboatError as error:
        return Choice(*place, {}, {}, None, 0.0, str(error))
    if graded is None:
        return Choice(*place, actions, {}, None, 0.0, "")
    return Choice(*place, actions, graded.values, graded.loss, round(graded.error, 3), "")


def _graded(name: str, view: View, did: str) -> Grade | None:
    """Grade an action by the bot's strategy file; None if that is not possible."""
    spec = view.spec
    grader = None if spec.has_swaps or spec.players > _TWO else bot_grader(name, spec)
    grade = None if grader is None else grader.grade(view, did, values=True)
    return grade if grade is not None and grade.graded else None
