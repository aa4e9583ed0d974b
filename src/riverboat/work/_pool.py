"""Jobs on some processes, given back in order.

Each worker process has a pipe of its own and does one job at a time. They share no queue and no
lock, so that any of them can be ended at any moment and none can make another wait.
"""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, TypeVar

from riverboat.errors import RiverboatError, WorkError, in_words
from riverboat.work._privacy import hide_memory

__all__ = ["run_jobs", "without_interrupts"]

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")

_AHEAD = 8  # jobs for each worker that may be done before the next one in order is there
_END_SECONDS = 5.0
_LOOK_SECONDS = 0.1


def run_jobs(
    function: Callable[[_Job], _Result],
    jobs: Iterable[_Job],
    workers: int,
    *,
    private: bool = False,
    stopped: Callable[[], bool] | None = None,
) -> Generator[tuple[_Job, _Result], None, None]:
    """Do jobs on some processes and yield each with its result, in the order of the jobs.

    With one worker everything happens in this process. Jobs are taken only a little ahead, so
    that the work can end early; whoever stops taking results ends the workers.

    Parameters
    ----------
    function
        Does a job. With several workers it is one of a module, so that other processes find it,
        and jobs and results can be pickled.
    jobs
        What it is called with.
    workers
        Processes.
    private
        Whether the workers shut their memory to other programs before they get a job.
    stopped
        Asked several times a second; where it says yes, the workers are ended and nothing more is
        yielded. One worker is a process then, too. For work in a thread, where there is no Ctrl-C.

    Raises
    ------
    WorkError
        If a worker process ended, or an error of `function` is not one of Riverboat's.

    Examples
    --------
    >>> list(run_jobs(abs, [-1, 2], workers=1))
    [(-1, 1), (2, 2)]
    """
    if workers <= 1 and stopped is None:
        for job in jobs:
            yield job, function(job)
        return
    context = multiprocessing.get_context("spawn")
    team: list[_Worker] = []
    try:
        with without_interrupts():
            team.extend(_Worker(context, function, private) for _ in range(max(1, workers)))
        yield from _in_order(iter(jobs), team, stopped)
    finally:
        for worker in team:
            worker.ask_to_end()
        for worker in team:
            worker.end()


class _Stop(BaseException):
    """The worker is to end; what its job has open is closed on the way out."""


def _stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what signal hands over
    raise _Stop


def _serve(connection: Connection, function: Callable[[Any], Any], private: bool) -> None:
    """Do one job after the other until there is nobody to work for."""
    if private:
        hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who gives the work out
    signal.signal(signal.SIGTERM, _stop)
    with suppress(_Stop, EOFError, OSError):
        while True:
            job = connection.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(job), None
            except RiverboatError as error:
                answer = None, error
            except Exception as error:
                answer = None, WorkError(in_words(error))
            connection.send(answer)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back; processes that start meanwhile never see it, not even while they load.

    Examples
    --------
    >>> import subprocess, sys
    >>> with without_interrupts():
    ...     child = subprocess.Popen([sys.executable, "-c", ""])
    >>> child.wait()
    0
    """
    resource_tracker.ensure_running()  # when it starts it lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """A process, as seen by who gives the work out."""

    def __init__(self, context: Any, function: Callable[[Any], Any], private: bool) -> None:
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, function, private), daemon=True
        )
        self._process.start()
        theirs.close()  # so that the end of the process is seen
        self.number: int | None = None

    def give(self, number: int, job: object) -> None:
        """Give it a job; `number` is its place in the order."""
        self.number = number
        with suppress(OSError):  # a worker that is gone is found out by `take`
            self.connection.send(job)

    def take(self) -> Any:
        """Return what came of its job."""
        self.number = None
        try:
            result, failure = self.connection.recv()
        except (EOFError, OSError) as error:
            raise WorkError(
                "a worker process ended before its job: it crashed, or memory ran out"
            ) from error
        if failure is not None:
            raise failure
        return result

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


def _in_order(
    jobs: Iterator[_Job], team: list[_Worker], stopped: Callable[[], bool] | None
) -> Iterator[tuple[_Job, Any]]:
    """Keep every worker busy; hold results back until those before them are there."""
    given: dict[int, _Job] = {}
    done: dict[int, Any] = {}
    following = 0  # the next number to be given out, and the next to be yielded
    awaited = 0
    while True:
        for worker in team:
            if worker.number is None and following < awaited + _AHEAD * len(team):
                for job in islice(jobs, 1):
                    given[following] = job
                    worker.give(following, job)
                    following += 1
        if awaited == following or (stopped is not None and stopped()):
            return
        by_connection = {w.connection: w for w in team if w.number is not None}
        seconds = None if stopped is None else _LOOK_SECONDS
        for ready in wait(list(by_connection), seconds):
            worker = by_connection[ready]
            number = worker.number
            if number is not None:
                done[number] = worker.take()
        while awaited in done:
            yield given.pop(awaited), done.pop(awaited)
            awaited += 1
