"""Can a bot sit at a table? It is found out before the first hand, not after the first move."""

from contextlib import suppress

from riverboat.bots._bot import Bot
from riverboat.bots._ref import BotRef
from riverboat.errors import GameError, IllegalActionError, RiverboatError, in_words
from riverboat.files import ArrayFile
from riverboat.game import GameSpec, Hand


def try_bot(text: str, spec: GameSpec, seed: int = 0) -> None:
    """Refuse a bot that cannot be made, cannot read its strategy file or does not play the game.

    It is asked for the first decision of a hand that does not count, so that tables which it
    builds at first need are there afterwards.

    Parameters
    ----------
    text
        As `make_bot` takes it.
    spec
        The game that it is to play.
    seed
        Of the bot and of the hand.

    Raises
    ------
    RiverboatError
        With the bot's own sentence where it has one.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> try_bot("rule-based", catalogue("kuhn"))
    Traceback (most recent call last):
    ...
    riverboat.errors.GameError: rule-based plays hold'em with two cards in the hand, no other game
    """
    ref = BotRef.parse(text)
    bot = ref.make(seed)
    for file in () if ref.untrusted else ref.files:
        strategy = ArrayFile(file)
        for name in strategy.names:
            strategy.array(name)  # every block is held against its checksum
    ask_first(bot, text, spec, seed)


def ask_first(bot: Bot, text: str, spec: GameSpec, seed: int = 0) -> None:
    """Ask a bot for the first decision of a hand that does not count.

    Raises
    ------
    RiverboatError
        With the bot's own sentence where it has one; a slip is none, as others may follow.
    """
    hand = Hand(spec, seed=seed)
    if hand.actor is None:
        return
    with suppress(IllegalActionError):
        try:
            bot.act(hand.view(hand.actor))
        except RiverboatError:
            raise
        except (Exception, SystemExit) as error:
            raise GameError(f"{text} fails at its first decision: {in_words(error)}") from error
