"""Bucket tables on disk: compiled once, cached, memory-mapped.

One file for each rule of a street, named by a digest of all that decides its buckets: a changed
rule can never read an old table, and abstractions that share a rule share its table. A file that
is damaged is built anew and never used.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from riverboat.buckets._abstraction import CardAbstraction
from riverboat.buckets._rule import (
    AbstractionProgress,
    Opener,
    ProgressCall,
    StreetRule,
    no_progress,
)
from riverboat.buckets._streets import num_boards
from riverboat.buckets._tables import BucketTables, filled, rows_of, table_dtype
from riverboat.cards import NUM_HOLES, STREETS, HandStrength, StreetName
from riverboat.errors import DamagedFileError, RiverboatError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, cache_folder
from riverboat.report import size

#: Raised whenever a rule of the same parameters gets other buckets, or the layout changes.
VERSION: Final = 1
_PREFIX: Final = "buckets-"


def bucket_tables(
    abstraction: CardAbstraction,
    tables: HandStrength | None = None,
    folder: Path | str | None = None,
    progress: ProgressCall = no_progress,
) -> BucketTables:
    """Open the tables of an abstraction; compile those that are missing, on all cores.

    Parameters
    ----------
    abstraction
        Fitted or restored.
    tables
        The hand-strength tables; by default those in the folder, opened only if a table must be
        compiled whose rule needs them.
    folder
        Where tables are kept; by default where the hand-strength tables are.
    progress
        Called with each `AbstractionProgress`.

    Returns
    -------
    BucketTables
        Read-only memory maps in the smallest dtype. With 200 buckets a street the flop takes 2 MB
        (on disk and, once touched, in memory), the turn 22 MB and the river 178 MB.

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
    opener = Opener(tables, progress, root)
    made = tuple(
        _opened(TableFile(rule, street, abstraction.name, root), opener, progress)
        for rule, street in zip(abstraction.rules, STREETS, strict=False)
    )
    counts = tuple(rule.num_buckets for rule in abstraction.rules)
    return BucketTables(abstraction.name, made, counts, abstraction.recall)


@dataclass(frozen=True)
class TableFile:
    """The table of one rule: what is in its file, and where."""

    rule: StreetRule
    street: StreetName
    made_for: str
    folder: Path

    @property
    def spec(self) -> ArraySpec:
        return ArraySpec(table_dtype(self.rule), (num_boards(self.street), NUM_HOLES))

    @property
    def digest(self) -> str:
        """Of all that decides the buckets."""
        said = [VERSION, self.street, self.rule.name, self.rule.parameters()]
        found = hashlib.sha256(json.dumps(said, sort_keys=True).encode())
        for name, array in sorted(self.rule.arrays().items()):
            found.update(f"{name} {array.dtype.str} {array.shape}".encode())
            found.update(array.tobytes())
        return found.hexdigest()

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
    if table.street == "preflop":  # a row: faster made than read
        return filled(table.rule, "preflop", needed and needed())
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
    """Map the table, verified."""
    file = open_bucket_file(table.path)
    wanted = {key: text for key, text in table.metadata.items() if key != "made_for"}
    if file.spec("buckets") != table.spec or not wanted.items() <= file.metadata.items():
        raise DamagedFileError(f"{table.path} is damaged: it holds the buckets of another rule")
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
    """Turn what the system refuses into a sentence."""
    try:
        yield
    except OSError as error:
        raise RiverboatError(
            f"bucket tables cannot be kept in {folder}: {error.strerror or error}; name another "
            "folder in RIVERBOAT_CACHE"
        ) from error


def bucket_files(folder: Path | str | None = None) -> list[Path]:
    """List the bucket tables in a cache folder, by name; those of other versions too."""
    return sorted(Path(folder or cache_folder()).glob(f"{_PREFIX}*.safetensors"))


def open_bucket_file(path: Path) -> ArrayFile:
    """Open a bucket table; header and structure are checked.

    Raises
    ------
    DamagedFileError
        If it is not a whole bucket table.
    """
    file = ArrayFile(path)
    if file.names != ["buckets"] or file.metadata.get("kind") != "buckets":
        raise DamagedFileError(f"{path} is damaged: it is no bucket table")
    return file


def built_tables(
    abstraction: CardAbstraction, folder: Path | str | None = None
) -> tuple[ArrayFile | None, ...]:
    """Open those tables of an abstraction that are built already; nothing is compiled.

    Parameters
    ----------
    abstraction
        Fitted or restored.
    folder
        Where tables are kept; the user's cache folder by default.

    Returns
    -------
    tuple
        By street; None where there is no whole table. Blocks are verified when they are first
        touched: `file.rows("buckets", board, board + 1)`.
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
        whole = file.spec("buckets") == table.spec and file.metadata.get("digest") == table.digest
        files.append(file if whole else None)
    return tuple(files)
