"""After a hand: what the bot would have done in the user's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from riverboat.bots import BotRef, StrategyBot, make_bot
from riverboat.cards import cards_text
from riverboat.errors import RiverboatError
from riverboat.learn import bot_grader, seat_grader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.bots import Bot
    from riverboat.game import View
    from riverboat.learn import Grade

_TWO: Final = 2
_DEFAULT: Final = "blueprint"


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
    """EV of each action in chips; empty if unknown, or if the action cost nothing."""
    loss: float | None
    """EV loss of the user's action in chips; None if unknown."""
    error: float
    """Standard error of the EV loss; 0 if it is exact."""
    reason: str
    """Why there are no probabilities."""
    pot: int
    to_call: int
    best: str
    """The action with the largest EV; empty if unknown."""
    tree_line: str
    """The line of the strategy's tree, for Study; empty if there is none."""


def in_my_seat(name: str, decisions: Sequence[tuple[View, str]]) -> list[Choice]:
    """Compare the user's decisions in a finished hand with a bot, or with the default strategy.

    Parameters
    ----------
    name
        The bot. One that searches, and one without a strategy file, is replaced by the default
        strategy if that plays the game: it can grade, and answers at once.
    decisions
        The user's views and actions.
    """
    if not decisions:
        return []
    name = _judge(name, decisions[0][0])
    bot = make_bot(name, 0)
    return [_choice(bot, name, view, did) for view, did in decisions]


def _judge(name: str, view: View) -> str:
    """Return the bot with which decisions are compared."""
    if view.spec.players > _TWO or view.spec.has_swaps:
        return name
    slow = BotRef.parse(name).name == "search"
    if not slow and bot_grader(name, view.spec) is not None:
        return name
    return _DEFAULT if seat_grader(_DEFAULT, view.spec) is not None else name


def _choice(bot: Bot, name: str, view: View, did: str) -> Choice:
    street = view.spec.street_names[view.street]
    place = (street, view.line, cards_text(view.board), cards_text(view.hole), did, name)
    actions: dict[str, float] = {}
    grade, reason = None, f"{name} does not report action probabilities"
    if isinstance(bot, StrategyBot):
        try:
            actions = {str(action): share for action, share in bot.strategy(view).items()}
            grade, reason = _graded(name, view, did), ""
        except RiverboatError as error:
            reason = str(error)
    chips = view.pot, view.to_call
    if grade is None:
        return Choice(*place, actions, {}, None, 0.0, reason, *chips, "", "")
    best = max(grade.values, key=lambda action: grade.values[action], default="")
    found = grade.values, grade.loss, round(grade.error, 3)
    return Choice(*place, actions, *found, "", *chips, best, grade.line)


def _graded(name: str, view: View, did: str) -> Grade | None:
    """Grade an action by the bot's strategy file; None if that is not possible."""
    spec = view.spec
    grader = None if spec.has_swaps or spec.players > _TWO else bot_grader(name, spec)
    grade = None if grader is None else grader.grade(view, did)
    return grade if grade is not None and grade.graded else None
