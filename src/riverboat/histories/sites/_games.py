"""Which game a header names, and its betting."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from riverboat.errors import OtherGameError

# The first pattern that occurs names the game; hold'em comes last.
_GAMES = (
    ("a mixed game", r"horse|hose\b|8-game|mixed$"),
    ("Courchevel", r"courch"),
    ("Omaha", r"omaha|\bplo|\bnlo|\bflo|\bo8"),
    ("stud", r"stud|7\s*card"),
    ("razz", r"razz"),
    ("Badugi", r"badugi|badacey|badeucey"),
    ("draw", r"draw|2-7|a-5|deuce|lowball|single"),
    ("short deck", r"short[ -]?deck|6\+|six plus|sixplus"),
    ("Irish or pineapple", r"irish|pineapple"),
    ("telesina", r"telesina"),
)
_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _GAMES)
_HOLDEM = re.compile(r"hold\s*'?\s*em|^nl|holdem|real_holdem", re.IGNORECASE)


def check_holdem(game: str | None) -> None:
    """Raise `OtherGameError` with the game's name unless it is hold'em (or not named)."""
    if game is not None and (other := _other_game(game)):
        raise OtherGameError(other)


@lru_cache(maxsize=1000)
def _other_game(game: str) -> str:
    """Return the name of a game that is not hold'em, or nothing."""
    for name, pattern in _PATTERNS:
        if pattern.search(game):
            return name
    return "" if _HOLDEM.search(game) else game.strip()[:40] or "a game without a name"


_POT = re.compile(r"\bpot|^PL|\bPL\b", re.IGNORECASE)
_NO = re.compile(r"\bno\b|no_limit|^NL|\bNL\b|\bSL\b|normal|turbo|no-limit", re.IGNORECASE)
_FIXED = re.compile(r"limit|fixed|\bFL\b|^L\b", re.IGNORECASE)


def betting_of(text: str | None) -> Any:
    """Return the betting that a header names; no-limit if it names none.

    >>> betting_of("Pot Limit"), betting_of("Fixed Limit"), betting_of("NL"), betting_of(None)
    ('pot-limit', 'fixed-limit', 'no-limit', 'no-limit')
    """
    if text is None or _NO.search(text):
        return "no-limit"
    if _POT.search(text):
        return "pot-limit"
    return "fixed-limit" if _FIXED.search(text) else "no-limit"
