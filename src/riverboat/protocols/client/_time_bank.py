"""How long a decision may take where the time of a whole match is bounded."""

import math

#: What is never planned: the wire takes time too.
_RESERVE = 0.1
#: Of what is left, for one decision.
_MOST = 0.05
#: Decisions that take less of their time than this count as free.
_FREE = 0.1


class TimeBank:
    """Plans time by the hands that are left, and by how often a bot needs any.

    Most decisions of a bot that searches take no time: only those that do share what is left.

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
    """

    def __init__(self, hands: int) -> None:
        self._hands = max(1, hands)
        self._seconds = math.inf
        self._begun = 0
        self._slow = 0

    def left(self, seconds: float) -> None:
        """Hear what the clock says."""
        self._seconds = seconds

    def begin(self) -> None:
        """Hear of a new hand."""
        self._begun += 1

    def spent(self, seconds: float, planned: float) -> None:
        """Hear what a decision took."""
        self._seconds -= seconds
        self._slow += seconds > _FREE * planned

    def plan(self) -> float:
        """Return the seconds for the next decision; infinite where there is no clock."""
        if self._seconds == math.inf:
            return math.inf
        hands_left = max(1, self._hands - max(0, self._begun - 1))
        a_hand = max(0.25, (self._slow + 1) / max(1, self._begun))
        share = (1 - _RESERVE) * self._seconds / (hands_left * a_hand)
        return max(0.0, min(share, _MOST * self._seconds))
