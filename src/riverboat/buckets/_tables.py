"""A card abstraction as tables: the bucket of every hole pair on every canonical board.

The table of a street is computed once, on all cores, cached in a file for each rule of a street,
and memory-mapped. The file name is a digest of everything that determines the buckets: a changed
rule never reads an old table, and abstractions with the same rule share its table. A damaged file
is never used, and rebuilt.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._abstraction import FITTED_PREFIX, CardAbstraction, open_fitted_file
from riverboat.buckets._rule import (
    AbstractionProgress,
    ProgressCall,
    StreetRule,
    no_progress,
    tables_opener,
)
from riverboat.buckets._streets import num_boards
from riverboat.cards import (
    BOARD_CARDS,
    NUM_BOARDS,
    NUM_HOLES,
    STREETS,
    CardsLike,
    HandStrength,
    StreetName,
    canonical_board,
    hole_and_board,
    hole_index,
    hole_permutations,
)
from riverboat.errors import CardError, DamagedFileError, RiverboatError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, cache_folder
from riverboat.report import size
from riverboat.runs import in_order

_DTYPES: Final = (np.uint8, np.uint16, np.uint32)
_CHUNK: Final = 512  # boards: some hundredths of a second
#: Increased when a rule with the same parameters gets other buckets, or the layout changes.
VERSION: Final = 1
_PREFIX: Final = "buckets-"


@dataclass(frozen=True)
class BucketTables:
    """Buckets of hold'em by street: preflop, flop, turn, river, or the first few of them.

    Attributes
    ----------
    name
        For reports.
    tables
        By street, [boards, 1326] uint8, uint16 or uint32, for canonical boards; preflop one row,
        the empty board. Cells of pairs with a board card are undefined.
    num_buckets
        By street; every cell is below this number.
    recall
        Whether a player remembers the buckets of earlier streets: see `CardAbstraction`. Cells are
        buckets of the street alone in either case.
    """

    name: str
    tables: tuple[NDArray[Any], ...]
    num_buckets: tuple[int, ...]
    recall: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.tables) <= 4 or len(self.tables) != len(self.num_buckets):
            raise CardError("bucket tables need 1 to 4 streets, each with a number of buckets")
        for board, table in zip(BOARD_CARDS, self.tables, strict=False):
            shape = (NUM_BOARDS.get(board, 1), NUM_HOLES)
            if table.shape != shape or table.dtype not in _DTYPES:
                raise CardError(
                    f"the buckets of boards with {board} cards must be uint8, uint16 or uint32 of "
                    f"shape {shape}, not {table.dtype} of shape {table.shape}"
                )

    def bucket(self, hole: CardsLike, board: CardsLike = "") -> int:
        """Look up the bucket of a hole pair on a board, for the street alone.

        Examples
        --------
        >>> from riverboat.buckets import make_abstraction
        >>> buckets = bucket_tables(make_abstraction("suitless 2"))
        >>> buckets.bucket("AhKh", "Qh7c2d") == buckets.bucket("AsKs", "2c7dQc")
        True
        """
        held, table = hole_and_board(hole, board, BOARD_CARDS[: len(self.tables)])
        street, pair = BOARD_CARDS.index(len(table)), hole_index(*held)
        if not table:
            return int(self.tables[0][0, pair])
        canonical = canonical_board(table)
        moved = hole_permutations()[canonical.permutation][pair]
        return int(self.tables[street][canonical.id, moved])


def table_dtype(rule: StreetRule) -> np.dtype[Any]:
    """Return the smallest dtype for all buckets: uint8, uint16 or uint32."""
    return np.min_scalar_type(rule.num_buckets - 1)


def rows_of(
    rule: StreetRule, street: StreetName, tables: HandStrength | None
) -> Iterator[NDArray[Any]]:
    """Yield the rows of a table, [boards, 1326] each, in order.

    Parameters
    ----------
    rule
        The rule of the street.
    street
        The street.
    tables
        The hand-strength tables; None for rules that do not need them.
    """
    boards, dtype = num_boards(street), table_dtype(rule)

    def compute(begin: int) -> NDArray[Any]:
        rows = np.zeros((min(_CHUNK, boards - begin), NUM_HOLES), dtype)
        rule.fill(cast("HandStrength", tables), begin, rows)
        return rows

    yield from in_order(compute, range(0, boards, _CHUNK))


def bucket_tables(
    abstraction: CardAbstraction,
    tables: HandStrength | None = None,
    folder: Path | str | None = None,
    progress: ProgressCall = no_progress,
) -> BucketTables:
    """Open the tables of an abstraction; build missing ones on all cores.

    Parameters
    ----------
    abstraction
        A fitted or restored abstraction.
    tables
        The hand-strength tables; by default those in the folder, opened only if a rule needs them
        to build its table.
    folder
        Folder of the tables; by default the folder of the hand-strength tables.
    progress
        Called with each `AbstractionProgress`.

    Returns
    -------
    BucketTables
        Read-only memory maps in the smallest dtype. With 200 buckets per street the flop takes 2 MB
        (on disk and, once read, in memory), the turn 22 MB and the river 178 MB.

    Raises
    ------
    RiverboatError
        If the folder cannot be written or is too small.

    Examples
    --------
    >>> from riverboat.buckets import make_abstraction
    >>> bucket_tables(make_abstraction("lossless 2")).tables[1].dtype
    dtype('uint32')
    """
    root = Path(folder or (tables.folder if tables else cache_folder()))
    opener = tables_opener(tables, progress, root)
    opened = tuple(
        _opened(TableFile(rule, street, abstraction.name, root), opener, progress)
        for rule, street in zip(abstraction.rules, STREETS, strict=False)
    )
    counts = tuple(rule.num_buckets for rule in abstraction.rules)
    return BucketTables(abstraction.name, opened, counts, abstraction.recall)


@dataclass(frozen=True)
class TableFile:
    """The file of one rule's table: its path, layout and metadata."""

    rule: StreetRule
    street: StreetName
    made_for: str
    folder: Path

    @property
    def spec(self) -> ArraySpec:
        return ArraySpec(table_dtype(self.rule), (num_boards(self.street), NUM_HOLES))

    @property
    def digest(self) -> str:
        """Digest of everything that determines the buckets."""
        values = [VERSION, self.street, self.rule.name, self.rule.parameters()]
        digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
        for name, array in sorted(self.rule.arrays().items()):
            digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
            digest.update(array.tobytes())
        return digest.hexdigest()

    @property
    def path(self) -> Path:
        return self.folder / f"{_PREFIX}{self.street}-{self.digest[:16]}-v{VERSION}.safetensors"

    @property
    def metadata(self) -> dict[str, str]:
        return {
            "kind": "buckets",
            "version": str(VERSION),
            "street": self.street,
            "rule": self.rule.name,
            "num_buckets": str(self.rule.num_buckets),
            "digest": self.digest,
            "made_for": self.made_for,
        }


def _opened(table: TableFile, opener: Callable[[], HandStrength], progress: ProgressCall) -> Any:
    needed = opener if table.rule.needs_tables else None
    if table.street == "preflop":  # computing one row is faster than reading it
        [row] = rows_of(table.rule, "preflop", needed and needed())
        return row
    with _explained(table.folder):
        try:
            return _read(table)
        except FileNotFoundError:
            pass
        except DamagedFileError:
            table.path.unlink(missing_ok=True)
        _build(table, needed and needed(), progress)
        return _read(table)


def _read(table: TableFile) -> NDArray[Any]:
    """Map and verify the table."""
    file = open_bucket_file(table.path)
    expected = {key: text for key, text in table.metadata.items() if key != "made_for"}
    if file.spec("buckets") != table.spec or not expected.items() <= file.metadata.items():
        raise DamagedFileError(f"{table.path} is damaged: it contains the buckets of another rule")
    return file.array("buckets")


def _build(table: TableFile, tables: HandStrength | None, progress: ProgressCall) -> None:
    table.folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(table.folder).free
    if table.spec.num_bytes > free:
        raise RiverboatError(
            f"the {table.street} buckets need {size(table.spec.num_bytes)} in "
            f"{table.folder}, where only {size(free)} are free; name another folder in "
            "RIVERBOAT_CACHE"
        )
    done, total = 0, table.spec.shape[0]
    with ArrayFileWriter(table.path, {"buckets": table.spec}, table.metadata) as writer:
        for rows in rows_of(table.rule, table.street, tables):
            writer.write("buckets", rows)
            done += len(rows)
            progress(AbstractionProgress("buckets", table.street, done, total))


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turn an OSError into a RiverboatError."""
    try:
        yield
    except OSError as error:
        raise RiverboatError(
            f"cannot read or write bucket tables in {folder}: {error.strerror or error}; "
            "name another folder in RIVERBOAT_CACHE"
        ) from error


def open_bucket_file(path: Path) -> ArrayFile:
    """Open a bucket table and check its header and structure.

    Raises DamagedFileError if they are wrong.
    """
    file = ArrayFile(path)
    if file.names != ["buckets"] or file.metadata.get("kind") != "buckets":
        raise DamagedFileError(f"{path} is damaged: it is not a bucket table")
    return file


def abstraction_files(
    folder: Path | str | None = None,
) -> dict[Path, Callable[[], ArrayFile]]:
    """List the bucket tables and fitted abstractions in a cache folder, of all versions.

    Returns
    -------
    dict
        By path a function that opens the file, or raises DamagedFileError.
    """
    root = Path(folder or cache_folder())
    kinds = {_PREFIX: open_bucket_file, FITTED_PREFIX: open_fitted_file}
    return {
        path: partial(opener, path)
        for prefix, opener in kinds.items()
        for path in sorted(root.glob(f"{prefix}*.safetensors"))
    }


def built_tables(
    abstraction: CardAbstraction, folder: Path | str | None = None
) -> tuple[ArrayFile | None, ...]:
    """Open those tables of an abstraction that are built already; build nothing.

    Parameters
    ----------
    abstraction
        A fitted or restored abstraction.
    folder
        Folder of the tables; the user's cache folder by default.

    Returns
    -------
    tuple
        By street; None if there is no valid table. Blocks are verified when they are first read:
        `file.rows("buckets", board, board + 1)`.
    """
    root = Path(folder or cache_folder())
    files: list[ArrayFile | None] = []
    for rule, street in zip(abstraction.rules, STREETS, strict=False):
        table = TableFile(rule, street, abstraction.name, root)
        try:
            file = open_bucket_file(table.path)
        except (OSError, DamagedFileError):
            files.append(None)
            continue
        valid = file.spec("buckets") == table.spec and file.metadata.get("digest") == table.digest
        files.append(file if valid else None)
    return tuple(files)
