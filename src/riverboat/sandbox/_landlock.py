"""Files by Landlock: what a process may open, where it cannot have a file system of its own.

Rules name folders; all else is refused, /proc of other processes included. A folder that holds
something hidden is allowed child by child, which takes away its listing.
"""

import ctypes
import os
from collections.abc import Iterator
from typing import Final

from riverboat.sandbox._linux import prctl, syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION, _BENEATH = 1, 1
_PR_SET_NO_NEW_PRIVS = 38

_READ_FOLDER: Final = 0b1101  # run, read files, list folders
_READ_FILE: Final = 0b0101
_WRITE_FILE: Final = 0b0010
_BITS: Final = {1: 13, 2: 14, 3: 15, 5: 16}  # rights of files by version of the interface
_TCP: Final = 0b11  # from version 4 on
_SCOPES: Final = 0b11  # abstract sockets and signals, from version 6 on
_IOCTL: Final = 1 << 15


def bound_files(read: list[str], write: list[str], hide: list[str]) -> int:
    """Let this process, and all that it starts, open only these; return Landlock's version.

    Parameters
    ----------
    read
        Folders and files that can be read.
    write
        Folders whose files can be read, written, made and removed, and devices.
    hide
        What lies in `read` and is not to be opened.

    Raises
    ------
    OSError
        If the kernel has no Landlock.
    """
    version = syscall(_CREATE, None, 0, _VERSION)
    handled = (1 << max(bits for least, bits in _BITS.items() if least <= version)) - 1
    fields = [handled, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0]
    used = 1 + (version >= 4) + (version >= 6)
    packed = b"".join(each.to_bytes(8, "little") for each in fields[:used])
    rules = syscall(_CREATE, ctypes.create_string_buffer(packed, len(packed)), len(packed), 0)
    for path in _visible(read, [os.path.realpath(each) for each in hide]):
        _allow(rules, path, _READ_FOLDER)
    for path in write:
        _allow(rules, path, handled & ~_IOCTL)
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    syscall(_RESTRICT, rules, 0)
    os.close(rules)
    return version


def _visible(paths: list[str], hide: list[str]) -> Iterator[str]:
    """Yield what can be allowed as a whole: nothing hidden lies in it."""
    for path in map(os.path.realpath, paths):
        inside = [each for each in hide if os.path.commonpath((each, path)) == path]
        if path in hide:
            continue
        if not inside:
            yield path
        elif os.path.isdir(path):
            children = [os.path.join(path, name) for name in os.listdir(path)]
            # Where a link leads may be nobody's business.
            yield from _visible([each for each in children if not os.path.islink(each)], inside)


def _allow(rules: int, path: str, rights: int) -> None:
    """Add a rule; a path that is gone, or may not be reached, needs none."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _READ_FILE | _WRITE_FILE | (1 << 14)  # to cut a file short
        rule = rights.to_bytes(8, "little") + place.to_bytes(4, "little")
        syscall(_ADD, rules, _BENEATH, ctypes.create_string_buffer(rule, 12), 0)
    finally:
        os.close(place)
