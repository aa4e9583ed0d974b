"""Equity by definition: deal every run-out, show down, count. For boards of 3 to 5 cards."""

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from twins.evaluator import best_value

__all__ = ["Outcomes", "count_deals"]

Hole = tuple[int, int]


class Outcomes(NamedTuple):
    """Numbers of deals that the first player wins, ties and loses."""

    win: int
    tie: int
    lose: int


def count_deals(hole: Hole, others: Iterable[Hole], board: list[int]) -> Outcomes:
    """Count showdowns of a hand against each of the others, over all run-outs of a board.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> count_deals(tuple(as_cards("AhAd")), [tuple(as_cards("KhKd"))], as_cards("2c7dJs3h"))
    Outcomes(win=42, tie=0, lose=2)
    """
    outcomes = {1: 0, 0: 0, -1: 0}
    for other in others:
        known = {*hole, *other, *board}
        if len(known) < 4 + len(board):
            continue
        deck = [card for card in range(52) if card not in known]
        for run_out in combinations(deck, 5 - len(board)):
            ours = best_value([*hole, *board, *run_out])
            theirs = best_value([*other, *board, *run_out])
            outcomes[(ours > theirs) - (ours < theirs)] += 1
    return Outcomes(outcomes[1], outcomes[0], outcomes[-1])
