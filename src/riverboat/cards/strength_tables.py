"""The hand-strength tables on disk: where they are, what is in them, how they are built.

One file a street in the user's cache folder. The river is counted board by
board; each earlier street adds up the one after it, so that the whole takes
seconds. Counts are integers: nothing is rounded.
"""

import os
import shutil
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards.boards import NUM_BOARDS
from riverboat.cards.holes import NUM_HOLES
from riverboat.errors import DamagedFileError, RiverboatError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, cache_folder

__all__ = [
    "STREETS",
    "TABLE_BYTES",
    "BuildProgress",
    "Street",
    "build_tables",
    "open_table",
    "table_path",
]

Street = Literal["preflop", "flop", "turn", "river"]
STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")

#: Raised whenever a table's numbers or layout change; other versions are never read.
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far the building of the tables has come."""

    street: Street
    done: int
    """Boards of this street that are finished."""
    total: int
    """Boards of this street."""


def _layout(street: Street) -> dict[str, ArraySpec]:
    """Return the arrays of a street's file.

    `win_tie` [boards, 1326, 2] counts wins and ties over opponent hands and
    run-outs; `square` [boards, 1326], before the river, sums the squares of
    2 * win + tie over the run-outs. Holes on the board hold the dtype's maximum.
    """
    sizes = {
        "preflop": (1, np.uint32, np.uint64),
        "flop": (NUM_BOARDS[3], np.uint32, np.uint32),
        "turn": (NUM_BOARDS[4], np.uint16, np.uint32),
        "river": (NUM_BOARDS[5], np.uint16, None),
    }
    boards, count, square = sizes[street]
    arrays = {"win_tie": ArraySpec(np.dtype(count), (boards, NUM_HOLES, 2))}
    if square is not None:
        arrays["square"] = ArraySpec(np.dtype(square), (boards, NUM_HOLES))
    return arrays


def _num_bytes(street: Street) -> int:
    return sum(spec.num_bytes for spec in _layout(street).values())


#: Bytes of all tables on disk, headers aside: 0.92 GB.
TABLE_BYTES: Final = sum(_num_bytes(street) for street in STREETS)


def table_path(street: Street, folder: Path | None = None) -> Path:
    """Where the table of a street is, or will be."""
    return (folder or cache_folder()) / f"hand-strength-{street}-v{VERSION}.safetensors"


def open_table(street: Street, folder: Path | None = None) -> ArrayFile:
    """Open a table; header and structure are checked.

    Raises
    ------
    FileNotFoundError
        If it was not built yet.
    DamagedFileError
        If it is not what was built.
    """
    file = ArrayFile(table_path(street, folder))
    layout = _layout(street)
    if file.names != list(layout) or any(file.spec(name) != layout[name] for name in layout):
        raise DamagedFileError(
            f"{file.path} is damaged: its arrays are not those of a {street} table"
        )
    return file


def build_tables(
    folder: Path | None = None, threads: int | None = None
) -> Generator[BuildProgress, None, None]:
    """Build the tables that are missing or cannot be opened; yield progress.

    A street that is finished stays: a build that was stopped goes on after it.

    Parameters
    ----------
    folder
        Where to build; the user's cache folder by default.
    threads
        How many to use; all cores by default.
    """
    missing = [street for street in reversed(STREETS) if not _usable(street, folder)]
    _check_space(sum(map(_num_bytes, missing)), folder or cache_folder())
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for street in missing:
            yield from _build(street, folder, pool)


def _usable(street: Street, folder: Path | None) -> bool:
    try:
        open_table(street, folder)
    except (FileNotFoundError, DamagedFileError):
        return False
    return True


def _check_space(needed: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise RiverboatError(
            f"the hand-strength tables need {needed / 1e6:,.0f} MB in {folder}, where only "
            f"{free / 1e6:,.0f} MB are free; name another folder in RIVERBOAT_CACHE"
        )


_Chunk = dict[str, NDArray[Any]]


def _build(
    street: Street, folder: Path | None, pool: ThreadPoolExecutor
) -> Iterator[BuildProgress]:
    layout = _layout(street)
    boards = layout["win_tie"].shape[0]
    step = max(1, min(512, boards // 64))
    fill = _kernel(street, folder)

    def compute(begin: int) -> _Chunk:
        count = min(step, boards - begin)
        chunk = {n: np.empty((count, *spec.shape[1:]), spec.dtype) for n, spec in layout.items()}
        fill(begin, chunk)
        return chunk

    metadata = {"kind": "hand-strength", "street": street, "version": str(VERSION)}
    squares: list[NDArray[Any]] = []
    with ArrayFileWriter(table_path(street, folder), layout, metadata) as writer:
        for begin, chunk in _in_order(pool, compute, range(0, boards, step)):
            writer.write("win_tie", chunk["win_tie"])
            squares.extend(chunk[name] for name in chunk if name == "square")
            yield BuildProgress(street, min(begin + step, boards), boards)
        if squares:  # arrays are written whole, one after the other
            writer.write("square", np.concatenate(squares))


def _kernel(street: Street, folder: Path | None) -> Callable[[int, _Chunk], None]:
    """Return the function that fills the chunk of boards that starts at an id."""
    if street == "river":
        return lambda begin, chunk: _core.river_strengths_into(begin, chunk["win_tie"])
    after = open_table(STREETS[STREETS.index(street) + 1], folder)
    cells = after.array("win_tie")
    if street == "turn":
        return lambda begin, chunk: _core.turn_strengths_into(
            begin, cells, chunk["win_tie"], chunk["square"]
        )
    square = after.array("square")
    if street == "flop":
        return lambda begin, chunk: _core.flop_strengths_into(
            begin, cells, square, chunk["win_tie"], chunk["square"]
        )
    return lambda _, chunk: _core.preflop_strengths_into(
        cells, square, chunk["win_tie"], chunk["square"]
    )


def _in_order(
    pool: ThreadPoolExecutor, compute: Callable[[int], _Chunk], starts: range
) -> Iterator[tuple[int, _Chunk]]:
    """Compute chunks in the pool, a few ahead, and yield them in order."""
    ahead: deque[tuple[int, Future[_Chunk]]] = deque()
    try:
        for start in starts:
            ahead.append((start, pool.submit(compute, start)))
            if len(ahead) > 2 * (os.cpu_count() or 1):
                begin, chunk = ahead.popleft()
                yield begin, chunk.result()
        while ahead:
            begin, chunk = ahead.popleft()
            yield begin, chunk.result()
    finally:  # stopped early: do not compute what nobody will take
        for _, chunk_ahead in ahead:
            chunk_ahead.cancel()
