"""Tasks, the interface of long work, and `Run`, the loop that runs a task to its end.

A run locks its files, refuses to overwrite others, resumes, saves checkpoints, logs, plots, handles
Ctrl-C and writes the result. Saving and measuring do not change a task: the result is the same,
however often the run was saved, killed and resumed.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import msgspec

from riverboat.errors import DamagedFileError, RunError, in_words
from riverboat.files import JsonLines, json_lines
from riverboat.runs._files import Checkpoint, RunFiles, RunLog, refused
from riverboat.runs._interrupts import Stop
from riverboat.runs._slices import Clock, Due, Slices


class Report(Protocol):
    """A progress report: a frozen object."""

    @property
    def event(self) -> str:
        """The event in one word."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for the log, including `iterations` and `seconds`."""


_Report = TypeVar("_Report", bound=Report)


class Task(ABC, Generic[_Report]):
    """Long work in slices, which `Run` runs with files, log, checkpoints and Ctrl-C.

    `docs/runs.md` has an example of thirty lines.

    Attributes
    ----------
    slices
        Runs and counts the iterations.
    until
        The budget: limits of clocks, counted from the start of the first run.
    dues
        Actions between slices. The run itself does `save` (the checkpoint) and `draw` (the plot);
        the others are passed to `reports`.
    problem
        Why the last attempt to write a file failed; the run continues.
    warnings
        Warnings to report at the end.
    overhead
        Seconds that the run spent on saving and plotting.
    """

    kind: ClassVar[str]
    """Kind of the checkpoints."""
    ordinary: ClassVar[str] = ""
    """The event of ordinary reports, of which the log skips some."""
    continues: ClassVar[bool] = False
    """Whether a finished run keeps its checkpoint, so that a larger budget can continue it."""

    slices: Slices
    until: Mapping[Clock, float]
    dues: Sequence[Due] = (Due("report", 1.0), Due("save", 60.0))

    def __init__(self) -> None:
        self.problem = ""
        self.warnings: list[str] = []
        self.overhead = 0.0

    @abstractmethod
    def identity(self) -> Mapping[str, Any]:
        """Return the settings that determine the result; a resumed run must have the same."""

    @abstractmethod
    def checkpoint(self) -> Checkpoint:
        """Return the state between two slices; arrays may be the task's own."""

    @abstractmethod
    def restore(self, checkpoint: Checkpoint) -> None:
        """Restore a state; raise an error if the checkpoint is damaged."""

    @abstractmethod
    def reports(self, due: frozenset[str], stop: Stop) -> Iterable[_Report]:
        """Do the due actions after a slice; return progress reports."""

    @abstractmethod
    def write(self, path: Path, stop: Stop) -> Iterable[_Report]:
        """Write the result; the event of the last report says how the run ended."""

    def save(self, path: Path) -> None:
        """Save a checkpoint."""
        self.checkpoint().save(path, self.kind, self.identity())

    def resume(self, path: Path) -> None:
        """Restore a checkpoint; refuse that of another run."""
        checkpoint = Checkpoint.open(path, self.kind, self.identity())
        try:
            self.restore(checkpoint)
        except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
            raise DamagedFileError(f"{path} is damaged: {error}") from error

    @property
    def over(self) -> bool:
        """Whether the budget is used up or the target reached."""
        return self.slices.reached(self.until)

    @property
    def finished(self) -> bool:
        """Whether the whole task is done, after `conclude`."""
        return self.over

    def advance(self) -> Generator[frozenset[str], None, None]:
        """Run slices to the end of the budget; yield the names of due actions after each.

        It is closed where the run ends sooner.
        """
        return self.slices.run(self.until, self.dues)

    def begin(self, earlier: Sequence[Mapping[str, Any]]) -> Iterable[_Report]:  # noqa: ARG002 - a hook
        """Return reports before the first slice; `earlier` are the lines of a resumed log."""
        return ()

    def saved(self) -> Iterable[_Report]:
        """Return reports after saving a checkpoint; if that failed, `problem` says why."""
        return ()

    def conclude(self, stop: Stop) -> Iterable[_Report]:  # noqa: ARG002 - a hook
        """Return reports after the last slice, before the checkpoint is saved."""
        return ()

    def header(self) -> Mapping[str, Any]:
        """Return further values for the first line of the log."""
        return {}

    def read_log(self, path: Path) -> JsonLines:
        """Read the log of an earlier run, without lines of other kinds."""
        return json_lines(path, lambda line: isinstance(line, dict) and "iterations" in line)

    def keeps(self, line: Mapping[str, Any]) -> bool:
        """Return whether the checkpoint includes the work that a line of the log reports."""
        return bool(line["iterations"] <= self.slices.iterations)

    def draw(self, log: Path, plot: Path) -> None:
        """Plot the log."""


#: The event of the last line of a log whose run ended with an error; `problem` is the reason.
FAILED: Final = "failed"
_DRAWING_SHARE: Final = 0.01  # maximum share of time for plotting


def _nothing() -> None:
    """Do nothing between slices."""


def advance(
    task: Task[_Report], stop: Stop, between: Callable[[], object] = _nothing
) -> Iterator[tuple[Iterable[_Report], frozenset[str]]]:
    """Run the slices of a task until it is over or a stop is requested.

    After each slice, yield the reports, which are computed while the caller iterates over them,
    and the names of due actions.
    """
    if task.over:
        return
    with closing(task.advance()) as slices:  # so that it ends before the result is written
        for due in slices:
            between()
            over = task.over or stop.asked
            yield task.reports(due, stop), frozenset() if over else due
            if over or stop.asked:
                return


class Run(Generic[_Report]):
    """Runs a task to its end; iterate over it for progress reports.

    Parameters
    ----------
    task
        The task.
    files
        Paths of result, checkpoint, log and plot.
    resume
        Continue from the checkpoint.
    force
        Start again over the files of an earlier run, which stay until the first new file is
        written.
    plot
        Whether to plot the log.
    stop
        Stops the run on request; by default Ctrl-C does.
    between
        Called between slices; it may read the state of the task, or pause the run.
    """

    def __init__(  # noqa: PLR0913 - options by keyword
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
        self._last: _Report | None = None

    def __iter__(self) -> Iterator[_Report]:
        """Start or resume, run slices with due actions, save the checkpoint, write the result."""
        files = self.files
        with files.mine(), nullcontext(self._given) if self._given else Stop() as stop:
            files.refuse(resume=self._resume, force=self._force)
            try:
                yield from self._steps(stop)
            except Exception as error:
                self._log_failure(error)
                raise

    def _steps(self, stop: Stop) -> Iterator[_Report]:
        task, files = self.task, self.files
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
                lost = f"warning: {task.problem}: --resume cannot continue from this point"
                task.warnings.append(lost)
        yield from self._write(stop)
        if finished and not task.continues:
            files.checkpoint.unlink(missing_ok=True)
        self._draw(stop)

    def _log_failure(self, error: Exception) -> None:
        """Log the last report again, with the event `failed` and the reason."""
        if self._last is not None:
            failed = {"event": FAILED, "problem": in_words(error)}
            with suppress(OSError):
                self._log.write({**self._last.as_dict(), **failed})

    def _open(self) -> list[dict[str, Any]]:
        """Restore the checkpoint and open the log; return the lines of the log that stay."""
        task, files = self.task, self.files
        if self._resume:
            task.resume(files.checkpoint)
        lines = task.read_log(files.log) if self._resume else JsonLines()
        kept = [line for line in lines if task.keeps(line) and line.get("event") != FAILED]
        if lines.torn:
            what = "line" if lines.torn == 1 else "lines"
            task.warnings.append(
                f"warning: {lines.torn} incomplete {what} removed from {files.log}"
            )
        try:
            files.remove_leftovers()
            self._log = RunLog(files.log, kept)
        except OSError as error:
            raise RunError(
                f"{refused(files.log, error)}; choose another folder with --output"
            ) from error
        return kept

    def _logged(self, reports: Iterable[_Report], **more: object) -> Iterator[_Report]:
        for report in reports:
            self._last = report
            ordinary = report.event == self.task.ordinary
            try:
                self._log.write({**report.as_dict(), **more}, ordinary=ordinary)
            except OSError as error:
                self.task.problem = self.task.problem or refused(self.files.log, error)
            yield report

    def _save(self) -> Iterator[_Report]:
        """Save a checkpoint. If that fails, the old one stays and the run continues."""
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
        """Write the result, even if the checkpoint could not be saved."""
        files = self.files
        try:
            for report in self.task.write(files.result, stop):
                self._replaced({files.result, files.checkpoint, files.log})
                yield from self._logged([report])
        except OSError as error:
            saved = (
                f"the run is saved in {files.checkpoint}: free some space, then use --resume to "
                "write the result"
            )
            raise RunError(
                f"{refused(files.result, error)}; {self.task.problem or saved}"
            ) from error

    def _replaced(self, new: set[Any]) -> None:
        """Remove files of an earlier run, after the first file of this run is written."""
        if self._force:
            self._force = False
            with suppress(OSError):  # the run matters more than old files
                self.files.clear(new)

    def _draw(self, stop: Stop) -> None:
        """Plot, and wait a hundred times as long before the next plot. Ctrl-C interrupts it."""
        if not self._plot:
            return
        task, files = self.task, self.files
        began = time.perf_counter()
        with suppress(OSError):  # the log has all that the plot needs
            stop.interruptible(lambda: task.draw(files.log, files.plot))
        cost = time.perf_counter() - began
        task.overhead += cost
        self._next_plot = time.perf_counter() + cost / _DRAWING_SHARE
