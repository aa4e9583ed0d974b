"""The opponents of the Play page: a level, a face, a name and a line, and which bot each is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from riverboat.bots import BotRef
from riverboat.errors import RiverboatError
from riverboat.table import chair_names

if TYPE_CHECKING:
    from collections.abc import Sequence


class Opponent(msgspec.Struct, frozen=True):
    """A bot as a player that a user can choose."""

    name: str
    face: str
    level: int
    """From 1, the weakest."""
    kind: str
    line: str
    bot: str
    heads_up: bool = False
    """Whether the bot plays two-player games only."""


OPPONENTS: Final = (
    Opponent("Stan", "station", 1, "Calling station", "Calls every bet. Never bluff.", "checkcall"),
    Opponent(
        "Mona", "maniac", 2, "Maniac", "Raises most hands, to any size.", "random-pypokerengine"
    ),
    Opponent("Rocky", "rock", 3, "Rock", "Waits for good hands, folds the rest.", "honest"),
    Opponent(
        "Reg", "regular", 4, "Regular", "Bets by EV, and learns how you play.", "montecarlo-plus"
    ),
    Opponent(
        "Sol", "solver", 5, "Solver", "Near equilibrium: re-solves turn and river.", "search", True
    ),
)
_BY_BOT: Final = {each.bot: each for each in OPPONENTS}
_LIKE: Final = {"blueprint": "solver", "shark": "regular", "rule-based": "rock", "fish": "station"}


#: The name of the second person at a table.
SECOND: Final = "Player 2"


def seat_names(bots: Sequence[str], people: int = 1) -> tuple[str, ...]:
    """Return distinct names for the people and the bots: `Stan (checkcall)`."""
    you, *names = chair_names(bots)
    for place, bot in enumerate(bots):
        known = _BY_BOT.get(bot)
        if known is not None and bots.index(bot) == place:
            names[place] = f"{known.name} ({bot})"
    first = [you] if people == 1 else [f"Player {chair}" for chair in range(1, people + 1)]
    return (*first, *names)


def face_of(bot: str) -> str:
    """Return the face of a bot; bots without one look alike."""
    if bot in _BY_BOT:
        return _BY_BOT[bot].face
    try:
        return _LIKE.get(BotRef.parse(bot).name, "bot")
    except RiverboatError:
        return "bot"


def face_of_name(name: str) -> str:
    """Return the face of a player by its name, which ends in the bot; empty for a person.

    Examples
    --------
    >>> face_of_name("Stan (checkcall)"), face_of_name("You")
    ('station', '')
    """
    bot = bot_of_name(name)
    return face_of(bot) if bot else ""


def bot_of_name(name: str) -> str:
    """Return the bot of a player by its name; empty for a person.

    Examples
    --------
    >>> bot_of_name("Stan (checkcall)"), bot_of_name("You")
    ('checkcall', '')
    """
    return name.partition(" (")[2].removesuffix(")")


def opponents() -> list[Opponent]:
    """List the opponents by level."""
    return list(OPPONENTS)
