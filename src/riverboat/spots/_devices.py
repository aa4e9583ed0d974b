"""Where a spot is solved: on the CPU, or on a graphics card where that is sooner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from riverboat.errors import GpuError, RiverboatError, SpotError
from riverboat.gpu import GpuCard, gpu_cards
from riverboat.spots._device_engine import DeviceEngine, check_device_options
from riverboat.spots._engine import Engine

if TYPE_CHECKING:
    from collections.abc import Mapping

Device = Literal["cpu", "gpu", "auto"]

#: Iterations that a spot usually takes to 0.3 % of the pot (70 to 220 on those of the benchmark).
_USUAL_ITERATIONS: Final = 150
#: What an iteration takes on a card: launches, and time by its memory's bandwidth for each number
#: of the tables. Fitted to the H200 (bench/gpu.py: 68 to 114 bytes on five spots at 4.8 TB/s).
#: Fewer are moved: the kernels mostly wait.
_LAUNCH_SECONDS: Final = 1e-4
_BYTES_PER_NUMBER: Final = 90
_USUAL_BANDWIDTH: Final = 4e11  # where the card does not tell
#: To make the spot's arrays and bring them there, without the first start of CUDA in a process.
_SETUP_SECONDS: Final = 0.1
#: Bytes beside the tables for each number in one of them: rows, boards, an exact check (0.5 to 2.1
#: on flops of the benchmark; more on turns, which are small).
_BYTES_BESIDE: Final = 2.4


@dataclass(frozen=True, slots=True)
class Place:
    """Where a spot is solved.

    Attributes
    ----------
    name
        `cpu` or `gpu`.
    notice
        Why it is not where it was wanted; empty where it is.
    pace
        Iterations in a second, roughly.
    """

    name: Literal["cpu", "gpu"]
    notice: str
    pace: float

    @property
    def seconds(self) -> float:
        """To 0.3 % of the pot, roughly."""
        setup = _SETUP_SECONDS if self.name == "gpu" else 0.0
        return setup + _USUAL_ITERATIONS / self.pace

    def begun(self, wanted: Device, *args: Any, **options: Any) -> tuple[Place, Engine]:
        """Return the engine of a spot, and where it is: with `auto` the CPU if a card is full."""
        if self.name == "cpu":
            return self, Engine(*args, **options)
        try:
            return self, DeviceEngine(*args, **options)
        except (GpuError, SpotError) as error:
            if wanted != "auto":
                raise
            notice = f"The CPU solves it: {error}."
        # Its pace is not known here: slices find it.
        return Place("cpu", notice, 1.0), Engine(*args, **options)


def gpu_notice() -> str:
    """Return why no GPU can be used; empty where one can.

    Examples
    --------
    >>> from riverboat.spots import gpu_notice
    >>> notice = gpu_notice()  # such as 'no NVIDIA card is there that CUDA can use'
    """
    try:
        gpu_cards()
    except GpuError as error:
        return str(error)
    return ""


def device_seconds(numbers: int, card: GpuCard) -> float:
    """Return what an iteration takes on a card, roughly; `numbers` as in one table."""
    return _LAUNCH_SECONDS + numbers * _BYTES_PER_NUMBER / (card.bandwidth or _USUAL_BANDWIDTH)


def place_for(
    device: Device, table_bytes: int, cpu_pace: float, options: Mapping[str, Any]
) -> Place:
    """Say where a spot is solved; where a card cannot serve, the CPU does, and says why.

    Parameters
    ----------
    device
        What is wanted. `auto` takes a card where it is sooner.
    table_bytes, cpu_pace
        Bytes of the tables, and iterations in a second on the CPU.
    options
        Of the engine.
    """
    cpu = Place("cpu", "", cpu_pace)
    if device == "cpu":
        return cpu
    try:
        check_device_options(options)
        card = gpu_cards()[0]
    except RiverboatError as error:
        notice = f"The CPU solves it: {error}." if device == "gpu" else ""
        return replace(cpu, notice=notice)
    # Predictions count as half as many numbers again: so much longer an iteration takes.
    numbers = table_bytes * 4 // options.get("bits", 32)
    there = Place("gpu", "", 1 / device_seconds(numbers, card))
    fits = table_bytes + _BYTES_BESIDE * numbers < card.free_bytes
    return there if device == "gpu" or (fits and there.seconds < cpu.seconds) else cpu
