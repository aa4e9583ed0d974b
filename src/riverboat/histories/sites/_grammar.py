"""A site's grammar as data: how its lines say what every site says.

A *pattern* is a regular expression in which `{amount}` and the like stand for the parts of a line:

| part | matches |
| --- | --- |
| `{player}` | a name; the reader accepts only names of the list of players |
| `{name}` | a name in the list of players, which may contain anything |
| `{chair}` | the number of a chair |
| `{amount}`, `{to}`, `{stack}`, `{dead}`, `{small}`, `{big}` | an amount with or without currency |
| `{pot}` | `pot`, `main pot`, `side pot` or `side pot-2` |
| `{cards}`, `{before}` | cards of one pair of brackets |

A *rule* is the kind of a line and its pattern; `riverboat.histories.sites._reader` lists the kinds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

CURRENCY = r"(?:[A-Z]{1,3}\$|[$€£₹฿¥]|USD|EUR|GBP|[A-Z]{3} )?"
_NUMBER = r"[0-9]+(?:[.,'][0-9]+)*|[.,][0-9]+"
_UNITS = {"K": 1000, "M": 1_000_000}
#: An amount: its number is the group.
AMOUNT = rf"{CURRENCY} ?({_NUMBER}) {{0,2}}(?:[$€£₹฿¥]|USD|EUR|GBP|[A-Z]{{3}}|chips)?"
#: The same in texts that put blanks between thousands.
SPACED_AMOUNT = rf"{CURRENCY} ?((?:{_NUMBER})(?:[ \xa0\u202f][0-9]{{3}})*(?:[.,][0-9]+)?) ?[$€£]?"
CARD = r"(?:10|[2-9TJQKA])[cdhs]"
CARDS = rf"((?:{CARD}[, ]*)+)"

_KINDS = {"player": "(.+?)", "name": "(.+)", "chair": "([0-9]{1,6})",
    "pot": "((?:main |side )?pot(?:-[1-9])?)", "winners": "(.+)"}
_PART = re.compile(r"\{([a-z]+)\}")

#: (kind of line, pattern)
Rule = tuple[str, str]


@dataclass(frozen=True)
class Grammar:
    """How a site writes hands of hold'em.

    Parameters
    ----------
    name, site
        The name of the format, and the name of the site.
    opening
        Pattern of the first line of a hand.
    info
        Patterns with named groups, searched in the lines before the first player: `id`, `game`,
        `limit`, `small`, `big`, `ante`, `table`, `size`, `button`, `currency`, `cap`, and the parts
        of the date (`y`, `mo`, `d`, `h`, `mi`, `s`, `zone`).
    rules
        Lines that begin with words of the site.
    acts
        What follows a player's name.
    after_name
        Pattern between a name and an act.
    zone
        The time zone of times without one.
    amount
        Pattern of an amount.
    cards
        Words for cards and suits in other languages, and ours.
    summary
        Whether a line of the kind `summary` must occur.
    head_ends
        Pattern of the first line after the header.
    strict_acts
        Whether a line `NAME: ...` that no rule matches is an error.
    after_blank
        Whether a hand begins only after a blank line, because a name may look like a header.
    repeats
        Whether the site sometimes writes a line more than once.
    implied_blinds
        Whether the site sometimes leaves the blinds out, and only the header names them.
    positions
        Whether the names are positions such as `UTG+1`, which decide the order.
    card
        Pattern of a card.
    dots
        Whether dots may stand between thousands, so that an amount never has three decimals.
    limit_by_blinds
        Whether headers of fixed-limit games have the blinds instead of the sizes of bets.
    xml
        For sites that write XML: the function that reads the element of a hand.
    """

    name: str
    site: str
    opening: str
    info: tuple[str, ...]
    rules: tuple[Rule, ...]
    acts: tuple[Rule, ...]
    after_name: str = " "
    zone: str = ""
    amount: str = AMOUNT
    cards: tuple[tuple[str, str], ...] = ()
    summary: bool = False
    head_ends: str = r"^ *[Ss]eat [0-9]+: "
    strict_acts: bool = False
    after_blank: bool = False
    repeats: bool = False
    implied_blinds: bool = False
    positions: bool = False
    card: str = CARD
    dots: bool = False
    limit_by_blinds: bool = False
    xml: Callable[[Any, Any], None] | None = None

    @cached_property
    def infos(self) -> tuple[re.Pattern[str], ...]:
        """The patterns of the header."""
        return tuple(re.compile(pattern, re.MULTILINE) for pattern in self.info)

    @cached_property
    def head_end(self) -> re.Pattern[str]:
        """Where the header ends."""
        return re.compile(self.head_ends, re.MULTILINE)

    @cached_property
    def lines(self) -> Lines:
        """The rules, compiled."""
        return Lines(self)


class Lines:
    """All rules of a grammar as one regular expression.

    `kinds[index]` is the kind of the rule whose group is `index`, with the names of its parts and
    whether a player's name precedes it.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.kinds: dict[int, tuple[str, tuple[str, ...], bool]] = {}
        self._groups = 0
        rules = [self._rule(grammar, rule, by_player=False) for rule in grammar.rules]
        self._groups += 1
        self.player = self._groups
        acts = [self._rule(grammar, rule, by_player=True) for rule in grammar.acts]
        named = rf"(.+?){grammar.after_name}(?:{'|'.join(acts)})"
        self.pattern = re.compile("|".join([*rules, named]))
        self._groups = 0
        self.act_kinds = self.kinds
        self.kinds = {}
        alone = [self._rule(grammar, rule, by_player=True) for rule in grammar.acts]
        self.act = re.compile(f"{grammar.after_name}(?:{'|'.join(alone)})")
        self.act_kinds, self.kinds = self.kinds, self.act_kinds
        self.after_name = re.compile(grammar.after_name)

    def _rule(self, grammar: Grammar, rule: Rule, *, by_player: bool) -> str:
        """Return a rule as a group, and note its parts."""
        kind, pattern = rule
        self._groups += 1
        index, names = self._groups, list[str]()

        def part(match: re.Match[str]) -> str:
            names.append(match.group(1))
            if match.group(1) in ("cards", "before"):
                return rf"((?:{grammar.card}[, ]*)+)"
            return _KINDS.get(match.group(1), grammar.amount)

        text = _PART.sub(part, pattern)
        self._groups += len(names)
        self.kinds[index] = (kind, tuple(names), by_player)
        return f"({text})"


_CURRENCY_SIGNS = re.compile(r"[^0-9.,]")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_THOUSAND_DOTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}")


def plain_amount(text: str, *, dots: bool = False) -> str:
    """Return an amount with a decimal point and without marks between thousands.

    `dots`: the text puts dots between thousands.

    >>> plain_amount("1,234.50"), plain_amount("0,55"), plain_amount("1.250,75"), plain_amount("1 200")
    ('1234.50', '0.55', '1250.75', '1200')
    >>> plain_amount("1.500"), plain_amount("1.500", dots=True)
    ('1.500', '1500')
    """
    if text.isdigit():
        return text
    if text[-1:] in _UNITS:
        return str(int(Decimal(plain_amount(text[:-1], dots=dots)) * _UNITS[text[-1]]))
    word = _CURRENCY_SIGNS.sub("", text)
    comma, dot = word.rfind(","), word.rfind(".")
    if comma >= 0 and dot >= 0:
        thousands, point = (",", ".") if dot > comma else (".", ",")
        word = word.replace(thousands, "").replace(point, ".")
    elif comma >= 0:
        word = word.replace(",", "" if _THOUSANDS.fullmatch(word) else ".")
    elif _THOUSAND_DOTS.fullmatch(word) or (dots and re.fullmatch(r"[0-9]+\.[0-9]{3}", word)):
        word = word.replace(".", "")
    return f"0{word}" if word.startswith(".") else word
