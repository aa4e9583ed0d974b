"""Equity by definition: deal every run-out, show down, count.

`count_deals` is plain Python over the plain evaluator: for boards of 4 or 5
cards. `count_boards` deals all 1,712,304 boards to two hands before the flop;
it is NumPy over whatever evaluates a batch, and shares nothing with the
equity kernel.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reference.evaluator import best_value

Hole = tuple[int, int]
EvaluateBatch = Callable[[NDArray[np.uint8]], NDArray[Any]]


class Deals(NamedTuple):
    """Numbers of deals that the first player wins, ties and loses."""

    win: int
    tie: int
    lose: int


def count_deals(hole: Hole, others: Iterable[Hole], board: list[int]) -> Deals:
    """Count showdowns of a hand against each of the others, over all run-outs of a board."""
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
    return Deals(outcomes[1], outcomes[0], outcomes[-1])


@cache
def _choices(num_cards: int, count: int) -> NDArray[np.uint8]:
    """All choices of `count` of `num_cards` places, [choices, count]."""
    choices = combinations(range(num_cards), count)
    return np.fromiter(choices, np.dtype((np.uint8, count)))


def count_boards(
    hole: Hole, other: Hole, evaluate_batch: EvaluateBatch, board: Iterable[int] = ()
) -> Deals:
    """Count showdowns of two hands over all run-outs of a board, of any number of cards."""
    dealt = list(board)
    known = {*hole, *other, *dealt}
    deck = np.array([card for card in range(52) if card not in known], np.uint8)
    run_outs = deck[_choices(len(deck), 5 - len(dealt))]

    def strengths(pair: Hole) -> NDArray[np.int64]:
        fixed = np.tile(np.array([*pair, *dealt], np.uint8), (len(run_outs), 1))
        return evaluate_batch(np.hstack([fixed, run_outs])).astype(np.int64)

    ahead = np.sign(strengths(hole) - strengths(other))
    return Deals(int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum()))
