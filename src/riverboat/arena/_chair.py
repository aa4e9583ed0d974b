"""A chair at the table: a bot, its decision times and its failures.

A bot cannot stop a hand: if it raises an error, returns an illegal move or is late, it checks if
that is free, and folds otherwise. The failure is counted. If most decisions of a bot fail, the
match ends, because its result would mean nothing.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.bots import BotError
from riverboat.errors import ArenaError, in_words, one_line
from riverboat.game import Hand, View

_PER_DECADE = 50
_LOWEST = -8  # 10 nanoseconds
_BINS = 12 * _PER_DECADE


@dataclass(frozen=True, slots=True)
class TimeTally:
    """Statistics of decision times.

    Examples
    --------
    >>> tally = TimeTally.of([0.001] * 99 + [0.5]) + TimeTally.of([0.001])
    >>> tally.decisions, tally.longest, round(tally.mean, 4)
    (101, 0.5, 0.0059)
    >>> 0.001 <= tally.percentile(0.99) <= 0.00105
    True
    """

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(_BINS, np.int64))
    """[bins] decisions: 50 bins for each factor of ten, from 10 ns on."""

    @classmethod
    def of(cls, seconds: list[float]) -> "TimeTally":
        """Count decisions; `seconds` has the time of each."""
        if not seconds:
            return cls()
        times = np.array(seconds)
        places = (np.log10(np.maximum(times, 1e-12)) - _LOWEST) * _PER_DECADE
        bins = np.clip(places.astype(np.int64), 0, _BINS - 1)
        counts = np.bincount(bins, minlength=_BINS)
        return cls(len(times), float(times.sum()), float(times.max()), counts)

    def __add__(self, other: "TimeTally") -> "TimeTally":
        return TimeTally(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
            self.counts + other.counts,
        )

    @property
    def mean(self) -> float:
        """Mean seconds per decision; 0 without decisions."""
        return self.seconds / self.decisions if self.decisions else 0.0

    def percentile(self, share: float) -> float:
        """Return the seconds that this share of decisions did not exceed; up to 5 % too high."""
        if not self.decisions:
            return 0.0
        place = int(np.searchsorted(np.cumsum(self.counts), share * self.decisions))
        return float(min(self.longest, 10 ** (_LOWEST + (place + 1) / _PER_DECADE)))


#: Decisions made for a bot that had failed too often or could not be created.
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
        An object with `act(view)`, and optionally `hand_started(view)` and `hand_over(view)`.
    time_limit
        Seconds per decision.
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
            raise ArenaError(f"{type(bot).__name__} is not a bot: it has no method act(view)")
        self.bot = bot
        self.act: Callable[[View], Any] = bot.act
        self.hand_started: Callable[[View], object] | None = getattr(bot, "hand_started", None)
        self.hand_over: Callable[[View], object] | None = getattr(bot, "hand_over", None)
        self.limit = time_limit
        #: `seconds_left` of its views.
        self.seconds = time_limit if time_limit < math.inf else None
        #: Seconds of each decision.
        self.times: list[float] = []
        #: Number of failures by kind.
        self.errors: Counter[str] = Counter()
        #: The first message of each kind.
        self.said: dict[str, str] = {}

    @property
    def learns(self) -> bool:
        """Whether the bot's play depends on earlier hands."""
        return bool(getattr(self.bot, "learns", False))

    def fail(self, kind: str, sentence: str) -> None:
        """Count a failure."""
        self.errors[kind] += 1
        if kind not in self.said:
            self.said[kind] = one_line(sentence)

    def fail_by(self, error: BaseException, kind: str = RAISED) -> None:
        """Count an error that the bot raised."""
        if isinstance(error, BotError):
            self.fail(kind if error.kind == RAISED else error.kind, str(error))
        elif isinstance(error, MemoryError):
            self.fail("memory", "the bot needs more memory than its limit")
        else:
            self.fail(kind, in_words(error))

    def ask(self, view: View) -> Any:
        """Return the bot's move, which may be illegal, or a safe move if it fails or is late."""
        start = _clock()
        try:
            move = self.act(view)
        except (Exception, SystemExit) as error:
            self.times.append(_clock() - start)
            self.fail_by(error)
            return safe_move(view)
        seconds = _clock() - start
        self.times.append(seconds)
        if seconds > self.limit:
            self.fail(TIMEOUT, f"a decision took {seconds:.1f} s; the limit is {self.limit} s")
            return safe_move(view)
        return move

    def wish(self, view: View) -> float:
        """Return the time on the clock that a search needs; 0 for bots without `search_seconds`."""
        wishes = getattr(self.bot, "search_seconds", None)
        try:
            return 0.0 if wishes is None else float(wishes(view))
        except (Exception, SystemExit) as error:
            self.fail_by(error, HOOK)
            return 0.0

    def tell(self, hook: Callable[[View], object] | None, view: View) -> None:
        """Call one of the bot's hooks, and count an error in it."""
        if hook is not None:
            try:
                hook(view)
            except (Exception, SystemExit) as error:
                self.fail_by(error, HOOK)


def safe_move(view: View) -> str:
    """Return the move for a bot that fails: check, else fold; it discards no card if possible.

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


def play_hand(hand: Hand, chairs: list[Chair], *, tell: bool = False) -> None:
    """Play a hand to its end with the bots on `chairs`, in seat order.

    With `tell`, the hooks `hand_started` and `hand_over` of the bots are called.
    """
    if tell:
        _tell(hand, chairs, "hand_started")
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
    if tell:
        _tell(hand, chairs, "hand_over")


def _tell(hand: Hand, chairs: list[Chair], hook: str) -> None:
    for seat, chair in enumerate(chairs):
        if (method := getattr(chair, hook)) is not None:
            chair.tell(method, hand.view(seat))


#: From this number of decisions on, a match ends if more than half of a bot's decisions failed.
LEAST_DECISIONS = 100


def refuse_failing(
    name: str,
    decisions: int,
    errors: Mapping[str, int],
    said: Mapping[str, str],
    least: int = LEAST_DECISIONS,
) -> None:
    """Raise `ArenaError` if a bot failed more than half of its decisions.

    Parameters
    ----------
    name
        Name of the bot.
    decisions
        Number of its decisions.
    errors, said
        Number of failures by kind, and an example of each; failures of hooks do not count.
    least
        Minimum number of decisions for the check.

    Examples
    --------
    >>> refuse_failing("mine.py", 100, {"raised": 50}, {})
    >>> refuse_failing("mine.py", 100, {"raised": 51}, {"raised": "lost"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    riverboat.errors.ArenaError: mine.py failed 51 of 100 decisions, for example: lost. ...
    """
    kinds = {kind: count for kind, count in errors.items() if kind != HOOK}
    failed = sum(kinds.values())
    if decisions < least or 2 * failed <= decisions:
        return
    example = said.get(max(kinds, key=kinds.__getitem__), "")
    raise ArenaError(
        f"{name} failed {failed:,} of {decisions:,} decisions, for example: {example}. A match "
        f"ends if more than half of a bot's decisions fail, from decision {LEAST_DECISIONS} on or "
        "at the end. Find the error with `riverboat check-bot`, or continue the match with "
        "--keep-going (keep_going=True)"
    )
