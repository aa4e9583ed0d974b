"""What people's own bots print: it goes into a file, so that it is not lost and not in the way."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import BinaryIO

from riverboat.bots._python_files import is_file_bot
from riverboat.bots._registry import file_of
from riverboat.files import cache_folder

__all__ = ["MOST_PRINTED", "forget_prints", "keep_prints", "kept_prints", "prints_file"]

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


def keep_prints(bot: str) -> None:
    """Send all that this process prints from now on to the bot's file; it appears with a print."""
    sys.stdout = sys.stderr = _Prints(prints_file(bot))


@contextmanager
def kept_prints(bot: object) -> Iterator[None]:
    """Send what is printed meanwhile to the bot's file, if it is the bot of a Python file.

    Examples
    --------
    >>> with kept_prints("fish"):
    ...     print("ours may print")
    ours may print
    """
    if not isinstance(bot, str) or not is_file_bot(bot):
        yield
        return
    prints = _Prints(prints_file(bot))
    try:
        with redirect_stdout(prints), redirect_stderr(prints):
            yield
    finally:
        prints.let_go()


class _Prints(io.TextIOBase):
    """A text stream that appends to a file, up to a size; a disk that fails is no bot's fault."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: BinaryIO | None = None

    def writable(self) -> bool:
        """Whether something can be written."""
        return True

    def let_go(self) -> None:
        """Close the file; a bot that kept the stream opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def write(self, text: str) -> int:
        """Append text, if there is room for it."""
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                # Several processes append to it, and are killed when their time is over.
                self._file = self._path.open("ab", buffering=0)
            if os.fstat(self._file.fileno()).st_size < MOST_PRINTED:
                self._file.write(text.encode("utf-8", "replace")[:MOST_PRINTED])
        except OSError:
            pass
        return len(text)
