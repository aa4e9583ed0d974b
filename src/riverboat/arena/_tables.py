"""Bucket tables for long matches of bots that play from strategy files.

Without tables a bot computes the bucket of each hand during play: 2 ms on a flop, which takes most
of the time of a match. Building the tables pays off after some ten thousand hands.
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

#: From this number of hands on, tables are built.
LEAST_HANDS: Final = 20_000


def missing_tables(matches: Iterable[MatchSettings]) -> dict[Path, CardAbstraction]:
    """Return the strategy files of long matches without tables, with their card abstractions.

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
            for file in ref.files_for(settings.spec):
                if file.is_file():  # a wrong file is reported when the bot is created
                    hands[file] += settings.hands
    cards = {file: _cards(file) for file, number in hands.items() if number >= LEAST_HANDS}
    return {file: kind for file, kind in cards.items() if kind is not None and _lacks_tables(kind)}


def build_tables(
    missing: dict[Path, CardAbstraction], progress: ProgressCall | None = None
) -> None:
    """Build the tables of strategy files, and missing hand-strength tables first.

    Parameters
    ----------
    missing
        The result of `missing_tables`.
    progress
        Called with each `AbstractionProgress`.
    """
    for cards in missing.values():
        bucket_tables(cards, progress=progress or (lambda _: None))


@lru_cache(maxsize=64)
def build_here(settings: MatchSettings) -> None:
    """Build the missing tables of a match on this machine, in only one of its processes."""
    if missing_tables([settings]):
        with alone(cache_folder() / "tables"):
            build_tables(missing_tables([settings]))


def _cards(file: Path) -> CardAbstraction | None:
    from riverboat.blueprint import Blueprint  # noqa: PLC0415 - most matches need none

    return Blueprint.open(file).cards


def _lacks_tables(cards: CardAbstraction) -> bool:
    built = zip(built_tables(cards), cards.rules, strict=False)
    return any(file is None and rule.needs_tables for file, rule in built)
