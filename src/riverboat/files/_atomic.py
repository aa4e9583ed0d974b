"""Files that are there whole or not at all."""

import os
import time
from contextlib import suppress
from glob import escape
from pathlib import Path
from types import TracebackType

__all__ = ["atomic_path"]

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
