"""Atomic writing, locks, and the folders of Riverboat."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from itertools import count
from pathlib import Path
from types import TracebackType

_ABANDONED_SECONDS = 3600.0


class atomic_path:  # noqa: N801 - used like a function: `with atomic_path(p) as temporary:`
    """Yield a temporary path next to `path`; on success sync it to disk and rename it.

    If the block raises an error, the temporary file is removed and `path` does not change.
    Temporary files of killed processes are removed after an hour, when `path` is next written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path)
        # Not tempfile.mkstemp, whose files only the user can read, whatever the umask.
        self._temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")
        self._temporary.touch(exist_ok=False)

    def __enter__(self) -> Path:
        return self._temporary

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                _sync(self._temporary)
                self._temporary.replace(self._path)
                if os.name == "posix":  # makes the rename durable
                    _sync(self._path.parent)
        except OSError as failure:
            self._fail(failure)
            raise
        if kind is not None:
            self._fail(error)

    def _fail(self, error: BaseException | None) -> None:
        """Remove the temporary file; name the file in an error of a write, which names none."""
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno and not error.filename:
            error.filename = str(self._path)


def _remove_abandoned(path: Path) -> None:
    """Remove temporary files of `path` that have not changed for an hour."""
    for part in path.parent.glob(f".{escape(path.name)}.*.part"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > _ABANDONED_SECONDS:
                part.unlink()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_WAIT_SECONDS = 0.2


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Try to lock a file in the block, with the lock file `.NAME.lock` next to it.

    The system releases a lock when its process ends for any reason. Where locks do not work (some
    shared disks, a read-only folder), the block runs without one.

    Yields
    ------
    bool
        False if another process has the lock.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with locked(Path(folder) / "mine") as first, locked(Path(folder) / "mine") as second:
    ...         print(first, second)
    True False
    """
    place = path.with_name(f".{path.name}.lock")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle = _acquire(place)
    except BlockingIOError:
        yield False
        return
    except (ImportError, OSError):
        yield True
        return
    try:
        yield True
    finally:
        with suppress(OSError):
            place.unlink()  # before the lock is released
        os.close(handle)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait for the lock of a file, and hold it in the block.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, alone(Path(folder) / "mine"):
    ...     with locked(Path(folder) / "mine") as free:
    ...         free
    False
    """
    while True:
        with locked(path) as acquired:
            if acquired:
                yield
                return
        time.sleep(_WAIT_SECONDS)


def _acquire(place: Path) -> int:
    """Acquire a lock; try again if its last owner has removed the opened file."""
    import fcntl  # noqa: PLC0415 - Windows has none

    while True:
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if place.exists() and os.path.samestat(os.fstat(handle), place.stat()):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def cache_folder() -> Path:
    """Return the folder of built tables: `$RIVERBOAT_CACHE`, or the user's cache folder."""
    named = os.environ.get("RIVERBOAT_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - slow to import

    return user_cache_path("riverboat", appauthor=False)


def ledger_path() -> Path:
    """Return the path of the ledger: $RIVERBOAT_LEDGER (file or folder), or in the data folder.

    If $RIVERBOAT_LEDGER does not exist, it is a file if its name has an extension, else a folder.
    """
    from platformdirs import user_data_path  # noqa: PLC0415 - slow to import

    named = os.environ.get("RIVERBOAT_LEDGER")
    place = Path(named) if named else user_data_path("riverboat", appauthor=False) / "ledger.sqlite"
    new_folder = not place.is_file() and (not place.suffix or str(named).endswith(os.sep))
    return place / "ledger.sqlite" if place.is_dir() or new_folder else place


def hands_path() -> Path:
    """Return the path of the database of hands: $RIVERBOAT_HANDS, or in the data folder."""
    named = os.environ.get("RIVERBOAT_HANDS")
    if named:
        return Path(named)
    from platformdirs import user_data_path  # noqa: PLC0415 - slow to import

    return user_data_path("riverboat", appauthor=False) / "hands.sqlite"


_FOLDER = "damaged"


def set_aside(path: Path, root: Path) -> Path:
    """Move a damaged file or folder into `root/damaged`, under its path in `root`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "matches" / "a.json"
    ...     file.parent.mkdir()
    ...     file.touch()
    ...     set_aside(file, Path(folder)).relative_to(folder).as_posix(), file.exists()
    ('damaged/matches/a.json', False)
    """
    first = root / _FOLDER / path.relative_to(root)
    places = (first if not number else f"{first}.{number}" for number in count())
    place = next(place for place in map(Path, places) if not place.exists())
    place.parent.mkdir(parents=True, exist_ok=True)
    return path.rename(place)


def row_checksum(values: Iterable[object]) -> str:
    """Return the checksum of a database row of numbers, texts and bytes, in their order.

    Examples
    --------
    >>> row_checksum([1, "a", None]) == row_checksum([1, "a", None]) != row_checksum([1, "a", ""])
    True
    """
    import hashlib  # noqa: PLC0415 - only databases need it

    import msgspec  # noqa: PLC0415 - as above

    return hashlib.blake2b(msgspec.msgpack.encode(list(values)), digest_size=16).hexdigest()
