"""A place in a list of recorded hands."""

from collections.abc import Sequence

from riverboat.errors import HistoryError
from riverboat.histories import HandRecord
from riverboat.table._events import Acted, act_of


class Replay:
    """Steps through recorded hands, action by action.

    Parameters
    ----------
    records
        The hands; the first one is shown first.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> shown = Replay([record_of(Hand.from_line(catalogue("kuhn"), "kbc", seed=1))])
    >>> shown.next_action(), shown.hand.line
    (True, 'k')
    """

    def __init__(self, records: Sequence[HandRecord]) -> None:
        self.records = tuple(records)
        self.go(1)

    @property
    def record(self) -> HandRecord:
        """The hand that is shown."""
        return self.records[self.number - 1]

    def go(self, number: int) -> None:
        """Go to the start of a hand, counted from 1."""
        if not 1 <= number <= len(self.records):
            raise HistoryError(f"there is no hand {number}: hands are 1 to {len(self.records)}")
        self.number = number
        self.hand = self.record.start()
        self._events = self.record.hand().events
        self.acts: list[Acted] = []

    @property
    def at_end(self) -> bool:
        """Whether all actions of the hand were shown."""
        return len(self.acts) == len(self._events)

    def next_action(self) -> bool:
        """Show one action more; False at the end of the hand."""
        if self.at_end:
            return False
        action = self._events[len(self.acts)].action
        self.acts.append(act_of(self.hand, action))
        self.hand.do(action)
        return True

    def previous_action(self) -> bool:
        """Take one action back; False at the start of the hand."""
        if not self.acts:
            return False
        self.hand.undo()
        self.acts.pop()
        return True

    def to_end(self) -> None:
        """Show all actions of the hand."""
        while self.next_action():
            pass
