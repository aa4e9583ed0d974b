"""After a hand: what the bot would have done in the person's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from riverboat.bots import make_bot
from riverboat.cards import cards_text
from riverboat.errors import RiverboatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.game import View

__all__ = ["Choice", "in_my_seat"]


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
    found = []
    for view, did in decisions:
        actions: dict[str, float] = {}
        reason = ""
        if not hasattr(bot, "strategy"):
            reason = f"{name} does not say how often it does what"
        else:
            try:
                actions = {str(each): share for each, share in bot.strategy(view).items()}
            except RiverboatError as error:
                reason = str(error)
        street = view.spec.street_names[view.street]
        place = (street, view.line, cards_text(view.board), cards_text(view.hole))
        found.append(Choice(*place, did, name, actions, reason))
    return found
