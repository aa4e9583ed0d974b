"""Flops: how they look, and few of them that stand for all.

Reports by the texture of the flop: many boards become a few rows.

Sets of flops: all that differ, or a few that stand for all.

Flops that differ only by the names of suits are one: 22,100 become 1,755. A few are taken evenly
from all 22,100 in an order by suits, pairs and ranks, so that each stands for as many as any other:
means over them are means over all flops, without weights.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from riverboat.cards import RANKS, as_cards, canonical_boards, cards_text
from riverboat.errors import SpotError
from riverboat.spots._card_report import SpotTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riverboat.spots._card_report import ReportRow

#: Flops that differ by more than the names of suits.
ALL_FLOPS: Final = 1755


@lru_cache(maxsize=1)
def flop_counts() -> dict[str, int]:
    """Return every flop, and how many it stands for; in the order in which a few are taken.

    Examples
    --------
    >>> counts = flop_counts()
    >>> len(counts), sum(counts.values()), next(iter(counts))
    (1755, 22100, '2c3d4h')
    """
    flops = list(combinations(range(52), 3))
    numbers, _ = canonical_boards(np.array(flops, np.uint8))
    counts = Counter(numbers.tolist())
    first = dict(zip(reversed(numbers.tolist()), reversed(flops), strict=True))
    found = sorted(((_texture(flop), counts[number], flop) for number, flop in first.items()))
    return {cards_text(flop): count for _, count, flop in found}


def _texture(flop: tuple[int, ...]) -> tuple[int, ...]:
    """Suits from rainbow to one, ranks from three to one, then ranks from the highest down."""
    ranks = sorted((card // 4 for card in flop), reverse=True)
    suits = len({card % 4 for card in flop})
    return (-suits, -len(set(ranks)), *ranks)


def few_flops(number: int) -> tuple[str, ...]:
    """Return so many flops that stand for all.

    Examples
    --------
    >>> len(few_flops(25)), few_flops(25)[:3]
    (25, ('4c6d7h', '7c8d9h', '4c6dJh'))
    """
    if not 1 <= number <= ALL_FLOPS:
        raise SpotError(f"a set has 1 to {ALL_FLOPS:,} flops, not {number:,}")
    flops = list(flop_counts())
    if number == ALL_FLOPS:
        return tuple(flops)
    ends = np.cumsum(list(flop_counts().values()))
    places = (np.arange(number) + 0.5) * ends[-1] / number
    chosen = dict.fromkeys(np.searchsorted(ends, places, side="right").tolist())
    for spare in range(len(flops)):  # one that stands for many may be hit twice
        if len(chosen) == number:
            break
        chosen.setdefault(spare)
    return tuple(flops[place] for place in sorted(chosen))


#: What flops are told apart by.
Texture = Literal["suits", "pairs", "straights", "high"]

TEXTURES: Final[tuple[str, ...]] = get_args(Texture)
_ACE: Final = RANKS.index("A")
_STRAIGHT: Final = 5
_FLOP_CARDS: Final = 3


def texture_of(board: str, by: Texture) -> str:
    """Name the texture of a board's flop.

    Parameters
    ----------
    board
        Three to five cards; the first three count.
    by
        `suits`; `pairs`; `straights`, whether two cards can make one; `high`, its highest card.

    Examples
    --------
    >>> [texture_of("Ks7h2h", by) for by in ("suits", "pairs", "straights", "high")]
    ['two suits', 'no pair', 'no straight', 'K high']
    """
    if by not in TEXTURES:
        raise SpotError(f"textures are {', '.join(TEXTURES)}, not {by!r}")
    cards = as_cards(board)[:_FLOP_CARDS]
    ranks, suits = {card // 4 for card in cards}, {card % 4 for card in cards}
    match by:
        case "suits":
            return ("one suit", "two suits", "rainbow")[len(suits) - 1]
        case "pairs":
            return ("three of a rank", "a pair", "no pair")[len(ranks) - 1]
        case "straights":
            return "a straight can be" if _connected(ranks) else "no straight"
        case "high":
            return f"{RANKS[max(ranks)]} high"


def _connected(ranks: set[int]) -> bool:
    """Whether three ranks are of one straight; an ace is high or low."""
    low = {-1 if rank == _ACE else rank for rank in ranks}
    return len(ranks) == _FLOP_CARDS and any(
        max(each) - min(each) < _STRAIGHT for each in (ranks, low)
    )


def by_texture(table: SpotTable, by: Texture) -> SpotTable:
    """Put the boards of a report together by their flops' texture; boards name its rows.

    Rows become means by how often play comes there. Where all 1,755 flops are there, each also
    counts as often as it is dealt; a few that stand for all count alike.

    Examples
    --------
    >>> from riverboat.spots import ReportRow, SpotTable
    >>> rows = [ReportRow(board, 1.0, {}, (2.0, 3.0), (0.5, 0.5)) for board in ("Ks7h2d", "QsQh2d")]
    >>> [row.name for row in by_texture(SpotTable("At the start", "oop", (), rows), "pairs").rows]
    ['a pair', 'no pair']
    """
    groups: dict[str, list[ReportRow]] = defaultdict(list)
    weight = _weights(table.rows)
    for row in table.rows:
        counted = row._replace(weight=row.weight * weight(row))
        groups[texture_of(row.name, by)].append(counted)
    ordered = sorted(groups.items(), key=lambda each: _place(each[0]))
    rows = tuple(_group(table, rows).mean._replace(name=name) for name, rows in ordered)
    return _group(table, rows)


def _group(table: SpotTable, rows: Sequence[ReportRow]) -> SpotTable:
    return SpotTable(table.title, table.player, table.keys, tuple(rows))


def _weights(rows: Sequence[ReportRow]) -> Callable[[ReportRow], int]:
    """How many flops a row stands for, where all are there."""
    counts = {cards_text(sorted(as_cards(flop))): n for flop, n in flop_counts().items()}
    names = {row.name: cards_text(sorted(as_cards(row.name))) for row in rows}
    if len(rows) != ALL_FLOPS or set(names.values()) != counts.keys():
        return lambda _: 1
    return lambda row: counts[names[row.name]]


def _place(name: str) -> tuple[int, str]:
    """High cards from the ace down; other textures by name."""
    return (-RANKS.index(name[0]), "") if name.endswith(" high") else (0, name)
