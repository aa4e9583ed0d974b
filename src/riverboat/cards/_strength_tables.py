"""The hand-strength tables on disk: their paths, layout and construction.

There is one file per street in the user's cache folder. The river is counted
board by board; each earlier street is summed from the next street, so that all
of it takes seconds. Counts are integers: nothing is rounded.
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

#: Increased when numbers or layout of a table change; other versions are never read.
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """Progress of building the tables."""

    street: StreetName
    done: int
    """Finished boards of this street."""
    total: int
    """All boards of this street."""


def _layout(street: StreetName) -> dict[str, ArraySpec]:
    """Return the arrays of a street's file.

    `win_tie` [boards, 1326, 2] counts wins and ties over opponent hands and
    runouts; `square` [boards, 1326], before the river, sums the squares of
    2 * win + tie over the runouts. Pairs with a board card have the dtype's maximum.
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


#: Bytes of all tables on disk without headers: 0.92 GB.
TABLE_BYTES: Final = sum(_num_bytes(street) for street in STREETS)


def table_path(street: StreetName, folder: Path | str | None = None) -> Path:
    """Return the path of a street's table, which need not exist yet."""
    return Path(folder or cache_folder()) / f"hand-strength-{street}-v{VERSION}.safetensors"


def _metadata(street: StreetName) -> dict[str, str]:
    return {"kind": "hand-strength", "street": street, "version": str(VERSION)}


def open_table(street: StreetName, folder: Path | str | None = None) -> ArrayFile:
    """Open a table; its header and structure are checked.

    Raises
    ------
    FileNotFoundError
        If the table is not built yet.
    DamagedFileError
        If header or structure are wrong.
    RiverboatError
        If the file cannot be read.
    """
    path = table_path(street, folder)
    try:
        file = ArrayFile(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _folder_error(path.parent, error) from error
    layout = _layout(street)
    if file.names != list(layout) or any(file.spec(name) != layout[name] for name in layout):
        raise DamagedFileError(f"{path} is damaged: its arrays are not those of a {street} table")
    if file.metadata != _metadata(street):
        raise DamagedFileError(f"{path} is damaged: its header is not that of a {street} table")
    return file


def _folder_error(folder: Path, error: OSError) -> RiverboatError:
    """Return an error that names the cause and a remedy."""
    place = f" ({error.filename})" if error.filename else ""
    return RiverboatError(
        f"cannot read or write hand-strength tables in {folder}: {error.strerror or error}{place}; "
        "name another folder in RIVERBOAT_CACHE or with --folder; a bot from a file cannot write "
        "there: build the tables first with `riverboat cache build`"
    )


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turn an OSError into a RiverboatError."""
    try:
        yield
    except OSError as error:
        raise _folder_error(folder, error) from error


def build_tables(
    folder: Path | str | None = None, threads: int | None = None
) -> Generator[BuildProgress, None, None]:
    """Build the tables that are missing or cannot be opened; yield progress.

    Finished streets are kept, so a stopped build resumes after them. A damaged
    street that another one is summed from is rebuilt first.

    Parameters
    ----------
    folder
        Folder of the tables; the user's cache folder by default.
    threads
        Number of threads; all cores by default.

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
        if squares:  # the writer takes arrays one after the other
            writer.write("square", np.concatenate(squares))


def _street_after(street: StreetName) -> StreetName:
    return STREETS[STREETS.index(street) + 1]


def _kernel(street: StreetName, folder: Path) -> Callable[[int, _Chunk], None]:
    """Return a function that fills a chunk of boards, given their first id."""
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
