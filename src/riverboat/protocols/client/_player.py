"""Our bot at somebody else's table: always a legal answer, and a book of what happened."""

import math
import time
from typing import Any

from msgspec.structs import replace

from riverboat.arena import ILLEGAL, Chair, safe_move
from riverboat.game import Action, View
from riverboat.protocols.client._time_bank import TimeBank


class Player:
    """A bot, its clock, and what it won.

    Parameters
    ----------
    bot
        With `act(view)`, and `hand_started(view)` and `hand_over(view)` if it likes.
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
        """Hear of a new hand."""
        if self.bank is not None:
            self.bank.begin()
        self.chair.tell(self.chair.hand_started, view)

    def decide(self, view: View) -> Action:
        """Return a move that the view allows: the bot's, or a safe one where it has none."""
        planned = self.chair.limit if self.bank is None else self.bank.plan()
        limit = min(planned, self.chair.limit)
        start = time.perf_counter()
        move = self.chair.ask(view if limit == math.inf else replace(view, seconds_left=limit))
        if self.bank is not None:
            self.bank.spent(time.perf_counter() - start, planned)
        if move in view.legal:
            return move if isinstance(move, Action) else Action(move)
        self.chair.fail(ILLEGAL, f"{move!r} is not allowed: legal are {view.legal}")
        return Action(safe_move(view))

    def finish(self, view: View, chips: float) -> None:
        """Hear how a hand ended."""
        self.won.append(chips / (view.spec.big_blind or 1))
        self.chair.tell(self.chair.hand_over, view)

    def close(self) -> None:
        """End the bot's process, if it has one."""
        close = getattr(self.chair.bot, "close", None)
        if close is not None:
            close()
