"""Grades hands with the strategy of a bot, and adjusts results against a bot for luck (AIVAT)."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from riverboat.blueprint import DEFAULT_GAME, Blueprint
from riverboat.bots import BlueprintBot, BotRef, DepthsBot, make_bot
from riverboat.errors import ReviewError, RiverboatError
from riverboat.evaluate import (
    AivatScorer,
    action_values,
    aivat_value,
    is_known,
    missing_action_values,
    missing_aivat_table,
)
from riverboat.game import catalogue
from riverboat.learn._grade import Grader
from riverboat.learn._hands import own_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from riverboat.bots import Bot
    from riverboat.game import GameSpec
    from riverboat.histories import HandRecord
    from riverboat.learn._hands import OwnHand

_TWO: Final = 2
_PLAY_FILES: Final = (BlueprintBot, DepthsBot)


@lru_cache(maxsize=4)
def bot_grader(name: str, spec: GameSpec | None = None) -> Grader | None:
    """Return a grader with the strategy file that a bot plays a game from; None if it has none.

    EVs of actions come from the table in the cache folder if it exists, else from sampled runouts.
    The game is by default that of the default strategy.

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
    if isinstance(base, DepthsBot):
        base = base.at(catalogue(DEFAULT_GAME) if spec is None else spec)
    if not isinstance(base, BlueprintBot) or base.style is not None:
        return None
    file = base.query.source
    return file_grader(file, base.threshold) if isinstance(file, Blueprint) else None


def seat_grader(name: str, spec: GameSpec) -> Grader | None:
    """Return a grader for hands against a bot, with its strategy or the default strategy.

    None if neither plays the game.
    """
    try:
        grader = bot_grader(name, spec) or bot_grader("blueprint", spec)
    except RiverboatError:
        return None
    return None if grader is None or grader.query.difference(spec) else grader


def file_grader(
    file: Blueprint,
    threshold: float | None = None,
    *,
    make: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Grader:
    """Return a grader with a strategy file.

    Parameters
    ----------
    file
        The strategy.
    threshold
        The threshold of rare actions; None = the one of the strategy.
    make
        Whether to compute the EV table of actions if it is missing, which takes minutes. Without
        the table, runouts are sampled.
    progress
        Called with the number of boards done and of all boards while the table is computed.
    """
    least = file.threshold if threshold is None else threshold
    hands = file.cards is not None and file.tree.num_players == _TWO
    has_table = hands and not file.tree.spec.has_discards
    table = None
    if has_table:
        missing = missing_action_values(file, least)
        if make or not missing:
            table = action_values(file, least, progress if missing else None)
    return Grader(file.query(threshold=least), table)


def known_bot(against: str, make: Callable[[str, int], Bot] = make_bot) -> Bot:
    """Return a bot that reports its action probabilities with every hand; refuse any other.

    Examples
    --------
    >>> known_bot("shark")
    Traceback (most recent call last):
    ...
    riverboat.errors.ReviewError: shark does not report action probabilities, which AIVAT needs
    """
    bot = make(against, 0)
    if not is_known(bot):
        raise ReviewError(f"{against} does not report action probabilities, which AIVAT needs")
    return bot


def luck_scorer(
    against: str,
    spec: GameSpec,
    progress: Callable[[int, int], object] | None = None,
    make: Callable[[str, int], Bot] = make_bot,
) -> Callable[[OwnHand], float | None]:
    """Return a function that computes the AIVAT result of a hand against a bot.

    Parameters
    ----------
    against
        The bot's text.
    spec
        The game: heads-up hold'em.
    progress
        Called with the number of boards done and of all boards, if a table is computed first.
    make
        Creates the bot; `named_bot` if the name comes from a file.

    Raises
    ------
    ReviewError
        If the bot does not report action probabilities.
    """
    score = _scorer(against, known_bot(against, make), spec, progress)

    def lenient(own: OwnHand) -> float | None:
        if not _all_known(own):
            return None
        found = score(own)
        return own.expected() if found is None else found  # the bot played against its strategy

    return lenient


def results_without_luck(  # noqa: PLR0913 - keyword options
    records: Sequence[HandRecord],
    player: str,
    against: str,
    *,
    first: int = 0,
    progress: Callable[[int, int], object] | None = None,
    make: Callable[[str, int], Bot] = make_bot,
) -> Iterator[float | None]:
    """Yield the AIVAT result of each hand in chips; None where AIVAT does not hold.

    It holds if the bot plays a known strategy, all cards are known, the stacks are those of the
    first hand, and the bot's strategy file is older than the hand.

    Parameters
    ----------
    records
        Hands of one session: heads-up hold'em.
    player
        The name of the player.
    against
        The bot's text.
    first
        Number of hands to leave out, from the first one.
    progress
        Called with the number of boards done and of all boards, if a table is computed first.
    make
        Creates the bot; `named_bot` if the name comes from a file.

    Raises
    ------
    ReviewError
        If the bot does not report action probabilities.
    """
    spec, bot = records[0].spec, known_bot(against, make)
    score: Callable[[OwnHand], float | None] | None = None
    since = max(filter(None, map(_trained, _files(against, bot, spec))), default=None)
    for number, record in enumerate(records[first:], first + 1):
        old = since is not None and record.date is not None and record.date < since
        own = None if old or record.spec != spec else own_hand(number, record, player)
        if own is None or not _all_known(own):
            yield None
            continue
        score = score or _scorer(against, bot, spec, progress)
        yield score(own)


def luck_needs_table(against: str, spec: GameSpec) -> bool:
    """Return whether AIVAT against a bot has to compute a table first, for a minute or two.

    Examples
    --------
    >>> luck_needs_table("fish", catalogue("limit"))
    False
    """
    return missing_aivat_table(spec, _files(against, known_bot(against), spec)) is not None


def _files(against: str, bot: Bot, spec: GameSpec) -> list[Path]:
    """Return the strategy files that a bot plays from."""
    return BotRef.parse(against).files_for(spec) if isinstance(bot, _PLAY_FILES) else []


def _trained(path: Path) -> datetime | None:
    """Return when a strategy was trained; None if its file does not say."""
    date = Blueprint.open(path).header.date
    return datetime.fromisoformat(date) if date else None


def _scorer(
    against: str, bot: Bot, spec: GameSpec, progress: Callable[[int, int], object] | None
) -> Callable[[OwnHand], float | None]:
    """Return a function that computes AIVAT results; None for an action of probability 0."""
    scorer = AivatScorer(aivat_value(spec, _files(against, bot, spec), progress))

    def score(own: OwnHand) -> float | None:
        bots: list[object | None] = [bot, bot]
        bots[own.seat] = None
        try:
            chips = scorer.score(own.hand, bots)
        except RiverboatError:
            return None
        return chips if own.seat == 0 else -chips

    return score


def _all_known(own: OwnHand) -> bool:
    """Return whether a hand of two players is finished, with known cards."""
    hand = own.hand
    return hand.players == _TWO and hand.finished and min(hand.deal[:4]) >= 0
