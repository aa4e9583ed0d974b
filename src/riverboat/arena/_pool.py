"""Sessions on all cores, given back in order.

Each worker process has a pipe of its own and plays one session at a time. They share no queue
and no lock, so that any of them can be ended at any moment and none can make another wait.
"""

import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any

from riverboat.arena._session import SessionResult, play_session
from riverboat.arena._settings import MatchSettings
from riverboat.errors import ArenaError

__all__ = ["Job", "default_workers", "play_sessions", "without_interrupts"]

Job = tuple[MatchSettings, int]

_AHEAD = 8  # sessions for each worker that may be played before the next one in order is there
_END_SECONDS = 5.0


def default_workers() -> int:
    """Return how many processes can run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Stop(BaseException):
    """The worker is to end; its bots' processes are closed on the way out."""


def _stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what signal hands over
    raise _Stop


def _serve(connection: Connection) -> None:
    """Play one session after the other until there is nobody to play for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who gives the work out
    signal.signal(signal.SIGTERM, _stop)
    with suppress(_Stop, EOFError, OSError):
        while True:
            job = connection.recv()
            answer: SessionResult | Exception
            try:
                answer = play_session(*job)
            except Exception as error:
                answer = ArenaError(
                    f"a session could not be played: {type(error).__name__}: {error}"
                )
            connection.send(answer)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back; processes that start meanwhile never see it, not even while they load."""
    resource_tracker.ensure_running()  # when it starts it lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """A process, as seen by who gives the work out."""

    def __init__(self, context: Any) -> None:
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # so that the end of the process is seen
        self.number: int | None = None

    def give(self, number: int, job: Job) -> None:
        """Give it a job; `number` is its place in the order."""
        self.number = number
        with suppress(OSError):  # a worker that is gone is found out by `take`
            self.connection.send(job)

    def take(self) -> SessionResult:
        """Return what it played."""
        self.number = None
        try:
            answer = self.connection.recv()
        except (EOFError, OSError) as error:
            raise ArenaError(
                "a worker process ended: a built-in bot has crashed it or memory ran out; "
                "bots of files run in processes of their own"
            ) from error
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return] # what `_serve` sends

    def ask_to_end(self) -> None:
        """Stop it, whatever it is doing."""
        self._process.terminate()
        self.connection.close()

    def end(self) -> None:
        """Wait until it is gone."""
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def play_sessions(jobs: Iterable[Job], workers: int) -> Iterator[tuple[Job, SessionResult]]:
    """Play sessions on some processes and yield the results in the order of the jobs.

    With one worker everything happens in this process. Jobs are taken only a little ahead, so that
    a match can end early.
    """
    if workers <= 1:
        for job in jobs:
            yield job, play_session(*job)
        return
    context = multiprocessing.get_context("spawn")
    team: list[_Worker] = []
    try:
        with without_interrupts():
            team.extend(_Worker(context) for _ in range(workers))
        yield from _in_order(iter(jobs), team)
    finally:
        for worker in team:
            worker.ask_to_end()
        for worker in team:
            worker.end()


def _in_order(jobs: Iterator[Job], team: list[_Worker]) -> Iterator[tuple[Job, SessionResult]]:
    """Keep every worker busy; hold results back until those before them are there."""
    given: dict[int, Job] = {}
    done: dict[int, SessionResult] = {}
    following = 0  # the next number to be given out, and the next to be yielded
    awaited = 0
    while True:
        for worker in team:
            if worker.number is None and following < awaited + _AHEAD * len(team):
                job = next(jobs, None)
                if job is None:
                    break
                given[following] = job
                worker.give(following, job)
                following += 1
        if awaited == following:
            return
        by_connection = {w.connection: w for w in team if w.number is not None}
        for ready in wait(list(by_connection)):
            worker = by_connection[ready]
            number = worker.number
            if number is not None:
                done[number] = worker.take()
        while awaited in done:
            yield given.pop(awaited), done.pop(awaited)
            awaited += 1
