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


_LONGEST_CONTEXT = 20_000  # characters before the hands of a session
_XML = re.compile(r"[\s\ufeff]*<(?:\?xml|session|description|game|general)\b")
_XML_TAG = re.compile(r"<(general>|description\b|game\b)")
_XML_ENDS = {"general>": "</general>", "description": ">", "game": "</game>"}


def is_xml(text: str) -> bool:
    """Whether a text begins as the XML of a site does."""
    return _XML.match(text) is not None


def split_xml(text: str, sessions: Grammar, descriptions: Grammar) -> Iterator[Part]:
    """Yield the hands of XML, each with the element before it that describes the table.

    `sessions` has a `general` element before its hands, `descriptions` a `description`.
    """
    context, grammar, line, begin, found = "", sessions, 1, 0, False
    for start, part in _xml_parts(text):
        line += text.count("\n", begin, start)
        begin = start
        if part.startswith("<game"):
            if len(context) > _LONGEST_CONTEXT:  # each hand would repeat it
                yield Part(line, part, None)
            else:
                yield Part(line, f"<hand>{context}{part}</hand>", grammar)
            found = True
        else:
            grammar = sessions if part.startswith("<general") else descriptions
            context = part if part.startswith("<general") else _closed(part)
    if not found:
        yield Part(1, text, None)


def _xml_parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the elements that matter, with their place; each end is searched once, if missing."""
    at, endless = 0, set[str]()
    while match := _XML_TAG.search(text, at):
        name = match.group(1)
        end = -1 if name in endless else text.find(_XML_ENDS[name], match.end() - 1)
        if end < 0:
            endless.add(name)
            at = match.end()
            continue
        at = end + len(_XML_ENDS[name])
        yield match.start(), text[match.start() : at]


def _closed(tag: str) -> str:
    """Return a tag that needs no end."""
    return tag if tag.endswith("/>") else f"{tag[:-1]}/>"


def _follows_blank(text: str, start: int) -> bool:
    """Whether a blank line, or nothing, precedes a place."""
    before = text[max(0, start - _LONGEST_OPENING) : start].rstrip(" \t\r\ufeff")
    if before.endswith("\n"):
        before = before[:-1].rstrip(" \t\r\ufeff")
    return not before or before.endswith("\n")
