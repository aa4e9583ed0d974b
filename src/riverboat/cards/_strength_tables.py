"""The hand-strength tables on disk: where they are, what is in them, how they are built.

One file a street in the user's cache folder. The river is counted board by
board; each earlier street adds up the one after it, so that the whole takes
seconds. Counts are integers: nothing is rounded.
"""

import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards._boards import NUM_BOARDS, STREETS, StreetName
from riverboat.cards._checks import whole_number
from riverboat.cards._holes import NUM_HOLES
from riverboat.errors import DamagedFileError, RiverboatError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, cache_folder
from riverboat.report import size
from riverboat.runs import in_order

#: Raised whenever a table's numbers or layout change; other versions are never read.
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far the building of the tables has come."""

    street: StreetName
    done: int
    """Boards of this street that are finished."""
    total: int
    """Boards of this street."""


def _layout(street: StreetName) -> dict[str, ArraySpec]:
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


def _num_bytes(street: StreetName) -> int:
    return sum(spec.num_bytes for spec in _layout(street).values())


#: Bytes of all tables on disk, headers aside: 0.92 GB.
TABLE_BYTES: Final = sum(_num_bytes(street) for street in STREETS)


def table_path(street: StreetName, folder: Path | str | None = None) -> Path:
    """Where the table of a street is, or will be."""
    return Path(folder or cache_folder()) / f"hand-strength-{street}-v{VERSION}.safetensors"


def _metadata(street: StreetName) -> dict[str, str]:
    return {"kind": "hand-strength", "street": street, "version": str(VERSION)}


def open_table(street: StreetName, folder: Path | str | None = None) -> ArrayFile:
    """Open a table; header and structure are checked.

    Raises
    ------
    FileNotFoundError
        If it was not built yet.
    DamagedFileError
        If it is not what was built.
    RiverboatError
        If the system does not let it be read.
    """
    path = table_path(street, folder)
    try:
        file = ArrayFile(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _not_here(path.parent, error) from error
    layout = _layout(street)
    if file.names != list(layout) or any(file.spec(name) != layout[name] for name in layout):
        raise DamagedFileError(f"{path} is damaged: its arrays are not those of a {street} table")
    if file.metadata != _metadata(street):
        raise DamagedFileError(f"{path} is damaged: its header is not that of a {street} table")
    return file


def _not_here(folder: Path, error: OSError) -> RiverboatError:
    """Say why the system refused, and what to do."""
    place = f" ({error.filename})" if error.filename else ""
    return RiverboatError(
        f"the hand-strength tables cannot be kept in {folder}: {error.strerror or error}{place}; "
        "name another folder in RIVERBOAT_CACHE or with --folder"
    )


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turn what the system refuses into a sentence."""
    try:
        yield
    except OSError as error:
        raise _not_here(folder, error) from error


def build_tables(
    folder: Path | str | None = None, threads: int | None = None
) -> Generator[BuildProgress, None, None]:
    """Build the tables that are missing or cannot be opened; yield progress.

    A street that is finished stays: a build that was stopped goes on after it.
    Where the street that another is added up from turns out to be damaged, it
    is built anew first.

    Parameters
    ----------
    folder
        Where to build; the user's cache folder by default.
    threads
        How many to use; all cores by default.

    Raises
    ------
    RiverboatError
        If the folder cannot be written or is too small.
    """
    if threads is not None:
        sentence = f"threads={threads!r} is not allowed: take 1 to 1024, or None for all cores"
        threads = whole_number(threads, range(1, 1025), sentence)
    root = Path(folder or cache_folder())
    with _explained(root):
        missing = [street for street in reversed(STREETS) if not _usable(street, root)]
        _check_space(sum(map(_num_bytes, missing)), root)
        for street in missing:
            yield from _build(street, root, threads)


def _usable(street: StreetName, folder: Path) -> bool:
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
            f"the hand-strength tables need {size(needed)} in {folder}, where only "
            f"{size(free)} are free; name another folder in RIVERBOAT_CACHE "
            "or with --folder"
        )


_Chunk = dict[str, NDArray[Any]]


def _build(street: StreetName, folder: Path, threads: int | None) -> Iterator[BuildProgress]:
    layout = _layout(street)
    boards = layout["win_tie"].shape[0]
    step = max(1, min(512, boards // 64))
    try:
        fill = _kernel(street, folder)
    except DamagedFileError:
        yield from _build(_street_after(street), folder, threads)
        fill = _kernel(street, folder)

    def compute(begin: int) -> _Chunk:
        count = min(step, boards - begin)
        chunk = {n: np.empty((count, *spec.shape[1:]), spec.dtype) for n, spec in layout.items()}
        fill(begin, chunk)
        return chunk

    done = 0
    squares: list[NDArray[Any]] = []
    with ArrayFileWriter(table_path(street, folder), layout, _metadata(street)) as writer:
        for chunk in in_order(compute, range(0, boards, step), threads=threads):
            writer.write("win_tie", chunk["win_tie"])
            squares.extend(chunk[name] for name in chunk if name == "square")
            done += len(chunk["win_tie"])
            yield BuildProgress(street, done, boards)
        if squares:  # arrays are written whole, one after the other
            writer.write("square", np.concatenate(squares))


def _street_after(street: StreetName) -> StreetName:
    return STREETS[STREETS.index(street) + 1]


def _kernel(street: StreetName, folder: Path) -> Callable[[int, _Chunk], None]:
    """Return the function that fills the chunk of boards that starts at an id."""
    if street == "river":
        return lambda begin, chunk: _core.river_strengths_into(begin, chunk["win_tie"])
    after = open_table(_street_after(street), folder)
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
