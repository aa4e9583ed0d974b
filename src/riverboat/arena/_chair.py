"""A chair at the table: a bot, how long it thinks, and what it does wrong.

Whatever a bot does, the hand goes on: a bot that raises an error, answers what the rules do not
allow or is late has checked if that was free and folded if not, and it is counted.
"""

import math
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from riverboat.bots import BotError
from riverboat.errors import ArenaError, in_words, one_line
from riverboat.game import Hand, View

#: Decisions made for a bot that had failed too often.
ABSENT = "absent"
ILLEGAL = "illegal"
RAISED = "raised"
TIMEOUT = "timeout"
HOOK = "hook"

_clock = time.perf_counter


class Chair:
    """One bot in one session.

    Parameters
    ----------
    bot
        With `act(view)`, and `hand_started(view)` and `hand_over(view)` if it likes.
    time_limit
        Seconds for one decision.
    """

    __slots__ = (
        "act",
        "bot",
        "errors",
        "hand_over",
        "hand_started",
        "limit",
        "said",
        "seconds",
        "times",
    )

    def __init__(self, bot: Any, time_limit: float) -> None:
        if not callable(getattr(bot, "act", None)):
            raise ArenaError(f"{type(bot).__name__} is no bot: it has no method act(view)")
        self.bot = bot
        self.act: Callable[[View], Any] = bot.act
        self.hand_started: Callable[[View], object] | None = getattr(bot, "hand_started", None)
        self.hand_over: Callable[[View], object] | None = getattr(bot, "hand_over", None)
        self.limit = time_limit
        #: What its views say of the time to decide.
        self.seconds = time_limit if time_limit < math.inf else None
        #: Seconds of each decision.
        self.times: list[float] = []
        #: How often it failed, by kind.
        self.errors: Counter[str] = Counter()
        #: The first sentence of each kind.
        self.said: dict[str, str] = {}

    @property
    def learns(self) -> bool:
        """Whether its play depends on earlier hands."""
        return bool(getattr(self.bot, "learns", False))

    def fail(self, kind: str, sentence: str) -> None:
        """Count a failure."""
        self.errors[kind] += 1
        if kind not in self.said:
            self.said[kind] = one_line(sentence)

    def fail_by(self, error: BaseException, kind: str = RAISED) -> None:
        """Count an error that came out of the bot."""
        if isinstance(error, BotError):
            self.fail(kind if error.kind == RAISED else error.kind, str(error))
        elif isinstance(error, MemoryError):
            self.fail("memory", "it needs more memory than it may have")
        else:
            self.fail(kind, in_words(error))

    def ask(self, view: View) -> Any:
        """Return the bot's move, which may be illegal, or a safe one if it has none in time."""
        start = _clock()
        try:
            move = self.act(view)
        except (Exception, SystemExit) as error:
            self.times.append(_clock() - start)
            self.fail_by(error)
            return safe_move(view)
        took = _clock() - start
        self.times.append(took)
        if took > self.limit:
            self.fail(TIMEOUT, f"{took:.1f} s for a decision, the limit is {self.limit} s")
            return safe_move(view)
        return move

    def tell(self, hook: Callable[[View], object] | None, view: View) -> None:
        """Call one of the bot's hooks; an error in it is counted."""
        if hook is not None:
            try:
                hook(view)
            except (Exception, SystemExit) as error:
                self.fail_by(error, HOOK)


def safe_move(view: View) -> str:
    """Return what is done for a bot that has no answer: check, else fold; keep all cards.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> safe_move(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'f'
    """
    legal = view.legal
    if legal.check:
        return "k"
    if legal.fold:
        return "f"
    return next(iter(legal))  # stand pat, or toss the first card


def play_hand(hand: Hand, chairs: list[Chair]) -> None:
    """Play a hand to its end with the bots on `chairs`, by seat."""
    seat = hand.actor
    while seat is not None:
        chair = chairs[seat]
        view = hand.view(seat, chair.seconds)
        move = chair.ask(view)
        try:
            hand.do(move)
        except Exception as error:
            chair.fail(ILLEGAL, str(error))
            hand.do(safe_move(view))
        seat = hand.actor


def begin_hand(hand: Hand, chairs: list[Chair]) -> None:
    """Tell the bots that listen of a new hand."""
    for seat, chair in enumerate(chairs):
        if chair.hand_started is not None:
            chair.tell(chair.hand_started, hand.view(seat))


def end_hand(hand: Hand, chairs: list[Chair]) -> None:
    """Tell the bots that listen how the hand ended."""
    for seat, chair in enumerate(chairs):
        if chair.hand_over is not None:
            chair.tell(chair.hand_over, hand.view(seat))
