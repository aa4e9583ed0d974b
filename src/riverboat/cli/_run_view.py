"""How far a reproduction is: a bar for each step, or lines where there is no terminal."""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from riverboat.cli._output import status
from riverboat.report import percent, size
from riverboat.seeds import Seed, StepProgress

__all__ = ["RunView", "forecast"]

_LINE_SECONDS = 20.0


class RunView:
    """Shows the steps of a run on standard error."""

    def __init__(self, seed: Seed) -> None:
        self._seed = seed
        self._bars = Progress(
            TextColumn("{task.description:<26}"),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[doing]}"),
            console=status,
            disable=not status.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._printed = 0.0

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def show(self, progress: StepProgress) -> None:
        """Take the newest progress."""
        name = f"{progress.index}/{len(self._seed.steps)} {progress.step}"
        if not status.is_terminal:
            self._print(name, progress)
            return
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name, total=1.0, doing="")
        doing = "" if progress.share >= 1 else progress.text[:40]
        self._bars.update(self._tasks[name], completed=progress.share, doing=doing)

    def _print(self, name: str, progress: StepProgress) -> None:
        now = time.monotonic()
        if 0 < progress.share < 1 and now - self._printed < _LINE_SECONDS:
            return
        self._printed = now
        status.print(f"{name}: {percent(progress.share, 0)}, {progress.text}", soft_wrap=True)


def forecast(seeds: Sequence[Seed], quick: bool) -> None:
    """Say what runs will take, before they begin."""
    minutes = sum(seed.recipe.minutes[quick] for seed in seeds)
    memory = max(seed.recipe.memory_bytes for seed in seeds)
    status.print(
        f"{', '.join(seed.name for seed in seeds)}: about {minutes:.0f} "
        f"minute{'s' if round(minutes) > 1 else ''} on two cores, up to {size(memory)} of "
        "memory."
    )
