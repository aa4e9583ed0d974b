"""Cores, CPU time and memory of the machine, and hiding the memory of this process.

On Linux a program can read the memory of the same user's other programs through `/proc`, unless
they are marked as not dumpable (`prctl(PR_SET_DUMPABLE, 0)`). Root can always read it.
"""

import ctypes
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUPS = Path("/proc/self/cgroup")
_MEMORY = (  # limit and usage, in control groups of version 2 and version 1
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def num_cores() -> int:
    """Return how many cores this process may use, given its affinity and its container's quota.

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
    """Limits in cores of the control groups of this process, version 2 and version 1."""
    for line in _lines(_OWN_GROUPS):
        _, controllers, place = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        root = _GROUPS / "cpu" if controllers else _GROUPS
        own = root / place.lstrip("/")
        for folder in (own, *own.parents):
            if folder.is_relative_to(root):  # limits of outer groups apply, too
                yield from _quota(folder)


def _quota(folder: Path) -> Iterator[float]:
    """Limit in cores of a control group; nothing if it has no limit."""
    old = [word for name in ("quota", "period") for word in _lines(folder / f"cpu.cfs_{name}_us")]
    words = " ".join(_lines(folder / "cpu.max")).split() or old
    if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]):
        yield int(words[0]) / int(words[1])


def available_memory() -> int:
    """Return the free memory in bytes, given the machine and its container's limit.

    Examples
    --------
    >>> available_memory() > 0
    True
    """
    free = [_machine_memory()]
    for limit, used in _MEMORY:
        most = _number(Path(limit))
        if most is not None:
            free.append(max(0, most - (_number(Path(used)) or 0)))
    return min(free)


def resident_memory() -> int:
    """Return the resident memory of this process in bytes, including mapped tables.

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
    """Return the peak resident memory of this process in bytes; 0 if the system has no figure.

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


class CpuTime(NamedTuple):
    """CPU seconds so far."""

    own: float
    """Of this process and of its processes that have ended."""
    machine: float | None
    """Of all programs on the cores that this process may use; None if the system has no figure."""

    def since(self, before: "CpuTime") -> "CpuTime":
        """Return the CPU seconds since an earlier reading."""
        both = self.machine is not None and before.machine is not None
        machine = (self.machine or 0.0) - (before.machine or 0.0) if both else None
        return CpuTime(self.own - before.own, machine)

    @property
    def others(self) -> float | None:
        """CPU seconds of other programs."""
        return None if self.machine is None else max(0.0, self.machine - self.own)


def cpu_time() -> CpuTime:
    """Return the CPU seconds of this program and of the machine.

    Examples
    --------
    >>> cpu_time().since(cpu_time()).own <= 0
    True
    """
    times, cores = os.times(), _usable_cores()
    own = times.user + times.system + times.children_user + times.children_system
    busy = [
        sum(int(word) for word, kind in zip(words[1:], _KINDS, strict=False) if kind)
        for words in map(str.split, _lines(Path("/proc/stat")))
        if words[0][:3] == "cpu" and words[0][3:].isdigit() and int(words[0][3:]) in cores
    ]
    return CpuTime(own, sum(busy) / os.sysconf("SC_CLK_TCK") if busy else None)


# Columns of /proc/stat that count as busy: user, nice, system, irq, softirq; not idle and iowait.
_KINDS = (True, True, True, False, False, True, True)


def _usable_cores() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


def _machine_memory() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _lines(path: Path) -> list[str]:
    """The lines of a file; no lines if it does not exist."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def _number(path: Path) -> int | None:
    """The number in a file; None if it does not exist or contains the word max."""
    try:
        text = path.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


_GET_DUMPABLE, _SET_DUMPABLE = 3, 4  # from linux/prctl.h


def _prctl(option: int, value: int) -> int:
    """Call prctl for this process; return -1 on other systems than Linux."""
    if sys.platform != "linux":
        return -1
    return int(ctypes.CDLL(None).prctl(option, value, 0, 0, 0))


def hide_memory() -> bool:
    """Hide the memory of this process from other programs; return whether that succeeded.

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
    """Number of blocks that hide the memory of this process, and the state before the first."""

    count = 0
    before = -1


@contextmanager
def hidden_memory() -> Iterator[None]:
    """Hide the memory of this process from other programs in the block, where that is possible.

    Blocks may overlap in any order: the memory is visible again when the last one ends.

    Examples
    --------
    >>> with hidden_memory():
    ...     cards = "a secret"
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
