"""What people's own bots print: it goes into a file, so that it is not lost and not in the way.

Each bot prints into a file without a name, of its own, which is added to the one that people read
when the bot's process has ended: a bot that could read what it printed before would have a
notebook from one seat order to the next.
"""

import io
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from riverboat.bots._ref import BotRef
from riverboat.files import cache_folder

#: Bytes that are kept; a bot may print at each of a million decisions.
MOST_PRINTED = 1 << 20


def prints_file(bot: str) -> Path:
    """Return where the prints of a Python file's bot go: in the cache folder.

    Examples
    --------
    >>> prints_file("bots/mine.py:Mine").name
    'mine.txt'
    """
    file = BotRef.parse(bot).file
    stem = "bot" if file is None else file.stem
    return prints_folder() / f"{stem}.txt"


def prints_folder() -> Path:
    """Return where prints go; bots may not read it."""
    return cache_folder() / "prints"


def open_prints() -> int:
    """Open an empty file for another process that is to print into it; return a descriptor."""
    try:
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
    except OSError:  # a disk that fails is no bot's fault
        return os.open(os.devnull, os.O_WRONLY)


def close_prints(bot: str, descriptor: int) -> None:
    """Close the file and add what the bot printed to what it printed before, if there is room."""
    with suppress(OSError):
        printed = os.pread(descriptor, MOST_PRINTED, 0)
        path = prints_file(bot)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(printed[: max(0, MOST_PRINTED - file.tell())])
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

    def fileno(self) -> int:
        """Return the file's descriptor, for programs that the bot starts."""
        return self._descriptor

    def write(self, text: str) -> int:
        """Append text, if there is room for it."""
        with suppress(OSError):
            if os.fstat(self._descriptor).st_size < MOST_PRINTED:
                os.write(self._descriptor, text.encode("utf-8", "replace")[:MOST_PRINTED])
        return len(text)
