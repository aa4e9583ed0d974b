"""A reproduction under way: its folder, its steps, how far it is.

A step is a function whose result is plain data. It is kept as JSON in the run's folder, so that
a run which was stopped goes on with the step that it was at; trainings and matches inside a step
go on from their own checkpoints and ledger.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, get_type_hints

import msgspec

from riverboat import __version__
from riverboat.errors import RecipeError
from riverboat.files import JsonLines, atomic_path, json_lines

Effort = Literal["full", "quick", "tiny"]
#: In a run's folder: the names of its other files, a line each.
FILES = "steps/files.txt"
P = ParamSpec("P")
T = TypeVar("T")
Kept = TypeVar("Kept")


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


def write_json(path: Path, value: object) -> None:
    """Write any data that msgspec can write, whole or not at all."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(msgspec.json.encode(value))


def result_type(work: Callable[..., T]) -> type[T]:
    """Return what a function says that it returns."""
    kind: type[T] = get_type_hints(work)["return"]
    return kind


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
    """

    name: str
    folder: Path
    steps: tuple[str, ...] = ()
    effort: Effort = "full"
    seed: int = 2026
    workers: int = 0
    listener: Listener | None = None
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

    def step(self, name: str, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Do a step, or take its result from an earlier, stopped run of the same folder.

        Parameters
        ----------
        name
            One of `steps`.
        work
            Does it, with all that is given. While it runs, `tell` says how far it is. It returns
            what its annotation says: any type that msgspec can write as JSON and read again.
        """
        if name not in self.steps:
            raise RecipeError(f"{name!r} is no step of {self.name}: {', '.join(self.steps)}")
        self._step, self._told = name, 0.0
        kept = self.folder / "steps" / f"{name}.json"
        if kept.exists():
            return kept_value(kept, result_type(work))
        self.tell(0.0, "begins")
        self._log("begun", 0.0)
        started = time.monotonic()
        try:
            result = work(*given, **named)
        except BaseException:
            self._log("stopped", time.monotonic() - started)
            raise
        write_json(kept, result)
        while self._once_kept:
            self._once_kept.pop()()
        self._log("done", time.monotonic() - started)
        self.tell(1.0, "done")
        return result

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

    def _log(self, event: str, seconds: float) -> None:
        line: dict[str, object] = {"step": self._step, "event": event, "seconds": seconds}
        line |= {"effort": self.effort, "seed": self.seed, "version": __version__}
        with self.path("log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def kept_value(path: Path, kind: type[Kept]) -> Kept:
    """Read what a step has left, or say in a sentence why not."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RecipeError(
            f"{path} cannot be read ({error}): remove it, and the step is done again"
        ) from error


def _is_line(line: Any) -> bool:
    """Whether a JSON value is a line of the log."""
    return isinstance(line, dict) and type(line.get("seconds")) in (int, float)
