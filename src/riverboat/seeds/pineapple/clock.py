"""Equal time for schemes that train one after the other: time of the processor, not of the wall."""

import time
from collections.abc import Iterator

from riverboat.solve import Solver

__all__ = ["processor_slices"]


def processor_slices(solver: Solver, seconds: float) -> Iterator[float]:
    """Train for so many seconds of processor time; yield what was spent after every slice.

    Other work on the machine makes a training wait, but takes nothing from its time. Threads of
    a solver count each: one thread is meant.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("external"))
    >>> spent = list(processor_slices(solver, 0.01))
    >>> spent[-1] >= 0.01, all(each < 0.01 for each in spent[:-1])
    (True, True)
    """
    began = time.process_time()
    for _ in solver.slices(seconds=float("inf")):
        spent = time.process_time() - began
        yield spent
        if spent >= seconds:
            return
