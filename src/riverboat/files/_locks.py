"""Locks: two programs do not work on one file."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["alone", "locked"]

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
