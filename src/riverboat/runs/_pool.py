"""Jobs on some processes of this machine, and what a job is, wherever it is done.

It is a function that other processes can import, and a value. The value and the result are plain
data: what `multiprocessing` can send. A back end hands jobs out a little ahead, and gives results
back in order, or as they come.

Each worker process has a pipe of its own and does one job at a time. They share no queue and no
lock, so that any of them can be ended at any moment and none can make another wait.
"""

import importlib
import multiprocessing
import os
import signal
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
    """A function that worker processes call with every job, and what a call takes.

    Examples
    --------
    >>> Work(abs, name="sizes").name
    'sizes'
    """

    function: Callable[[Any], Any]
    name: str = ""
    """For people: Ray's dashboard shows it."""
    memory: int = 0
    """Bytes that a job takes; 0 = little."""
    retries: int = 0
    """How often a job is tried again whose worker ended."""
    private: bool = False
    """Whether workers shut their memory to other programs before they get a job."""
    ordered: bool = True
    """Whether results come in the order of the jobs; else as they are done."""

    def importable(self) -> tuple[str, str]:
        """Return module and name of the function, by which another process finds it.

        Raises
        ------
        RunError
            If it cannot be found by them.

        Examples
        --------
        >>> Work(in_words).importable()
        ('riverboat.errors', 'in_words')
        """
        function = self.function
        module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
        found = None
        if module is not None and module != "__main__":
            found = getattr(importlib.import_module(module), name, None)
        if found is not function:
            raise RunError(
                f"{name or function!r} is no function of a module: other processes cannot import it"
            )
        return str(module), name


def attempt(function: Callable[[Any], Any], job: object) -> tuple[Any, Exception | None]:
    """Do a job; return its result, or the error that is told to who gave it.

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
    """Jobs under way: which is next, and whose results can be given back.

    Parameters
    ----------
    jobs
        Taken only when a worker is free for one.
    ahead
        Jobs that may be done before the next one in order is there.
    ordered
        Whether results wait for those before them.

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
        self._given: dict[int, _Job] = {}
        self._done: dict[int, Any] = {}
        self._following = 0  # the next number to be given out
        self._awaited = 0  # and the next to be given back, in order

    @property
    def idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._given

    def take(self) -> tuple[int, _Job] | None:
        """Return the next job and its number; None where there is none now."""
        behind = self._awaited if self._ordered else self._following - len(self._given)
        if self._following >= behind + self.ahead:
            return None
        for job in islice(self._jobs, 1):
            self._given[self._following] = job
            self._following += 1
            return self._following - 1, job
        return None

    def job(self, number: int) -> _Job:
        """Return a job that is under way."""
        return self._given[number]

    def put(self, number: int, result: Any) -> None:
        """Take the result of a job."""
        self._done[number] = result

    def ready(self) -> Iterator[tuple[_Job, Any]]:
        """Give back each job with its result, as far as order allows."""
        if not self._ordered:
            for number in list(self._done):
                yield self._given.pop(number), self._done.pop(number)
        while self._awaited in self._done:
            number, self._awaited = self._awaited, self._awaited + 1
            yield self._given.pop(number), self._done.pop(number)


_AHEAD = 8  # jobs for each worker that may be done before the next one in order is there
_END_SECONDS = 5.0
_LOOK_SECONDS = 0.1


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
    """So many workers that their jobs fit into memory, at least one."""
    most = workers if memory <= 0 else available_memory() // memory
    return max(1, min(workers, most))


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
    Thread(target=_follow, daemon=True).start()
    with suppress(_Stop, EOFError, OSError):
        while True:
            job = connection.recv()
            connection.send(attempt(function, job))


def _follow() -> None:
    """End when who gives the work out has been killed: a job may take minutes."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_END_SECONDS)
    os._exit(1)


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
        """Return what came of its job; EOFError if its process ended."""
        self.number = None
        try:
            result, failure = self.connection.recv()
        except OSError as error:
            raise EOFError from error
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


class _Team:
    """The workers of one function; one that ended is replaced while its job may be tried again."""

    def __init__(self, work: Work) -> None:
        self.workers: list[_Worker] = []
        self._work = work
        self._context = multiprocessing.get_context("spawn")
        self._tries: Counter[int] = Counter()

    def grow(self, count: int) -> None:
        """Start so many workers more."""
        function, private = self._work.function, self._work.private
        self.workers.extend(_Worker(self._context, function, private) for _ in range(count))

    def replace(self, worker: _Worker, number: int) -> None:
        """Put another one in the place of a worker that ended; refuse if its job had its tries."""
        self._tries[number] += 1
        if self._tries[number] > self._work.retries:
            raise RunError("a worker process ended before its job: it crashed, or memory ran out")
        self.workers.remove(worker)
        worker.ask_to_end()
        worker.end()
        with without_interrupts():
            self.grow(1)

    def end(self) -> None:
        """End them all."""
        for worker in self.workers:
            worker.ask_to_end()
        for worker in self.workers:
            worker.end()


def _done(
    queue: Queue[Any], team: _Team, stopped: Callable[[], bool] | None
) -> Iterator[tuple[Any, Any]]:
    """Keep every worker busy; give results back as the queue has it."""
    again: list[int] = []  # whose workers ended
    while True:
        for worker in team.workers:
            if worker.number is not None:
                continue
            if again:
                worker.give(again[0], queue.job(again.pop(0)))
            elif (following := queue.take()) is not None:
                worker.give(*following)
        if queue.idle or (stopped is not None and stopped()):
            return
        by_connection = {w.connection: w for w in team.workers if w.number is not None}
        seconds = None if stopped is None else _LOOK_SECONDS
        for ready in wait(list(by_connection), seconds):
            worker = by_connection[ready]
            number = worker.number
            if number is None:
                continue
            try:
                queue.put(number, worker.take())
            except EOFError:
                team.replace(worker, number)
                again.append(number)
        yield from queue.ready()
