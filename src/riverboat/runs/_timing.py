"""Speed-ups by threads, from elapsed time and CPU time."""

from typing import NamedTuple

_BUSY = 0.1


class Timing(NamedTuple):
    """The time that some work took."""

    threads: int
    work: float
    """Amount of work, such as iterations."""
    seconds: float
    """Elapsed time."""
    cpu_seconds: float
    """CPU time of all threads."""

    @property
    def waited(self) -> float:
        """Share of the elapsed time in which one thread waited for a core; 0 with more threads."""
        if self.threads != 1 or self.seconds <= 0:
            return 0.0
        return max(0.0, 1 - self.cpu_seconds / self.seconds)

    @property
    def loaded(self) -> bool:
        """Whether one thread waited so long that other programs must have used its core."""
        return self.waited > _BUSY


def speed_up(one: Timing, many: Timing) -> float | None:
    """Return how many times as fast more threads did the same work, by elapsed time.

    None if it measures nothing: one thread waited for a core, or the quotient is more than the
    threads can give. Another program then slowed one of the runs.

    Examples
    --------
    >>> one = Timing(threads=1, work=100, seconds=10.0, cpu_seconds=9.8)
    >>> speed_up(one, Timing(2, 100, 6.25, 12.0)), speed_up(one, Timing(2, 100, 0.16, 0.3))
    (1.6, None)
    >>> waiting = one._replace(cpu_seconds=5.0)
    >>> one.loaded, waiting.waited, speed_up(waiting, Timing(2, 100, 6.25, 12.0))
    (False, 0.5, None)
    """
    if min(one.work, one.seconds, many.work, many.seconds) <= 0 or one.loaded or many.loaded:
        return None
    gained = (one.seconds / one.work) / (many.seconds / many.work)
    return gained if gained <= many.threads / one.threads else None
