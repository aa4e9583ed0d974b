"""Sessions on all cores, given back in order."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import FrameType

from riverboat.arena.session import SessionResult, play_session
from riverboat.arena.settings import MatchSettings
from riverboat.errors import ArenaError

__all__ = ["Job", "default_workers", "play_sessions"]

Job = tuple[MatchSettings, int]


def default_workers() -> int:
    """Return how many processes can run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Stop(BaseException):
    """The worker is to end; its bots' processes are closed on the way out."""


class _Worker:
    """What a worker process knows of itself."""

    playing = False


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that gives the work out; end in good order when told to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_worker)


def _end_worker(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    if not _Worker.playing:
        os._exit(0)
    raise _Stop


def _play(job: Job) -> SessionResult:
    _Worker.playing = True
    try:
        return play_session(*job)
    finally:
        _Worker.playing = False


def play_sessions(jobs: Iterable[Job], workers: int) -> Iterator[tuple[Job, SessionResult]]:
    """Play sessions on some processes and yield the results in the order of the jobs.

    With one worker everything happens in this process. Only a few jobs are under way at once, so
    that a match can end early.
    """
    if workers <= 1:
        for job in jobs:
            yield job, play_session(*job)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)
    under_way: deque[tuple[Job, Future[SessionResult]]] = deque()
    try:
        for job in jobs:
            under_way.append((job, pool.submit(_play, job)))
            if len(under_way) >= 2 * workers:
                done, future = under_way.popleft()
                yield done, future.result()
        while under_way:
            done, future = under_way.popleft()
            yield done, future.result()
    except BrokenProcessPool as error:
        raise ArenaError(
            "a worker process ended: a built-in bot has crashed it or memory ran out; "
            "bots of files run in processes of their own"
        ) from error
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers now; what they were playing is not needed any more."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
