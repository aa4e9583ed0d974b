"""The kernels on a CPU, thread by thread: what CuPy is asked for, without a card."""

import ctypes
import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.gpu._cards import Build, kernels

HERE = Path(__file__).parent
#: Small, so that blocks take several items each.
PROCESSORS = {
    "MultiProcessorCount": 2,
    "MaxThreadsPerMultiProcessor": 256,
    "MaxRegistersPerMultiprocessor": 65536,
    "MaxSharedMemoryPerMultiprocessor": 228 * 1024,
    "MaxSharedMemoryPerBlockOptin": 227 * 1024,
}
ASSEMBLER = {
    r'asm\("rcp[^;]*;"[^;]*;': "found = 1 / number;",
    r'asm\("cvt.f32.f16[^;]*;"[^;]*;': "found = float_of_half(regret.bits);",
    r'asm\("cvt.rn.f16.f32[^;]*;"[^;]*;': "place.bits = half_of_float(near);",
}


class Array(np.ndarray):
    """An array on the card."""

    @property
    def data(self) -> Any:
        """Where it is."""
        return SimpleNamespace(ptr=self.ctypes.data)

    def get(self, out: NDArray[Any] | None = None, **_: object) -> NDArray[Any]:
        """Bring it."""
        found = np.empty(self.shape, self.dtype) if out is None else out
        found[...] = self
        return found

    def set(self, given: NDArray[Any]) -> None:
        """Send it."""
        self[...] = given


def made(array: NDArray[Any]) -> Any:
    """Bring an array to the card."""
    return np.array(array).view(Array)


class Stream(nullcontext[None]):
    """What is launched while a graph is recorded runs when that is launched."""

    recorded: list[Any] | None = None

    def begin_capture(self) -> None:
        """Record launches."""
        Stream.recorded = []

    def end_capture(self) -> Any:
        """Return all recorded launches as one."""
        launches, Stream.recorded = Stream.recorded or [], None
        return SimpleNamespace(launch=lambda _: [launch() for launch in launches])

    def synchronize(self) -> None:
        """All has been done."""


class Kernel:
    """A kernel of the compiled library."""

    num_regs = 80
    max_dynamic_shared_size_bytes = 0

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(  # noqa: D102 - as CuPy's
        self, grid: tuple[int, ...], block: tuple[int, ...], args: Any, shared_mem: int = 0
    ) -> None:
        assert shared_mem <= PROCESSORS["MaxSharedMemoryPerBlockOptin"]
        sizes = [(ctypes.c_uint * 3)(*size, *(1,) * (3 - len(size))) for size in (grid, block)]

        def launch() -> None:
            self.function(*sizes, *map(_argument, args))

        launch() if Stream.recorded is None else Stream.recorded.append(launch)


def _argument(given: Any) -> Any:
    """A number, or where an array or a struct is."""
    if isinstance(given, np.integer):
        return ctypes.c_int(int(given))
    return ctypes.c_void_p(given.ctypes.data)


@cache
def compiled(code: str, options: tuple[str, ...]) -> ctypes.CDLL:
    """Return the kernels as a library: workers of pytest-xdist share it."""
    for asm, plain in ASSEMBLER.items():
        code = re.sub(asm, plain, code)
    heads = f'#include "{HERE / "cuda.hpp"}"\n'
    macros = [option for option in options if option.startswith("-D")]
    digest = hashlib.sha256("\n".join([code, *macros]).encode()).hexdigest()[:16]
    with tempfile.TemporaryDirectory() as own:
        folder = Path(os.environ.get("RIVERBOAT_TEST_TABLES", own))
        library = folder / f"kernels-{digest}.so"
        if not library.exists():
            source, made_now = Path(own) / "kernels.cpp", folder / f"{digest}-{os.getpid()}.so"
            source.write_text(heads + code + LAUNCHERS, encoding="utf-8")
            # Jumps between stacks are what a fortified build would refuse.
            flags = ["-std=c++20", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-w", *macros]
            command = ["c++", *flags, "-U_FORTIFY_SOURCE", "-o", str(made_now), str(source)]
            subprocess.run(command, check=True)
            made_now.replace(library)
        return ctypes.CDLL(str(library))


WALKS = [f"{mode}_float" for mode in ("train", "average", "best")]
WALKS += [f"{mode}_double" for mode in ("average", "best", "adopt")]
#: Kernels, and whether they take the number of items.
NAMES = {
    **{f"{walk}_{name}": walk == "last" for walk in ("down", "last", "up") for name in WALKS},
    **{
        f"{part}_{real}": False
        for part in ("ends", "exits", "even")
        for real in ("float", "double")
    },
    "warp_train_float": True,
}
LAUNCHERS = "\n".join(
    [
        f'extern "C" void launch_{name}(const unsigned* grid, const unsigned* block, '
        f"const Spot* spot, const int* order{', int count' * counted}) {{ "
        f"emulated::launch(grid, block, [&] {{ {name}(*spot, order{', count' * counted}); }}); }}"
        for name, counted in NAMES.items()
    ]
    + [
        'extern "C" void launch_tick(const unsigned* grid, const unsigned* block, int* clock) { '
        "emulated::launch(grid, block, [&] { tick(clock); }); }"
    ]
)


class RawModule:
    """Compiled kernels by name."""

    def __init__(self, code: str, options: tuple[str, ...], backend: str) -> None:
        assert backend == "nvrtc"
        self.library = compiled(code, options)
        self.found: dict[str, Kernel] = {}

    def get_function(self, name: str) -> Kernel:
        """Return a kernel."""
        return self.found.setdefault(name, Kernel(getattr(self.library, f"launch_{name}")))


@contextmanager
def run_backwards(build: Build, whether: bool) -> Iterator[None]:
    """Have the last thread run first, if so wished."""
    library = kernels(build).library
    library.run_backwards(int(whether))
    try:
        yield
    finally:
        library.run_backwards(0)


CUPY = SimpleNamespace(
    RawModule=RawModule,
    zeros=lambda size, dtype: made(np.zeros(size, dtype)),
    empty=lambda size, dtype: made(np.full(size, 0xFF, dtype)),  # as floats: nan
    get_default_memory_pool=lambda: SimpleNamespace(free_all_blocks=lambda: None),
    asarray=made,
    cuda=SimpleNamespace(
        Stream=lambda **_: Stream(),
        Device=lambda: SimpleNamespace(attributes=PROCESSORS),
        memory=SimpleNamespace(OutOfMemoryError=MemoryError),
    ),
)
