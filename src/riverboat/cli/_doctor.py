"""`riverboat doctor`: what this machine has, and which protections it gives."""

import os
import platform
import shutil
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from riverboat.cards import kernels
from riverboat.cli._output import Answer, grid
from riverboat.errors import GpuError, SandboxError
from riverboat.files import cache_folder, ledger_path
from riverboat.gpu import gpu_cards
from riverboat.report import size
from riverboat.runs import available_memory, num_cores
from riverboat.sandbox import Protection, protections

_PACKAGES = ("riverboat", "numpy", "msgspec", "matplotlib", "click", "rich")
#: What is installed with `riverboat[NAME]`, and the package that shows it.
_EXTRAS = {
    **{name: name for name in ("pandas", "polars", "pypokerengine", "ray")},
    "arrow": "pyarrow",
    "gpu": "cupy-cuda13x",
    "gpu12": "cupy-cuda12x",
}
_FEATURES = ("sse4_2", "avx", "avx2", "bmi2", "fma", "avx512f", "asimd", "sve")


def doctor_command() -> Answer:
    """Show versions, processor, memory, folders, extras, and what confines bots of files."""
    found = _machine() | {"sandbox": [_values(each) for each in _protections()]}
    title = Text("\nWhat confines bots of files", "bold")
    return Answer(found, _table(found), title, _sandbox_table(found["sandbox"]))


def _machine() -> dict[str, Any]:
    cache = cache_folder()
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "extras": {name: _version(package) for name, package in sorted(_EXTRAS.items())},
        "processor": platform.machine(),
        "features": _features(),
        "kernels": kernels(),
        "cores": num_cores(),
        "memory_bytes": available_memory(),
        "gpu": _gpu(),
        "cache": str(cache),
        "cache_free_bytes": shutil.disk_usage(_there(cache)).free,
        "cache_writable": os.access(_there(cache), os.W_OK),
        "ledger": str(ledger_path()),
    }


def _gpu() -> list[dict[str, Any]] | str:
    """The graphics cards that solve spots, or why there is none."""
    try:
        return [asdict(card) for card in gpu_cards()]
    except GpuError as error:
        return str(error)


def _gpu_text(found: list[dict[str, Any]] | str) -> str:
    if isinstance(found, str):
        return f"spots are solved by the CPU: {found}"
    cards = (
        f"{card['name']}, {size(card['free_bytes'])} of {size(card['memory_bytes'])} free, "
        f"{'driver ' + card['driver'] + ', ' if card['driver'] else ''}CUDA {card['cuda']}"
        for card in found
    )
    return (
        "; ".join(cards)
        + ": solves spots with --device gpu; with auto flops and turns, and the CPU small rivers; "
        "search:device=gpu searches from the flop on"
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _features() -> list[str]:
    """Name what the processor can, of what matters here; none where nobody tells."""
    try:
        words = set(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split())
    except OSError:
        return []
    return [name for name in _FEATURES if name in words]


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())


def _protections() -> list[Protection]:
    try:
        return protections()
    except SandboxError as error:
        return [Protection("all", "", str(error))]


def _values(each: Protection) -> dict[str, Any]:
    return {"name": each.name, "on": each.on, "by": each.by, "reason": each.reason}


def _table(found: dict[str, Any]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")  # a path is of no use without its end
    names = ((name, known or "not installed") for name, known in found["extras"].items())
    room = f"{size(found['cache_free_bytes'])} free"
    rows = {
        "Python": f"{found['python']}, {found['system']}",
        "packages": ", ".join(f"{name} {known}" for name, known in found["packages"].items()),
        "extras": ", ".join(f"{name}: {known}" for name, known in names),
        "processor": f"{found['processor']} ({' '.join(found['features'])})",
        "kernels": found["kernels"],
        "cores": str(found["cores"]),
        "memory": f"{size(found['memory_bytes'])} can be used",
        "GPU": _gpu_text(found["gpu"]),
        "cache": f"{found['cache']} ({room if found['cache_writable'] else 'not writable'})",
        "ledger": found["ledger"],
    }
    for name, text in rows.items():
        table.add_row(name, text)
    return table


def _sandbox_table(found: list[dict[str, Any]]) -> Table:
    rows = [(each["name"], each["by"] or "missing", each["reason"]) for each in found]
    return grid(["protection", "by", "reason"], rows, left=3)
