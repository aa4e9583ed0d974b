"""A reproduction under way: its folder, its steps, how far it is.

A step is a function that returns what it found. That is kept as rows in the run's folder, so that
a run which was stopped goes on with the step that it was at; trainings and matches inside a step
go on from their own checkpoints and ledger.

A step is no `riverboat.runs.Task`: it has no slices of one kind, no state of its own to save, and
Ctrl-C ends it at once. Each training inside one is a `Run`.
"""

import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from riverboat.errors import RunError
from riverboat.files import JsonLines, json_lines
from riverboat.reproductions._rows import UNITS, Found, found_in, read_rows, rows_of, write_rows
from riverboat.runs import RunLog, num_cores

Effort = Literal["full", "quick", "tiny"]
#: In a run's folder: the names of its other files, a line each.
FILES = "steps/files.txt"
_LEFT_OUT = "left out: PyPokerEngine is missing"  # a progress bar has room for 40 characters
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StepProgress:
    """How far a run is."""

    step: str
    index: int
    """Of the step, from 1."""
    share: float
    """Of the step, 0 to 1."""
    text: str
    """What is being done."""


Listener = Callable[[StepProgress], object]


@dataclass
class ReproductionRun:
    """A reproduction under way.

    Parameters
    ----------
    name
        Of the reproduction.
    folder
        Where everything goes; it is made if it is not there.
    steps
        The names of all steps, in order.
    effort
        How much is computed: `full`, `quick` (about two minutes), or `tiny` (for tests).
    seed
        Of trainings and matches.
    workers
        Processes and threads; 0 = one for each core.
    listener
        Called as the run goes on.
    units
        Of all quantities that steps find, by name.

    Attributes
    ----------
    found
        What the steps so far have found, by step.
    """

    name: str
    folder: Path
    steps: tuple[str, ...] = ()
    effort: Effort = "full"
    seed: int = 2026
    workers: int = 0
    listener: Listener | None = None
    units: Mapping[str, str] = field(default_factory=lambda: UNITS)
    found: Found = field(default_factory=Found)
    _shared: dict[str, Any] = field(default_factory=dict)
    _files: set[str] = field(default_factory=set)
    _once_kept: list[Callable[[], object]] = field(default_factory=list)
    _step: str = field(default="", init=False)
    _told: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        (self.folder / "steps").mkdir(parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        """Return where a file of this run lies; it is noted as the run's own."""
        if name not in self._files:
            self._files.add(name)
            with (self.folder / FILES).open("a", encoding="utf-8") as notes:
                notes.write(name + "\n")
        return self.folder / name

    def step(self, name: str, work: Callable[["ReproductionRun"], Found]) -> Found:
        """Do a step, or take its result from an earlier, stopped run of the same folder.

        Parameters
        ----------
        name
            One of `steps`.
        work
            Gets the run and returns what it found. While it runs, `tell` says how far it is.
        """
        if name not in self.steps:
            raise RunError(f"{name!r} is no step of {self.name}: {', '.join(self.steps)}")
        self._step, self._told = name, 0.0
        if not self.has_done(name):
            with self._logged():
                self.kept(f"{name}.json", lambda: work(self))
                while self._once_kept:
                    self._once_kept.pop()()
        found = self.found[name] = self.kept(f"{name}.json", Found)
        return found

    @contextmanager
    def _logged(self) -> Iterator[None]:
        """Note when the current step begins, and when and how it ends."""
        log = RunLog(self.path("log.jsonl"), kept=None)
        started = time.monotonic()

        def note(event: str) -> None:
            line = {"step": self._step, "event": event, "seconds": time.monotonic() - started}
            log.write({**line, "effort": self.effort, "seed": self.seed})

        self.tell(0.0, "begins")
        note("begun")
        try:
            yield
        except BaseException:
            note("stopped")
            raise
        note("done")
        self.tell(1.0, "done")

    def kept(self, file: str, make: Callable[[], Found]) -> Found:
        """Return what is found in a file: made once, and read by a run that goes on."""
        path = self.folder / "steps" / file
        if not path.exists():
            write_rows(path, rows_of(file.partition(".")[0], make(), self.units))
        return found_in(read_rows(path))

    def has_done(self, step: str) -> bool:
        """Whether the result of a step is kept."""
        return (self.folder / "steps" / f"{step}.json").exists()

    def leave_out(self, step: str) -> None:
        """Say that a step is left out, because this machine misses something."""
        if self.listener is not None:
            self.listener(StepProgress(step, self.steps.index(step) + 1, 0.0, _LEFT_OUT))

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """Return what several steps need, made by the first of them."""
        if name not in self._shared:
            self._shared[name] = make()
        made: T = self._shared[name]
        return made

    def once_kept(self, work: Callable[[], object]) -> None:
        """Do something once the result of the current step is kept, and what led to it may go."""
        self._once_kept.append(work)

    def tell(self, share: float, text: str) -> None:
        """Say how far the current step is: a share from 0 to 1, never backwards."""
        self._told = max(self._told, min(share, 1.0))
        if self.listener is not None:
            index = self.steps.index(self._step) + 1 if self._step in self.steps else 0
            self.listener(StepProgress(self._step, index, self._told, text))

    def part(self, begin: float, end: float) -> "ReproductionRun":
        """Return the run for a part of the current step: shares told to it are shares of that."""

        def listen(now: StepProgress) -> None:
            self.tell(begin + (end - begin) * now.share, now.text)

        return replace(self, listener=listen)

    def parts(self, items: Sequence[T]) -> Iterator[tuple["ReproductionRun", T]]:
        """Go through items, each an equal part of the current step."""
        for index, item in enumerate(items):
            yield self.part(index / len(items), (index + 1) / len(items)), item

    def seconds(self) -> float:
        """Return the time of all steps, those of earlier, stopped runs included."""
        return float(sum(line["seconds"] for line in self.log_lines()))

    def log_lines(self) -> JsonLines:
        """Return the run's log, a line for each beginning and end of a step; torn ones counted."""
        return json_lines(self.path("log.jsonl"), _is_line)


def _is_line(line: Any) -> bool:
    """Whether a JSON value is a line of the log."""
    return isinstance(line, dict) and type(line.get("seconds")) in (int, float)


def machine(workers: int = 0) -> str:
    """Say what this ran on, with so many threads and processes; 0 = one for each core.

    Examples
    --------
    >>> "Python" in machine()
    True
    """
    cores = num_cores()
    words = f"{cores} core{'s' if cores > 1 else ''}"
    if workers not in {0, cores}:
        words = f"{workers} worker{'s' if workers > 1 else ''} on {words}"
    return f"{words}, Python {platform.python_version()}"
