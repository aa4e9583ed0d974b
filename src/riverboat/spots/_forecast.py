"""What solving a spot will take, said before it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from riverboat.errors import SpotError
from riverboat.report import size
from riverboat.runs import available_memory, num_cores
from riverboat.spots._devices import Place, place_for
from riverboat.spots._engine import Engine, EngineSettings, Forecast
from riverboat.spots._locks import suits_alike
from riverboat.spots._schedule import find_schedule
from riverboat.spots._settings import SolveSettings

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

#: What an iteration costs for each number in the tables on one thread (0.6 to 0.9 ns where they
#: stay in the cache, 1.2 to 1.3 ns on larger turns).
_SECONDS_PER_NUMBER: Final = 1.2e-9
_NUMBERS_PER_THREAD: Final = 200_000
_SMALL_BYTES: Final = 16_000_000


@dataclass(frozen=True, slots=True)
class SpotForecast:
    """What solving a spot will take, and where that is; `solve` goes on from it."""

    spot: Spot
    settings: SolveSettings
    tree: Tree
    weights: tuple[ArrayLike, ArrayLike]
    """Of both ranges, by hole pair."""
    engine: Forecast
    options: EngineSettings
    place: Place

    @property
    def available_bytes(self) -> int:
        """Free memory now."""
        return available_memory()

    @property
    def threads(self) -> int:
        """How many solve it on the CPU."""
        return self.options["threads"]

    @property
    def seconds(self) -> float:
        """To 0.3 % of the pot, roughly."""
        return self.place.seconds

    def check(self) -> None:
        """Refuse what does not fit into memory."""
        # Asking the system takes a tenth of a small river's time.
        if self.engine.bytes > _SMALL_BYTES and self.engine.bytes > self.available_bytes:
            raise SpotError(
                f"this spot takes {size(self.engine.bytes)} of memory, and "
                f"{size(self.available_bytes)} are free: take fewer bet sizes, narrower ranges or "
                "16 bits"
            )

    def begun(self) -> tuple[Place, Engine]:
        """Return the engine, and where it is: with `auto` the CPU if a GPU is full."""
        wanted, cards = self.settings.device, self.spot.cards
        return self.place.begun(wanted, self.tree, cards, self.weights, **self.options)


def forecast(spot: Spot, settings: SolveSettings = SolveSettings()) -> SpotForecast:  # noqa: B008 - frozen
    """Say what solving a spot will take, without taking it.

    Examples
    --------
    >>> from riverboat.spots import Spot, forecast
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AA, QQ", ip="KK", menu="a")
    >>> forecast(spot).engine.num_nodes
    4
    """
    tree = spot.tree()
    oop, ip = spot.ranges
    weights = oop.weights, ip.weights
    most = settings.threads or num_cores()
    options: EngineSettings = {
        "bits": settings.bits,
        "isomorphism": settings.isomorphism and suits_alike(spot, tree, settings.held),
        "threads": most,
        "schedule": find_schedule(settings.schedule),
    }
    found = Engine.forecast(tree, spot.cards, weights, **options)
    numbers = found.table_bytes * 8 // settings.bits
    # 0 threads are as many as serve: a small spot is done before threads have met.
    workers = settings.threads or min(most, 1 + numbers // _NUMBERS_PER_THREAD)
    pace = workers / (max(numbers, 1) * _SECONDS_PER_NUMBER)
    options["threads"] = workers
    place = place_for(settings.device, found.table_bytes, pace, options)
    return SpotForecast(spot, settings, tree, weights, found, options, place)
