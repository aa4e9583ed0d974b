"""What the machine has: memory that can be used, memory that this process uses, cores."""

import os
import sys
from pathlib import Path

__all__ = ["available_memory", "num_cores", "peak_memory", "resident_memory"]

_CGROUPS = (  # limit and use, of version 2 and of version 1
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def num_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_memory() -> int:
    """Return the bytes that can still be used, by the machine and by its container's limit."""
    found = [_machine_memory()]
    for limit, used in _CGROUPS:
        allowed = _number(Path(limit))
        if allowed is not None:
            found.append(max(0, allowed - (_number(Path(used)) or 0)))
    return min(found)


def resident_memory() -> int:
    """Return the bytes of this process that are in memory now, tables of the cache included."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return peak_memory()
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_memory() -> int:
    """Return the most bytes that this process ever had in memory; 0 where nobody tells."""
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


def _number(path: Path) -> int | None:
    """The number in a file; None where there is none, or the word max."""
    try:
        text = path.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None
