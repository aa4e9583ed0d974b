"""Bucket tables before a long match: bots that play from files look them up there.

Without tables a bot sorts each hand into its bucket on the fly: 2 ms on a flop, nothing to a
person, but most of the time of a match. Building them takes about as long as some ten thousand
hands are slower without.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from riverboat.bots import BotRef
from riverboat.buckets import bucket_tables, built_tables
from riverboat.files import alone, cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from riverboat.arena._settings import MatchSettings
    from riverboat.buckets import CardAbstraction, ProgressCall

#: Hands from which on a bot's tables are worth building.
LEAST_HANDS: Final = 20_000


def missing_tables(matches: Iterable[MatchSettings]) -> dict[Path, CardAbstraction]:
    """Return the strategy files that have many hands to play and lack tables, with their cards.

    Examples
    --------
    >>> from riverboat.arena import MatchSettings
    >>> missing_tables([MatchSettings(("fish", "random"), hands=1_000_000)])
    {}
    """
    hands: Counter[Path] = Counter()
    for settings in matches:
        for bot in dict.fromkeys(settings.bots):
            ref = BotRef.parse(bot) if isinstance(bot, str) else None
            if ref is None or ref.untrusted:
                continue
            for file in ref.files:
                if file.is_file():  # what is no strategy file is told when the bot is made
                    hands[file] += settings.hands
    cards = {file: _cards(file) for file, number in hands.items() if number >= LEAST_HANDS}
    return {file: each for file, each in cards.items() if each is not None and _lacks_tables(each)}


def build_tables(
    missing: dict[Path, CardAbstraction], progress: ProgressCall | None = None
) -> None:
    """Build the tables of strategy files, the hand-strength tables first where they are missing.

    Parameters
    ----------
    missing
        As `missing_tables` finds them.
    progress
        Called with each `AbstractionProgress`.
    """
    for cards in missing.values():
        bucket_tables(cards, progress=progress or (lambda _: None))


@lru_cache(maxsize=64)
def build_here(settings: MatchSettings) -> None:
    """Build what a match lacks on the machine that plays some of it: once, whoever comes first."""
    if missing_tables([settings]):
        with alone(cache_folder() / "tables"):
            build_tables(missing_tables([settings]))


def _cards(file: Path) -> CardAbstraction | None:
    from riverboat.blueprint import Blueprint  # noqa: PLC0415 - most matches need none

    return Blueprint.open(file).cards


def _lacks_tables(cards: CardAbstraction) -> bool:
    built = zip(built_tables(cards), cards.rules, strict=False)
    return any(file is None and rule.needs_tables for file, rule in built)
