"""Memory that other programs of the same user may not read.

Linux lets a program of a user read another one's memory through `/proc`, unless that one has said
that it is not to be dumped (`prctl(PR_SET_DUMPABLE, 0)`). Root reads it anyway.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
    >>> code = "from riverboat.runs import hide_memory; print(hide_memory())"
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
