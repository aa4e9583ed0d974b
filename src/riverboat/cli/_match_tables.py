"""Bucket tables before a long match: bots that play from files look them up there.

Without tables a bot sorts each hand into its bucket on the fly: 2 ms on a flop, nothing to a
person, but most of the time of a match. Building them takes about as long as some ten thousand
hands are slower without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from riverboat.blueprint import Blueprint
from riverboat.bots import file_of
from riverboat.buckets import bucket_tables, built_tables
from riverboat.cli._output import status
from riverboat.cli._progress import abstraction_bar, open_hand_strength

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from riverboat.arena import Match
    from riverboat.buckets import CardAbstraction

__all__ = ["build_missing_tables"]

#: Hands from which on a bot's tables are worth building.
LEAST_HANDS: Final = 20_000


def build_missing_tables(matches: Sequence[Match]) -> None:
    """Build the bucket tables of all bots that have many hands to play, with a progress bar."""
    hands: dict[Path, int] = {}
    for match in matches:
        for bot in dict.fromkeys(match.settings.bots):
            file = file_of(bot) if isinstance(bot, str) else None
            # What is no strategy file is told when the bot is made.
            if file is not None and file.suffix != ".py" and file.is_file():
                hands[file] = hands.get(file, 0) + match.settings.hands
    for file, number in hands.items():
        if number >= LEAST_HANDS:
            cards = Blueprint.open(file).cards
            if cards is not None and _lacks_tables(cards):
                status.print(f"Building the card buckets of {file.name}: about 20 seconds, once.")
                with abstraction_bar() as progress:
                    bucket_tables(cards, open_hand_strength(), progress=progress)


def _lacks_tables(cards: CardAbstraction) -> bool:
    built = zip(built_tables(cards), cards.rules, strict=False)
    return any(file is None and rule.needs_tables for file, rule in built)
