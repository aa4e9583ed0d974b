"""Threads: how much faster the same work is, and what one thread reaches in the same time."""

import msgspec

from riverboat.seeds.caltech.data import data
from riverboat.seeds.caltech.fitting import Fitted, Workshop, add_trace, finished, told

__all__ = ["OneThread", "Speed", "fit_one_thread", "measure_speed", "thread_counts"]


class Speed(msgspec.Struct, frozen=True):
    """How fast a number of threads does the same iterations."""

    threads: int
    iterations: int
    seconds: float
    nodes: int
    """Decisions entered."""

    @property
    def an_iteration(self) -> float:
        """Seconds of one iteration: one deal, a walk for each player."""
        return self.seconds / self.iterations


class OneThread(msgspec.Struct, frozen=True):
    """What one thread trained: as long as the first member, and as many iterations."""

    same_time: Fitted
    same_iterations: Fitted


def thread_counts(most: int) -> tuple[int, ...]:
    """Return the numbers of threads to try: doubled up to the most, which is the last.

    Examples
    --------
    >>> thread_counts(2), thread_counts(6)
    ((1, 2), (1, 2, 4, 6))
    """
    powers = [1 << power for power in range(most.bit_length())]
    return tuple(dict.fromkeys((*(power for power in powers if power < most), most)))


def measure_speed(shop: Workshop) -> tuple[Speed, ...]:
    """Time the first iterations of a member's training for each number of threads."""
    member = data().fits("member")[0]
    counts, iterations = thread_counts(shop.threads), shop.amounts.speed_iterations
    _warm_up(shop)
    found = []
    for index, threads in enumerate(counts):
        solver = shop.solver(member, threads)
        share = (index / len(counts), (index + 1) / len(counts))
        told(shop.run, solver, iterations, f"on {threads}", share)
        found.append(Speed(threads, solver.iterations, solver.seconds, solver.nodes))
    return tuple(found)


def _warm_up(shop: Workshop) -> None:
    """Read the bucket tables once, so that the first measurement does not pay for the disk."""
    solver = shop.solver(data().fits("member")[0], shop.threads)
    solver.run_all(iterations=shop.amounts.speed_iterations // 2)


def fit_one_thread(shop: Workshop, member: Fitted) -> OneThread:
    """Train the first member again on one thread: to its seconds, then to its iterations.

    If one thread is as fast as all of them, the first part ends with the iterations.
    """
    fit = data().fits("member")[0]
    solver = shop.solver(fit, 1)
    for _ in solver.slices(iterations=member.iterations):
        shop.run.tell(0.3 * solver.seconds / member.seconds, "trains as long")
        if solver.seconds >= member.seconds:
            break
    same_time = finished(shop, solver, fit, "one-thread-same-time")
    add_trace(solver.average, shop.setup.starting_regrets, -1)
    told(shop.run, solver, member.iterations, "as many iterations", (0.3, 0.7))
    return OneThread(same_time, finished(shop, solver, fit, "one-thread"))
