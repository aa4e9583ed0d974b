"""A separate file system for a process: some read-only folders and an empty scratch folder.

It is built in a mount namespace: an empty root, with the readable folders bound at their own paths,
and harmless devices. All other paths do not exist there: home folders, keys, sockets of services,
the arena's ledger. If a folder contains a hidden path, its children are bound one by one, so files
that are created there later are hidden, too.

Without mount namespaces Landlock restricts which files a process may open (`bound_files`). Its
rules allow folders; all other paths are refused, including /proc of other processes. If a folder
contains a hidden path, its children are allowed one by one, and it cannot be listed.
"""

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from riverboat.sandbox._linux import call, prctl, syscall

#: Path of the scratch folder in a separate file system.
SCRATCH = "/scratch"

_DEVICES = ("null", "zero", "full", "random", "urandom")
_BIND, _REC, _PRIVATE, _REMOUNT = 4096, 16384, 1 << 18, 32
_RDONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8
_DETACH = 2
_MOUNT_SETATTR, _HERE, _RECURSIVE = 442, -100, 0x8000


def change_root(root: str, read: Sequence[str], hide: Sequence[str], scratch_bytes: int) -> None:
    """Move this process into a file system that has only these paths.

    Parameters
    ----------
    root
        An empty folder to mount it on; other processes do not see it.
    read
        Absolute readable paths.
    hide
        Hidden paths, also inside paths of `read`.
    scratch_bytes
        Size of the scratch folder.

    Raises
    ------
    OSError
        If the kernel refuses a step.
    """
    here = os.getcwd()
    call("mount", None, b"/", None, _REC | _PRIVATE, None)
    _tmpfs(root, "size=1m,mode=0755", _NOSUID | _NODEV)
    os.mkdir(root + SCRATCH)
    _tmpfs(root + SCRATCH, f"size={scratch_bytes},nr_inodes=16384,mode=1777", _NOSUID | _NODEV)
    for name in _DEVICES:
        _bind(f"/dev/{name}", root, _RDONLY | _NOSUID | _NOEXEC)
    hidden = [os.path.realpath(each) for each in hide]
    for path in sorted(read, key=lambda each: each.count("/")):
        _show(path, root, hidden)
    os.makedirs(root + here, exist_ok=True)  # names that begin here are found, whatever is shown
    _link(SCRATCH, root + "/tmp")  # noqa: S108 - its own, unless one of these lies there
    _own_proc(root + "/proc")
    _enter(root)
    call("mount", None, b"/", None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV, None)
    os.chdir(here)


def _tmpfs(place: str, options: str, flags: int) -> None:
    call("mount", b"tmpfs", os.fsencode(place), b"tmpfs", flags, options.encode())


def _show(path: str, root: str, hide: Sequence[str], depth: int = 0) -> None:
    """Bind a path into the new root at its own place; links on the way to it become links."""
    known = "/"
    for part in path.split("/")[1:]:
        known = os.path.join(known, part)
        if os.path.islink(known) and depth < 40:
            _link(os.readlink(known), root + known)
            onward = os.path.join(os.path.dirname(known), os.readlink(known))
            _show(os.path.normpath(onward + path[len(known) :]), root, hide, depth + 1)
            return
    if path in hide:
        return
    if any(each.startswith(f"{path}/") for each in hide):
        _show_children(path, root, hide)
    elif os.path.exists(path) and not os.path.lexists(root + path):
        _bind(path, root, _RDONLY | _NOSUID | _NODEV)
    elif os.path.isdir(path) and not os.path.samefile(path, root + path):
        _bind(path, root, _RDONLY | _NOSUID | _NODEV)  # a folder that was only on the way so far


def _show_children(path: str, root: str, hide: Sequence[str]) -> None:
    """Bind what lies in a folder now; links stay links, and show nothing that is not shown."""
    os.makedirs(root + path, exist_ok=True)
    for child in sorted(os.path.join(path, name) for name in os.listdir(path)):
        with suppress(FileNotFoundError):  # gone since
            if os.path.islink(child):
                _link(os.readlink(child), root + child)
            else:
                _show(child, root, hide)


def _link(target: str, place: str) -> None:
    if not os.path.lexists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.symlink(target, place)


def _bind(path: str, root: str, flags: int) -> None:
    place = root + path
    if os.path.isdir(path):
        os.makedirs(place, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.close(os.open(place, os.O_CREAT | os.O_RDONLY, 0o444))
    call("mount", os.fsencode(path), os.fsencode(place), None, _BIND | _REC, None)
    _restrict(place, flags)


def _restrict(place: str, flags: int) -> None:
    """Set flags of a mount and of all that is mounted in it."""
    # {flags to set, flags to clear, how mounts spread, user namespace}
    attributes = flags.to_bytes(8, "little") + bytes(24)
    syscall(_MOUNT_SETATTR, _HERE, os.fsencode(place), _RECURSIVE, attributes, len(attributes))


def _enter(root: str) -> None:
    os.chdir(root)
    call("pivot_root", b".", b".")
    call("umount2", b".", _DETACH)
    os.chdir("/")


def _own_proc(place: str) -> None:
    """Mount /proc of the process namespace; in some containers that is refused: then none."""
    os.mkdir(place)
    with suppress(OSError):
        call("mount", b"proc", os.fsencode(place), b"proc", _NOSUID | _NODEV | _NOEXEC, None)


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
    """Restrict the files that this process and its children may open; return Landlock's version.

    Parameters
    ----------
    read
        Readable folders and files.
    write
        Folders whose files can be read, written, created and removed, and devices.
    hide
        Paths inside `read` that cannot be opened.

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
    """Yield the paths that contain no hidden path."""
    for path in map(os.path.realpath, paths):
        inside = [each for each in hide if os.path.commonpath((each, path)) == path]
        if path in hide:
            continue
        if not inside:
            yield path
        elif os.path.isdir(path):
            children = [os.path.join(path, name) for name in os.listdir(path)]
            # Links may lead to hidden paths.
            yield from _visible([each for each in children if not os.path.islink(each)], inside)


def _allow(rules: int, path: str, rights: int) -> None:
    """Add a rule; missing or inaccessible paths need none."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _READ_FILE | _WRITE_FILE | (1 << 14)  # truncate
        rule = rights.to_bytes(8, "little") + place.to_bytes(4, "little")
        syscall(_ADD, rules, _BENEATH, ctypes.create_string_buffer(rule, 12), 0)
    finally:
        os.close(place)
