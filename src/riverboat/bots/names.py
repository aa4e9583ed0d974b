"""Bots by name."""

from collections.abc import Callable

from riverboat.bots.bot import Bot
from riverboat.bots.check_call import CheckCall
from riverboat.bots.random_bot import RandomBot
from riverboat.errors import GameError

__all__ = ["bot_names", "make_bot"]

_BOTS: dict[str, Callable[[int], Bot]] = {
    "checkcall": lambda seed: CheckCall(),  # noqa: ARG005 - it has no choices to seed
    "random": RandomBot,
}


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots."""
    return tuple(_BOTS)


def make_bot(name: str, seed: int) -> Bot:
    """Make the bot of that name.

    Parameters
    ----------
    name
        One of `bot_names()`; case, blanks and hyphens do not matter.
    seed
        Of the bot's random choices.

    Examples
    --------
    >>> make_bot("Check-Call", seed=0)  # doctest: +ELLIPSIS
    <riverboat.bots.check_call.CheckCall object at ...>
    """
    plain = "".join(c for c in name.lower() if c.isalnum())
    if plain not in _BOTS:
        raise GameError(f"{name!r} is no bot: there are {', '.join(_BOTS)}")
    return _BOTS[plain](seed)
