"""A writer's last check: what was written reads back as the same hand, or is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.errors import HistoryError, RiverboatError

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.histories._record import HandRecord


def check_exact(record: HandRecord, text: str, read: Callable[[str], HandRecord], name: str) -> str:
    """Return the text if it reads back as the same hand.

    Formats that leave some rules to the reader (the size of an ante that nobody
    could post in full, for instance) are refused the rare hand that they would
    tell wrongly.
    """
    try:
        back = read(text)
    except RiverboatError as error:
        raise HistoryError(
            f"{name} cannot carry this hand: it would be refused, {error}"
        ) from error
    before, after = record.hand(), back.hand()
    pots = [[(pot.amount, pot.eligible) for pot in hand.pots()] for hand in (before, after)]
    same = {
        "line of play": back.line.rstrip("/") == record.line.rstrip("/"),
        "stacks": back.stacks == record.stacks,
        "names": back.names == record.names,
        "board": after.board == before.board,
        "pots": pots[0] == pots[1],
        "payoffs": back.payoffs() == record.payoffs(),
        "chairs": back.chairs == record.chairs,
        "unit": back.unit == record.unit,
    }
    for what, equal in same.items():
        if not equal:
            raise HistoryError(f"{name} cannot carry this hand exactly: the {what} would change")
    return text
