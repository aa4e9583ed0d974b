"""The clock of a whole match: how long a decision may take, and which decisions are searched."""

import math
from bisect import bisect_left, insort
from typing import Final

#: Share that is never planned: the wire takes time too.
_RESERVE: Final = 0.1
#: Share of the time left that an ordinary decision, and one that is searched, may take.
_MOST: Final = 0.05
_MOST_SEARCH: Final = 0.1
#: Decisions that take less of their time than this count as free.
_FREE: Final = 0.1


class TimeBank:
    """Plans time per decision if the whole match has a time limit.

    Most decisions of a bot take no time, so only slow ones share the time left, evenly by the hands
    left. A bot that re-solves says how much time a search needs. If the clock does not suffice for
    all searches, those in the largest pots are done: a decision is searched if the share of
    decisions so far with a pot at least as large is at most the share that the clock can pay for.

    Parameters
    ----------
    hands
        Of the match.

    Examples
    --------
    >>> bank = TimeBank(hands=100)
    >>> bank.left(30.0)  # seconds on the clock: each hand may have one slow decision
    >>> round(bank.plan(), 3)
    0.27
    >>> bank.left(100.0)
    >>> told = []
    >>> for pot in (20, 50, 20, 20, 20, 200):  # a search needs 4 s: 22 of 100 can be done
    ...     bank.begin()
    ...     told.append(bank.plan(pot, search=4.0))
    >>> told
    [0.0, 0.0, 0.0, 0.0, 0.0, 4.0]
    """

    def __init__(self, hands: int) -> None:
        self._hands = max(1, hands)
        self._seconds = math.inf
        self._begun = 0
        self._slow = 0
        self._pots: list[int] = []
        self._searching = False
        self._searches = 0
        self._search_seconds = 0.0

    def left(self, seconds: float) -> None:
        """Set the seconds left on the clock."""
        self._seconds = seconds

    def begin(self) -> None:
        """Count a new hand."""
        self._begun += 1

    def spent(self, seconds: float, planned: float) -> None:
        """Subtract the seconds of a decision."""
        self._seconds -= seconds
        if self._searching:
            self._searches += 1
            self._search_seconds += seconds
        else:
            self._slow += seconds > _FREE * planned > 0
        self._searching = False

    def plan(self, pot: int = 0, search: float = 0.0) -> float:
        """Return the seconds for the next decision; infinite without a clock.

        Parameters
        ----------
        pot
            Chips in the pot.
        search
            Seconds that the bot needs for a search; 0 if it does not search here. The answer is 0
            if the decision is not to be searched.
        """
        if self._seconds == math.inf:
            return math.inf
        if search > 0:
            return self._search(pot, search)
        a_hand = max(0.25, (self._slow + 1) / max(1, self._begun))
        share = self._usable / (self._hands_left * a_hand)
        return max(0.0, min(share, _MOST * self._seconds))

    def _search(self, pot: int, wanted: float) -> float:
        """Return the time of a search, 0 for a pot that is too small."""
        insort(self._pots, pot)
        asked = len(self._pots)
        cost = (wanted + self._search_seconds) / (1 + self._searches)
        expected = self._hands_left * asked / max(1, self._begun)
        as_large = asked - bisect_left(self._pots, pot)
        self._searching = as_large / asked <= self._usable / (cost * expected)
        return min(wanted, _MOST_SEARCH * self._usable) if self._searching else 0.0

    @property
    def _usable(self) -> float:
        return max(0.0, (1 - _RESERVE) * self._seconds)

    @property
    def _hands_left(self) -> int:
        return max(1, self._hands - max(0, self._begun - 1))
