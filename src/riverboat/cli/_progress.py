"""Progress bars for long work."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Self

from rich.console import RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from riverboat.buckets import ProgressCall
from riverboat.cards import STREETS, TABLE_BYTES, HandStrength, table_path
from riverboat.cli._output import status
from riverboat.files import cache_folder
from riverboat.game import GameSpec
from riverboat.report import duration, size


def bar() -> Progress:
    """Make a progress bar with a description, a count and the time left.

    It is disabled if the error stream is not a terminal.
    """
    return Progress(
        TextColumn("{task.description:<22}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=status,
        disable=not status.is_terminal,
    )


@contextmanager
def bars() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows a bar for each name, from the done and the total count."""
    shown, tasks = bar(), dict[str, TaskID]()

    def show(name: str, done: int, total: int) -> None:
        if not tasks:
            shown.start()
        if name not in tasks:
            tasks[name] = shown.add_task(name)
        shown.update(tasks[name], completed=done, total=total)

    try:
        yield show
    finally:
        shown.stop()


@contextmanager
def counted(name: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows one bar, which appears with the first call."""
    with bars() as show:
        yield partial(show, name)


@contextmanager
def abstraction_bar() -> Iterator[ProgressCall]:
    """Show the progress of hand-strength tables, fits and buckets; nothing if all exist."""
    with bars() as show:
        yield lambda report: show(f"{report.street}: {report.step}", report.done, report.total)


def open_hand_strength(folder: Path | None = None) -> HandStrength:
    """Open the hand-strength tables; build missing ones with a progress bar."""
    if all(table_path(street, folder).exists() for street in STREETS):
        return HandStrength(folder)
    status.print(
        f"Building the hand-strength tables in {folder or cache_folder()}: "
        f"{size(TABLE_BYTES)} of disk, about 1 GB of memory, 5 to 20 seconds, only this time."
    )
    started = time.monotonic()
    with bars() as show:
        tables = HandStrength(folder, lambda report: show(report.street, report.done, report.total))
    status.print(f"Built in {duration(time.monotonic() - started)}.")
    return tables


def build_bot_tables(bot: object, spec: GameSpec) -> None:
    """Build missing bucket tables of a bot for a game before play, with a progress bar.

    Otherwise its first decision would build them while a person waits.
    """
    if (build := getattr(bot, "build_tables", None)) is not None:
        with abstraction_bar() as show:
            build(show, spec)


class LiveView:
    """Shows the progress of a run on the error stream, so that results can be piped.

    If the terminal was closed, nothing is shown: the run must still be saved.

    Parameters
    ----------
    every
        Seconds between lines if the error stream is not a terminal.
    bars
        Redrawn in a terminal, and left there at the end. Without them the latest picture of `show`
        is drawn, and removed at the end.
    at_once
        Whether the first line is printed at once, or after `every` seconds.
    """

    def __init__(
        self, every: float, bars: RenderableType | None = None, *, at_once: bool = True
    ) -> None:
        self._every, self._bars = every, bars
        own = bars is None
        live = Live(bars, console=status, auto_refresh=not own, transient=own)
        self._live = live if status.is_terminal else None
        self._printed = float("-inf") if at_once else time.monotonic()

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            with suppress(OSError):
                self._live.stop()

    def show(
        self,
        line: Callable[[], str],
        picture: Callable[[], RenderableType] | None = None,
        *,
        now: bool = False,
    ) -> None:
        """Show the state of the run.

        Parameters
        ----------
        line
            Returns one line.
        picture
            Returns a drawing for a terminal; by default the line is drawn.
        now
            Whether to print the line even if the last one was printed a moment ago.
        """
        with suppress(OSError):
            if self._live is not None:
                if self._bars is None:
                    self._live.update(line() if picture is None else picture(), refresh=True)
                return
            if now or time.monotonic() - self._printed >= self._every:
                self._printed = time.monotonic()
                status.print(line(), soft_wrap=True)
