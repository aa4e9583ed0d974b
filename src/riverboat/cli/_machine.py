"""`riverboat doctor` for this machine, `cache` for its tables, `cluster` for Ray nodes."""

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
#: Extras of `riverboat[NAME]`, and the package that shows whether each is installed.
_EXTRAS = {
    **{name: name for name in ("pandas", "polars", "pypokerengine", "ray")},
    "arrow": "pyarrow",
    "gpu": "cupy-cuda13x",
    "gpu12": "cupy-cuda12x",
}
_FEATURES = ("sse4_2", "avx", "avx2", "bmi2", "fma", "avx512f", "asimd", "sve")


def doctor_command() -> Answer:
    """Show versions, CPU, GPU, memory, folders, extras and the sandbox."""
    sandbox = [{"on": protection.on, **asdict(protection)} for protection in _protections()]
    facts = _machine() | {"sandbox": sandbox}
    title = Text("\nSandbox for bots from files", "bold")
    return Answer(facts, _table(facts), title, _sandbox_table(sandbox))


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
        "cache_free_bytes": shutil.disk_usage(_existing(cache)).free,
        "cache_writable": os.access(_existing(cache), os.W_OK),
        "ledger": str(ledger_path()),
    }


def _gpu() -> list[dict[str, Any]] | str:
    """The GPUs that can solve spots, or why there is none."""
    try:
        return [asdict(card) for card in gpu_cards()]
    except GpuError as error:
        return str(error)


def _gpu_text(gpus: list[dict[str, Any]] | str) -> str:
    if isinstance(gpus, str):
        return f"not available, spots are solved by the CPU: {gpus}"
    cards = (
        f"{card['name']}, {size(card['free_bytes'])} of {size(card['memory_bytes'])} free, "
        f"{'driver ' + card['driver'] + ', ' if card['driver'] else ''}CUDA {card['cuda']}"
        for card in gpus
    )
    return (
        "; ".join(cards) + "; --device gpu solves spots on it, --device auto all but small rivers; "
        "search:device=gpu re-solves from the flop on"
    )


def _version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _features() -> list[str]:
    """Instruction sets of the processor that matter for the kernels; none if they are unknown."""
    try:
        words = set(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split())
    except OSError:
        return []
    return [name for name in _FEATURES if name in words]


def _existing(folder: Path) -> Path:
    """The folder, or its nearest parent that exists."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())


def _protections() -> list[Protection]:
    try:
        return protections()
    except SandboxError as error:
        return [Protection("all", "", str(error))]


def _table(facts: dict[str, Any]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")  # show all of a long path
    names = ((name, known or "not installed") for name, known in facts["extras"].items())
    room = f"{size(facts['cache_free_bytes'])} free"
    rows = {
        "Python": f"{facts['python']}, {facts['system']}",
        "packages": ", ".join(f"{name} {known}" for name, known in facts["packages"].items()),
        "extras": ", ".join(f"{name}: {known}" for name, known in names),
        "processor": f"{facts['processor']} ({' '.join(facts['features'])})",
        "kernels": facts["kernels"],
        "cores": str(facts["cores"]),
        "memory": f"{size(facts['memory_bytes'])} available",
        "GPU": _gpu_text(facts["gpu"]),
        "cache": f"{facts['cache']} ({room if facts['cache_writable'] else 'not writable'})",
        "ledger": facts["ledger"],
    }
    for name, text in rows.items():
        table.add_row(name, text)
    return table


def _sandbox_table(sandbox: list[dict[str, Any]]) -> Table:
    rows = [
        (protection["name"], protection["by"] or "missing", protection["reason"])
        for protection in sandbox
    ]
    return grid(["protection", "by", "reason"], rows, left=3)


# ---- Tables in the cache folder


FolderOption = Annotated[
    Path | None, option("Cache folder (default: $RIVERBOAT_CACHE, or the user's).", "--folder")
]


def show_cache(folder: FolderOption = None) -> Answer:
    """List the tables in the cache folder with their state and size."""
    rows = [_row(name, *place) for name, place in _tables(folder).items()]
    table = grid(["table", "state", "size"], left=2)
    for row in rows:
        name = f"{row['table']}\n  {row['made_for']}" if row["made_for"] else row["table"]
        table.add_row(name, row["state"], size(row["bytes"]))
    return Answer(
        {"folder": str(folder or cache_folder()), "tables": rows},
        Text(f"Tables in {folder or cache_folder()}"),
        table,
        f"Total: {size(sum(row['bytes'] for row in rows))}",
    )


def build_cache(folder: FolderOption = None) -> None:
    """Build missing or damaged hand-strength tables.

    All tables are verified first. Damaged bucket tables and fits are deleted; they are built again
    when they are needed.
    """
    for name, (path, open_file) in _tables(folder).items():
        if _verified(name, path, open_file).startswith("damaged"):
            rebuilt = f"The {name} table is damaged: building it again."
            status.print(rebuilt if name in STREETS else f"{name} is damaged: deleting it.")
            path.unlink()
    open_hand_strength(folder)
    console.print("All hand-strength tables are ready.")


def verify_cache(folder: FolderOption = None) -> Answer:
    """Compare every table with its checksums."""
    states = {name: _verified(name, *place) for name, place in _tables(folder).items()}
    damaged = any(state.startswith("damaged") for state in states.values())
    if damaged:
        status.print(f"`{hint('cache', 'build')}` builds damaged tables again.")
    return Answer(
        {"folder": str(folder or cache_folder()), "tables": states},
        *(f"{street}: {state}" for street, state in states.items()),
        exit_code=int(damaged),
    )


def clear_cache(
    folder: FolderOption = None,
    yes: Annotated[bool, option("Do not ask for confirmation.", "--yes", "-y")] = False,
    only_buckets: Annotated[
        bool, option("Delete only bucket tables and fits.", "--buckets")
    ] = False,
) -> None:
    """Delete the tables; they are built again when they are needed."""
    root = folder or cache_folder()
    # Temporary files of killed builds are deleted, too; files of other programs are not.
    kinds = ("buckets", "fitted") if only_buckets else ("buckets", "fitted", "hand-strength")
    paths = sorted(
        path
        for kind in kinds
        for path in (*root.glob(f"{kind}-*.safetensors"), *root.glob(f".{kind}-*.part"))
    )
    if not paths:
        console.print(f"There are no tables in {root}.")
        return
    total = size(sum(path.stat().st_size for path in paths))
    if not yes:
        click.confirm(f"Delete {len(paths)} files ({total}) in {root}?", abort=True)
    for path in paths:
        path.unlink()
    console.print(f"Deleted {len(paths)} files, {total}.")


def _tables(folder: Path | None) -> dict[str, tuple[Path, Callable[[], ArrayFile]]]:
    """All tables by name: the path, which may be missing, and the function that opens it."""
    tables: dict[str, tuple[Path, Callable[[], ArrayFile]]] = {
        street: (table_path(street, folder), partial(open_table, street, folder))
        for street in STREETS
    }
    fits = abstraction_files(folder).items()
    return tables | {path.stem: (path, opener) for path, opener in fits}


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


def check_cluster(
    on: Annotated[str, option("Address of the cluster: ray or ray://host:port.")] = "ray",
) -> Answer:
    """Check the nodes of a Ray cluster: same versions, cores, memory, bandwidth."""
    from riverboat.cluster import (  # noqa: PLC0415 - slow to import
        bandwidths,
        check_same,
        connected,
        nodes_of,
        parse_address,
    )  # fmt: skip

    address = parse_address(on)
    if address is None:
        raise ClusterError(
            f"--on is ray or ray://host:port, not {on!r}; riverboat doctor checks this machine"
        )
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
    yield f"Total: {sum(node.cores for node in nodes)} cores on {len(nodes)} nodes"


cluster_commands: Final = {"check": check_cluster}
