"""A kernel in slices: the tables of a solver, and the iterations that they have."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from riverboat.runs import Clock, Due, Slices
from riverboat.solve._crew import Crew
from riverboat.solve._kernels import Kernel

__all__ = ["Driver"]


class Driver(Slices):
    """Runs a kernel in slices (`riverboat.runs.Slices`).

    Parameters
    ----------
    kernel
        What to run.
    length, steady
        Of the slices, as there.

    Attributes
    ----------
    nodes
        Decision nodes that were entered.

    Examples
    --------
    >>> class Nothing:
    ...     threads = 1
    ...     def run(self, first, last, crew):
    ...         return last - first
    >>> driver = Driver(Nothing())
    >>> driver.advance(7)
    >>> driver.iterations, driver.nodes
    (7, 7)
    """

    def __init__(self, kernel: Kernel, *, length: int = 1, steady: bool = False) -> None:
        super().__init__(
            self._iterate, length=length, steady=steady, least=lambda: self.kernel.threads
        )
        self.kernel = kernel
        self.nodes = 0
        self._crew: Crew | None = None

    def take(self, kernel: Kernel, slice_seconds: Callable[[], float]) -> None:
        """Run another kernel from the next `run` on, in slices of other lengths.

        Parameters
        ----------
        kernel
            On the same tables.
        slice_seconds
            Says how long a slice should be; asked after each.
        """
        self.kernel, self.slice_seconds = kernel, slice_seconds

    def run(
        self,
        until: Mapping[Clock, float],
        dues: Sequence[Due] = (),
        processor_clock: Callable[[], float] = time.process_time,
    ) -> Iterator[frozenset[str]]:
        """Run slices with threads that stay for all of them: see `Slices.run`."""
        self._crew = Crew(self.kernel.threads)
        try:
            yield from super().run(until, dues, processor_clock)
        finally:
            self._crew = None

    def _iterate(self, first: int, last: int) -> None:
        crew = self._crew or Crew(self.kernel.threads)
        self.nodes += self.kernel.run(first, last, crew)
