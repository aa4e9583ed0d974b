"""`riverboat reproduce`: run a published system and compare our numbers with its author's."""

import time
from pathlib import Path
from typing import Annotated

import msgspec

from riverboat.cli._command import argument, option
from riverboat.cli._completion import reproductions as complete_reproductions
from riverboat.cli._on import check_on, opened
from riverboat.cli._options import JsonOption, OnOption
from riverboat.cli._output import console, print_json, status
from riverboat.cli._progress import open_hand_strength
from riverboat.cli._run_view import RunView, forecast
from riverboat.errors import RecipeError
from riverboat.files import atomic_path
from riverboat.report import Report, duration, html_page, print_report
from riverboat.reproductions import NAMES, Effort, Reproduction, find_reproduction, reproduce

__all__ = ["reproduce_command"]


def reproduce_command(
    name: Annotated[
        str,
        argument(f"{', '.join(NAMES)}, or all.", complete=complete_reproductions),
    ],
    quick: Annotated[bool, option("About two minutes each.")] = False,
    folder: Annotated[
        Path | None,
        option("The folder for everything; reproduce-NAME if not given.", "--output"),
    ] = None,
    seed: Annotated[int, option("Of trainings and matches.")] = 2026,
    workers: Annotated[int, option("Threads and processes; 0 = all cores.")] = 0,
    on: OnOption = "local",
    resume: Annotated[bool, option("Go on with a stopped run.")] = False,
    force: Annotated[bool, option("Begin again, over an old run.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a published system and compare our numbers with its author's.

    Ctrl-C stops; the same command with --resume goes on. Reports are written as report.md,
    report.html (one page, pictures inside) and report.json.
    """
    if workers < 0:
        raise RecipeError(f"--workers {workers}: take 0 for all cores, or a number of them")
    check_on(on)
    effort: Effort = "quick" if quick else "full"
    names = NAMES if name == "all" else (name,)
    chosen = [find_reproduction(each) for each in names]
    if folder is not None and folder.exists() and not folder.is_dir():
        raise RecipeError(f"{folder} is no folder: name another one")
    top = folder or Path(f"reproduce-{name}{'-quick' if quick else ''}")
    places = [top / each if name == "all" else top for each in names]
    forecast(chosen, quick)
    reports = []
    for each, place in zip(chosen, places, strict=True):
        go_on = resume and (name != "all" or (place / "run.json").exists())
        with opened(on):
            report = _one(each, place, effort, seed, workers, go_on, force)
        reports.append(report)
        if not as_json:
            print_report(report, console)
        status.print(f"The same as a page: {place / 'report.html'}", soft_wrap=True)
    if name == "all":
        _write_all(reports, places, top)
    if as_json:
        print_json({"reports": msgspec.to_builtins(reports)})


def _one(
    reproduction: Reproduction,
    place: Path,
    effort: Effort,
    seed: int,
    workers: int,
    resume: bool,
    force: bool,
) -> Report:
    started = time.monotonic()
    try:
        with RunView(reproduction) as view:
            report = reproduce(
                reproduction.name,
                place,
                effort=effort,
                seed=seed,
                workers=workers,
                resume=resume,
                force=force,
                listener=view.step,
                prepare=open_hand_strength,
            )
    except KeyboardInterrupt:
        status.print("Stopped. The same command with --resume goes on.")
        raise
    status.print(f"{reproduction.name}: done in {duration(time.monotonic() - started)}.")
    return report


def _write_all(reports: list[Report], places: list[Path], top: Path) -> None:
    page = html_page(reports, places, "Five reproductions")
    with atomic_path(top / "report.html") as temporary:
        temporary.write_text(page, encoding="utf-8")
    status.print(f"All reports on one page: {top / 'report.html'}", soft_wrap=True)
