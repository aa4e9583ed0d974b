"""Estimate memory and time of a solve, and choose the CPU or a GPU."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from riverboat.errors import GpuError, RiverboatError, SpotError
from riverboat.gpu import gpu_cards
from riverboat.report import size
from riverboat.runs import available_memory, num_cores
from riverboat.spots._device_engine import DeviceEngine, check_device_options
from riverboat.spots._engine import Engine, EngineSettings, Forecast
from riverboat.spots._inputs import find_schedule
from riverboat.spots._settings import SolveSettings, suits_alike

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from riverboat.spots._settings import Device
    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

#: Time of an iteration per number in the tables on one thread (measured: 0.6 to 0.9 ns if the
#: tables fit the cache, 1.2 to 1.3 ns on larger turns).
_SECONDS_PER_NUMBER: Final = 1.2e-9
_NUMBERS_PER_THREAD: Final = 200_000
_SMALL_BYTES: Final = 16_000_000
#: Typical iterations to 0.3 % of the pot (70 to 220 on the spots of the benchmark).
_USUAL_ITERATIONS: Final = 150
#: Model of an iteration on a GPU: the launches, and per number in the tables this many bytes at the
#: memory's bandwidth. Fitted to the H200 (bench/gpu.py: 68 to 114 bytes on five spots at 4.8 TB/s).
#: Fewer bytes are really moved: the kernels mostly wait.
_LAUNCH_SECONDS: Final = 1e-4
_BYTES_PER_NUMBER: Final = 90
_USUAL_BANDWIDTH: Final = 4e11  # if the GPU does not report it
#: Building the spot's arrays and uploading them, without the first start of CUDA in a process.
_SETUP_SECONDS: Final = 0.1
#: Bytes besides the tables per number in a table: rows, boards, an exact check (0.5 to 2.1 on
#: flops of the benchmark; more on turns, which are small).
_BYTES_BESIDE: Final = 2.4


@dataclass(frozen=True, slots=True)
class Place:
    """Where a spot is solved.

    Attributes
    ----------
    name
        `cpu` or `gpu`.
    notice
        Why the requested device is not used; empty if it is.
    pace
        Estimated iterations per second.
    """

    name: Literal["cpu", "gpu"]
    notice: str
    pace: float

    @property
    def seconds(self) -> float:
        """Estimated seconds to 0.3 % of the pot."""
        setup = _SETUP_SECONDS if self.name == "gpu" else 0.0
        return setup + _USUAL_ITERATIONS / self.pace


def gpu_notice() -> str:
    """Return why no GPU can be used; empty if one can.

    Examples
    --------
    >>> from riverboat.spots import gpu_notice
    >>> notice = gpu_notice()  # such as 'CUDA finds no NVIDIA GPU'
    """
    try:
        gpu_cards()
    except GpuError as error:
        return str(error)
    return ""


def place_for(
    device: Device, table_bytes: int, cpu_pace: float, options: Mapping[str, Any]
) -> Place:
    """Choose the device of a solve: the CPU, with a notice, if no GPU can be used.

    Parameters
    ----------
    device
        The requested device. `auto` uses a GPU if it is faster.
    table_bytes, cpu_pace
        Bytes of the tables, and iterations per second on the CPU.
    options
        Options of the engine.
    """
    cpu = Place("cpu", "", cpu_pace)
    if device == "cpu":
        return cpu
    try:
        check_device_options(options)
        card = gpu_cards()[0]
    except RiverboatError as error:
        notice = f"Solving on the CPU: {error}." if device == "gpu" else ""
        return replace(cpu, notice=notice)
    # Predictions add half as many numbers, and make an iteration that much longer.
    numbers = table_bytes * 4 // options.get("bits", 32)
    moving = numbers * _BYTES_PER_NUMBER / (card.bandwidth or _USUAL_BANDWIDTH)
    there = Place("gpu", "", 1 / (_LAUNCH_SECONDS + moving))
    fits = table_bytes + _BYTES_BESIDE * numbers < card.free_bytes
    return there if device == "gpu" or (fits and there.seconds < cpu.seconds) else cpu


@dataclass(frozen=True, slots=True)
class SpotForecast:
    """Estimate of a solve, and the chosen device; `solve` accepts it as `plan`."""

    spot: Spot
    settings: SolveSettings
    tree: Tree
    weights: tuple[ArrayLike, ArrayLike]
    """Weights of both ranges, by hole pair."""
    engine: Forecast
    options: EngineSettings
    place: Place

    @property
    def available_bytes(self) -> int:
        """Free memory."""
        return available_memory()

    @property
    def threads(self) -> int:
        """Threads of a solve on the CPU."""
        return self.options["threads"]

    @property
    def seconds(self) -> float:
        """Estimated seconds to 0.3 % of the pot."""
        return self.place.seconds

    def check(self) -> None:
        """Refuse a spot that does not fit into memory."""
        # Asking the system takes a tenth of the time of a small river.
        if self.engine.bytes > _SMALL_BYTES and self.engine.bytes > self.available_bytes:
            refuse_memory("this spot", self.engine.bytes, self.available_bytes)

    def begun(self) -> tuple[Place, Engine]:
        """Return the device and the engine; with `auto` the CPU if the GPU's memory is full."""
        given = self.tree, self.spot.cards, self.weights
        if self.place.name == "cpu":
            return self.place, Engine(*given, **self.options)
        try:
            return self.place, DeviceEngine(*given, **self.options)
        except (GpuError, SpotError) as error:
            if self.settings.device != "auto":
                raise
            notice = f"Solving on the CPU: {error}."
        # The pace is unknown here; the slices adapt to it.
        return Place("cpu", notice, 1.0), Engine(*given, **self.options)


def refuse_memory(
    what: str, needed: int, available: int, use: str = "fewer bet sizes, narrower ranges or 16 bits"
) -> NoReturn:
    """Raise the error for a solve that does not fit into memory."""
    raise SpotError(
        f"{what} needs {size(needed)} of memory, and {size(available)} are free: use {use}"
    )


def forecast(spot: Spot, settings: SolveSettings = SolveSettings()) -> SpotForecast:  # noqa: B008 - frozen
    """Estimate memory and time of a solve.

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
    needs = Engine.forecast(tree, spot.cards, weights, **options)
    numbers = needs.table_bytes * 8 // settings.bits
    # With threads = 0 a small spot uses few: starting threads would take longer than the solve.
    workers = settings.threads or min(most, 1 + numbers // _NUMBERS_PER_THREAD)
    pace = workers / (max(numbers, 1) * _SECONDS_PER_NUMBER)
    options["threads"] = workers
    place = place_for(settings.device, needs.table_bytes, pace, options)
    return SpotForecast(spot, settings, tree, weights, needs, options, place)
