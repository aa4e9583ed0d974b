"""Where jobs are done: on this machine, or at a place that somebody opened for the time being.

Whoever has jobs calls `run_jobs` and knows nothing of machines. Whoever starts a command may open
a place first (`riverboat.cluster`): then its workers do them. What a kernel does without the GIL
needs no processes: `in_order` has threads do it.
"""

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
    """Workers somewhere else."""

    @property
    def cores(self) -> int:
        """How many jobs can be done at once."""

    def run(
        self,
        work: Work,
        jobs: Iterable[Any],
        workers: int,
        stopped: Callable[[], bool] | None = None,
    ) -> Generator[tuple[Any, Any], None, None]:
        """Do jobs on so many workers and yield each with its result."""


class _Now:
    """Where this process has its jobs done, and whether it does those of another one."""

    place: Workplace | None = None
    worker = False


@contextmanager
def working_at(place: Workplace | None) -> Iterator[None]:
    """Have the jobs of this process done at a place while the block runs; None = here.

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
    """Return where jobs are done now; None = here.

    Examples
    --------
    >>> place() is None
    True
    """
    return _Now.place


def num_workers() -> int:
    """Return how many jobs can be done at once: a core of this machine, or of the place, each.

    Examples
    --------
    >>> num_workers() == num_cores()
    True
    """
    return num_cores() if _Now.place is None else _Now.place.cores


def as_worker() -> None:
    """Say that this process does jobs of another machine."""
    _Now.worker = True


def in_worker() -> bool:
    """Return whether this process does jobs of another one, beside others on this machine.

    Examples
    --------
    >>> in_worker()
    False
    """
    return _Now.worker or multiprocessing.parent_process() is not None


def is_remote() -> bool:
    """Return whether this process does jobs of another machine, which may have other files.

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
    """Do jobs on some workers and yield each with its result.

    They are processes of this machine, or those of the place that is open (`working_at`). Here,
    one worker is this process. Jobs are taken only a little ahead, so that the work can end
    early; whoever stops taking results ends the workers.

    Parameters
    ----------
    function
        Does a job. With several workers it is one of a module, so that other processes find it,
        and jobs and results are plain data, as `multiprocessing` sends them.
    jobs
        What it is called with.
    workers
        How many jobs are done at once; by default one a core.
    name
        For people: Ray's dashboard shows it.
    memory
        Bytes that a job takes: no more are done at once than there is memory for.
    retries
        How often a job is tried again whose worker ended; only where doing it twice is doing it.
    private
        Whether the workers shut their memory to other programs before they get a job.
    ordered
        Whether results come in the order of the jobs; else as they are done.
    stopped
        Asked several times a second; where it says yes, the workers are ended and nothing more is
        yielded. One worker is a process then, too. For work in a thread, where there is no Ctrl-C.

    Raises
    ------
    RunError
        If a worker ended, or an error of `function` is not one of Riverboat's.

    Examples
    --------
    >>> list(run_jobs(abs, [-1, 2], workers=1))
    [(-1, 1), (2, 2)]
    """
    work = Work(function, name, memory, retries, private, ordered)
    wanted = num_workers() if workers is None else workers
    at = _Now.place
    return (run_here if at is None else at.run)(work, jobs, wanted, stopped)


def in_order(
    compute: Callable[[_Job], _Result],
    pieces: Iterable[_Job],
    *,
    threads: int | None = None,
    stop: Callable[[], object] = lambda: None,
) -> Iterator[_Result]:
    """Compute pieces in threads, a few ahead, and yield the results in order.

    Parameters
    ----------
    compute
        Called with each piece in some thread; a kernel that releases the GIL.
    pieces
        What to compute.
    threads
        How many to use; all cores by default.
    stop
        Called where the work ends early (an error, Ctrl-C, or nobody takes the
        rest): it may make pieces that are being computed return soon.

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
