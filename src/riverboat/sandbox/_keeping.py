"""What a keeper does where the kernel does not: bound and remove a folder, end a process group.

A file system of its own has a size, and the processes of a namespace end with its first. Without
namespaces only each file is bounded, and so the keeper looks: at what lies in the folder, and at
files that were removed and are still open, which take room too.
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
    """Whether a folder, and what this process group removed and keeps open, has too many bytes.

    What cannot be looked into counts as too much.
    """
    found: dict[tuple[int, int], int] = {}
    try:
        for count, entry in enumerate(_entries(folder)):
            found[entry.st_dev, entry.st_ino] = entry.st_blocks * _BLOCK
            if count > _MOST_ENTRIES:
                return True
        device = os.stat(folder).st_dev
        for entry in _open_files():
            if entry.st_dev == device and not entry.st_nlink:
                found[device, entry.st_ino] = entry.st_blocks * _BLOCK
    except FileNotFoundError:  # the folder itself: its end has come
        return False
    except OSError:
        return True
    return sum(found.values()) > most


def _entries(folder: str, depth: int = 0) -> Iterator[os.stat_result]:
    """Yield all that lies in a folder."""
    if depth > _DEEPEST:
        raise OSError("folders lie too deep in each other")
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # gone since
                yield entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    yield from _entries(entry.path, depth + 1)


def _open_files() -> Iterator[os.stat_result]:
    """Yield what the other processes of this process group have open."""
    for process in _others():
        with suppress(ProcessLookupError, FileNotFoundError):  # ended since
            for number in os.listdir(f"/proc/{process}/fd"):
                with suppress(FileNotFoundError):  # closed since
                    yield os.stat(f"/proc/{process}/fd/{number}")


def end_group() -> None:
    """End all other processes of this process group, and what they start meanwhile."""
    end = time.monotonic() + _PATIENCE
    while (others := list(_others())) and time.monotonic() < end:
        for process in others:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def _others() -> Iterator[int]:
    """Yield the other processes of this process group, but for those that are over."""
    own, group = os.getpid(), os.getpgrp()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(ProcessLookupError, FileNotFoundError):
            process = int(name)
            if process != own and os.getpgid(process) == group and not _is_over(process):
                yield process


def _is_over(process: int) -> bool:
    """Whether nothing is left of a process but its exit code."""
    with open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")


def remove(folder: str) -> None:
    """Remove a folder, however deep folders lie in it and whatever their rights are."""
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
