"""What the machine has: cores, and memory that can be used, is used, and that nobody else may read.

Linux lets a program of a user read another one's memory through `/proc`, unless that one has said
that it is not to be dumped (`prctl(PR_SET_DUMPABLE, 0)`). Root reads it anyway.
"""

import ctypes
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUPS = Path("/proc/self/cgroup")
_MEMORY = (  # limit and use, of version 2 and of version 1
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def num_cores() -> int:
    """Return how many cores this process may use: by its affinity and its container's quota.

    Examples
    --------
    >>> num_cores() >= 1
    True
    """
    counted = getattr(os, "process_cpu_count", os.cpu_count)() or 1
    if hasattr(os, "sched_getaffinity"):
        counted = min(counted, len(os.sched_getaffinity(0)))
    return max(1, min([counted, *(math.ceil(quota) for quota in _quotas())]))


def _quotas() -> Iterator[float]:
    """Cores' worth of time that the control groups of this process may use, version 2 and 1."""
    for line in _lines(_OWN_GROUPS):
        _, controllers, place = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        root = _GROUPS / "cpu" if controllers else _GROUPS
        own = root / place.lstrip("/")
        for folder in (own, *own.parents):
            if folder.is_relative_to(root):  # a group is bound by all that it is in
                yield from _quota(folder)


def _quota(folder: Path) -> Iterator[float]:
    """Microseconds that a group may use, by microseconds of a period; nothing without a limit."""
    old = [word for name in ("quota", "period") for word in _lines(folder / f"cpu.cfs_{name}_us")]
    words = " ".join(_lines(folder / "cpu.max")).split() or old
    if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]):
        yield int(words[0]) / int(words[1])


def available_memory() -> int:
    """Return the bytes that can still be used, by the machine and by its container's limit.

    Examples
    --------
    >>> available_memory() > 0
    True
    """
    found = [_machine_memory()]
    for limit, used in _MEMORY:
        allowed = _number(Path(limit))
        if allowed is not None:
            found.append(max(0, allowed - (_number(Path(used)) or 0)))
    return min(found)


def resident_memory() -> int:
    """Return the bytes of this process that are in memory now, tables of the cache included.

    Examples
    --------
    >>> resident_memory() > 0
    True
    """
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return peak_memory()
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_memory() -> int:
    """Return the most bytes that this process ever had in memory; 0 where nobody tells.

    Examples
    --------
    >>> peak_memory() >= 0
    True
    """
    try:
        import resource  # noqa: PLC0415 - not every system has it
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _machine_memory() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _lines(path: Path) -> list[str]:
    """The lines of a file; none where there is no such file."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def _number(path: Path) -> int | None:
    """The number in a file; None where there is none, or the word max."""
    try:
        text = path.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


_GET_DUMPABLE, _SET_DUMPABLE = 3, 4  # of linux/prctl.h


def _prctl(option: int, value: int) -> int:
    """Ask the kernel about this process; -1 where it cannot be asked."""
    if sys.platform != "linux":
        return -1
    return int(ctypes.CDLL(None).prctl(option, value, 0, 0, 0))


def hide_memory() -> bool:
    """Shut this process's memory to others for good; return whether the system does it.

    Examples
    --------
    >>> import subprocess, sys
    >>> code = "from riverboat.runs._machine import hide_memory; print(hide_memory())"
    >>> done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    >>> done.stdout.decode().strip() == str(sys.platform == "linux")
    True
    """
    return _prctl(_SET_DUMPABLE, 0) == 0


class _Holders:
    """How many blocks keep the memory of this process shut, and how it was before them."""

    count = 0
    before = -1


@contextmanager
def hidden_memory() -> Iterator[None]:
    """Shut this process's memory to others for a while, where the system does it.

    Blocks may overlap in any order: memory is open again when the last one ends.

    Examples
    --------
    >>> with hidden_memory():
    ...     cards = "nobody else's business"
    """
    if _Holders.count == 0:
        _Holders.before = _prctl(_GET_DUMPABLE, 0)
    _Holders.count += 1
    try:
        hide_memory()
        yield
    finally:
        _Holders.count -= 1
        if _Holders.count == 0 and _Holders.before == 1:
            _prctl(_SET_DUMPABLE, 1)
