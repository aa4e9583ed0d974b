"""A site's grammar as data: how its lines say what every site says.

A *pattern* is a regular expression in which `{amount}` and the like stand for the parts of a line:

| part | matches |
| --- | --- |
| `{player}` | a name; the reader accepts only names of the list of players |
| `{name}` | a name in the list of players, which may contain anything |
| `{chair}` | the number of a chair |
| `{amount}`, `{to}`, `{stack}`, `{dead}`, `{small}`, `{big}`, `{total}` | an amount, any currency |
| `{pot}` | `pot`, `main pot`, `side pot` or `side pot-2` |
| `{cards}`, `{before}` | cards of one pair of brackets |

A *rule* is the kind of a line and its pattern; `riverboat.histories.sites._reader` lists the kinds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TYPE_CHECKING, Any

from riverboat.errors import HistoryError

if TYPE_CHECKING:
    from collections.abc import Callable

CURRENCY = r"(?:[A-Z]{1,3}\$|[$€£₹฿¥]|USD|EUR|GBP|[A-Z]{3} )?"
_NUMBER = r"[0-9]+(?:[.,'][0-9]+)*|[.,][0-9]+"
_UNITS = {"K": 1000, "M": 1_000_000}
_NEVER = r"(?!)x"
#: An amount: its number is the group.
AMOUNT = rf"{CURRENCY} ?({_NUMBER}) {{0,2}}(?:[$€£₹฿¥]|USD|EUR|GBP|[A-Z]{{3}}|chips)?"
#: The same in texts that put blanks between thousands.
SPACED_AMOUNT = rf"{CURRENCY} ?((?:{_NUMBER})(?:[ \xa0\u202f][0-9]{{3}})*(?:[.,][0-9]+)?) ?[$€£]?"
CARD = r"(?:10|[2-9TJQKA])[cdhs]"
CARDS = rf"((?:{CARD}[, ]*)+)"

_KINDS = {
    "player": "(.+?)",
    "name": "(.+)",
    "chair": "([0-9]{1,6})",
    "pot": "((?:main |side )?pot(?:-[1-9])?)",
    "winners": "(.+)",
}
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
        Pattern of the first line of a hand; sites that write XML have none.
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
    opening: str = _NEVER
    info: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    acts: tuple[Rule, ...] = ()
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

    def part(self, name: str) -> str:
        """Return the pattern of a part of a line."""
        if name in ("cards", "before"):
            return rf"((?:{self.card}[, ]*)+)"
        return _KINDS.get(name, self.amount)

    @cached_property
    def lines(self) -> Lines:
        """The rules, compiled."""
        return Lines(self)


class Lines:
    """All rules of a grammar as one regular expression.

    Each rule ends with an empty group, whose number is the key of `kinds`: the kind of the line,
    the names of its parts (the groups before it), and whether a player's name precedes it. So
    every alternative begins with its letters, which lets the engine skip most of them at once.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.kinds, rules = _compiled(grammar, grammar.rules, 0, by_player=False)
        self.player = sum(len(names) + 1 for _, names, _ in self.kinds.values()) + 1
        kinds, acts = _compiled(grammar, grammar.acts, self.player, by_player=True)
        self.kinds |= kinds
        named = rf"(.+?){grammar.after_name}(?:{_by_beginning(acts)})"
        self.pattern = re.compile("|".join([*rules, named]))
        self.act_kinds, acts = _compiled(grammar, grammar.acts, 0, by_player=True)
        self.act = re.compile(f"{grammar.after_name}(?:{_by_beginning(acts)})")


Kinds = dict[int, tuple[str, tuple[str, ...], bool]]


def _compiled(
    grammar: Grammar, rules: tuple[Rule, ...], groups: int, *, by_player: bool
) -> tuple[Kinds, list[str]]:
    """Return the kinds by group and the patterns of rules that `groups` groups precede."""
    kinds, patterns = Kinds(), list[str]()
    for kind, pattern in rules:
        names = tuple(_PART.findall(pattern))
        text = _PART.sub(lambda match: grammar.part(match.group(1)), pattern)
        groups += len(names) + 1
        kinds[groups] = (kind, names, by_player)
        patterns.append(f"(?:{text})()" if "|" in text else f"{text}()")
    return kinds, patterns


def _by_beginning(acts: list[str]) -> str:
    """Return alternatives, in their order, of which neighbours with `: ` in front share it."""
    parts, run = list[str](), list[str]()
    for act in [*acts, ""]:
        if act.startswith(": "):
            run.append(act[2:])
            continue
        if run:
            parts.append(f": (?:{'|'.join(run)})")
            run = []
        parts.append(act)
    return "|".join(parts[:-1])


_CURRENCY_SIGNS = re.compile(r"[^0-9.,]")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_THOUSAND_DOTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}")


def number_of(amount: str) -> Decimal:
    """Return an amount with a decimal point as a number.

    Raises
    ------
    HistoryError
        If it is none, such as `0.0.5`.
    """
    try:
        return Decimal(amount)
    except InvalidOperation:
        raise HistoryError(f"{amount[:40]!r} is not an amount of chips") from None


def plain_amount(text: str, *, dots: bool = False) -> str:
    """Return an amount with a decimal point and without marks between thousands.

    `dots`: the text puts dots between thousands.

    >>> [plain_amount(text) for text in ("1,234.50", "0,55", "1.250,75", "1 200")]
    ['1234.50', '0.55', '1250.75', '1200']
    >>> plain_amount("1.500"), plain_amount("1.500", dots=True)
    ('1.500', '1500')
    """
    if text.isdigit():
        return text
    if text[-1:] in _UNITS:
        return str(int(number_of(plain_amount(text[:-1], dots=dots)) * _UNITS[text[-1]]))
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
