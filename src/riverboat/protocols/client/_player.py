"""Our bot at another engine: it always sends a legal move, and counts results and failures.

`nearest_bet` and `nearest_move` turn a move by another engine's rules into a legal one by ours.
"""

import math
import time
from typing import Any

from msgspec.structs import replace

from riverboat.arena import Chair, safe_move
from riverboat.game import Action, GameSpec, Hand, LegalActions, View
from riverboat.protocols.client._time_bank import TimeBank


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
        planned = self.chair.limit
        if self.bank is not None:
            planned = self.bank.plan(view.pot, self.chair.wish(view))
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
