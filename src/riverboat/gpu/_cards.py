"""The graphics card: whether there is one that can be used, and what it has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from riverboat.errors import GpuError

Bits = Literal[32, 16]

#: Kernels are one program: each file knows those before it.
_FILES: Final = ("arrays.cu", "steps.cu", "terminals.cu", "walks.cu", "last.cu")
_OPTIONS: Final = ("-std=c++17", "-ftz=true")


@dataclass(frozen=True, slots=True)
class GpuCard:
    """A graphics card.

    Attributes
    ----------
    number, name
        As the system counts and calls it.
    memory_bytes, free_bytes
        All of its memory, and what is free.
    bandwidth
        Bytes in a second that its memory moves, by its clock and width; 0 = not known.
    cuda
        The newest version that the driver runs, such as `13.0`.
    driver
        Its own version, such as `580.159.04`; empty where the system does not tell.
    """

    number: int
    name: str
    memory_bytes: int
    free_bytes: int
    bandwidth: float
    cuda: str
    driver: str = ""


def require_card() -> Any:
    """Return CuPy, where it finds a card; else say what is missing."""
    try:
        import cupy  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise GpuError(
            "a GPU needs CuPy: install riverboat[gpu] (CUDA 13) or riverboat[gpu12] (CUDA 12)"
        ) from error
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise GpuError(f"no NVIDIA card or driver is there that CUDA can use: {error}") from error
    if not found:
        raise GpuError("no NVIDIA card is there that CUDA can use")
    return cupy


def gpu_cards() -> list[GpuCard]:
    """Return the cards that can be used; raise GpuError where there are none.

    What earlier spots took is given back first: CuPy would keep it for their streams.
    """
    cupy = require_card()
    cupy.get_default_memory_pool().free_all_blocks()
    version = cupy.cuda.runtime.driverGetVersion()
    cuda, driver = f"{version // 1000}.{version % 1000 // 10}", _driver()
    found = []
    for number in range(cupy.cuda.runtime.getDeviceCount()):
        with cupy.cuda.Device(number) as device:
            facts = cupy.cuda.runtime.getDeviceProperties(number)
            free, memory = device.mem_info
            bandwidth = 2e3 * facts.get("memoryClockRate", 0) * facts.get("memoryBusWidth", 0) / 8
        name = facts["name"].decode()
        found.append(GpuCard(number, name, memory, free, bandwidth, cuda, driver))
    return found


def _driver(told: Path = Path("/proc/driver/nvidia/version")) -> str:
    """The driver's version, as Linux tells it."""
    try:
        found = re.search(r"\b\d{3}\.[\d.]*\d\b", told.read_text(encoding="utf-8"))
    except OSError:
        return ""
    return found[0] if found else ""


def kernel_source() -> str:
    """Return the kernels, as one CUDA C++ program."""
    folder = files("riverboat.gpu") / "kernels"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in _FILES)


class Build(NamedTuple):
    """What kernels are compiled for: what they know beforehand they need not look up.

    Attributes
    ----------
    bits
        Of each number in the tables.
    own_reach
        Whether averages weigh strategies by the player's own reach.
    locks
        Whether nodes may be locked.
    predictive
        Whether the last regrets predict the next; not with 16 bits.
    staged
        Whether blocks of the last street bring their steps into shared memory.
    """

    bits: Bits = 32
    own_reach: bool = True
    locks: bool = False
    predictive: bool = False
    staged: bool = True

    @property
    def options(self) -> tuple[str, ...]:
        """What the compiler is told."""
        told = self._asdict().items()
        return (*_OPTIONS, *(f"-DRIVERBOAT_{name.upper()}={int(value)}" for name, value in told))


@cache
def kernels(build: Build) -> Any:
    """Return the compiled kernels: compiled once for each card and version, then from a cache."""
    return require_card().RawModule(code=kernel_source(), options=build.options, backend="nvrtc")
