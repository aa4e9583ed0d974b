"""A program in which one process opens another one's memory, both of a user who is not root."""

import os
from pathlib import Path

from riverboat.runs._machine import _SET_DUMPABLE, _prctl, hide_memory


def become_nobody() -> None:
    """Be somebody who is not root."""
    if os.geteuid() == 0:
        os.setresuid(65534, 65534, 65534)
        _prctl(_SET_DUMPABLE, 1)  # who changes his user is shut


def opens(process: int) -> bool:
    """Return whether the memory of a process can be opened."""
    try:
        Path(f"/proc/{process}/mem").open("rb").close()
    except OSError:
        return False
    return True


def main() -> None:
    """Fork somebody who keeps his memory open, then shut, and try to read it."""
    become_nobody()
    told, tell = os.pipe()
    wait, wake = os.pipe()
    if (holder := os.fork()) == 0:
        os.write(tell, b".")
        os.read(wait, 1)
        hide_memory()
        os.write(tell, b".")
        os.read(wait, 1)
        os._exit(0)
    for state in ("open", "shut"):
        os.read(told, 1)
        print(f"{state}: {opens(holder)}")
        os.write(wake, b".")
    os.waitpid(holder, 0)


if __name__ == "__main__":
    main()
