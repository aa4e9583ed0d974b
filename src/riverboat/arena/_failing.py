"""When a bot fails so often that a match with it says nothing."""

from collections.abc import Mapping

from riverboat.arena._chair import HOOK
from riverboat.errors import ArenaError

#: Decisions from which on a match is not played on if more than half of a bot's failed.
LEAST_DECISIONS = 100


def refuse_failing(
    name: str,
    decisions: int,
    errors: Mapping[str, int],
    said: Mapping[str, str],
    least: int = LEAST_DECISIONS,
) -> None:
    """Refuse to go on with a bot that fails most of its decisions.

    Parameters
    ----------
    name
        Of the bot.
    decisions
        That it was asked for.
    errors, said
        How often it failed by kind, and an example of each; hooks are no decisions.
    least
        Nothing is said before so many decisions.

    Raises
    ------
    ArenaError
        If more than half failed.

    Examples
    --------
    >>> refuse_failing("mine.py", 100, {"raised": 50}, {})
    >>> refuse_failing("mine.py", 100, {"raised": 51}, {"raised": "lost"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    riverboat.errors.ArenaError: mine.py failed 51 of 100 decisions, for example: lost; ...
    """
    kinds = {kind: count for kind, count in errors.items() if kind != HOOK}
    failed = sum(kinds.values())
    if decisions < least or 2 * failed <= decisions:
        return
    example = said.get(max(kinds, key=kinds.__getitem__), "")
    raise ArenaError(
        f"{name} failed {failed:,} of {decisions:,} decisions, for example: {example}; a match "
        f"ends where more than half fail, from decision {LEAST_DECISIONS} on or at its end: "
        "`riverboat check-bot` shows the fault, --keep-going (keep_going=True) plays on"
    )
