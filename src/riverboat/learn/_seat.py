"""After a hand: what a bot would have done in a person's seat, and what the choices cost."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import BlueprintBot, BotRef
from riverboat.errors import RiverboatError
from riverboat.evaluate import action_values, missing_action_values
from riverboat.learn._grade import Grader

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.game import GameSpec

_TWO: Final = 2


@lru_cache(maxsize=4)
def bot_grader(name: str) -> Grader | None:
    """Return what grades by the strategy file that a bot plays from; None if it has none.

    What actions are worth comes from the table of the cache folder if that is made, else run-outs
    are drawn.

    Examples
    --------
    >>> bot_grader("blueprint") is not None, bot_grader("fish")
    (True, None)
    """
    ref = BotRef.parse(name)
    if ref.untrusted:
        return None
    bot = ref.make(0)
    base = getattr(bot, "base", bot)
    if not isinstance(base, BlueprintBot) or base.style is not None:
        return None
    file = base.query.source
    return file_grader(file, base.threshold) if isinstance(file, Blueprint) else None


def seat_grader(name: str, spec: GameSpec) -> Grader | None:
    """Return what grades hands against a bot: by its strategy, else by the default one.

    None where neither plays the game.
    """
    try:
        grader = bot_grader(name) or file_grader(Blueprint.open(default_blueprint()))
    except RiverboatError:
        return None
    return None if grader.query.tracker.difference(spec) else grader


def file_grader(
    file: Blueprint,
    threshold: float | None = None,
    *,
    make: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Grader:
    """Return what grades by a strategy file.

    Parameters
    ----------
    file
        The strategy.
    threshold
        Of its rare actions; by default the one that it is played with.
    make
        Whether the table of what actions are worth is made where it is missing, which takes
        minutes. Without it run-outs are drawn.
    progress
        Called with the boards that are walked and all boards, while it is made.
    """
    least = file.threshold if threshold is None else threshold
    hands = file.cards is not None and file.tree.num_players == _TWO
    usual = hands and not file.tree.spec.has_discards
    table = None
    if usual:
        missing = missing_action_values(file, least)
        if make or not missing:
            table = action_values(file, least, progress if missing else None)
    return Grader(file.query(threshold=least), table)
