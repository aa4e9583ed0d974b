"""The buckets of all hole pairs on a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from riverboat.cards import (
    BOARD_CARDS,
    HOLES,
    NUM_HOLES,
    canonical_board,
    hole_permutations,
    live_holes,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riverboat.blueprint._writer import OnProgress
    from riverboat.buckets import CardAbstraction, StreetRule
    from riverboat.cards import HandStrength


def board_buckets(
    cards: CardAbstraction,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None],
    progress: OnProgress | None = None,
) -> list[NDArray[np.int64]]:
    """Return the buckets of all hole pairs on each street up to a board, [1326] each.

    -1 of pairs that share a card with the street's board.
    """
    streets: list[NDArray[np.int64]] = []
    for size, rule in zip(BOARD_CARDS, cards.rules, strict=False):
        if size > len(board):
            break
        own = _own_buckets(rule, board[:size], open_tables, progress)
        if cards.recall and streets:
            own = own + streets[-1] * rule.num_buckets
        streets.append(own)
    sized = zip(BOARD_CARDS, streets, strict=False)
    return [np.where(live_holes(board[:size]), buckets, -1) for size, buckets in sized]


def hand_buckets(
    cards: CardAbstraction,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None] = lambda: None,
) -> NDArray[np.int64]:
    """Return the buckets of all pairs on a board, [1326]; -1 of dead pairs.

    Parameters
    ----------
    cards
        The abstraction, which has a rule for the board's street.
    board
        The public cards, in the order of dealing.
    open_tables
        Gives the hand-strength tables if they are built. Without them buckets are worked out
        hand by hand.
    """
    if cards.recall:
        return board_buckets(cards, board, open_tables)[-1]
    own = _own_buckets(cards.rules[BOARD_CARDS.index(len(board))], board, open_tables, None)
    return np.where(live_holes(board), own, -1)


def _own_buckets(
    rule: StreetRule,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None],
    progress: OnProgress | None,
) -> NDArray[np.int64]:
    """One street's buckets, from the tables where they are built."""
    tables = open_tables() if rule.needs_tables else None
    if tables is None and rule.needs_tables:
        return _on_the_fly(rule, board, progress)
    return _street_buckets(rule, board, tables)


def _street_buckets(
    rule: StreetRule, board: tuple[int, ...], tables: HandStrength | None
) -> NDArray[np.int64]:
    """One row of the rule's table, in the suits of the board."""
    row = np.zeros((1, NUM_HOLES), np.uint32)
    found = canonical_board(list(board)) if board else None
    rule.fill(cast("HandStrength", tables), 0 if found is None else found.id, row)
    buckets: NDArray[np.int64] = row[0].astype(np.int64)
    return buckets if found is None else buckets[hole_permutations()[found.permutation]]


def _on_the_fly(
    rule: StreetRule, board: tuple[int, ...], progress: OnProgress | None
) -> NDArray[np.int64]:
    """The same without tables, hand by hand."""
    buckets = np.zeros(NUM_HOLES, np.int64)
    for index, hole in enumerate(HOLES.tolist()):
        if not set(hole) & set(board):
            buckets[index] = rule.bucket(hole, board)
        if progress is not None:
            progress(index + 1, NUM_HOLES)
    return buckets
