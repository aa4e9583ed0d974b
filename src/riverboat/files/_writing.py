"""Writing files: whole or not at all, by one program at a time, in Riverboat's own places."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from itertools import count
from pathlib import Path
from types import TracebackType

_ABANDONED_SECONDS = 3600.0


class atomic_path:  # noqa: N801 - used like a function: `with atomic_path(p) as temporary:`
    """Yield a temporary path beside `path`; on success make it durable and rename it.

    If the body raises, the temporary file is removed and `path` is as it was. What others left
    who were killed meanwhile goes when `path` is next written, after an hour.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path)
        # Not tempfile.mkstemp: its files are private even where the umask is not.
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
        if kind is not None:
            self._temporary.unlink(missing_ok=True)
            return
        _sync(self._temporary)
        self._temporary.replace(self._path)
        if os.name == "posix":  # the rename itself is durable once the folder is
            _sync(self._path.parent)


def _remove_abandoned(path: Path) -> None:
    """Remove temporary files of `path` that nobody has written to for long."""
    for left in path.parent.glob(f".{escape(path.name)}.*.part"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _ABANDONED_SECONDS:
                left.unlink()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_WAIT_SECONDS = 0.2


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Keep others from working on a file while the block runs: `.NAME.lock` beside it.

    The system frees a lock when its process ends, however that comes about. Where locks cannot be
    had (some shared disks, a folder that cannot be written) nobody is kept out.

    Yields
    ------
    bool
        Whether nobody else has it.

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
        handle = _taken(place)
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
            place.unlink()  # while it is ours
        os.close(handle)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until nobody else works on a file, and keep others from it while the block runs.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, alone(Path(folder) / "mine"):
    ...     with locked(Path(folder) / "mine") as free:
    ...         free
    False
    """
    while True:
        with locked(path) as mine:
            if mine:
                yield
                return
        time.sleep(_WAIT_SECONDS)


def _taken(place: Path) -> int:
    """Take a lock; another's leaving may have removed the file that was opened."""
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
    """Where built tables are kept: `$RIVERBOAT_CACHE`, or the user's cache folder."""
    named = os.environ.get("RIVERBOAT_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - an import of Riverboat need not wait

    return user_cache_path("riverboat", appauthor=False)


def ledger_path() -> Path:
    """Where the ledger is: in $RIVERBOAT_LEDGER (a file or a folder) or the user's data folder.

    What is not there yet is a file if its name has an extension, else a folder.
    """
    from platformdirs import user_data_path  # noqa: PLC0415 - as above

    named = os.environ.get("RIVERBOAT_LEDGER")
    place = Path(named) if named else user_data_path("riverboat", appauthor=False) / "ledger.sqlite"
    meant = not place.is_file() and (not place.suffix or str(named).endswith(os.sep))
    return place / "ledger.sqlite" if place.is_dir() or meant else place


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
    wanted = root / _FOLDER / path.relative_to(root)
    places = (wanted if not number else f"{wanted}.{number}" for number in count())
    place = next(place for place in map(Path, places) if not place.exists())
    place.parent.mkdir(parents=True, exist_ok=True)
    return path.rename(place)
