"""`riverboat demo`: from nothing to a trained, measured, playable bot."""

from pathlib import Path
from typing import Annotated

import msgspec

from riverboat.blueprint import DEFAULT_GAME
from riverboat.cli._command import option
from riverboat.cli._hints import next_steps
from riverboat.cli._options import JsonOption
from riverboat.cli._output import console, print_json, status
from riverboat.cli._run_view import RunView, forecast
from riverboat.game import catalogue
from riverboat.report import print_report
from riverboat.reproductions import Effort, find_reproduction, reproduce

__all__ = ["demo"]


def demo(
    folder: Annotated[Path, option("The folder for everything.", "--output")] = Path(
        "riverboat-demo"
    ),
    quick: Annotated[bool, option("A weaker bot in a minute.")] = False,
    seed: Annotated[int, option("Of training and matches.")] = 2026,
    force: Annotated[bool, option("Begin again, over an old run.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Build tables and buckets, train a bot, play it against others, write a report.

    A demo that was stopped goes on; one that was finished begins again.
    """
    effort: Effort = "quick" if quick else "full"
    shown = find_reproduction("demo")
    forecast([shown], quick)
    begun = (folder / "run.json").exists()
    finished = (folder / "report.html").exists()
    try:
        with RunView(shown) as view:
            report = reproduce(
                "demo",
                folder,
                effort=effort,
                seed=seed,
                resume=begun and not finished and not force,
                force=finished or force,
                listener=view.step,
            )
    except KeyboardInterrupt:
        status.print("Stopped. The same command goes on.")
        raise
    if as_json:
        print_json({"reports": [msgspec.to_builtins(report)]})
        return
    print_report(report, console)
    console.print(f"\nThe report as a page: {folder / 'report.html'}", soft_wrap=True)
    for line in next_steps(folder / "demo.blueprint", catalogue(DEFAULT_GAME)):
        console.print(line, soft_wrap=True)
