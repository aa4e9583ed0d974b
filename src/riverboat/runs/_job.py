"""Jobs: runs that are watched from elsewhere, such as from a web page.

Jobs of one kind wait in a queue. The file `ID.job.json` of a job has its request, progress and
result, so that jobs outlive the process: a new process resumes jobs that were waiting or running,
and lists all others.
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
_WRITE_SECONDS: Final = 5.0  # between two writes of the record of a running job


class Observed:
    """An object that calls its observers after every change, on any thread."""

    def __init__(self) -> None:
        #: Why the object was deleted; empty while it exists.
        self.gone = ""
        self._observers: set[Callable[[], object]] = set()

    @property
    def observed(self) -> bool:
        """Whether there are observers."""
        return bool(self._observers)

    def observe(self, call: Callable[[], object]) -> None:
        """Add an observer."""
        self._observers.add(call)

    def unobserve(self, call: Callable[[], object]) -> None:
        """Remove an observer."""
        self._observers.discard(call)

    def changed(self) -> None:
        """Call all observers."""
        for call in tuple(self._observers):
            call()


class JobRecord(
    msgspec.Struct, Generic[A, R], frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """The state of a job, as its file has it."""

    id: str
    asked: A
    """The request."""
    state: JobState
    began: float
    """Time of the request, in seconds since 1970."""
    report: R | None = None
    """The latest progress report."""
    points: list[tuple[float, ...]] = []
    """Points of the progress plot; the first number of a point is its x."""
    result: Any = None
    problem: str = ""
    """Why the job failed."""

    @property
    def active(self) -> bool:
        """Whether the job waits or runs."""
        return self.state in {"waiting", "running"}

    def write(self, folder: Path) -> None:
        """Write the file of the job."""
        with atomic_path(folder / f"{self.id}{_SUFFIX}") as temporary:
            temporary.write_bytes(msgspec.json.encode(self))


class Job(Observed, Generic[A, R]):
    """One job. Its work reads `asked` and `stopping`, and calls `tell` with progress reports.

    Attributes
    ----------
    record
        The state of the job; every change replaces it by a new record.
    stopping
        Set when the work must end.
    again
        Whether the job was started before, and was resumed or restored.
    """

    def __init__(self, record: JobRecord[A, R], folder: Path) -> None:
        super().__init__()
        self.record, self._folder = record, folder
        self.stopping = threading.Event()
        self.again = False
        self._ended = threading.Event()
        self._ended.set()
        self._written = 0.0

    @property
    def id(self) -> str:
        """The identifier, with which the names of the job's files begin."""
        return self.record.id

    @property
    def asked(self) -> A:
        """The request."""
        return self.record.asked

    def path(self, suffix: str = "") -> Path:
        """Return the path of a file or folder of this job; `Jobs.forget` deletes it."""
        return self._folder / f"{self.id}{suffix}"

    def tell(self, report: R, point: tuple[float, ...] | None = None) -> None:
        """Store a progress report, and optionally a point of the progress plot."""
        points = self.record.points
        if point is not None:
            points = thinned([*(old for old in points if old[0] < point[0]), point])
        self.set(report=report, points=points)

    def set(self, **changes: Any) -> None:
        """Change the record; a new state is written at once, other changes every few seconds."""
        before, self.record = self.record, msgspec.structs.replace(self.record, **changes)
        now = time.monotonic()
        if before.state != self.record.state or now > self._written + _WRITE_SECONDS:
            self._written = now
            with suppress(OSError):  # the work matters more than its record
                self.record.write(self._folder)
        self.changed()

    def wait(self) -> None:
        """Block until the job has ended."""
        self._ended.wait()

    def begin(self) -> None:
        """Set the state to waiting."""
        self.stopping.clear()
        self._ended.clear()
        self.set(state="waiting", problem="")

    def end(self, state: JobState, result: Any = None, problem: str = "") -> None:
        """Set the final state and the result."""
        self.set(state=state, result=result, problem=problem)
        self._ended.set()

    def delete(self, why: str) -> None:
        """Delete the files of the job."""
        for path in (self.path(_SUFFIX), *self._folder.glob(f"{self.id}.*")):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.path(), ignore_errors=True)
        self.gone = why
        self.changed()


class Jobs(Generic[A, R]):
    """All jobs of one kind, in the order of their requests.

    Parameters
    ----------
    name
        What a job is called in error messages, such as `match`.
    folder
        Folder of the jobs' files.
    kinds
        The types of a request and of a progress report.
    work
        Does a job in a thread and returns its result, or None if the job was stopped.
    at_once
        Maximum number of jobs that run at the same time.
    most
        Maximum number of jobs that are stored.
    intact
        Whether the result of a finished job still exists; if not, the job is done again.
    shown
        What pages show of a job; its file counts as damaged if that has another type.

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
        self._ended = False

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job[A, R]]:
        return iter(list(self._jobs.values()))

    def __contains__(self, number: object) -> bool:
        return number in self._jobs

    def __getitem__(self, number: str) -> Job[A, R]:
        """Return the job with an id, or raise KeyError."""
        return self._jobs[number]

    def before(self, job: Job[A, R]) -> int:
        """Return how many jobs are ahead of this one in the queue."""
        with self._lock:
            return self._queue.index(job) if job in self._queue else 0

    def new(self, asked: A, prepare: Callable[[Job[A, R]], object] = lambda _: None) -> Job[A, R]:
        """Add a job to the queue; `prepare` may write files for it first."""
        with self._lock:
            if len(self._jobs) >= self._most:
                raise RunError(
                    f"there are {self._most} {_plural(self.name)} already, the maximum: "
                    "delete one first"
                )
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
        """Stop a job and wait for its end; it can be resumed."""
        job = self[number]
        job.stopping.set()
        with self._lock:
            if job.record.state == "waiting":
                self._queue.remove(job)
                job.end("stopped", job.record.result)
        job.wait()
        return job

    def resume(self, number: str) -> Job[A, R]:
        """Resume a job that was stopped or failed."""
        job = self[number]
        with self._lock:
            if job.record.state not in {"stopped", "failed"}:
                raise RunError(
                    f"the {self.name} {number} is {job.record.state}: "
                    "it must be stopped or failed to be resumed"
                )
            job.again = True
            self._enqueue(job)
        return job

    def forget(self, number: str) -> None:
        """Delete a job that has ended, and its files."""
        job = self[number]
        with self._lock:
            if job.record.active:
                state = job.record.state
                raise RunError(f"the {self.name} {number} is {state}: stop it first")
            del self._jobs[number]
        job.delete(f"this {self.name} was deleted")

    def end(self) -> None:
        """Stop all jobs, before the process ends; the next process resumes them."""
        with self._lock:
            self._ended = True  # none of the waiting jobs starts
            running = [job for job in self._queue if job.record.state == "running"]
        for job in running:
            job.stopping.set()
        for job in running:
            job.wait()

    def restore(self, set_aside: Callable[[Path, str], object] = lambda _path, _why: None) -> None:
        """Load the jobs of an earlier process; resume those that were waiting or running.

        `set_aside` is called with the path of each damaged file and an error message.
        """
        found = []
        for path in self.folder.glob(f"*{_SUFFIX}"):
            try:
                job = self._read(path)
                again = job.record.state == "finished" and not self._intact(job)
                found.append((job, again or job.record.active))
            except Exception as error:  # a damaged file must not keep others from being read
                set_aside(path, in_words(error))
        for job, again in sorted(found, key=lambda each: (each[0].record.began, each[0].id)):
            self._jobs[job.id] = job
            job.again = True
            if again:
                self._enqueue(job)

    def _read(self, path: Path) -> Job[A, R]:
        record: JobRecord[A, R] = self._decoder.decode(path.read_bytes())
        if f"{record.id}{_SUFFIX}" != path.name or not _ID.fullmatch(record.id):
            raise DamagedFileError(f"it is a file of the {self.name} {record.id[:40]!r}")
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
        """Start waiting jobs, up to the maximum that may run at the same time."""
        for job in self._queue[: 0 if self._ended else self._at_once]:
            if job.record.state == "waiting":
                job.set(state="running")
                threading.Thread(target=self._run, args=(job,), daemon=True).start()

    def _run(self, job: Job[A, R]) -> None:
        end: tuple[JobState, Any, str]
        try:
            result = self._work(job)
            stopped: JobState = "waiting" if self._ended else "stopped"
            end = (stopped if result is None else "finished", result, "")
        except RiverboatError as error:
            end = "failed", None, str(error)
        except Exception as error:
            end = "failed", None, in_words(error)
        with self._lock:
            self._queue.remove(job)
            job.end(*end)
            self._next()


def thinned(points: list[Any], most: int = _MOST_POINTS) -> list[Any]:
    """Drop every second point while there are more than `most`; keep the last one.

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
