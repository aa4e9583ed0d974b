"""Amounts as text: whole chips, or decimals of a currency, exactly."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from riverboat.errors import HistoryError

if TYPE_CHECKING:
    from collections.abc import Iterable

_AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,6})?", re.ASCII)


def amount_text(chips: int, unit: int) -> str:
    """Write chips in units of the currency; with decimals exactly if the unit is not 1.

    >>> amount_text(150, 1), amount_text(150, 100), amount_text(-5, 100)
    ('150', '1.50', '-0.05')
    """
    if unit == 1:
        return str(chips)
    sign = "-" if chips < 0 else ""
    whole, part = divmod(abs(chips), unit)
    return f"{sign}{whole}.{part:0{len(str(unit)) - 1}d}"


def read_amount(text: object, unit: int) -> int:
    """Read an amount as chips, or raise a sentence.

    >>> read_amount("1.5", 100)
    150
    """
    word = str(text)
    if isinstance(text, bool) or not _AMOUNT.fullmatch(word):
        raise HistoryError(f"{word[:40]!r} is not an amount of chips")
    chips = Decimal(word) * unit
    if chips != int(chips):
        raise HistoryError(f"{word} is not a whole number of chips, {unit} to the unit")
    return int(chips)


def unit_of(amounts: Iterable[object], most_decimals: int = 2) -> int:
    """Return 1 if no amount has decimals, 100 for up to two, then a power of ten.

    >>> unit_of(["5", "10"]), unit_of(["0.5", "1"]), unit_of([Decimal("0.125")], 6)
    (1, 100, 1000)
    """
    decimals = max((len(str(a).partition(".")[2]) for a in amounts), default=0)
    if decimals > most_decimals:
        raise HistoryError(f"an amount has {decimals} decimals; at most {most_decimals} are read")
    return 1 if decimals == 0 else 10 ** max(2, decimals)
