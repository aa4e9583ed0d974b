"""The policy of a sandbox: what an untrusted program may do."""

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, get_args

Mode = Literal["auto", "off", "required"]
#: `auto`: all protections that the system has; `off`: none; `required`: all, or an error.
MODES: Final[tuple[Mode, ...]] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Protection:
    """One protection of a sandbox, and whether it is active.

    Attributes
    ----------
    name
        The protected part, such as `network`.
    by
        The mechanism; empty if there is none.
    reason
        Why there is no mechanism, or only a weaker one.
    """

    name: str
    by: str
    reason: str = ""

    @property
    def on(self) -> bool:
        """Whether the protection is active."""
        return bool(self.by)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a program may read, and its limits; it may write only to its scratch folder.

    Attributes
    ----------
    mode
        `auto`, `off` or `required`.
    read
        Readable folders and files, in addition to those of the system and of Python.
    hide
        Folders and files to hide, also inside readable folders.
    path
        Additional folders of Python modules.
    descriptors
        File descriptors that stay open.
    processor_seconds
        Maximum CPU time of each process.
    processes
        Maximum number of processes and threads.
    open_files
        Maximum number of open files of each process.
    file_bytes
        Maximum size of each file, and of the scratch folder.
    loopback
        Whether its processes may connect to each other over sockets: in their own network
        namespace, or else over the machine's loopback.

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
        """Return the policy with more readable paths."""
        return replace(self, read=(*self.read, *(os.fspath(path) for path in paths)))


#: Paths that every program needs; the rest of /etc stays hidden.
_SYSTEM: Final = (
    *("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/nix", "/gnu"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/localtime", "/etc/timezone", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf"),
    *("/etc/mime.types", "/etc/fonts", "/etc/OpenCL"),
)

#: Files that define `localhost`.
_NAMES: Final = ("/etc/hosts", "/etc/host.conf")


def readable(policy: Policy) -> list[str]:
    """Return all different readable paths: the system's, Python's and the program's own."""
    # If a script is in the home folder, the whole folder would be readable.
    folders = (*sys.path, sys.pycache_prefix or "")
    modules = (folder for folder in folders if folder != os.path.expanduser("~"))
    python = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *modules)
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    names = _NAMES if policy.loopback else ()
    wanted = (*_SYSTEM, *names, *python, *libraries, *policy.read)
    places = dict.fromkeys(os.path.abspath(path) for path in wanted if path)
    return [place for place in places if place != "/" and os.path.lexists(place)]
