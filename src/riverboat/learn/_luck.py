"""Luck taken out of hands: AIVAT against a bot that can say how often it does what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from riverboat.bots import BlueprintBot, BotRef, make_bot
from riverboat.errors import ReviewError, RiverboatError
from riverboat.evaluate import AivatScorer, aivat_value, is_known

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.bots import Bot
    from riverboat.game import GameSpec
    from riverboat.learn._hands import OwnHand


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
    return aivat_scorer(AivatScorer(aivat_value(spec, [Path(file)] if file else [], progress)), bot)


def aivat_scorer(scorer: AivatScorer, bot: object) -> Callable[[OwnHand], float | None]:
    """Return what takes luck out of hands against a bot whose strategy is known.

    Parameters
    ----------
    scorer
        Of the game.
    bot
        Who played against the player; it says how often it does what with every hand.
    """

    def score(own: OwnHand) -> float | None:
        hand = own.hand
        if hand.players != 2 or not hand.finished or min(hand.deal[:4]) < 0:
            return None
        bots: list[object | None] = [bot, bot]
        bots[own.seat] = None
        try:
            chips = scorer.score(hand, bots)
        except RiverboatError:
            return own.expected()  # the bot did what it says that it never does
        return chips if own.seat == 0 else -chips

    return score
