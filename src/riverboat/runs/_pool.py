"""A pool of worker processes on this machine.

A job is a value with which a function is called. Other processes must be able to import the
function, and `multiprocessing` to send value and result. Workers get jobs a little ahead; results
are returned in order, or as they are done.

Each worker process has its own pipe and does one job at a time. Workers share no queue and no
lock, so any of them can be ended at any time, and none can make another wait.
"""

import importlib
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from threading import Thread
from types import FrameType
from typing import Any, Generic, TypeVar

from riverboat.errors import RiverboatError, RunError, in_words
from riverboat.runs._machine import available_memory, hide_memory

_Job = TypeVar("_Job")


@dataclass(frozen=True, slots=True)
class Work:
    """A function that worker processes call with every job, and how they call it.

    Examples
    --------
    >>> Work(abs, name="sizes").name
    'sizes'
    """

    function: Callable[[Any], Any]
    name: str = ""
    """Name that Ray's dashboard shows."""
    memory: int = 0
    """Bytes of memory that a job needs; 0 = little."""
    retries: int = 0
    """How often a job is repeated if its worker process ended."""
    private: bool = False
    """Whether workers hide their memory from other programs before the first job."""
    ordered: bool = True
    """Whether results come in the order of the jobs; else as they are done."""

    def importable(self) -> tuple[str, str]:
        """Return module and name from which another process can import the function.

        Raises
        ------
        RunError
            If the function cannot be imported by them.

        Examples
        --------
        >>> Work(in_words).importable()
        ('riverboat.errors', 'in_words')
        """
        function = self.function
        module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
        imported = None
        if module is not None and module != "__main__":
            imported = getattr(importlib.import_module(module), name, None)
        if imported is not function:
            raise RunError(
                f"{name or function!r} cannot be imported by other processes: "
                "define it at the top level of a module"
            )
        return str(module), name


def attempt(function: Callable[[Any], Any], job: object) -> tuple[Any, Exception | None]:
    """Do a job; return its result, or the error to raise in the process that gave the job.

    Examples
    --------
    >>> attempt(abs, -1)
    (1, None)
    >>> attempt(abs, "one")[1]
    RunError("type error: bad operand type for abs(): 'str'")
    """
    try:
        return function(job), None
    except RiverboatError as error:
        return None, error
    except Exception as error:
        return None, RunError(in_words(error))


class Queue(Generic[_Job]):
    """Hands out jobs, and returns their results in order or as they are done.

    Parameters
    ----------
    jobs
        The jobs; the next one is taken only when a worker is free.
    ahead
        Maximum number of jobs that are handed out from the first unfinished one on.
    ordered
        Whether results are returned in the order of the jobs.

    Examples
    --------
    >>> queue = Queue(["a", "b", "c"], ahead=2, ordered=True)
    >>> queue.take(), queue.take(), queue.take()
    ((0, 'a'), (1, 'b'), None)
    >>> queue.put(1, "B")
    >>> list(queue.ready())
    []
    >>> queue.put(0, "A")
    >>> list(queue.ready()), queue.take()
    ([('a', 'A'), ('b', 'B')], (2, 'c'))
    """

    def __init__(self, jobs: Iterable[_Job], ahead: int, ordered: bool) -> None:
        self.ahead = ahead
        self._jobs = iter(jobs)
        self._ordered = ordered
        self._active: dict[int, _Job] = {}
        self._done: dict[int, Any] = {}
        self._next_job = 0  # number of the next job to hand out
        self._next_result = 0  # number of the next result to return, if ordered

    @property
    def idle(self) -> bool:
        """Whether no job is handed out."""
        return not self._active

    def take(self) -> tuple[int, _Job] | None:
        """Return the next job and its number; None if there is none now."""
        behind = self._next_result if self._ordered else self._next_job - len(self._active)
        if self._next_job >= behind + self.ahead:
            return None
        for job in islice(self._jobs, 1):
            self._active[self._next_job] = job
            self._next_job += 1
            return self._next_job - 1, job
        return None

    def job(self, number: int) -> _Job:
        """Return a job that is handed out."""
        return self._active[number]

    def put(self, number: int, result: Any) -> None:
        """Store the result of a job."""
        self._done[number] = result

    def ready(self) -> Iterator[tuple[_Job, Any]]:
        """Yield finished jobs with their results, as far as the order allows."""
        if not self._ordered:
            for number in list(self._done):
                yield self._active.pop(number), self._done.pop(number)
        while self._next_result in self._done:
            number, self._next_result = self._next_result, self._next_result + 1
            yield self._active.pop(number), self._done.pop(number)


_AHEAD = 8  # jobs per worker that may be done before the next result in order
_END_SECONDS = 5.0
_POLL_SECONDS = 0.1


def run_here(
    work: Work, jobs: Iterable[Any], workers: int, stopped: Callable[[], bool] | None = None
) -> Generator[tuple[Any, Any], None, None]:
    """Do jobs on processes of this machine: see `riverboat.runs.run_jobs`.

    Examples
    --------
    >>> list(run_here(Work(abs), [-1, 2], workers=1))
    [(-1, 1), (2, 2)]
    """
    if workers <= 1 and stopped is None:
        for job in jobs:
            yield job, work.function(job)
        return
    team = _Team(work)
    try:
        with without_interrupts():
            team.grow(_fitting(workers, work.memory))
        yield from _done(Queue(jobs, _AHEAD * len(team.workers), work.ordered), team, stopped)
    finally:
        team.end()


def _fitting(workers: int, memory: int) -> int:
    """The number of workers whose jobs fit into memory, at least one."""
    most = workers if memory <= 0 else available_memory() // memory
    return max(1, min(workers, most))


class _Stop(BaseException):
    """Ends a worker; as an exception it lets the job close its files."""


def _stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not interrupt the end
    raise _Stop


def _unraisable(unraisable: Any) -> None:
    """End a worker whose stop was raised where Python drops exceptions, such as in `__del__`."""
    if isinstance(unraisable.exc_value, _Stop):
        os._exit(1)
    sys.__unraisablehook__(unraisable)


def _serve(connection: Connection, function: Callable[[Any], Any], private: bool) -> None:
    """Do one job after the other until the parent process closes the pipe."""
    if private:
        hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    sys.unraisablehook = _unraisable
    with suppress(_Stop):
        signal.signal(signal.SIGTERM, _stop)
        Thread(target=_follow, daemon=True).start()
        try:
            while True:
                job = connection.recv()
                connection.send(attempt(function, job))
        except (EOFError, OSError):  # the parent process was killed, and `_follow` ends this one
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _follow() -> None:
    """End this process when its parent was killed: a job may take minutes."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_END_SECONDS)
    os._exit(1)


@contextmanager
def without_interrupts(*signals: signal.Signals) -> Iterator[None]:
    """Block Ctrl-C in the block; processes that start in it never receive Ctrl-C.

    Parameters
    ----------
    *signals
        What is blocked instead of Ctrl-C.

    Examples
    --------
    >>> import subprocess, sys
    >>> with without_interrupts():
    ...     child = subprocess.Popen([sys.executable, "-c", ""])
    >>> child.wait()
    0
    """
    resource_tracker.ensure_running()  # its start would unblock Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals or {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """A worker process, seen from its parent."""

    def __init__(self, context: Any, function: Callable[[Any], Any], private: bool) -> None:
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, function, private), daemon=True
        )
        self._process.start()
        theirs.close()  # so that reading fails when the process has ended
        self.number: int | None = None

    def give(self, number: int, job: object) -> None:
        """Send a job; `number` is its index in the order of jobs."""
        self.number = number
        with suppress(OSError):  # `take` notices a worker that has ended
            self.connection.send(job)

    def take(self) -> Any:
        """Return the result of the job, or raise its error; EOFError if the process ended."""
        self.number = None
        try:
            result, failure = self.connection.recv()
        except OSError as error:
            raise EOFError from error
        if failure is not None:
            raise failure
        return result

    def ask_to_end(self) -> None:
        """Terminate the process, also during a job."""
        self._process.terminate()
        self.connection.close()

    def end(self) -> None:
        """Wait until the process has ended; kill it if that takes too long."""
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


class _Team:
    """The workers of one function; replaces workers that ended, up to the retries of their job."""

    def __init__(self, work: Work) -> None:
        self.workers: list[_Worker] = []
        self._work = work
        self._context = multiprocessing.get_context("spawn")
        self._tries: Counter[int] = Counter()

    def grow(self, count: int) -> None:
        """Start further workers."""
        function, private = self._work.function, self._work.private
        self.workers.extend(_Worker(self._context, function, private) for _ in range(count))

    def replace(self, worker: _Worker, number: int) -> None:
        """Replace a worker that ended; raise an error if its job has no retries left."""
        self._tries[number] += 1
        if self._tries[number] > self._work.retries:
            raise RunError(
                "a worker process ended during its job: it crashed, or there was too little memory"
            )
        self.workers.remove(worker)
        worker.ask_to_end()
        worker.end()
        with without_interrupts():
            self.grow(1)

    def end(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.ask_to_end()
        for worker in self.workers:
            worker.end()


def _done(
    queue: Queue[Any], team: _Team, stopped: Callable[[], bool] | None
) -> Iterator[tuple[Any, Any]]:
    """Keep every worker busy; yield jobs with their results."""
    repeated: list[int] = []  # jobs whose workers ended
    while True:
        for worker in team.workers:
            if worker.number is not None:
                continue
            if repeated:
                worker.give(repeated[0], queue.job(repeated.pop(0)))
            elif (following := queue.take()) is not None:
                worker.give(*following)
        if queue.idle or (stopped is not None and stopped()):
            return
        by_connection = {w.connection: w for w in team.workers if w.number is not None}
        seconds = None if stopped is None else _POLL_SECONDS
        for ready in wait(list(by_connection), seconds):
            worker = by_connection[ready]
            number = worker.number
            if number is None:
                continue
            try:
                queue.put(number, worker.take())
            except EOFError:
                team.replace(worker, number)
                repeated.append(number)
        yield from queue.ready()
