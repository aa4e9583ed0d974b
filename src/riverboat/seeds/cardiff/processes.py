"""Processes of this package: they leave Ctrl-C to the run, and end with it."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children
from typing import Any, TypeVar

from riverboat.work import without_interrupts

__all__ = ["in_order", "processes"]

T = TypeVar("T")
R = TypeVar("R")
Submit = Callable[..., Future[Any]]


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def processes(count: int) -> Iterator[Submit]:
    """Have some processes, and give out what hands them work.

    If the block is left by an error or by Ctrl-C, work that waits is dropped and the processes
    are ended; else the work is finished.

    Examples
    --------
    >>> with processes(1) as submit:
    ...     submit(abs, -3).result()
    3
    """
    others = set(active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_ignore_interrupts)

    def submit(function: Callable[..., Any], *values: Any) -> Future[Any]:
        with without_interrupts():  # a process may start here
            return pool.submit(function, *values)

    try:
        yield submit
    except BaseException:
        for process in set(active_children()) - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def in_order(
    function: Callable[[T], R], tasks: Sequence[T], workers: int, tell: Callable[[int], object]
) -> list[R]:
    """Do tasks on some processes, in this one if it is one, and return results in their order.

    Parameters
    ----------
    function
        Of a module, so that other processes find it.
    tasks
        What it is called with.
    workers
        Processes at most.
    tell
        Called with the number of tasks that are done, after each.

    Examples
    --------
    >>> in_order(abs, [-1, 2], 1, print)
    1
    2
    [1, 2]
    """
    done: list[R] = []
    if workers <= 1:
        for task in tasks:
            done.append(function(task))
            tell(len(done))
        return done
    with processes(min(workers, len(tasks))) as submit:
        for future in [submit(function, task) for task in tasks]:
            done.append(future.result())
            tell(len(done))
    return done
