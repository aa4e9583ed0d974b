"""Jobs for worker processes, in a module that is quick to import there."""

import os
import signal
import time
from multiprocessing import util
from pathlib import Path

from riverboat.errors import GameError
from riverboat.files import cache_folder

__all__ = [
    "crash",
    "crash_once",
    "many_bytes",
    "refuse",
    "second_first",
    "signalled_at_the_end",
    "slow_first",
    "tell_and_sleep",
    "whose",
    "write_in_cache",
]


def slow_first(number: int) -> int:
    """Square a number; the first one takes longest."""
    if number == 0:
        time.sleep(0.3)
    return number * number


def second_first(job: tuple[int, str]) -> int:
    """Square a number; that of 0 waits until another one is done, as a file says."""
    number, done = job
    if number:
        Path(done).touch()
    deadline = time.monotonic() + 60
    while not Path(done).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0 if number else 0.2)  # the other result is on its way
    return number * number


def refuse(number: int) -> int:
    """Fail: with a sentence of ours, or for 0 with an error of Python's."""
    raise GameError(f"{number} is refused") if number else KeyError("zero")


def crash(number: int) -> int:
    """End the process."""
    os._exit(number)


def crash_once(job: tuple[str, int]) -> int:
    """End the process when a number comes for the first time; a file remembers that."""
    folder, number = job
    mark = Path(folder) / str(number)
    if not mark.exists():
        mark.touch()
        os._exit(1)
    return number


def whose(number: int) -> int:
    """Reckon for some time; return who started this process: on a cluster, its node."""
    sum(range(2_000_000 + number))
    return os.getppid()


def write_in_cache(number: int) -> int:
    """Write a file into the cache folder of this machine; return who started this process."""
    (cache_folder() / f"job-{number}").write_bytes(bytes(100_000))
    return os.getppid()


def many_bytes(size: int) -> bytes:
    """Return so many bytes."""
    return bytes(size)


def tell_and_sleep(folder: str) -> None:
    """Leave the number of the process in a folder, and do nothing for long."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(100)


def signalled_at_the_end(number: int) -> int:
    """Return the number; the worker gets another SIGTERM when it ends, as from a killed group."""
    util.Finalize(None, os.kill, (os.getpid(), signal.SIGTERM), exitpriority=1)
    return number
