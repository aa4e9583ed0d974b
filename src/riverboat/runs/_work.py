"""What a job is, wherever it is done: a function that other processes can import, and a value.

The value and the result are plain data: what `multiprocessing` can send. A back end hands jobs
out a little ahead, and gives results back in order, or as they come.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from riverboat.errors import RiverboatError, RunError, in_words

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


def importable(function: Callable[..., Any]) -> tuple[str, str]:
    """Return module and name of a function, by which another process finds it.

    Raises
    ------
    RunError
        If it cannot be found by them.

    Examples
    --------
    >>> importable(in_words)
    ('riverboat.errors', 'in_words')
    """
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
