"""Grammars of poker sites, and the reader that they share.

>>> from riverboat.histories.sites import GRAMMARS
>>> "winamax" in [grammar.name for grammar in GRAMMARS]
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.errors import HistoryError
from riverboat.histories.sites._grammar import Grammar
from riverboat.histories.sites._reader import read_hand
from riverboat.histories.sites._split import Part, is_xml, openings_of, split_hands, split_xml
from riverboat.histories.sites.bovada import BOVADA
from riverboat.histories.sites.fulltilt import FULLTILT
from riverboat.histories.sites.gg import GG
from riverboat.histories.sites.ipoker import IPOKER
from riverboat.histories.sites.merge import MERGE
from riverboat.histories.sites.ongame import ONGAME
from riverboat.histories.sites.pacific import PACIFIC
from riverboat.histories.sites.partypoker import PARTYPOKER
from riverboat.histories.sites.pokerstars import POKERSTARS
from riverboat.histories.sites.trackers import MICROGAMING, TRACKER
from riverboat.histories.sites.winamax import WINAMAX
from riverboat.histories.sites.winning import WINNING, WINNING_OLD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.histories._record import HandRecord

GRAMMARS = (
    POKERSTARS, GG, WINAMAX, PACIFIC, PARTYPOKER, WINNING, WINNING_OLD, BOVADA, FULLTILT, ONGAME,
    TRACKER, MICROGAMING, IPOKER, MERGE,
)  # fmt: skip
#: The names of the sites' formats.
SITES = tuple(grammar.name for grammar in GRAMMARS)

_BY_NAME = {grammar.name: grammar for grammar in GRAMMARS}
_OPENINGS = openings_of(GRAMMARS)
_LONGEST_HAND = 300_000  # characters


def grammar_of(name: str) -> Grammar:
    """Return the grammar of a site."""
    return _BY_NAME[name]


def holds_hands(text: str) -> bool:
    """Whether a text has a hand of a site."""
    return is_xml(text) or _OPENINGS.search(text) is not None


def is_divisible(text: str) -> bool:
    """Whether a text that begins so can be cut between hands."""
    return not is_xml(text) and _OPENINGS.search(text) is not None


def last_opening(text: str) -> int:
    """Return where the last hand of a text begins, 0 if there is only one."""
    last = 0
    for match in _OPENINGS.finditer(text, max(0, len(text) - _LONGEST_HAND)):
        if match.group().strip():
            last = match.start()
    return last


def parts_of(text: str, site: str | None = None) -> Iterator[Part]:
    """Yield the hands of a text, of all sites or of one."""
    if is_xml(text):
        return split_xml(text, IPOKER, MERGE)
    if site is None:
        return split_hands(text, GRAMMARS, _OPENINGS)
    only = (_BY_NAME[site],)
    return split_hands(text, only, openings_of(only))


def read_part(part: Part) -> HandRecord:
    """Read a hand that `parts_of` found."""
    if part.grammar is None:
        raise HistoryError("this is not the first line of a hand of a known site")
    return read_hand(part.grammar, part.text)


__all__ = [
    "GRAMMARS",
    "POKERSTARS",
    "SITES",
    "Grammar",
    "Part",
    "grammar_of",
    "holds_hands",
    "is_divisible",
    "last_opening",
    "parts_of",
    "read_hand",
    "read_part",
]
