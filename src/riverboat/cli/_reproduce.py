"""`riverboat reproduce` and `demo`: run a reproduction or the tour, with progress."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from riverboat.blueprint import DEFAULT_GAME
from riverboat.cli._command import argument, option
from riverboat.cli._completion import reproductions as complete_reproductions
from riverboat.cli._options import JsonOption, OnOption, check_on, opened
from riverboat.cli._output import console, print_json, status
from riverboat.cli._progress import LiveView, open_hand_strength
from riverboat.cli._train import next_steps
from riverboat.errors import RunError
from riverboat.files import atomic_path
from riverboat.game import catalogue
from riverboat.report import Report, duration, html_page, percent, print_report, size
from riverboat.reproductions import (
    NAMES,
    Effort,
    Reproduction,
    StepProgress,
    find_reproduction,
    reproduce,
)


def reproduce_command(
    name: Annotated[
        str,
        argument(f"Reproduction: {', '.join(NAMES)}, or all.", complete=complete_reproductions),
    ],
    quick: Annotated[bool, option("A small version, about two minutes each.")] = False,
    folder: Annotated[
        Path | None, option("Folder for all files (default: reproduce-NAME).", "--output")
    ] = None,
    seed: Annotated[int, option("Random seed of training and matches.")] = 2026,
    workers: Annotated[int, option("Threads and processes (0 = all cores).")] = 0,
    on: OnOption = "local",
    resume: Annotated[bool, option("Resume a stopped run.")] = False,
    force: Annotated[bool, option("Start again and replace an old run.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Rerun a published project and compare results with the author's.

    Ctrl-C stops; the same command with --resume continues. Reports are written as report.md,
    report.html (one page with all pictures) and report.json.
    """
    if workers < 0:
        raise RunError(f"--workers must be 0 (all cores) or more, not {workers}")
    check_on(on)
    effort: Effort = "quick" if quick else "full"
    names = NAMES if name == "all" else (name,)
    chosen = [find_reproduction(one) for one in names]
    if folder is not None and folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is not a folder: name another one")
    top = folder or Path(f"reproduce-{name}{'-quick' if quick else ''}")
    places = [top / one if name == "all" else top for one in names]
    forecast(chosen, quick, resume)
    reports = []
    for reproduction, place in zip(chosen, places, strict=True):
        resumed = resume and (name != "all" or (place / "run.json").exists())
        started = time.monotonic()
        with opened(on):
            report = _run(
                reproduction, place, " with --resume", effort=effort, seed=seed, workers=workers,
                resume=resumed, force=force, prepare=open_hand_strength,
            )  # fmt: skip
        reports.append(report)
        status.print(f"{reproduction.name}: done in {duration(time.monotonic() - started)}.")
        if not as_json:
            print_report(report, console)
        status.print(f"Report as a page: {place / 'report.html'}", soft_wrap=True)
    if name == "all":
        _write_all(reports, places, top)
    if as_json:
        print_json({"reports": msgspec.to_builtins(reports)})


def _run(reproduction: Reproduction, place: Path, again: str = "", **options: Any) -> Report:
    """Run a reproduction; `again` are the options that continue it after Ctrl-C."""
    try:
        with RunView(reproduction) as view:
            return reproduce(reproduction.name, place, listener=view.step, **options)
    except KeyboardInterrupt:
        status.print(f"Stopped. The same command{again} continues.")
        raise


def _write_all(reports: list[Report], places: list[Path], top: Path) -> None:
    page = html_page(reports, places, "Five reproductions")
    with atomic_path(top / "report.html") as temporary:
        temporary.write_text(page, encoding="utf-8")
    status.print(f"All reports on one page: {top / 'report.html'}", soft_wrap=True)


def demo_command(
    folder: Annotated[Path, option("Folder for all files.", "--output")] = Path("riverboat-demo"),
    quick: Annotated[bool, option("A weaker bot, in about a minute.")] = False,
    seed: Annotated[int, option("Random seed of training and matches.")] = 2026,
    force: Annotated[bool, option("Start again and replace an old run.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Take a tour: train a bot, play matches, write a report.

    The tour builds hand-strength tables and buckets, trains a bot, plays it against others and
    writes a report. The same command continues a stopped tour and repeats a finished one.
    """
    effort: Effort = "quick" if quick else "full"
    shown = find_reproduction("demo")
    forecast([shown], quick)
    begun = (folder / "run.json").exists()
    finished = (folder / "report.html").exists()
    report = _run(
        shown,
        folder,
        effort=effort,
        seed=seed,
        resume=begun and not finished and not force,
        force=finished or force,
    )
    if as_json:
        print_json({"reports": [msgspec.to_builtins(report)]})
        return
    print_report(report, console)
    console.print(f"\nReport as a page: {folder / 'report.html'}", soft_wrap=True)
    for line in next_steps(folder / "demo.blueprint", catalogue(DEFAULT_GAME)):
        console.print(line, soft_wrap=True)


_LINE_SECONDS = 20.0


class RunView(LiveView):
    """Shows the steps of a run on standard error."""

    def __init__(self, reproduction: Reproduction) -> None:
        self._reproduction = reproduction
        self._steps = Progress(
            TextColumn("{task.description:<26}"),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[doing]}"),
            console=status,
        )
        super().__init__(_LINE_SECONDS, self._steps)
        self._tasks: dict[str, TaskID] = {}

    def step(self, progress: StepProgress) -> None:
        """Show the latest progress."""
        name = f"{progress.index}/{len(self._reproduction.steps)} {progress.step}"
        if name not in self._tasks:
            self._tasks[name] = self._steps.add_task(name, total=1.0, doing="")
        doing = "" if progress.share >= 1 else progress.text[:40]
        self._steps.update(self._tasks[name], completed=progress.share, doing=doing)
        self.show(
            lambda: f"{name}: {percent(progress.share, 0)}, {progress.text}",
            now=not 0 < progress.share < 1,
        )


def forecast(chosen: Sequence[Reproduction], quick: bool, resume: bool = False) -> None:
    """Print the estimated time and memory of whole runs before they begin."""
    minutes = sum(one.recipe.minutes[quick] for one in chosen)
    memory = max(one.recipe.memory_bytes for one in chosen)
    status.print(
        f"{', '.join(one.name for one in chosen)}: about {minutes:.0f} "
        f"minute{'s' if round(minutes) > 1 else ''} on two cores, up to {size(memory)} of "
        f"memory{'; finished steps are not repeated' if resume else ''}."
    )
