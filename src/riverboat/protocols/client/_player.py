"""Our bot at another engine: it always sends a legal move, and counts results and failures.

`TimeBank` plans the time of each decision if the whole match has a time limit. `nearest_bet` and
`nearest_move` turn a move by another engine's rules into a legal one by ours.
"""

import math
import time
from typing import Any

from msgspec.structs import replace

from riverboat.arena import Chair, safe_move
from riverboat.game import Action, GameSpec, Hand, LegalActions, View

#: What is never planned: the wire takes time too.
_RESERVE = 0.1
#: Of what is left, for one decision.
_MOST = 0.05
#: Decisions that take less of their time than this count as free.
_FREE = 0.1


class TimeBank:
    """Plans time per decision from the hands left and the share of slow decisions.

    Most decisions of a bot that searches take no time, so only slow ones share the time left.

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
        """Set the seconds left on the clock."""
        self._seconds = seconds

    def begin(self) -> None:
        """Count a new hand."""
        self._begun += 1

    def spent(self, seconds: float, planned: float) -> None:
        """Subtract the seconds of a decision."""
        self._seconds -= seconds
        self._slow += seconds > _FREE * planned

    def plan(self) -> float:
        """Return the seconds for the next decision; infinite without a clock."""
        if self._seconds == math.inf:
            return math.inf
        hands_left = max(1, self._hands - max(0, self._begun - 1))
        a_hand = max(0.25, (self._slow + 1) / max(1, self._begun))
        share = (1 - _RESERVE) * self._seconds / (hands_left * a_hand)
        return max(0.0, min(share, _MOST * self._seconds))


class Player:
    """A bot with its clock and its results.

    Parameters
    ----------
    bot
        An object with `act(view)`, and optionally `hand_started(view)` and `hand_over(view)`.
    time_limit
        Seconds for one decision.
    bank
        Of the match, where its time is bounded.

    Attributes
    ----------
    chair
        Counts decisions, times and failures.
    won
        By hand, in big blinds.
    """

    def __init__(
        self, bot: Any, time_limit: float = math.inf, bank: TimeBank | None = None
    ) -> None:
        self.chair = Chair(bot, time_limit)
        self.bank = bank
        self.won: list[float] = []

    def begin(self, view: View) -> None:
        """Start a hand."""
        if self.bank is not None:
            self.bank.begin()
        self.chair.tell(self.chair.hand_started, view)

    def decide(self, view: View) -> Action:
        """Return a legal move: the bot's, or a safe one if the bot fails."""
        planned = self.chair.limit if self.bank is None else self.bank.plan()
        limit = min(planned, self.chair.limit)
        start = time.perf_counter()
        move = self.chair.ask(view if limit == math.inf else replace(view, seconds_left=limit))
        if self.bank is not None:
            self.bank.spent(time.perf_counter() - start, planned)
        if move in view.legal:
            return move if isinstance(move, Action) else Action(move)
        self.chair.fail("illegal", f"{move!r} is not allowed: legal are {view.legal}")
        return Action(safe_move(view))

    def score(self, spec: GameSpec, chips: float) -> None:
        """Count the result of a hand, also of one that our rules cannot replay."""
        self.won.append(chips / (spec.big_blind or 1))

    def finish(self, view: View) -> None:
        """End a hand."""
        self.chair.tell(self.chair.hand_over, view)

    def close(self) -> None:
        """End the bot's process, if it has one."""
        close = getattr(self.chair.bot, "close", None)
        if close is not None:
            close()


def nearest_bet(hand: Hand, amount: int) -> str:
    """Return a bet to `amount` on this street, or the nearest legal move.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"))
    >>> nearest_bet(hand, 30), nearest_bet(hand, 11), nearest_bet(hand, 5000)
    ('b30', 'b20', 'b1000')
    """
    legal = hand.legal()
    if legal.raise_to is None:
        return "k" if legal.check else "c"
    least, most = legal.raise_to
    return f"b{min(max(amount, least), most)}"


def nearest_move(hand: Hand, letter: str) -> str:
    """Return a fold, check or call, or the nearest legal move.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> nearest_move(Hand(catalogue("nolimit-100bb")), "k")
    'c'
    """
    legal = hand.legal()
    if letter == "f" and legal.fold:
        return "f"
    return "k" if legal.check else "c"


def final_view(hand: Hand, seat: int, chips: int) -> View:
    """Return what a seat sees at the end of a hand for two: the engine says who won."""
    payoffs = (chips, -chips) if seat == 0 else (-chips, chips)
    view = hand.view(seat)
    return replace(view, actor=None, finished=True, legal=LegalActions(), payoffs=payoffs)
