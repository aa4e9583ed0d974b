"""A job: a run that somebody watches from elsewhere, such as a page of the web UI.

Jobs of one kind wait in a queue. Each has a file `ID.job.json` that says what was asked, how it
stands and what came of it, so that jobs outlive the process: what was waiting or running when the
process was killed goes on, everything else is listed as it was.
"""

from __future__ import annotations

import re
import secrets
import shutil
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

import msgspec

from riverboat.errors import DamagedFileError, RiverboatError, RunError, in_words
from riverboat.files import atomic_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

JobState = Literal["waiting", "running", "finished", "stopped", "failed"]
A = TypeVar("A")
R = TypeVar("R")

_SUFFIX: Final = ".job.json"
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MOST_POINTS: Final = 400
_KEEP_SECONDS: Final = 5.0  # between two writes of a job that runs


class Observed:
    """Something that changes, and calls its observers each time; on any thread."""

    def __init__(self) -> None:
        #: Why it no longer exists; empty while it does.
        self.gone = ""
        self._observers: set[Callable[[], object]] = set()

    @property
    def observed(self) -> bool:
        """Whether anybody observes it."""
        return bool(self._observers)

    def observe(self, call: Callable[[], object]) -> None:
        """Call this after every change."""
        self._observers.add(call)

    def unobserve(self, call: Callable[[], object]) -> None:
        """Call this no longer."""
        self._observers.discard(call)

    def changed(self) -> None:
        """Call all observers."""
        for call in tuple(self._observers):
            call()


class JobRecord(
    msgspec.Struct, Generic[A, R], frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """A job's file."""

    id: str
    asked: A
    """What is to be done."""
    state: JobState
    began: float
    """When it was asked for, seconds since 1970."""
    report: R | None = None
    """The latest one."""
    points: list[tuple[float, ...]] = []
    """Progress to be drawn; the first number of a point is its place on the axis."""
    result: Any = None
    problem: str = ""
    """Why it failed."""

    @property
    def active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in {"waiting", "running"}

    def write(self, folder: Path) -> None:
        """Write its file."""
        with atomic_path(folder / f"{self.id}{_SUFFIX}") as temporary:
            temporary.write_bytes(msgspec.json.encode(self))


class Job(Observed, Generic[A, R]):
    """One job. Its work reads `asked` and `stopping`, and calls `tell`.

    Attributes
    ----------
    record
        How it stands; replaced as a whole by every change.
    stopping
        Set when it is to end.
    again
        Whether it was begun before: it was resumed, or restored.
    """

    def __init__(self, record: JobRecord[A, R], folder: Path) -> None:
        super().__init__()
        self.record, self._folder = record, folder
        self.stopping = threading.Event()
        self.again = False
        self._ended = threading.Event()
        self._ended.set()
        self._kept = 0.0

    @property
    def id(self) -> str:
        """Its name, a part of the names of its files."""
        return self.record.id

    @property
    def asked(self) -> A:
        """What is to be done."""
        return self.record.asked

    def path(self, suffix: str = "") -> Path:
        """Return the path of a file of its own, or of its folder; `Jobs.forget` deletes them."""
        return self._folder / f"{self.id}{suffix}"

    def tell(self, report: R, point: tuple[float, ...] | None = None) -> None:
        """Take a report, and perhaps a point of progress."""
        points = self.record.points
        if point is not None:
            points = thinned([*(old for old in points if old[0] < point[0]), point])
        self.set(report=report, points=points)

    def set(self, **changes: Any) -> None:
        """Change the record; a new state is written at once, anything else now and then."""
        before, self.record = self.record, msgspec.structs.replace(self.record, **changes)
        now = time.monotonic()
        if before.state != self.record.state or now > self._kept + _KEEP_SECONDS:
            self._kept = now
            with suppress(OSError):  # the work matters more than its record
                self.record.write(self._folder)
        self.changed()

    def wait(self) -> None:
        """Wait until it neither waits nor runs."""
        self._ended.wait()

    def begin(self) -> None:
        """Wait for its turn."""
        self.stopping.clear()
        self._ended.clear()
        self.set(state="waiting", problem="")

    def end(self, state: JobState, result: Any = None, problem: str = "") -> None:
        """Note how it ended."""
        self.set(state=state, result=result, problem=problem)
        self._ended.set()

    def delete(self, why: str) -> None:
        """Delete its files."""
        for path in (self.path(_SUFFIX), *self._folder.glob(f"{self.id}.*")):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.path(), ignore_errors=True)
        self.gone = why
        self.changed()


class Jobs(Generic[A, R]):
    """All jobs of one kind, in the order in which they were asked for.

    Parameters
    ----------
    name
        Of one of them, in sentences: `match`.
    folder
        Of their files.
    kinds
        The types of what is asked and of a report.
    work
        Does a job, on a thread of its own, and returns the result; None where it ended before.
        An error of Riverboat is told by its sentence.
    at_once
        Jobs that run at the same time; the others wait.
    most
        Jobs that are kept.
    intact
        Whether the result of a finished job is still there; else the job is done again.
    shown
        What pages are shown of a job; the file of a job is damaged where that is not of its type.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sums = Jobs("sum", Path(folder), (list[int], str), lambda job: sum(job.asked))
    ...     job = sums.new([1, 2])
    ...     job.wait()
    ...     again = Jobs("sum", Path(folder), (list[int], str), lambda job: None)
    ...     again.restore()
    >>> job.record.state, again[job.id].record.result
    ('finished', 3)
    """

    def __init__(  # noqa: PLR0913 - switches by keyword
        self,
        name: str,
        folder: Path,
        kinds: tuple[type[A], type[R]],
        work: Callable[[Job[A, R]], Any],
        *,
        at_once: int = 1,
        most: int = 1000,
        intact: Callable[[Job[A, R]], bool] = lambda _: True,
        shown: Callable[[Job[A, R]], object] = lambda _: None,
    ) -> None:
        self.name, self.folder = name, folder
        self._work, self._at_once = work, at_once
        self._most, self._intact, self._shown = most, intact, shown
        self._decoder = msgspec.json.Decoder(JobRecord[kinds[0], kinds[1]])  # type: ignore[valid-type]
        self._jobs: dict[str, Job[A, R]] = {}
        self._queue: list[Job[A, R]] = []
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job[A, R]]:
        return iter(list(self._jobs.values()))

    def __contains__(self, number: object) -> bool:
        return number in self._jobs

    def __getitem__(self, number: str) -> Job[A, R]:
        """Return a job; KeyError if there is none of that id."""
        return self._jobs[number]

    def before(self, job: Job[A, R]) -> int:
        """Return how many jobs have to end before this one ends."""
        with self._lock:
            return self._queue.index(job) if job in self._queue else 0

    def new(self, asked: A, prepare: Callable[[Job[A, R]], object] = lambda _: None) -> Job[A, R]:
        """Begin a job, or have it wait; `prepare` writes files that it needs first."""
        with self._lock:
            if len(self._jobs) >= self._most:
                raise RunError(f"{self._most} {_plural(self.name)} are kept: delete one first")
            record: JobRecord[A, R] = JobRecord(
                id=secrets.token_hex(6), asked=asked, state="waiting", began=time.time()
            )
            job = Job(record, self.folder)
            prepare(job)
            record.write(self.folder)
            self._jobs[job.id] = job
            self._enqueue(job)
        return job

    def stop(self, number: str) -> Job[A, R]:
        """Have a job end; wait until it has, and keep what there is."""
        job = self[number]
        job.stopping.set()
        with self._lock:
            if job.record.state == "waiting":
                self._queue.remove(job)
                job.end("stopped", job.record.result)
        job.wait()
        return job

    def resume(self, number: str) -> Job[A, R]:
        """Go on with a job that was stopped or failed."""
        job = self[number]
        with self._lock:
            if job.record.state not in {"stopped", "failed"}:
                raise RunError(f"the {self.name} {number} is {job.record.state}")
            job.again = True
            self._enqueue(job)
        return job

    def forget(self, number: str) -> None:
        """Delete a job that has ended, with its files."""
        job = self[number]
        with self._lock:
            if job.record.active:
                state = job.record.state
                raise RunError(f"the {self.name} {number} is {state}: stop it first")
            del self._jobs[number]
        job.delete(f"this {self.name} was deleted")

    def end(self) -> None:
        """Stop all jobs: the process ends."""
        with self._lock:
            queue = list(self._queue)
        for job in reversed(queue):  # those that wait first, so that none of them begins
            job.stopping.set()
        for job in reversed(queue):
            if job.id in self._jobs:
                self.stop(job.id)

    def restore(self, set_aside: Callable[[Path, str], object] = lambda _path, _why: None) -> None:
        """Take in the jobs of a process that ended; those that it had not finished go on.

        `set_aside` is called with each damaged file and what is wrong with it.
        """
        found = []
        for path in self.folder.glob(f"*{_SUFFIX}"):
            try:
                job = self._read(path)
                again = job.record.state == "finished" and not self._intact(job)
                found.append((job, again or job.record.active))
            except Exception as error:  # whatever is wrong with one file, the others are read
                set_aside(path, in_words(error))
        for job, again in sorted(found, key=lambda each: (each[0].record.began, each[0].id)):
            self._jobs[job.id] = job
            job.again = True
            if again:
                self._enqueue(job)

    def _read(self, path: Path) -> Job[A, R]:
        record: JobRecord[A, R] = self._decoder.decode(path.read_bytes())
        if f"{record.id}{_SUFFIX}" != path.name or not _ID.fullmatch(record.id):
            raise DamagedFileError(f"it names the {self.name} {record.id[:40]!r}")
        job = Job(record, self.folder)
        shown = self._shown(job)
        msgspec.convert(msgspec.to_builtins(shown), type(shown))
        return job

    def _enqueue(self, job: Job[A, R]) -> None:
        with self._lock:
            job.begin()
            self._queue.append(job)
            self._next()

    def _next(self) -> None:
        """Begin what may run now."""
        for job in self._queue[: self._at_once]:
            if job.record.state == "waiting":
                job.set(state="running")
                threading.Thread(target=self._run, args=(job,), daemon=True).start()

    def _run(self, job: Job[A, R]) -> None:
        end: tuple[JobState, Any, str]
        try:
            result = self._work(job)
            end = ("stopped" if result is None else "finished", result, "")
        except RiverboatError as error:
            end = "failed", None, str(error)
        except Exception as error:
            end = "failed", None, in_words(error)
        with self._lock:
            self._queue.remove(job)
            job.end(*end)
            self._next()


def thinned(points: list[Any], most: int = _MOST_POINTS) -> list[Any]:
    """Drop every second point while there are too many; the last one stays.

    Examples
    --------
    >>> thinned([0, 1, 2, 3, 4], most=3)
    [0, 2, 4]
    """
    while len(points) > most:
        points = [*points[:-1:2], points[-1]]
    return points


def _plural(name: str) -> str:
    return f"{name}es" if name.endswith("ch") else f"{name}s"
