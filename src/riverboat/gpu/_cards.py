"""Available GPUs and their properties, and the compiled kernels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from riverboat.errors import GpuError
from riverboat.gpu._flat import FLAT_ARRAYS, FLAT_BOUNDS

Bits = Literal[32, 16]

#: The kernels are one program; each file uses those before it.
_NUMBERS: Final = {"int32": "int", "int64": "Long", "uint16": "Short", "float64": "double"}
_ELEMENTS: Final = {
    ("int32", 2): "int2",
    ("int32", 3): "int4",  # padded
    ("int32", 4): "int4",
    ("int64", 2): "longlong2",
    ("uint16", 2): "ushort2",
    ("uint16", 8): "uint4",
}
_FILES: Final = ("arrays.cu", "steps.cu", "terminals.cu", "walks.cu", "last.cu")
_OPTIONS: Final = ("-std=c++17", "-ftz=true")


@dataclass(frozen=True, slots=True)
class GpuCard:
    """A GPU.

    Attributes
    ----------
    number, name
        Number and name in the system.
    memory_bytes, free_bytes
        All memory, and free memory.
    bandwidth
        Memory bandwidth in bytes per second, from clock and width; 0 = unknown.
    cuda
        Newest CUDA version that the driver supports, such as `13.0`.
    driver
        Version of the driver, such as `580.159.04`; empty if unknown.
    """

    number: int
    name: str
    memory_bytes: int
    free_bytes: int
    bandwidth: float
    cuda: str
    driver: str = ""


def require_card() -> Any:
    """Return CuPy if it finds a GPU.

    Raises
    ------
    GpuError
        If CuPy, the driver or a GPU is missing.
    """
    try:
        import cupy  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise GpuError(
            "a GPU needs CuPy: install riverboat[gpu] (CUDA 13) or riverboat[gpu12] (CUDA 12)"
        ) from error
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise GpuError(f"CUDA finds no NVIDIA GPU or driver: {error}") from error
    if not count:
        raise GpuError("CUDA finds no NVIDIA GPU")
    return cupy


def gpu_cards() -> list[GpuCard]:
    """Return the available GPUs; raise GpuError if there is none.

    Memory of earlier spots is freed first, because CuPy keeps it for their streams.
    """
    cupy = require_card()
    cupy.get_default_memory_pool().free_all_blocks()
    version = cupy.cuda.runtime.driverGetVersion()
    cuda, driver = f"{version // 1000}.{version % 1000 // 10}", _driver()
    cards = []
    for number in range(cupy.cuda.runtime.getDeviceCount()):
        with cupy.cuda.Device(number) as device:
            facts = cupy.cuda.runtime.getDeviceProperties(number)
            free, memory = device.mem_info
            bandwidth = 2e3 * facts.get("memoryClockRate", 0) * facts.get("memoryBusWidth", 0) / 8
        name = facts["name"].decode()
        cards.append(GpuCard(number, name, memory, free, bandwidth, cuda, driver))
    return cards


def _driver(told: Path = Path("/proc/driver/nvidia/version")) -> str:
    """The driver's version, from Linux."""
    try:
        found = re.search(r"\b\d{3}\.[\d.]*\d\b", told.read_text(encoding="utf-8"))
    except OSError:
        return ""
    return found[0] if found else ""


def kernel_source() -> str:
    """Return the kernels, as one CUDA C++ program."""
    folder = files("riverboat.gpu") / "kernels"
    texts = [(folder / name).read_text(encoding="utf-8") for name in _FILES]
    return "\n".join([_declarations(), *texts])


def _declarations() -> str:
    """Declare the arrays of flat spots as core/spots/flat.hpp does; each is a pointer."""
    bounds = "".join(f"int {name}; " for name in FLAT_BOUNDS)
    fields = {
        part: " ".join(f"const {_element(*array)}* {array[0]};" for array in arrays)
        for part, arrays in FLAT_ARRAYS.items()
    }
    spot = " ".join(fields[part] for part in ("boards", "program", "view"))
    return (
        f"struct Bounds {{ {bounds}}};\n#define RIVERBOAT_HANDS {fields['hands']}\n"
        f"#define RIVERBOAT_SPOT {spot}\n"
    )


def _element(name: str, kind: str, columns: int) -> str:
    """Return the type of an array's element in the kernels: up to 16 bytes are read at once."""
    if name == "bounds":
        return "Bounds"
    if name == "pays":  # in the precision of a walk
        return "void"
    return _ELEMENTS.get((kind, columns), _NUMBERS[kind])


class Build(NamedTuple):
    """Compile-time constants of the kernels.

    Attributes
    ----------
    bits
        Precision of the tables.
    own_reach
        Whether averages weight strategies by the player's own reach.
    locks
        Whether nodes may be locked.
    predictive
        Whether the last regrets predict the next ones; not with 16 bits.
    staged
        Whether blocks of the last street copy their steps to shared memory.
    """

    bits: Bits = 32
    own_reach: bool = True
    locks: bool = False
    predictive: bool = False
    staged: bool = True

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the compiler."""
        items = self._asdict().items()
        return (*_OPTIONS, *(f"-DRIVERBOAT_{name.upper()}={int(value)}" for name, value in items))


@cache
def kernels(build: Build) -> Any:
    """Return the kernels, compiled once per GPU and version, then from a cache."""
    return require_card().RawModule(code=kernel_source(), options=build.options, backend="nvrtc")
