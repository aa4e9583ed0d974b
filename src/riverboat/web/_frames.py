"""The actions of a hand one by one, as a page plays them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from riverboat.cards import cards_text
from riverboat.table import act_of, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.game import Action, Hand


class Frame(msgspec.Struct, frozen=True):
    """The table right after an action, before its chips go to the pot."""

    number: int
    """Number of the action in the hand, from 1."""
    chair: int
    said: str
    street: str
    board: list[str]
    pot: int
    bets: list[int]
    """By chair."""
    stacks: list[int]
    live: list[bool]


def frames_of(hand: Hand, chairs: Sequence[int], viewer: int | None = None) -> list[Frame]:
    """Return the actions of a hand.

    Parameters
    ----------
    hand
        The hand; it is not changed.
    chairs
        The chair of each seat.
    viewer
        A seat: only the actions from its last one on. None = all.
    """
    events, again = hand.events, hand.clone()
    first = max((at for at, event in enumerate(events) if event.seat == viewer), default=0)
    for _ in events[first:]:
        again.undo()
    found = []
    for number, event in enumerate(events[first:], first + 1):
        found.append(_frame(again, number, chairs, event.action))
        again.do(event.action)
    return found


def _frame(before: Hand, number: int, chairs: Sequence[int], action: Action) -> Frame:
    act = act_of(before, action)
    seat, bets, stacks, live = act.seat, list(before.bets), list(before.stacks), set(before.live)
    added = act.amount if act.kind == "call" else max(0, act.amount - bets[seat])
    bets[seat] += added
    stacks[seat] -= added
    if act.kind == "fold":
        live.discard(seat)
    seats = sorted(range(len(chairs)), key=lambda each: chairs[each])
    return Frame(
        number=number,
        chair=chairs[seat],
        said=words_of(act.seen_by(-1)),
        street=before.spec.street_names[before.street],
        board=["??" if card < 0 else cards_text((card,)) for card in before.board],
        pot=before.pot + added,
        bets=[bets[each] for each in seats],
        stacks=[stacks[each] for each in seats],
        live=[each in live for each in seats],
    )
