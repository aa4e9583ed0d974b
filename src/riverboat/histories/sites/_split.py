"""Finds the hands of a text, which may hold hands of several sites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.histories.sites._grammar import Grammar


class Part(NamedTuple):
    """The text of a hand, the number of its first line, and its site; None if it has none."""

    line: int
    text: str
    grammar: Grammar | None


_LONGEST_OPENING = 2000  # characters before a match that are searched for a blank line


def openings_of(grammars: Sequence[Grammar]) -> re.Pattern[str]:
    """Return a pattern of the first line of a hand; the group's number is that of the grammar."""
    lines = "|".join(f"({grammar.opening})" for grammar in grammars)
    return re.compile(rf"^[ \t\ufeff]*(?:{lines})\r?$", re.MULTILINE)


def split_hands(
    text: str, grammars: Sequence[Grammar], openings: re.Pattern[str]
) -> Iterator[Part]:
    """Yield the hands of a text; what stands before the first is a part without a site."""
    begin, line, grammar = 0, 1, None
    for match in openings.finditer(text):
        found = grammars[(match.lastindex or 1) - 1]
        start = match.start()
        if found.after_blank and grammar is not None and not _follows_blank(text, start):
            continue
        if start > begin or grammar is not None:
            yield Part(line, text[begin:start], grammar)
            line += text.count("\n", begin, start)
        begin, grammar = start, found
    yield Part(line, text[begin:], grammar)


def _follows_blank(text: str, start: int) -> bool:
    """Whether a blank line, or nothing, precedes a place."""
    before = text[max(0, start - _LONGEST_OPENING) : start].rstrip(" \t\r\ufeff")
    if before.endswith("\n"):
        before = before[:-1].rstrip(" \t\r\ufeff")
    return not before or before.endswith("\n")
