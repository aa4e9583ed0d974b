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
from riverboat.report import duration, size


def bar() -> Progress:
    """Make a progress bar that says what is done, how much of it, and how long it will take.

    Where errors do not go to a terminal there is none.
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
    """Show a bar for each name that is told, with what is done and all there is."""
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
    """Show a bar for one piece of work; nothing if it tells nothing."""
    with bars() as show:
        yield partial(show, name)


@contextmanager
def abstraction_bar() -> Iterator[ProgressCall]:
    """Show how far the tables, fits and buckets of cards are; nothing if all are there."""
    with bars() as show:
        yield lambda report: show(f"{report.street}: {report.step}", report.done, report.total)


def open_hand_strength(folder: Path | None = None) -> HandStrength:
    """Open the hand-strength tables; build them with a progress bar where they are missing."""
    if all(table_path(street, folder).exists() for street in STREETS):
        return HandStrength(folder)
    status.print(
        f"Building the hand-strength tables in {folder or cache_folder()}: "
        f"{size(TABLE_BYTES)} of disk, about 1 GB of memory, 5 to 20 seconds, once."
    )
    started = time.monotonic()
    with bars() as show:
        tables = HandStrength(folder, lambda report: show(report.street, report.done, report.total))
    status.print(f"Built in {duration(time.monotonic() - started)}.")
    return tables


def build_bot_tables(bot: object) -> None:
    """Build the tables of cards in which a bot looks up all hands, if it does and they are missing.

    Else its first decision would build them, without a word, while a person waits.
    """
    if (build := getattr(bot, "build_tables", None)) is not None:
        with abstraction_bar() as show:
            build(show)


class LiveView:
    """Shows a run on the error stream, so that results can be piped.

    A terminal that was closed must not keep a run from being saved: then nothing is shown.

    Parameters
    ----------
    every
        Seconds between lines where there is no terminal.
    bars
        Drawn again and again in a terminal, and left there at the end. Without them it shows what
        `show` is given, and takes it away at the end.
    at_once
        Whether the first line comes at once, or after that time.
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
        """Show how the run stands.

        Parameters
        ----------
        line
            Says it in one line.
        picture
            Draws it for a terminal; by default the line is.
        now
            Whether the line is printed whenever the last one was.
        """
        with suppress(OSError):
            if self._live is not None:
                if self._bars is None:
                    self._live.update(line() if picture is None else picture(), refresh=True)
                return
            if now or time.monotonic() - self._printed >= self._every:
                self._printed = time.monotonic()
                status.print(line(), soft_wrap=True)
