"""Reports by the texture of the flop: many boards become a few rows."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal, get_args

from riverboat.cards import RANKS, as_cards, cards_text
from riverboat.errors import SpotError
from riverboat.spots._card_report import SpotTable
from riverboat.spots._flops import ALL_FLOPS, flop_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riverboat.spots._card_report import ReportRow

__all__ = ["TEXTURES", "Texture", "by_texture", "texture_of"]

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
