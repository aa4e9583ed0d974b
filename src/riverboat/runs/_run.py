"""Tasks, which are what a run needs to know of long work, and the loop that carries them out.

A run locks the files, refuses to overwrite others, resumes, saves, logs, draws, heeds Ctrl-C, and
writes the result. Saving and measuring change nothing in a task: however often it was saved,
killed and resumed, the result is the same.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import msgspec

from riverboat.errors import DamagedFileError, RunError
from riverboat.files import JsonLines, json_lines
from riverboat.runs._files import Checkpoint, RunFiles, RunLog, refused
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
        self.checkpoint().save(path, self.kind, self.identity())

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint; refuse that of another run."""
        checkpoint = Checkpoint.open(path, self.kind, self.identity())
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


_DRAWING_SHARE: Final = 0.01  # of the time at most


def _nothing() -> None:
    """Nobody looks on."""


def advance(
    task: Task[_Report], stop: Stop, between: Callable[[], object] = _nothing
) -> Iterator[tuple[Iterable[_Report], frozenset[str]]]:
    """Run a task's slices until it is over or somebody stops it.

    After each, yield its reports, which are made as they are taken, and what is due besides.
    """
    if task.over:
        return
    for due in task.advance():
        between()
        over = task.over or stop.asked
        yield task.reports(due, stop), frozenset() if over else due
        if over or stop.asked:
            return


class Run(Generic[_Report]):
    """Carries a task to its end; iterate over it for reports.

    Parameters
    ----------
    task
        What is to be done.
    files
        Where result, checkpoint, log and plot go.
    resume
        Continue from the checkpoint.
    force
        Start again over the files of an earlier run, which stay until the first of the new ones
        is there.
    plot
        Whether the log is drawn.
    stop
        Says when to end; by default Ctrl-C does.
    between
        Called between slices: whoever looks on from elsewhere may look, or hold the run up.
    """

    def __init__(  # noqa: PLR0913 - what, where, and switches by keyword
        self,
        task: Task[_Report],
        files: RunFiles,
        *,
        resume: bool = False,
        force: bool = False,
        plot: bool = True,
        stop: Stop | None = None,
        between: Callable[[], object] = _nothing,
    ) -> None:
        self.task, self.files = task, files
        self._resume, self._force, self._plot = resume, force, plot
        self._given, self._between = stop, between
        self._next_plot = 0.0

    def __iter__(self) -> Iterator[_Report]:
        """Begin or resume; run slices and do what is due; save and write."""
        task, files = self.task, self.files
        with files.mine(), nullcontext(self._given) if self._given else Stop() as stop:
            files.refuse(resume=self._resume, force=self._force)
            yield from self._logged(task.begin(self._open()), **task.header())
            for reports, due in advance(task, stop, self._between):
                yield from self._logged(reports)
                if "draw" in due and time.perf_counter() >= self._next_plot:
                    self._draw(stop)
                if "save" in due:
                    yield from self._save()
            yield from self._logged(task.conclude(stop))
            finished = task.finished
            if task.continues or not finished:
                yield from self._save()
                if task.problem:
                    lost = f"warning: {task.problem}: --resume cannot continue from here"
                    task.warnings.append(lost)
            yield from self._write(stop)
            if finished and not task.continues:
                files.checkpoint.unlink(missing_ok=True)
            self._draw(stop)

    def _open(self) -> list[dict[str, Any]]:
        """Restore the checkpoint and open the log; return the lines that it keeps."""
        task, files = self.task, self.files
        if self._resume:
            task.resume(files.checkpoint)
        found = task.read_log(files.log) if self._resume else JsonLines()
        kept = [line for line in found if task.keeps(line)]
        if found.torn:
            what = "line was" if found.torn == 1 else "lines were"
            task.warnings.append(f"warning: {found.torn} torn {what} left out of {files.log}")
        try:
            files.remove_leftovers()
            self._log = RunLog(files.log, kept)
        except OSError as error:
            raise RunError(
                f"{refused(files.log, error)}; name another place with --output"
            ) from error
        return kept

    def _logged(self, reports: Iterable[_Report], **more: object) -> Iterator[_Report]:
        for report in reports:
            ordinary = report.event == self.task.ordinary
            try:
                self._log.write({**report.as_dict(), **more}, ordinary=ordinary)
            except OSError as error:
                self.task.problem = self.task.problem or refused(self.files.log, error)
            yield report

    def _save(self) -> Iterator[_Report]:
        """Save a checkpoint. If it cannot be written the old one stays, and the run goes on."""
        task, path = self.task, self.files.checkpoint
        began = time.perf_counter()
        try:
            task.save(path)
            task.problem = ""
        except OSError as error:
            task.problem = refused(path, error)
        else:
            self._replaced({path, self.files.log})
        task.overhead += time.perf_counter() - began
        return self._logged(task.saved())

    def _write(self, stop: Stop) -> Iterator[_Report]:
        """Write the result, whether or not the checkpoint could be saved."""
        files = self.files
        try:
            for report in self.task.write(files.result, stop):
                self._replaced({files.result, files.checkpoint, files.log})
                yield from self._logged([report])
        except OSError as error:
            saved = f"the run is saved in {files.checkpoint}: make room, and --resume writes it"
            raise RunError(
                f"{refused(files.result, error)}; {self.task.problem or saved}"
            ) from error

    def _replaced(self, new: set[Any]) -> None:
        """Remove what an earlier run left, once the first file of this one is in its place."""
        if self._force:
            self._force = False
            with suppress(OSError):  # the run matters more
                self.files.clear(new)

    def _draw(self, stop: Stop) -> None:
        """Draw the plot; the next one waits a hundred times as long. Ctrl-C interrupts it."""
        if not self._plot:
            return
        task, files = self.task, self.files
        began = time.perf_counter()
        with suppress(OSError):  # it can be drawn again from the log
            stop.interruptible(lambda: task.draw(files.log, files.plot))
        cost = time.perf_counter() - began
        task.overhead += cost
        self._next_plot = time.perf_counter() + cost / _DRAWING_SHARE
