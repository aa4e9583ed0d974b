"""Places for tests: what a task was given is kept, and jobs are done here."""

from collections.abc import Callable, Generator, Iterable
from typing import Any

from riverboat.runs import Task

__all__ = ["InThisProcess"]


class InThisProcess:
    """A place that remembers its tasks."""

    cores = 7

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def run(
        self,
        task: Task,
        jobs: Iterable[Any],
        workers: int,
        stopped: Callable[[], bool] | None = None,
    ) -> Generator[tuple[Any, Any], None, None]:
        """Do the jobs here."""
        assert workers == self.cores
        assert stopped is None or not stopped()
        self.tasks.append(task)
        return ((job, task.function(job)) for job in jobs)
