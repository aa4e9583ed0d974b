"""How far a reproduction is: a bar for each step, or lines where there is no terminal."""

from collections.abc import Sequence

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from riverboat.cli._live import LiveView
from riverboat.cli._output import status
from riverboat.report import percent, size
from riverboat.reproductions import Reproduction, StepProgress

__all__ = ["RunView", "forecast"]

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
        """Take the newest progress."""
        name = f"{progress.index}/{len(self._reproduction.steps)} {progress.step}"
        if name not in self._tasks:
            self._tasks[name] = self._steps.add_task(name, total=1.0, doing="")
        doing = "" if progress.share >= 1 else progress.text[:40]
        self._steps.update(self._tasks[name], completed=progress.share, doing=doing)
        self.show(
            lambda: f"{name}: {percent(progress.share, 0)}, {progress.text}",
            now=not 0 < progress.share < 1,
        )


def forecast(chosen: Sequence[Reproduction], quick: bool) -> None:
    """Say what runs will take, before they begin."""
    minutes = sum(each.recipe.minutes[quick] for each in chosen)
    memory = max(each.recipe.memory_bytes for each in chosen)
    status.print(
        f"{', '.join(each.name for each in chosen)}: about {minutes:.0f} "
        f"minute{'s' if round(minutes) > 1 else ''} on two cores, up to {size(memory)} of "
        "memory."
    )
