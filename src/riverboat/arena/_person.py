"""A person's session, counted as a match is.

Hands count as independent. Strictly they are not, since a person learns; but nobody plays the
hundred sessions that an interval over sessions would need.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from riverboat.arena._result import MatchResult
from riverboat.arena._session import HandLog, SessionResult, sum_hands
from riverboat.arena._settings import MatchSettings
from riverboat.arena._times import TimeTally
from riverboat.game import GameSpec, Hand

__all__ = ["PersonLog"]


class PersonLog:
    """The hands of a person against bots, one after the other.

    Parameters
    ----------
    spec
        The game.
    names
        By chair, the person's and the bots'.
    seed
        Of the session.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> log = PersonLog(catalogue("kuhn"), ["You", "fish"], seed=1)
    >>> log.add(Hand.from_line(catalogue("kuhn"), "b1f", seed=1), seated=(0, 1))
    >>> log.result(seconds=2.0).chips_per_hand().mean
    1.0
    """

    def __init__(self, spec: GameSpec, names: Sequence[str], seed: int) -> None:
        self._spec, self._names, self._seed = spec, tuple(names), seed
        self._log = HandLog()

    def add(
        self, hand: Hand, seated: tuple[int, ...], payoffs: tuple[int, ...] | None = None
    ) -> None:
        """Count a hand; `seated` has the chair by seat.

        Its payoffs are given where the rules do not tell them: someone left it.
        """
        number = len(self._log.payoffs)
        if hand.settled:
            self._log.expect(hand, seed=number)
        self._log.add(hand, number, seated, payoffs)

    def result(self, seconds: float) -> MatchResult:
        """Return what was won, with intervals; at least one hand must have been played."""
        hands, chairs = len(self._log.payoffs), len(self._names)
        settings = MatchSettings(
            self._names, self._spec, hands=hands, seed=self._seed, duplicate=False
        )
        session = SessionResult(
            session=0,
            learns=(False,) * chairs,
            wins=np.zeros((hands, chairs)),
            times=(TimeTally(),) * chairs,
            errors=(Counter[str](),) * chairs,
            said=({},) * chairs,
            **sum_hands(settings, self._log, hands),
        )
        return MatchResult(settings, (session,), seconds)
