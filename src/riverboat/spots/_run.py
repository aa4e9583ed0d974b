"""A run of the solver that leaves files: solution, checkpoint, log and plot."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from riverboat import __version__
from riverboat.errors import DamagedFileError, SpotError
from riverboat.files import (
    ArrayFile,
    ArrayFileWriter,
    ArraySpec,
    atomic_path,
    json_lines,
    json_value,
    locked,
)
from riverboat.report import Axes, Curve, draw_curves
from riverboat.runs import Stop
from riverboat.spots._schedule import schedule_text
from riverboat.spots._solution import check_without_rivers
from riverboat.spots._solve import Side, Solving, SpotReport, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from riverboat.spots._follow import Imported
    from riverboat.spots._solution import Solution
    from riverboat.spots._spot import Spot

__all__ = ["SolveFiles", "keep_solved", "solve_file"]

_SUFFIX: Final = ".solution"
_KIND: Final = "riverboat-spot-checkpoint"
_FORMAT: Final = "1"
_SAVE_EVERY: Final = 600.0  # seconds


@dataclass(frozen=True, slots=True)
class SolveFiles:
    """Where a run writes: NAME.solution, NAME.checkpoint, NAME.log.jsonl, NAME.png."""

    solution: Path

    @classmethod
    def of(cls, path: Path | str) -> SolveFiles:
        """Return the files of a solution's path; `.solution` is added where it has no ending.

        Examples
        --------
        >>> SolveFiles.of("spots/mine").log.as_posix()
        'spots/mine.log.jsonl'
        """
        named = Path(path)
        if not named.name or named.is_dir():
            raise SpotError(f"the output {str(path)!r} is a folder: name a file")
        return cls(named if named.suffix == _SUFFIX else named.with_name(named.name + _SUFFIX))

    @property
    def checkpoint(self) -> Path:
        """Everything that is needed to go on."""
        return self.solution.with_suffix(".checkpoint")

    @property
    def log(self) -> Path:
        """One JSON object a line."""
        return self.solution.with_suffix(".log.jsonl")

    @property
    def plot(self) -> Path:
        """Exploitability against time."""
        return self.solution.with_suffix(".png")

    def logged(self) -> list[dict[str, Any]]:
        """Return the reports of the log, as plain values; none where there is no log."""
        return read_log(self.log)

    def refuse(self, *, resume: bool, force: bool) -> None:
        """Refuse to begin over an earlier run's files, or to resume what is not there."""
        if resume and not self.checkpoint.exists():
            done = " (it was finished)" if self.solution.exists() else ""
            raise SpotError(f"there is no checkpoint {self.checkpoint} to resume{done}")
        if resume or force:
            return
        for path in (self.solution, self.checkpoint):
            if path.exists():
                raise SpotError(
                    f"{path} exists: --resume goes on with a run that was stopped, --force begins "
                    "again, or name another file with --output"
                )


def solve_file(  # noqa: PLR0913 - options by keyword
    spot: Spot,
    path: Path | str,
    *,
    resume: bool = False,
    force: bool = False,
    rivers: bool = True,
    exploit: Side | None = None,
    against: Solution | Imported | None = None,
    plot: bool = True,
    stop: Stop | None = None,
    between: Callable[[Solving], None] = lambda _: None,
    **options: Any,
) -> Iterator[SpotReport]:
    """Solve a spot into a file; yield reports. Ctrl-C ends it, and keeps what there is.

    A run that ends before the target leaves a checkpoint beside the solution: `resume` goes on
    from there, to the same numbers as a run that never stopped.

    Parameters
    ----------
    spot
        What to solve.
    path
        Of the solution; log, plot and checkpoint lie beside it.
    resume, force
        Whether to go on from the checkpoint, or to begin again over old files.
    rivers
        Whether the strategies of the river go into the file (`Solution.write`).
    exploit
        Whose strategy becomes the best response to the other's at the end.
    against
        The other then plays this strategy, and nothing is solved.
    plot
        Whether exploitability is drawn against time.
    stop
        Says when to end; by default Ctrl-C does.
    between
        Called between slices with what is being solved: it can be looked at meanwhile.
    **options
        Of `solve`.
    """
    files = SolveFiles.of(path)
    with _alone(files), nullcontext(stop) if stop else Stop() as ending:
        files.refuse(resume=resume, force=force)
        solving = solve(spot, **options)
        if not rivers:
            check_without_rivers(spot, solving.locks, exploited=exploit is not None)

        def stopped() -> bool:
            between(solving)
            return ending.asked

        solving.stopped = stopped
        if against is not None:
            yield _exploited(solving, files, exploit, against)
            return
        if resume:
            _restore(files.checkpoint, solving)
        log = _Log(files.log, solving.slices.iterations)
        for report in _saving(solving, files):
            log.write(report)
            yield report
        yield from _end(solving, files, rivers, exploit)
        if plot:
            _plot(files, spot)


def keep_solved(
    solving: Solving, path: Path | str, *, rivers: bool = True, plot: bool = True
) -> None:
    """Write what was solved elsewhere as `solve_file` does; what was stopped can go on there."""
    files = SolveFiles.of(path)
    with _alone(files):
        log = _Log(files.log, kept=0)
        if solving.report is not None:
            log.write(solving.report)
        list(_end(solving, files, rivers, None))
        if plot:
            _plot(files, solving.spot)


def _exploited(
    solving: Solving, files: SolveFiles, exploit: Side | None, against: Solution | Imported
) -> SpotReport:
    """Write the best response to a strategy that is given."""
    if exploit is None:
        raise SpotError("a strategy to play against needs a player who exploits it: oop or ip")
    solving.follow(against, "ip" if exploit == "oop" else "oop")
    report = solving.exploit(exploit)
    solving.solution.write(files.solution)
    return report


@contextmanager
def _alone(files: SolveFiles) -> Iterator[None]:
    with locked(files.solution) as mine:
        if not mine:
            raise SpotError(f"another run is writing {files.solution}: wait for it, or end it")
        yield


def _saving(solving: Solving, files: SolveFiles) -> Iterator[SpotReport]:
    """The reports of a run, with a checkpoint now and then."""
    saved = time.monotonic()
    for report in solving:
        yield report
        if report.event == "solving" and time.monotonic() - saved > _SAVE_EVERY:
            _save(files.checkpoint, solving)
            saved = time.monotonic()


def _end(
    solving: Solving, files: SolveFiles, rivers: bool, exploit: Side | None
) -> Iterator[SpotReport]:
    """Write what was found."""
    finished = solving.report is not None and solving.report.event == "finished"
    if not finished:
        _save(files.checkpoint, solving)
    if exploit is not None:
        yield solving.exploit(exploit)
    solving.solution.write(files.solution, rivers=rivers)
    if finished:
        files.checkpoint.unlink(missing_ok=True)


# ---- Checkpoints


class _Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far a run was."""

    iteration: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    seconds: Annotated[float, msgspec.Meta(ge=0, lt=1e12)]


def _identity(solving: Solving) -> dict[str, Any]:
    """What decides the tables."""
    engine = solving.engine
    return {
        "spot": solving.spot.as_dict(),
        "locks": [str(lock) for lock in solving.locks],
        "bits": engine.bits,
        "schedule": schedule_text(engine.schedule),
        "isomorphism": engine.isomorphism,
    }


def _save(path: Path, solving: Solving) -> None:
    """Write the engine's tables, whole or not at all."""
    state = solving.engine.state()
    progress = _Progress(solving.slices.iterations, solving.slices.seconds)
    metadata = {
        "kind": _KIND,
        "format": _FORMAT,
        "identity": json.dumps(_identity(solving)),
        "progress": msgspec.json.encode(progress).decode(),
    }
    specs = {name: ArraySpec(table.dtype, table.shape) for name, table in state.items()}
    with ArrayFileWriter(path, specs, metadata) as writer:
        for name, table in state.items():
            writer.write(name, table)


def _restore(path: Path, solving: Solving) -> None:
    """Go on from a checkpoint of the same spot, solved the same way."""
    file = ArrayFile(path)
    if file.metadata.get("kind") != _KIND or file.metadata.get("format") != _FORMAT:
        raise SpotError(f"{path} is no checkpoint of a spot that Riverboat {__version__} reads")
    saved, progress = (
        json_value(file.metadata.get(name, ""), str(path), DamagedFileError)
        for name in ("identity", "progress")
    )
    try:
        done = msgspec.convert(progress, _Progress)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error
    if not isinstance(saved, dict):
        raise DamagedFileError(f"{path} is damaged: its header is not whole")
    wanted = json.loads(json.dumps(_identity(solving)))
    if saved != wanted:
        names = [name for name, value in wanted.items() if saved.get(name) != value]
        raise SpotError(
            f"{path} belongs to a run with another {', '.join(names)}: resume it with its own, or "
            "begin again with --force"
        )
    tables = {name: file.array(name) for name in file.names if name != "header.crc32"}
    solving.resume(tables, done.iteration, done.seconds)


# ---- Log and plot


class _Log:
    """One JSON object a line; what a resumed run does again is dropped."""

    def __init__(self, path: Path, kept: int) -> None:
        self._path = path
        lines = [line for line in read_log(path) if line["iteration"] < kept] if kept else []
        with atomic_path(path) as temporary:
            text = "".join(json.dumps(line) + "\n" for line in lines)
            temporary.write_text(text, encoding="utf-8")

    def write(self, report: SpotReport) -> None:
        """Append a report."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**report.as_dict(), "version": __version__}) + "\n")


def read_log(path: Path) -> list[dict[str, Any]]:
    """Read a log; lines that are none of a run are left out."""
    return json_lines(path, _is_line) if path.exists() else []


def _is_line(line: Any) -> bool:
    numbers = ("iteration", "seconds", "share")
    return isinstance(line, dict) and all(isinstance(line.get(n), int | float) for n in numbers)


def _plot(files: SolveFiles, spot: Spot) -> None:
    """Draw exploitability against time."""
    lines = [line for line in read_log(files.log) if line["share"] > 0 and line["seconds"] > 0]
    if not lines:
        return
    curve = Curve("", [m["seconds"] for m in lines], [100 * m["share"] for m in lines])
    title = f"{spot.board}, pot {spot.pot}"
    words = Axes(title, "seconds", "exploitability, % of the pot", x_log=True, y_log=True)
    draw_curves(files.plot, [curve], words)
