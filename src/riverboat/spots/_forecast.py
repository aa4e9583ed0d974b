"""What solving a spot will take, said before it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from riverboat.errors import SpotError
from riverboat.report import size
from riverboat.runs import available_memory, num_cores
from riverboat.spots._devices import Device, Place, place_for
from riverboat.spots._engine import Engine, EngineSettings, Forecast
from riverboat.spots._locks import Lock, as_locks, suits_alike
from riverboat.spots._schedule import DEFAULT, Schedule, find_schedule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riverboat.gpu import Bits
    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

__all__ = ["SpotForecast", "forecast", "forecast_tree"]

#: What an iteration costs for each number in the tables on one thread (0.6 to 0.9 ns where they
#: stay in the cache, 1.2 to 1.3 ns on larger turns).
_SECONDS_PER_NUMBER: Final = 1.2e-9
_NUMBERS_PER_THREAD: Final = 200_000
_MOST_THREADS: Final = 256


@dataclass(frozen=True, slots=True)
class SpotForecast:
    """What solving a spot will take, and where that is."""

    engine: Forecast
    threads: int
    place: Place
    available_bytes: int

    @property
    def seconds(self) -> float:
        """To 0.3 % of the pot, roughly."""
        return self.place.seconds

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
    bits: Bits = 32,
    schedule: str | Schedule = DEFAULT,
    isomorphism: bool = True,
    locks: Sequence[Lock | str] = (),
    device: Device = "cpu",
) -> SpotForecast:
    """Say what solving a spot will take, without taking it; options are those of `solve`.

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
    return forecast_tree(tree, spot.cards, (weights[0], weights[1]), settings, device)


def forecast_tree(
    tree: Tree,
    board: Sequence[int],
    ranges: tuple[ArrayLike, ArrayLike],
    settings: EngineSettings,
    device: Device,
) -> SpotForecast:
    """Say what solving a tree will take; 0 threads are as many as serve."""
    threads, bits = settings["threads"], settings["bits"]
    most = threads or num_cores()
    asked: EngineSettings = {**settings, "threads": most}
    found = Engine.forecast(tree, board, ranges, **asked)
    numbers = found.table_bytes * 8 // bits
    # A small spot is done before threads have met.
    workers = threads or min(most, 1 + numbers // _NUMBERS_PER_THREAD)
    pace = workers / (max(numbers, 1) * _SECONDS_PER_NUMBER)
    place = place_for(device, found.table_bytes, pace, settings)
    return SpotForecast(found, workers, place, available_memory())
