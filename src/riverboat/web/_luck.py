"""Scores sessions without luck (AIVAT): a job in a process of its own, which the pages follow.

AIVAT holds for two players, one of whom is a bot whose strategy is known.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from riverboat.bots import BotRef, named_bot
from riverboat.errors import ReviewError, RiverboatError
from riverboat.histories import read
from riverboat.learn import known_bot, luck_needs_table, results_without_luck
from riverboat.runs import Job, JobProcess, Jobs, JobState
from riverboat.statistics import mean_estimate
from riverboat.web._opponents import bot_of_name
from riverboat.web._process import begin_process
from riverboat.web._sessions import SAMPLE, Sessions, own_seat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from riverboat.bots import Bot
    from riverboat.runs import JobPipe
    from riverboat.web._luck_file import LuckFile
    from riverboat.web._shelf import Shelf

    LuckJob = Job["NewLuck", "LuckFound"]

_EVERY: Final = 1.0  # seconds between two messages of the process
_LEAST: Final = 10  # hands of the first point of the curve


class NewLuck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to score all hands that are not scored yet."""


class LuckFound(msgspec.Struct, frozen=True):
    """The progress of scoring."""

    doing: str = ""
    """The step that `done` and `total` count: `luck` (values for AIVAT) or `hands`."""
    done: int = 0
    total: int = 0
    seconds_left: float | None = None


class LuckState(LuckFound, frozen=True, kw_only=True):
    """The state of scoring."""

    id: str
    state: JobState
    problem: str
    curve: list[tuple[float, ...]]
    """(hands, mean, low, high) in big blinds per 100 hands, with a 95 % confidence interval."""


class LuckFacts(msgspec.Struct, frozen=True):
    """For how many hands AIVAT holds."""

    hands: int
    """Hands of all sessions."""
    held: int
    """Hands with a luck-adjusted result."""
    unscored: int
    """Hands against bots whose strategy is known that are not scored yet."""
    slow: bool
    """Whether a table must be computed first, which takes a minute or two."""
    job: LuckState | None
    """The latest job."""


class Unscored(msgspec.Struct, frozen=True):
    """Hands of a session that a process is to score."""

    session: str
    path: str
    bot: str
    player: str
    first: int
    """Hands that are scored already."""
    hands: int
    unit: int
    """Chips of a big blind."""
    slow: bool
    """Whether a table must be computed first."""


class Scored(msgspec.Struct, frozen=True):
    """A message of the process: its progress, and perhaps results."""

    found: LuckFound
    session: str = ""
    first: int = 0
    unit: int = 1
    chips: list[float | None] = []


class Luck(Jobs[NewLuck, LuckFound]):
    """Scores the hands of all sessions, with one job at a time.

    Parameters
    ----------
    folder
        The folder of the jobs.
    shelf
        The strategies that bots may use.
    sessions
        The sessions.
    file
        The results.
    """

    def __init__(self, folder: Path, shelf: Shelf, sessions: Sessions, file: LuckFile) -> None:
        super().__init__("adjustment", folder, (NewLuck, LuckFound), self._score, shown=self.state)
        self._shelf, self._sessions, self._file = shelf, sessions, file
        self._one = threading.Lock()

    def begin(self) -> LuckJob:
        """Start a job, or return the one that runs."""
        with self._one:
            active = next((job for job in self if job.record.active), None)
            if active is not None:
                return active
            for old in self:
                self.forget(old.id)
            return self.new(NewLuck())

    @staticmethod
    def state(job: LuckJob) -> LuckState:
        """Return the state of a job."""
        record = job.record
        found = msgspec.structs.asdict(record.report or LuckFound())
        return LuckState(
            **found, id=record.id, state=record.state, problem=record.problem, curve=record.points
        )

    def facts(self) -> LuckFacts:
        """Return for how many hands AIVAT holds, and how many are to be scored."""
        rows, todo = self._sessions.all(set()), list(self._unscored())
        job = next(reversed(list(self)), None)
        return LuckFacts(
            hands=sum(row.hands for row in rows),
            held=sum(row.held for row in rows),
            unscored=sum(each.hands - each.first for each in todo),
            slow=any(each.slow for each in todo),
            job=None if job is None else self.state(job),
        )

    def _unscored(self) -> Iterator[Unscored]:
        """Yield the sessions with hands to be scored."""
        slow: dict[Any, bool] = {}
        for row in self._sessions.all(set()):
            scored = len(self._file.read(row.id))
            if row.id == SAMPLE or scored >= row.hands:
                continue
            # An unknown bot or strategy, another kind of game, or a session that is deleted now.
            with suppress(RiverboatError, OSError):
                first = self._sessions.record(row.id, 1)
                if first.players != 2:
                    continue
                seat = own_seat(first)
                bot = self._shelf.bot(bot_of_name(first.names[1 - seat]))
                if not _is_known(bot):
                    continue
                key = bot, first.spec
                if key not in slow:
                    slow[key] = luck_needs_table(*key)
                place = row.id, str(self._sessions.path(row.id)), bot, first.names[seat]
                yield Unscored(*place, scored, row.hands, row.unit, slow[key])

    def _score(self, job: LuckJob) -> bool | None:
        """Score in a process; the results of each second are saved here."""
        todo, won = msgspec.json.encode(list(self._unscored())), list[float]()
        with JobProcess(score_here, todo) as process:
            for message in process.messages(job.stopping, process.kill):
                scored = msgspec.convert(message, Scored)
                if scored.chips and scored.session in self._sessions:
                    self._file.add(scored.session, scored.first, scored.chips)
                won += [each / scored.unit for each in scored.chips if each is not None]
                job.tell(scored.found, _point(won) if len(won) >= _LEAST else None)
        return None if job.stopping.is_set() else True


def _point(won: list[float]) -> tuple[float, ...]:
    """Return hands, mean and interval in big blinds per 100 hands."""
    found = mean_estimate(np.array(won)).scaled(100)
    return (len(won), found.mean, *found.interval)


@lru_cache(maxsize=64)
def _is_known(bot: str) -> bool:
    """Return whether a bot reports its strategy, without a search at each decision."""
    try:
        known_bot(bot)
    except RiverboatError:
        return False
    return BotRef.parse(bot).name != "search"


# ---- In the process of a job


@dataclass
class _Scorer:
    """Scores hands, and sends progress and results about once a second."""

    pipe: JobPipe
    total: int
    done: int = 0

    def __post_init__(self) -> None:
        self._began = self._sent = time.monotonic()

    def values(self, done: int, total: int) -> None:
        """Note the progress of a table."""
        self._send(Scored(_found("luck", done, total, self._began)))
        if done == total:
            self._began = time.monotonic()

    def session(self, each: Unscored) -> None:
        """Score the hands of a session."""
        first, chips = each.first, list[float | None]()

        def scored() -> Scored:
            found = _found("hands", self.done, self.total, self._began)
            return Scored(found, each.session, first, each.unit, chips)

        for result in self._results(each):
            chips.append(None if result is None else round(result, 3))
            self.done += 1
            if self._send(scored()):
                first, chips = first + len(chips), []
        self._send(scored(), now=True)

    def _results(self, each: Unscored) -> Iterator[float | None]:
        """Yield the result of each hand; without AIVAT if the session cannot be scored."""
        count = each.hands - each.first
        left = count
        with suppress(ReviewError):
            records = list(read(each.path).hands)
            found = results_without_luck(
                records, each.player, each.bot, first=each.first, progress=self.values, make=_bot
            )
            for result in islice(found, count):
                left -= 1
                yield result
        yield from [None] * left

    def _send(self, message: Scored, *, now: bool = False) -> bool:
        if not now and time.monotonic() < self._sent + _EVERY:
            return False
        self._sent = time.monotonic()
        self.pipe.send(message)
        return True


def _found(doing: str, done: int, total: int, began: float) -> LuckFound:
    left = (time.monotonic() - began) * (total - done) / done if done else None
    return LuckFound(doing, done, total, left)


def _bot(text: str, seed: int) -> Bot:
    """Create the opponent; the server has chosen its strategy file."""
    return named_bot(text, seed, "the session", BotRef.parse(text).files)


def score_here(pipe: JobPipe, todo: bytes) -> None:
    """Score the hands of sessions."""
    begin_process(pipe)
    sessions = msgspec.json.decode(todo, type=list[Unscored])
    scorer = _Scorer(pipe, sum(each.hands - each.first for each in sessions))
    for each in sessions:
        scorer.session(each)
