"""What another person's program may do, as data."""

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, get_args

Mode = Literal["auto", "off", "required"]
#: How a sandbox is asked for: as good as it can be had, not at all, or whole or not at all.
MODES: Final[tuple[Mode, ...]] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Protection:
    """One thing that a sandbox does, and whether it does it here.

    Attributes
    ----------
    name
        What is protected: `network`.
    by
        What does it; empty if nothing does.
    reason
        Why nothing does it, or why something weaker does.
    """

    name: str
    by: str
    reason: str = ""

    @property
    def on(self) -> bool:
        """Whether it is in force."""
        return bool(self.by)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a program may read, and how much it may use; it writes to its scratch folder only.

    Attributes
    ----------
    mode
        `auto`, `off` or `required`.
    read
        Folders and files that it sees, besides the system's and Python's own.
    hide
        Folders and files that it does not see, wherever they lie.
    path
        Where Python looks for modules, besides its own places.
    descriptors
        That are open for it.
    processor_seconds
        Of each of its processes.
    processes
        And threads, in all.
    open_files
        Of each process.
    file_bytes
        Of each file; also the size of the scratch folder.
    loopback
        Whether its own processes may talk to each other over sockets: in a network namespace
        of its own, else over the machine's.

    Examples
    --------
    >>> Policy(read=("bots",)).reading("cards").read
    ('bots', 'cards')
    """

    mode: Mode = "auto"
    read: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    descriptors: tuple[int, ...] = ()
    processor_seconds: int = 86_400
    processes: int = 256
    open_files: int = 256
    file_bytes: int = 64 << 20
    loopback: bool = False
    scratch: str = field(default="", repr=False)

    def reading(self, *paths: str | Path) -> "Policy":
        """Return the policy with more to read."""
        return replace(self, read=(*self.read, *(os.fspath(path) for path in paths)))


#: What programs of any kind need; a list, since the rest of /etc is nobody's business.
_SYSTEM: Final = (
    *("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/nix", "/gnu"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/localtime", "/etc/timezone", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf"),
    *("/etc/mime.types", "/etc/fonts", "/etc/OpenCL"),
)

#: What `localhost` is.
_NAMES: Final = ("/etc/hosts", "/etc/host.conf")


def readable(policy: Policy) -> list[str]:
    """Return all paths that a program sees: the system's, Python's, its own; each once."""
    # A script may lie in somebody's home, which is more than its modules.
    kept = (*sys.path, sys.pycache_prefix or "")
    modules = (each for each in kept if each != os.path.expanduser("~"))
    python = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *modules)
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    names = _NAMES if policy.loopback else ()
    wanted = (*_SYSTEM, *names, *python, *libraries, *policy.read)
    places = dict.fromkeys(os.path.abspath(each) for each in wanted if each)
    return [place for place in places if place != "/" and os.path.lexists(place)]
