"""The kernels compile without a card or driver: by NVRTC, as CuPy has it done, and by nvcc."""

import ctypes
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from gpu.emulated import NAMES
from riverboat.gpu import kernel_source
from riverboat.gpu._cards import Build

ALL = (Build(32), Build(16), Build(predictive=True))


def check(ptx: str) -> None:
    """All that is launched is there, and sums come in one order."""
    found = {line.split("(")[0].split()[-1] for line in ptx.splitlines() if ".entry" in line}
    assert found >= {*NAMES, "tick"}
    assert "atom." not in ptx


def nvrtc() -> ctypes.CDLL | None:
    """The compiler's library, of the package nvidia-cuda-nvrtc."""
    spec = find_spec("nvidia")
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    found = [path for place in places for path in Path(place).glob("*/lib/libnvrtc.so.*")]
    return ctypes.CDLL(str(found[0])) if found else None


@pytest.mark.peer
@pytest.mark.parametrize("build", ALL)
def test_by_nvrtc(build: Build) -> None:
    library = nvrtc()
    if library is None:
        pytest.skip("nvidia-cuda-nvrtc is not installed: it is for Linux (group peers)")
    program = ctypes.c_void_p()
    source = kernel_source().encode()
    made = library.nvrtcCreateProgram(ctypes.byref(program), source, b"kernels.cu", 0, None, None)
    assert made == 0
    options = [option.encode() for option in (*build.options, "-arch=compute_80")]
    ended = library.nvrtcCompileProgram(
        program, len(options), (ctypes.c_char_p * len(options))(*options)
    )
    assert ended == 0, _text(library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog, program)
    check(_text(library.nvrtcGetPTXSize, library.nvrtcGetPTX, program))
    library.nvrtcDestroyProgram(ctypes.byref(program))


def _text(size_of: Any, text_of: Any, program: ctypes.c_void_p) -> str:
    size = ctypes.c_size_t()
    assert size_of(program, ctypes.byref(size)) == 0
    text = ctypes.create_string_buffer(size.value)
    assert text_of(program, text) == 0
    return text.value.decode()


@pytest.mark.slow
@pytest.mark.parametrize("build", ALL)
def test_by_nvcc(build: Build, tmp_path: Path) -> None:
    compiler = shutil.which("nvcc")
    if compiler is None:
        pytest.skip("no nvcc on this machine")
    source = tmp_path / "kernels.cu"
    source.write_text(kernel_source(), encoding="utf-8")
    options = [*build.options, "-arch=sm_80"]
    command = [compiler, "-ptx", *options, "-o", "kernels.ptx", "kernels.cu"]
    subprocess.run(command, cwd=tmp_path, check=True)
    check((tmp_path / "kernels.ptx").read_text(encoding="utf-8"))
