"""What bots tell of hands: what they would have done in a person's seat, and how lucky it was."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import BlueprintBot, BotRef, make_bot
from riverboat.errors import ReviewError, RiverboatError
from riverboat.evaluate import (
    AivatScorer,
    action_values,
    aivat_value,
    is_known,
    missing_action_values,
)
from riverboat.learn._grade import Grader

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.bots import Bot
    from riverboat.game import GameSpec
    from riverboat.learn._hands import OwnHand

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


def known_bot(against: str, make: Callable[[str, int], Bot] = make_bot) -> Bot:
    """Return a bot that can say how often it does what with every hand; refuse any other.

    Examples
    --------
    >>> known_bot("shark")
    Traceback (most recent call last):
    ...
    riverboat.errors.ReviewError: shark cannot say how often it does what: AIVAT needs that
    """
    bot = make(against, 0)
    if not is_known(bot):
        raise ReviewError(f"{against} cannot say how often it does what: AIVAT needs that")
    return bot


def luck_scorer(
    against: str,
    spec: GameSpec,
    progress: Callable[[int, int], object] | None = None,
    make: Callable[[str, int], Bot] = make_bot,
) -> Callable[[OwnHand], float | None]:
    """Return what takes luck out of hands against a bot.

    Parameters
    ----------
    against
        The bot's text.
    spec
        The game: hold'em of two players.
    progress
        Called with the boards that are walked and all boards, where a table is made first.
    make
        Makes the bot; `named_bot` where a file names it.

    Raises
    ------
    ReviewError
        If the bot cannot say how often it does what.
    """
    bot = known_bot(against, make)
    file = BotRef.parse(against).file if isinstance(bot, BlueprintBot) else None
    scorer = AivatScorer(aivat_value(spec, [Path(file)] if file else [], progress))

    def score(own: OwnHand) -> float | None:
        hand = own.hand
        if hand.players != _TWO or not hand.finished or min(hand.deal[:4]) < 0:
            return None
        bots: list[object | None] = [bot, bot]
        bots[own.seat] = None
        try:
            chips = scorer.score(hand, bots)
        except RiverboatError:
            return own.expected()  # the bot did what it says that it never does
        return chips if own.seat == 0 else -chips

    return score
