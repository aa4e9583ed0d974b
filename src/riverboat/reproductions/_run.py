"""A running reproduction: its folder, steps, results and progress.

A step is a function that returns its results as a `Found`: quantities by name, nested where they
have labels. They are stored as one `Row` per quantity, and read by the same names: the row
of experiment `table` with `what` ["won", "CFRv2", "Fish"] is `found.table.won.CFRv2.Fish`, in
templates too. A number as a label counts the entries of a list where the labels are 0, 1, 2 and
so on. A resumed run continues with the current step; trainings and matches inside
a step continue from their checkpoints and ledger.

A step is not a `riverboat.runs.Task`: it has neither equal slices nor a state to save, and
Ctrl-C ends it at once. Each training inside one is a `Run`.
"""

import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import msgspec

from riverboat.errors import RunError
from riverboat.files import JsonLines, atomic_path, json_lines
from riverboat.runs import RunLog, cpu_time, num_cores
from riverboat.statistics import Estimate

Effort = Literal["full", "quick", "tiny"]
#: File in a run's folder with the names of its other files, one per line.
FILES = "steps/files.txt"
_LEFT_OUT = "left out: PyPokerEngine is missing"  # a progress bar has room for 40 characters
T = TypeVar("T")

Scalar = bool | int | float | str | None
Value = Estimate | Scalar | list[Scalar]
Label = str | int | float

#: Units by the name of the quantity; each recipe.toml adds its own.
UNITS: Final[Mapping[str, str]] = {
    "blueprint_bytes": "bytes",
    "cost": "s",
    "decisions": "decisions",
    "exploitability": "chips/hand",
    "file_bytes": "bytes",
    "hands": "hands",
    "high": "chips/hand",
    "infosets": "infosets",
    "iterations": "iterations",
    "iterations_per_second": "iterations/s",
    "low": "chips/hand",
    "nodes": "decisions",
    "resident_bytes": "bytes",
    "seconds": "s",
    "table_bytes": "bytes",
    "threads": "threads",
    "value": "chips/hand",
    "visited": "infosets",
}


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One measured quantity."""

    experiment: str
    """The step that measured it."""
    what: tuple[Label, ...]
    """Name of the quantity and labels, from the general to the particular."""
    value: Value
    """An estimate has mean, standard error, independent units and the kind of its interval."""
    unit: str = ""
    """Unit of the value; "" for a share, a ratio or a text."""
    published: float | None = None
    """The author's figure for the same quantity."""
    where: str = ""
    """Place of that figure in the source document."""


class Found(dict[Any, Any]):
    """Measured quantities by name.

    Examples
    --------
    >>> found = Found(hands=100, won={"Fish": Estimate.exact(1.5)})
    >>> found.hands, found.won["Fish"].mean
    (100, 1.5)
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no result is named {name!r}: {', '.join(self)}") from None


def rows_of(experiment: str, found: Mapping[Any, Any], units: Mapping[str, str]) -> list[Row]:
    """Return the rows of an experiment, each with the unit of its quantity.

    Raises
    ------
    RunError
        If no unit is declared for a number. `units` names all quantities; the last label of
        the path counts, and `a.b` precedes `b`.

    Examples
    --------
    >>> rows_of("table", Found(hands={"Fish": 40}), UNITS)[0].unit
    'hands'
    """
    return [
        Row(experiment, what, value, _unit(experiment, what, value, units))
        for what, value in _leaves((), found)
    ]


def found_in(rows: Iterable[Row]) -> Found:
    """Return the quantities of one experiment by name: the inverse of `rows_of`."""
    whole = Found()
    for row in rows:
        place = whole
        for label in row.what[:-1]:
            place = place.setdefault(label, Found())
        place[row.what[-1]] = row.value
    return Found({name: _listed(value) for name, value in whole.items()})


def write_rows(path: Path, rows: Sequence[Row], **header: object) -> None:
    """Write rows as JSON, one line per row."""
    lines = [f"{_json(name)}: {_json(value)}," for name, value in header.items()]
    listed = ",\n".join(_json(row) for row in rows)
    with atomic_path(path) as temporary:
        temporary.write_text("\n".join(["{", *lines, f'"rows": [\n{listed}\n]\n}}\n']), "utf-8")


class _Rows(msgspec.Struct):
    rows: list[Row]


def read_rows(path: Path) -> list[Row]:
    """Read the rows that a step has stored."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Rows).rows
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RunError(
            f"{path} cannot be read ({error}): remove it, and the step runs again"
        ) from error


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _leaves(what: tuple[Label, ...], value: Any) -> Iterator[tuple[tuple[Label, ...], Value]]:
    """Yield all quantities with the names and labels of their paths."""
    if isinstance(value, Mapping):
        for label, each in value.items():
            yield from _leaves((*what, label), each)
    elif isinstance(value, list | tuple) and not all(isinstance(each, Scalar) for each in value):
        for index, each in enumerate(value):
            yield from _leaves((*what, index), each)
    else:
        yield what, list(value) if isinstance(value, tuple) else value


def _unit(experiment: str, what: tuple[Label, ...], value: Value, units: Mapping[str, str]) -> str:
    for place in reversed(range(len(what))):
        for name in (".".join(map(str, what[place - 1 : place + 1])), what[place]):
            if name in units:
                return units[str(name)]
    if _is_text(value) or (isinstance(value, list) and all(map(_is_text, value))):
        return ""
    named = ".".join(map(str, (experiment, *what)))
    raise RunError(f"{named} has no unit: declare it under [units] of recipe.toml")


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, bool | str)


def _listed(value: Any) -> Any:
    """Return a list for entries with labels 0, 1, 2 and so on."""
    if not isinstance(value, Found):
        return value
    inside = {label: _listed(each) for label, each in value.items()}
    in_order = list(inside) == list(range(len(inside)))
    return list(inside.values()) if in_order else Found(inside)


@dataclass(frozen=True, slots=True)
class StepProgress:
    """Progress of a run."""

    step: str
    index: int
    """Number of the step, from 1."""
    share: float
    """Finished share of the step, 0 to 1."""
    text: str
    """Description of the current work."""


Listener = Callable[[StepProgress], object]


@dataclass
class ReproductionRun:
    """A running reproduction.

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
        """Return the path of a file of this run, and record the file as the run's own."""
        if name not in self._files:
            self._files.add(name)
            with (self.folder / FILES).open("a", encoding="utf-8") as notes:
                notes.write(name + "\n")
        return self.folder / name

    def blueprint(self, name: str) -> Path:
        """Return the path of a strategy file of this run."""
        return self.path(f"{name}.blueprint")

    def step(self, name: str, work: Callable[["ReproductionRun"], Found]) -> Found:
        """Run a step, or read its result from an earlier, stopped run of the same folder.

        Parameters
        ----------
        name
            One of `steps`.
        work
            Gets the run and returns its results. It reports progress by `tell`.
        """
        if name not in self.steps:
            raise RunError(
                f"{name!r} is not a step of {self.name}, which has {', '.join(self.steps)}"
            )
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
        """Log the beginning and end of the current step."""
        log = RunLog(self.path("log.jsonl"), self.log_lines())

        def log_event(event: str) -> None:
            used = cpu_time().since(cpu_then)
            line = {"step": self._step, "event": event, "seconds": time.monotonic() - started}
            line |= {"cpu_seconds": used.own, "other_cpu_seconds": used.others}
            log.write({**line, "effort": self.effort, "seed": self.seed})

        self.tell(0.0, "begins")
        started, cpu_then = time.monotonic(), cpu_time()
        log_event("begun")
        try:
            yield
        except BaseException as error:
            log_event("failed" if isinstance(error, Exception) else "stopped")
            raise
        log_event("done")
        self.tell(1.0, "done")

    def kept(self, file: str, make: Callable[[], Found]) -> Found:
        """Return the result in a file, after computing and writing it if it does not exist."""
        path = self.folder / "steps" / file
        if not path.exists():
            write_rows(path, rows_of(file.partition(".")[0], make(), self.units))
        return found_in(read_rows(path))

    def has_done(self, step: str) -> bool:
        """Whether the result of a step is stored."""
        return (self.folder / "steps" / f"{step}.json").exists()

    def leave_out(self, step: str) -> None:
        """Report that a step is left out because a package is missing."""
        if self.listener is not None:
            self.listener(StepProgress(step, self.steps.index(step) + 1, 0.0, _LEFT_OUT))

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """Return an object that several steps share; the first one makes it."""
        if name not in self._shared:
            self._shared[name] = make()
        made: T = self._shared[name]
        return made

    def once_kept(self, work: Callable[[], object]) -> None:
        """Call a function after the result of the current step is stored."""
        self._once_kept.append(work)

    def tell(self, share: float, text: str) -> None:
        """Report the finished share of the current step, 0 to 1; it never decreases."""
        self._told = max(self._told, min(share, 1.0))
        if self.listener is not None:
            index = self.steps.index(self._step) + 1 if self._step in self.steps else 0
            self.listener(StepProgress(self._step, index, self._told, text))

    def part(self, begin: float, end: float) -> "ReproductionRun":
        """Return a run for a part of the current step: its shares are shares of that part."""

        def listen(now: StepProgress) -> None:
            self.tell(begin + (end - begin) * now.share, now.text)

        return replace(self, listener=listen)

    def parts(self, items: Sequence[T]) -> Iterator[tuple["ReproductionRun", T]]:
        """Yield items with a run for each, as equal parts of the current step."""
        for index, item in enumerate(items):
            yield self.part(index / len(items), (index + 1) / len(items)), item

    def seconds(self) -> float:
        """Return the seconds of all steps, including earlier, stopped runs."""
        return float(sum(line["seconds"] for line in self.log_lines()))

    def others(self) -> float | None:
        """Return the share of the machine's CPU time that other programs used in all steps."""
        lines = [line for line in self.log_lines() if line["seconds"] > 0]
        used = [line.get("other_cpu_seconds") for line in lines]
        if not lines or not all(isinstance(each, int | float) for each in used):
            return None
        seconds = sum(line["seconds"] for line in lines)
        return float(sum(used) / (num_cores() * seconds))

    def log_lines(self) -> JsonLines:
        """Return the lines of the run's log, with a count of damaged lines."""
        return json_lines(self.path("log.jsonl"), _is_line)


def _is_line(line: Any) -> bool:
    """Whether a JSON value is a line of the log."""
    return isinstance(line, dict) and type(line.get("seconds")) in (int, float)


def machine(workers: int = 0) -> str:
    """Describe this machine and the number of workers; 0 = one per core.

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
