"""What an all-in hand is worth: play it again with every board that could have come."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riverboat.game import Hand

__all__ = ["expected_payoffs"]


def expected_payoffs(hand: Hand) -> tuple[int, tuple[float, ...]] | None:
    """Number of boards, and the mean payoffs; None if no card came after the last decision.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "ck/kk/b990c", seed=1)
    >>> boards, payoffs = expected_payoffs(hand)
    >>> boards, sum(payoffs)
    (44, 0.0)
    """
    spec, deal = hand.spec, hand.deal
    events = hand.events
    last = events[-1].street if events else 0
    known = sum(street.board for street in spec.streets[: last + 1])
    missing = spec.compiled.board_cards - known
    if len(hand.live) < 2 or not missing:
        return None
    head = deal[: spec.players * spec.compiled.hole_cards + known]
    left = [card for card in spec.deck if card not in head]
    boards = list(combinations(left, missing))
    totals = [0] * spec.players
    for board in boards:
        again = type(hand)(spec, cards=head + board, stacks=hand.starting_stacks)
        again.play(hand.full_line.lstrip("/"))
        totals = [t + p for t, p in zip(totals, again.payoffs(), strict=True)]
    return len(boards), tuple(total / len(boards) for total in totals)
