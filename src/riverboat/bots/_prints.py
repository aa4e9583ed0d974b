"""Output of bots from files, which goes into a file of the cache folder.

Each bot prints into its own unnamed file. When its process ends, the output is appended to the file
that the user reads. If a bot could read its earlier output, it could remember cards from one seat
rotation to the next.
"""

import io
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from riverboat.bots._ref import BotRef
from riverboat.files import cache_folder

#: Maximum output in bytes; a bot may print at each of a million decisions.
MOST_PRINTED = 1 << 20


def prints_file(bot: str) -> Path:
    """Return the file with the output of a bot, in the cache folder.

    Examples
    --------
    >>> prints_file("bots/mine.py:Mine").name
    'mine.txt'
    """
    file = BotRef.parse(bot).file
    stem = "bot" if file is None else file.stem
    return prints_folder() / f"{stem}.txt"


def prints_folder() -> Path:
    """Return the folder of the output of bots, which bots may not read."""
    return cache_folder() / "prints"


def open_prints() -> int:
    """Open an empty file for the output of another process; return a descriptor."""
    try:
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
    except OSError:  # a full disk must not fail the bot
        return os.open(os.devnull, os.O_WRONLY)


def close_prints(bot: str, descriptor: int) -> None:
    """Close the file and append its text to the bot's output file, up to the maximum."""
    with suppress(OSError):
        printed = os.pread(descriptor, MOST_PRINTED, 0)
        path = prints_file(bot)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(printed[: max(0, MOST_PRINTED - file.tell())])
    os.close(descriptor)


def keep_prints(descriptor: int) -> None:
    """Redirect the output of this process to an open file."""
    sys.stdout = sys.stderr = _Prints(descriptor)


class _Prints(io.TextIOBase):
    """A text stream that appends to a file, up to a size, and ignores errors of the disk."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def writable(self) -> bool:
        """Return True: text can be written."""
        return True

    def fileno(self) -> int:
        """Return the file's descriptor, for programs that the bot starts."""
        return self._descriptor

    def write(self, text: str) -> int:
        """Append text, up to the maximum size."""
        with suppress(OSError):
            if os.fstat(self._descriptor).st_size < MOST_PRINTED:
                os.write(self._descriptor, text.encode("utf-8", "replace")[:MOST_PRINTED])
        return len(text)
