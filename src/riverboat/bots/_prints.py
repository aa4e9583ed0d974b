"""What people's own bots print: it goes into a file, so that it is not lost and not in the way."""

import io
import os
import sys
from contextlib import suppress
from pathlib import Path

from riverboat.bots._registry import file_of
from riverboat.files import cache_folder

__all__ = [
    "MOST_PRINTED",
    "close_prints",
    "forget_prints",
    "keep_prints",
    "open_prints",
    "prints_file",
]

#: Bytes that are kept; a bot may print at each of a million decisions.
MOST_PRINTED = 1 << 20


def prints_file(bot: str) -> Path:
    """Return where the prints of a Python file's bot go: in the cache folder.

    Examples
    --------
    >>> prints_file("bots/mine.py:Mine").name
    'mine.txt'
    """
    file = file_of(bot)
    stem = "bot" if file is None else file.stem
    return cache_folder() / "prints" / f"{stem}.txt"


def forget_prints(bot: str) -> None:
    """Begin anew: remove what the bot printed before."""
    prints_file(bot).unlink(missing_ok=True)


def open_prints(bot: str) -> int:
    """Open the file for another process that is to print into it; return a descriptor."""
    path = prints_file(bot)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Several processes append to it, and are killed when their time is over.
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:  # a disk that fails is no bot's fault
        return os.open(os.devnull, os.O_WRONLY)


def close_prints(descriptor: int) -> None:
    """Close the file, cut short if the bot wrote to the descriptor itself and without end."""
    with suppress(OSError):
        if os.fstat(descriptor).st_size > 2 * MOST_PRINTED:
            os.ftruncate(descriptor, MOST_PRINTED)
    os.close(descriptor)


def keep_prints(descriptor: int) -> None:
    """Send all that this process prints from now on to the file that is open there."""
    sys.stdout = sys.stderr = _Prints(descriptor)


class _Prints(io.TextIOBase):
    """A text stream that appends to a file, up to a size; a disk that fails is no bot's fault."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def writable(self) -> bool:
        """Whether something can be written."""
        return True

    def write(self, text: str) -> int:
        """Append text, if there is room for it."""
        with suppress(OSError):
            if os.fstat(self._descriptor).st_size < MOST_PRINTED:
                os.write(self._descriptor, text.encode("utf-8", "replace")[:MOST_PRINTED])
        return len(text)
