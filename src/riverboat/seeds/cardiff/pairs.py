"""Pairs of the seven: whom the published table agrees with, by our intervals."""

from collections.abc import Iterable

import msgspec

from riverboat.seeds._work import Won
from riverboat.seeds.cardiff.data import data

__all__ = ["Cell", "Counted", "count_pairs", "others_text"]


class Cell(msgspec.Struct, frozen=True):
    """What the row's bot won from the column's, small blinds a hand."""

    row: int
    column: int
    won: Won


class Counted(msgspec.Struct, frozen=True):
    """How some pairs came out beside table 2."""

    pairs: int
    clear: int
    """Our interval lies on one side of zero."""
    same: int
    """Of the clear ones: with the published winner."""
    inside: int
    """The published figure lies within our interval."""


def count_pairs(cells: Iterable[Cell]) -> tuple[Counted, Counted]:
    """Count the pairs of two comparable bots, and apart from them all others.

    Examples
    --------
    >>> fish, random = 0, 2
    >>> count_pairs([Cell(fish, random, Won(60.0, 9.0, 10))])[1]
    Counted(pairs=1, clear=1, same=1, inside=1)
    """
    bots, upper = data().bots, [cell for cell in cells if cell.row < cell.column]
    alike = [cell for cell in upper if bots[cell.row].comparable and bots[cell.column].comparable]
    return _counted(alike), _counted([cell for cell in upper if cell not in alike])


def _counted(cells: list[Cell]) -> Counted:
    table2 = data().table2.rows
    pairs = [(cell.won, table2[cell.row][cell.column]) for cell in cells]
    clear = [(won, theirs) for won, theirs in pairs if won.sign]
    return Counted(
        len(pairs),
        len(clear),
        sum(1 for won, theirs in clear if won.sign * theirs > 0),
        sum(1 for won, theirs in pairs if abs(won.mean - theirs) <= won.margin),
    )


def others_text(others: Counted) -> str:
    """Say how the pairs came out that cannot be compared."""
    names = " or ".join(seat.title for seat in data().bots if not seat.comparable)
    return (
        f"Not counted are the {others.pairs} pairs with {names}, which cannot be compared; "
        f"{others.clear} of them are clear, {others.same} with the published winner."
    )
