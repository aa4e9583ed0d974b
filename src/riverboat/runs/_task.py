"""What a run needs to know of long work: its slices, its state, its reports, its result."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from riverboat.errors import DamagedFileError
from riverboat.files import JsonLines, json_lines
from riverboat.runs._checkpoint import Checkpoint, open_checkpoint, save_checkpoint
from riverboat.runs._interrupts import Stop
from riverboat.runs._slices import Clock, Due, Slices


class Report(Protocol):
    """How a task stands: a frozen object."""

    @property
    def event(self) -> str:
        """What has happened: a word."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for the log, `iterations` and `seconds` among them."""


_Report = TypeVar("_Report", bound=Report)


class Task(ABC, Generic[_Report]):
    """Long work in slices; `Run` carries it to its end, with files, log, checkpoints and Ctrl-C.

    `docs/runs.md` has one in thirty lines.

    Attributes
    ----------
    slices
        What runs the iterations and counts them.
    until
        The budget: readings of clocks, earlier runs that are resumed included.
    dues
        What to do between slices. The run itself sees to `save` (the checkpoint) and `draw` (the
        plot); `reports` hears of the rest.
    problem
        Why the run could not write something, lately; the run goes on.
    warnings
        What the run has to say at the end.
    overhead
        Seconds that the run spent on saving and drawing.
    """

    kind: ClassVar[str]
    """Of its checkpoints."""
    ordinary: ClassVar[str] = ""
    """The event of reports that need not all be logged."""
    continues: ClassVar[bool] = False
    """Whether a finished run keeps its checkpoint, to be continued with a larger budget."""

    slices: Slices
    until: Mapping[Clock, float]
    dues: Sequence[Due] = (Due("report", 1.0), Due("save", 60.0))

    def __init__(self) -> None:
        self.problem = ""
        self.warnings: list[str] = []
        self.overhead = 0.0

    @abstractmethod
    def identity(self) -> Mapping[str, Any]:
        """Return what decides the result, as plain values: only such a run can be resumed."""

    @abstractmethod
    def checkpoint(self) -> Checkpoint:
        """Return the state between two slices; arrays may be the task's own."""

    @abstractmethod
    def restore(self, checkpoint: Checkpoint) -> None:
        """Continue from a state; an error says that the file is damaged."""

    @abstractmethod
    def reports(self, due: frozenset[str], stop: Stop) -> Iterable[_Report]:
        """Say how it stands after a slice, as far as it is due."""

    @abstractmethod
    def write(self, path: Path, stop: Stop) -> Iterable[_Report]:
        """Write the result; the last report says how the run ended."""

    def save(self, path: Path) -> None:
        """Save a checkpoint."""
        save_checkpoint(path, self.kind, self.identity(), self.checkpoint())

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint; refuse that of another run."""
        checkpoint = open_checkpoint(path, self.kind, self.identity())
        try:
            self.restore(checkpoint)
        except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
            raise DamagedFileError(f"{path} is damaged: {error}") from error

    @property
    def over(self) -> bool:
        """Whether the budget is used up, or the target reached."""
        return self.slices.reached(self.until)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to be done: after `conclude`."""
        return self.over

    def advance(self) -> Iterator[frozenset[str]]:
        """Run slices to the end of the budget; yield what is due after each."""
        return self.slices.run(self.until, self.dues)

    def begin(self, earlier: Sequence[Mapping[str, Any]]) -> Iterable[_Report]:  # noqa: ARG002 - a hook
        """Say how it stands before the first slice; `earlier` are the lines of a resumed log."""
        return ()

    def saved(self) -> Iterable[_Report]:
        """Say that a checkpoint was saved, or with a `problem` that it was not."""
        return ()

    def conclude(self, stop: Stop) -> Iterable[_Report]:  # noqa: ARG002 - a hook
        """Say how it stands after the last slice, before the state is saved."""
        return ()

    def header(self) -> Mapping[str, Any]:
        """Return what the first line of the log has besides."""
        return {}

    def read_log(self, path: Path) -> JsonLines:
        """Read an earlier run's log, without lines that are none of such a task."""
        return json_lines(path, lambda line: isinstance(line, dict) and "iterations" in line)

    def keeps(self, line: Mapping[str, Any]) -> bool:
        """Return whether a line of the log is of work that the checkpoint has."""
        return bool(line["iterations"] <= self.slices.iterations)

    def draw(self, log: Path, plot: Path) -> None:
        """Draw the log."""
