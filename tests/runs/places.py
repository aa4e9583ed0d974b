"""Places for tests: what is given to workers is kept, and jobs are done here."""

from collections.abc import Callable, Generator, Iterable
from typing import Any

from riverboat.runs import Work

__all__ = ["InThisProcess"]


class InThisProcess:
    """A place that remembers its tasks."""

    cores = 7

    def __init__(self) -> None:
        self.tasks: list[Work] = []

    def run(
        self,
        work: Work,
        jobs: Iterable[Any],
        workers: int,
        stopped: Callable[[], bool] | None = None,
    ) -> Generator[tuple[Any, Any], None, None]:
        """Do the jobs here."""
        assert workers == self.cores
        assert stopped is None or not stopped()
        self.tasks.append(work)
        return ((job, work.function(job)) for job in jobs)
