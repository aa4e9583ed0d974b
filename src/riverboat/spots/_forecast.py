"""What solving a spot will take, said before it is taken; and how it is discounted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from riverboat.errors import SpotError
from riverboat.report import size
from riverboat.spots._engine import Engine, EngineSettings, Forecast
from riverboat.spots._locks import Lock, as_locks, suits_alike
from riverboat.spots._schedule import DEFAULT, SCHEDULES, Schedule
from riverboat.work import available_memory, num_cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

__all__ = ["SpotForecast", "find_schedule", "forecast", "forecast_tree", "schedule_text"]

#: Iterations that a spot usually takes to 0.3 % of the pot (70 to 220 on those of the benchmark),
#: and what one costs for each number in the tables on one thread (0.6 to 0.9 ns where they stay in
#: the cache, 1.2 to 1.3 ns on larger turns).
_USUAL_ITERATIONS: Final = 150
_SECONDS_PER_NUMBER: Final = 1.2e-9
_NUMBERS_PER_THREAD: Final = 200_000
_MOST_THREADS: Final = 256


@dataclass(frozen=True, slots=True)
class SpotForecast:
    """What solving a spot will take."""

    engine: Forecast
    threads: int
    seconds: float
    """To 0.3 % of the pot, roughly."""
    available_bytes: int

    @property
    def pace(self) -> float:
        """Iterations in a second, roughly."""
        return _USUAL_ITERATIONS / self.seconds

    def check(self) -> None:
        """Refuse what does not fit into memory."""
        if self.engine.bytes > self.available_bytes:
            raise SpotError(
                f"this spot takes {size(self.engine.bytes)} of memory, and "
                f"{size(self.available_bytes)} are free: take fewer bet sizes, narrower ranges or "
                "16 bits"
            )


def forecast(  # noqa: PLR0913 - options by keyword
    spot: Spot,
    *,
    threads: int = 0,
    bits: Literal[32, 16] = 32,
    schedule: str | Schedule = DEFAULT,
    isomorphism: bool = True,
    locks: Sequence[Lock | str] = (),
) -> SpotForecast:
    """Say what solving a spot will take, without taking it.

    Examples
    --------
    >>> from riverboat.spots import Spot, forecast
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AA, QQ", ip="KK", menu="a")
    >>> forecast(spot).engine.num_nodes
    4
    """
    if not 0 <= threads <= _MOST_THREADS:
        raise SpotError(f"a spot is solved by 1 to {_MOST_THREADS} threads, not {threads}")
    tree = spot.tree()
    settings: EngineSettings = {
        "bits": bits,
        "isomorphism": isomorphism and suits_alike(spot, tree, as_locks(locks)),
        "threads": threads,
        "schedule": find_schedule(schedule),
    }
    weights = [each.weights for each in spot.ranges]
    return forecast_tree(tree, spot.cards, (weights[0], weights[1]), settings)


def forecast_tree(
    tree: Tree,
    board: Sequence[int],
    ranges: tuple[ArrayLike, ArrayLike],
    settings: EngineSettings,
) -> SpotForecast:
    """Say what solving a tree will take; 0 threads are as many as serve."""
    threads, bits = settings["threads"], settings["bits"]
    most = threads or num_cores()
    asked: EngineSettings = {**settings, "threads": most}
    found = Engine.forecast(tree, board, ranges, **asked)
    numbers = found.table_bytes * 8 // bits
    # A small spot is done before threads have met.
    workers = threads or min(most, 1 + numbers // _NUMBERS_PER_THREAD)
    seconds = _USUAL_ITERATIONS * numbers * _SECONDS_PER_NUMBER / workers
    return SpotForecast(found, workers, seconds, available_memory())


def find_schedule(schedule: str | Schedule) -> Schedule:
    """Return a schedule, or the one of a name."""
    if isinstance(schedule, Schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise SpotError(f"there is no schedule {schedule!r}: there are {', '.join(SCHEDULES)}")
    return SCHEDULES[schedule]


def schedule_text(schedule: Schedule) -> str:
    """Return a schedule's name, or its numbers where it has none."""
    named = (name for name, known in SCHEDULES.items() if known == schedule)
    return next(named, repr(schedule))
