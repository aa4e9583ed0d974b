"""The keeper's work without namespaces: limit and remove a folder, end a process group.

With namespaces the scratch file system has a size, and all processes end with the first one.
Without them the kernel limits only the size of each file, so the keeper measures the folder, and
also removed files that are still open, since they still take space.
"""

import itertools
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress

_MOST_ENTRIES = 16_384
_DEEPEST = 64
_PATIENCE = 10.0  # seconds
_BLOCK = 512  # bytes, as `stat` counts


def holds_too_much(folder: str, most: int) -> bool:
    """Whether a folder, with removed files that are still open, has too many bytes.

    A folder that cannot be read counts as too large.
    """
    sizes: dict[tuple[int, int], int] = {}
    try:
        for count, entry in enumerate(_entries(folder)):
            sizes[entry.st_dev, entry.st_ino] = entry.st_blocks * _BLOCK
            if count > _MOST_ENTRIES:
                return True
        device = os.stat(folder).st_dev
        for entry in _open_files():
            if entry.st_dev == device and not entry.st_nlink:
                sizes[device, entry.st_ino] = entry.st_blocks * _BLOCK
    except FileNotFoundError:  # the folder itself was removed
        return False
    except OSError:
        return True
    return sum(sizes.values()) > most


def _entries(folder: str, depth: int = 0) -> Iterator[os.stat_result]:
    """Yield all files and folders inside a folder."""
    if depth > _DEEPEST:
        raise OSError(f"folders are nested deeper than {_DEEPEST} levels")
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # removed meanwhile
                yield entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    yield from _entries(entry.path, depth + 1)


def _open_files() -> Iterator[os.stat_result]:
    """Yield the open files of the other processes of this process group."""
    for process in _others():
        with suppress(ProcessLookupError, FileNotFoundError):  # ended meanwhile
            for number in os.listdir(f"/proc/{process}/fd"):
                with suppress(FileNotFoundError):  # closed meanwhile
                    yield os.stat(f"/proc/{process}/fd/{number}")


def end_group() -> None:
    """End all other processes of this process group, including new ones."""
    end = time.monotonic() + _PATIENCE
    while (others := list(_others())) and time.monotonic() < end:
        for process in others:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def _others() -> Iterator[int]:
    """Yield the other running processes of this process group."""
    own, group = os.getpid(), os.getpgrp()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(ProcessLookupError, FileNotFoundError):
            process = int(name)
            if process != own and os.getpgid(process) == group and not _is_over(process):
                yield process


def _is_over(process: int) -> bool:
    """Whether a process has ended and only its exit code is left."""
    with open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")


def remove(folder: str) -> None:
    """Remove a folder with all its contents, at any depth and with any permissions."""
    numbers = itertools.count()
    folders = [folder]
    while folders:
        place = folders.pop()
        for entry in list(os.scandir(place)):
            if entry.is_dir(follow_symlinks=False):
                os.chmod(entry.path, 0o700)
                folders.append(f"{folder}.{next(numbers)}")  # paths stay short
                os.rename(entry.path, folders[-1])
            else:
                os.unlink(entry.path)
        os.rmdir(place)
