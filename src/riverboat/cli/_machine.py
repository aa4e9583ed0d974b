"""Machines: `riverboat doctor`, `cache` for its tables, `cluster` for Ray's nodes."""

import os
import platform
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click
import msgspec
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from riverboat.buckets import abstraction_files
from riverboat.cards import STREETS, kernels, open_table, table_path
from riverboat.cli._command import option
from riverboat.cli._output import Answer, console, grid, hint, status
from riverboat.cli._progress import counted, open_hand_strength
from riverboat.errors import ClusterError, DamagedFileError, GpuError, SandboxError
from riverboat.files import ArrayFile, cache_folder, ledger_path
from riverboat.gpu import gpu_cards
from riverboat.report import size
from riverboat.runs import available_memory, num_cores
from riverboat.sandbox import Protection, protections

if TYPE_CHECKING:
    from riverboat.cluster import Link, Node


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
    """Show versions, processor, memory, folders, extras, and what confines file bots."""
    found = _machine() | {"sandbox": [{"on": each.on, **asdict(each)} for each in _protections()]}
    title = Text("\nWhat confines bots of files", "bold")
    return Answer(found, _table(found), title, _sandbox_table(found["sandbox"]))


def _machine() -> dict[str, Any]:
    cache = cache_folder()
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "packages": {name: _version_of(name) for name in _PACKAGES},
        "extras": {name: _version_of(package) for name, package in sorted(_EXTRAS.items())},
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


def _version_of(package: str) -> str | None:
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


# ---- Tables in the cache folder


FolderOption = Annotated[
    Path | None, option("Instead of $RIVERBOAT_CACHE or the user's cache folder.", "--folder")
]


def show_cache(folder: FolderOption = None) -> Answer:
    """Show which tables are there, and how large they are."""
    rows = [_row(name, *place) for name, place in _tables(folder).items()]
    table = grid(["table", "state", "size"], left=2)
    for row in rows:
        name = f"{row['table']}\n  {row['made_for']}" if row["made_for"] else row["table"]
        table.add_row(name, row["state"], size(row["bytes"]))
    return Answer(
        {"folder": str(folder or cache_folder()), "tables": rows},
        Text(f"Tables in {folder or cache_folder()}"),
        table,
        f"{size(sum(row['bytes'] for row in rows))} in all",
    )


def build_cache(folder: FolderOption = None) -> None:
    """Build the hand-strength tables that are missing or damaged; every block is read first.

    Damaged bucket tables and fits are deleted: they are made anew when they are needed.
    """
    for name, (path, open_file) in _tables(folder).items():
        if _verified(name, path, open_file).startswith("damaged"):
            built = f"The {name} table is damaged and is built anew."
            status.print(built if name in STREETS else f"{name} is damaged and is deleted.")
            path.unlink()
    open_hand_strength(folder)
    console.print("All tables are there.")


def verify_cache(folder: FolderOption = None) -> Answer:
    """Read every byte of every table and compare it with its checksum."""
    states = {name: _verified(name, *place) for name, place in _tables(folder).items()}
    damaged = any(state.startswith("damaged") for state in states.values())
    if damaged:
        status.print(f"`{hint('cache', 'build')}` builds the damaged tables anew.")
    return Answer(
        {"folder": str(folder or cache_folder()), "tables": states},
        *(f"{street}: {state}" for street, state in states.items()),
        exit_code=int(damaged),
    )


def clear_cache(
    folder: FolderOption = None,
    yes: Annotated[bool, option("Do not ask.", "--yes", "-y")] = False,
    only_buckets: Annotated[bool, option("Tables and fits of buckets.", "--buckets")] = False,
) -> None:
    """Delete the tables; they are built anew when they are needed."""
    root = folder or cache_folder()
    # Leftovers of builds that were killed go too; files of others stay.
    kinds = ("buckets", "fitted") if only_buckets else ("buckets", "fitted", "hand-strength")
    paths = sorted(
        path
        for kind in kinds
        for path in (*root.glob(f"{kind}-*.safetensors"), *root.glob(f".{kind}-*.part"))
    )
    if not paths:
        console.print(f"{root} holds no tables.")
        return
    room = size(sum(path.stat().st_size for path in paths))
    if not yes:
        click.confirm(f"Delete {len(paths)} files ({room}) in {root}?", abort=True)
    for path in paths:
        path.unlink()
    console.print(f"Deleted {len(paths)} files, {room}.")


def _tables(folder: Path | None) -> dict[str, tuple[Path, Callable[[], ArrayFile]]]:
    """Every table by name, and what opens it; those of hand strengths may be missing."""
    found: dict[str, tuple[Path, Callable[[], ArrayFile]]] = {
        each: (table_path(each, folder), partial(open_table, each, folder)) for each in STREETS
    }
    fits = abstraction_files(folder).items()
    return found | {path.stem: (path, opener) for path, opener in fits}


def _row(name: str, path: Path, open_file: Callable[[], ArrayFile]) -> dict[str, Any]:
    row: dict[str, Any] = {"table": name, "made_for": None, "state": "missing", "bytes": 0}
    if not path.exists():
        return row
    row["bytes"] = path.stat().st_size
    try:
        row["made_for"] = open_file().metadata.get("made_for")
        row["state"] = "ready"
    except DamagedFileError as error:
        row["state"] = f"damaged: {error}"
    return row


def _verified(name: str, path: Path, open_file: Callable[[], ArrayFile]) -> str:
    if not path.exists():
        return "missing"
    try:
        with counted(name) as show:
            for done, total in open_file().verify():
                show(done, total)
    except DamagedFileError as error:
        return f"damaged: {error}"
    return "every block matches its checksum"


cache_commands: Final = {
    "show": show_cache,
    "build": build_cache,
    "verify": verify_cache,
    "clear": clear_cache,
}


# ---- Nodes of a Ray cluster


def check_cluster(on: Annotated[str, option("ray or ray://host:port.")] = "ray") -> Answer:
    """Show the nodes of a cluster and how fast they talk; refuse nodes of several versions."""
    from riverboat.cluster import (  # noqa: PLC0415 - slow to import
        bandwidths,
        check_same,
        connected,
        nodes_of,
        parse_address,
    )  # fmt: skip

    address = parse_address(on)
    if address is None:
        raise ClusterError("this machine is described by riverboat doctor; --on ray asks a cluster")
    with connected(address) as ray:
        nodes = nodes_of(ray)
        links = bandwidths(ray)
    check_same(nodes)
    values = {"nodes": msgspec.to_builtins(nodes), "links": msgspec.to_builtins(links)}
    return Answer(values, *_cluster_parts(nodes, links))


def _cluster_parts(nodes: Sequence["Node"], links: Sequence["Link"]) -> Iterator[RenderableType]:
    rows = [
        (
            node.name,
            node.address,
            f"{node.cores} of {node.machine_cores}",
            size(node.memory_bytes),
            ", ".join(node.gpus) or "-",
            f"{node.version}, Python {node.python}, Ray {node.ray}",
            node.kernels,
        )
        for node in nodes
    ]
    names = ["node", "address", "cores", "memory", "GPU", "versions", "kernels"]
    yield grid(names, rows, left=len(names))
    for link in links:
        speed = size(round(link.bytes_per_second))
        yield Text(f"{link.source} -> {link.target}: {speed}/s")
    yield f"{sum(node.cores for node in nodes)} cores on {len(nodes)} nodes"


cluster_commands: Final = {"check": check_cluster}
