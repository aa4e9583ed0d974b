"""Run jobs on this machine or at a workplace, such as a cluster.

A package with jobs calls `run_jobs` and knows nothing of machines. A command may open a workplace
first (`riverboat.cluster`), whose workers then do the jobs. Kernels that release the GIL do not
need processes: `in_order` runs them in threads.
"""

import logging
import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from riverboat.runs._machine import num_cores
from riverboat.runs._pool import Work, run_here

if TYPE_CHECKING:
    from concurrent.futures import Future

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


class Workplace(Protocol):
    """Workers on other machines."""

    @property
    def cores(self) -> int:
        """Number of jobs that can run at the same time."""

    def run(
        self,
        work: Work,
        jobs: Iterable[Any],
        workers: int,
        stopped: Callable[[], bool] | None = None,
    ) -> Generator[tuple[Any, Any], None, None]:
        """Do jobs on `workers` workers; yield each job with its result."""


_warned: set[object] = set()


class _Now:
    """The open workplace, and whether this process is a worker of another machine."""

    place: Workplace | None = None
    worker = False


@contextmanager
def working_at(place: Workplace | None) -> Iterator[None]:
    """Run the jobs of this process at a workplace in the block; None = on this machine.

    Examples
    --------
    >>> with working_at(None):
    ...     list(run_jobs(abs, [-1], workers=1))
    [(-1, 1)]
    """
    before, _Now.place = _Now.place, place
    try:
        yield
    finally:
        _Now.place = before


def place() -> Workplace | None:
    """Return the open workplace; None = this machine.

    Examples
    --------
    >>> place() is None
    True
    """
    return _Now.place


def num_workers() -> int:
    """Return how many jobs can run at the same time: the cores of this machine or workplace.

    Examples
    --------
    >>> num_workers() == num_cores()
    True
    """
    return num_cores() if _Now.place is None else _Now.place.cores


def as_worker() -> None:
    """Mark this process as a worker of another machine."""
    _Now.worker = True


def in_worker() -> bool:
    """Return whether this process is a worker, of this machine or of another one.

    Examples
    --------
    >>> in_worker()
    False
    """
    return _Now.worker or multiprocessing.parent_process() is not None


def warn_once(log: logging.Logger, sentence: str, about: object = None) -> None:
    """Log a warning once; workers log nothing, because their parent process does.

    Further warnings about the same thing are left out; by default that is the same sentence.
    """
    about = sentence if about is None else about
    if about not in _warned and not in_worker():
        _warned.add(about)
        log.warning(sentence)


def is_remote() -> bool:
    """Return whether this process is a worker of another machine, which may have other files.

    Examples
    --------
    >>> is_remote()
    False
    """
    return _Now.worker


def run_jobs(  # noqa: PLR0913 - options by keyword
    function: Callable[[_Job], _Result],
    jobs: Iterable[_Job],
    workers: int | None = None,
    *,
    name: str = "",
    memory: int = 0,
    retries: int = 0,
    private: bool = False,
    ordered: bool = True,
    stopped: Callable[[], bool] | None = None,
) -> Generator[tuple[_Job, _Result], None, None]:
    """Do jobs in workers; yield each job with its result.

    Workers are processes of this machine or of the open workplace (`working_at`). On this machine
    a single worker is this process itself. Jobs are taken only a little ahead. When the caller
    stops iterating, the workers end.

    Parameters
    ----------
    function
        Function that is called with each job. With several workers it must be at the top level of
        a module, and `multiprocessing` must be able to send jobs and results.
    jobs
        The jobs.
    workers
        Number of jobs that run at the same time; by default one per core.
    name
        Name that Ray's dashboard shows.
    memory
        Bytes of memory that a job needs; limits the number of workers.
    retries
        How often a job is repeated if its worker process ended; only for jobs that may run twice.
    private
        Whether workers hide their memory from other programs before the first job.
    ordered
        Whether results come in the order of the jobs; else as they are done.
    stopped
        Called several times a second; if it returns true, the workers end and nothing more is
        yielded. A single worker is then a process, too. For work in a thread, without Ctrl-C.

    Raises
    ------
    RunError
        If a worker process ended, or `function` raised an error that is not Riverboat's.

    Examples
    --------
    >>> list(run_jobs(abs, [-1, 2], workers=1))
    [(-1, 1), (2, 2)]
    """
    work = Work(function, name, memory, retries, private, ordered)
    count = num_workers() if workers is None else workers
    at = _Now.place
    return (run_here if at is None else at.run)(work, jobs, count, stopped)


def in_order(
    compute: Callable[[_Job], _Result],
    pieces: Iterable[_Job],
    *,
    threads: int | None = None,
    stop: Callable[[], object] = lambda: None,
) -> Iterator[_Result]:
    """Call a function for each piece in threads, a few ahead; yield the results in order.

    Parameters
    ----------
    compute
        Function that releases the GIL; called with each piece in some thread.
    pieces
        The arguments.
    threads
        Number of threads; by default one per core.
    stop
        Called if the work ends early: by an error, by Ctrl-C, or because the caller stops
        iterating. It may make running calls return soon.

    Examples
    --------
    >>> list(in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - slow to import

    count = threads or num_cores()
    ahead: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(count) as pool:
        try:
            for piece in pieces:
                ahead.append(pool.submit(compute, piece))
                if len(ahead) > 2 * count:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        except BaseException:
            stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
