"""Linux system calls without a Python function, by ctypes.

Each raises an `OSError` that names the call. The C library is loaded at the first call, so the
module can be imported on every system.
"""

import ctypes
import fcntl
import os
import socket
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_PR_SET_KEEPCAPS = 8
_PR_CAP_AMBIENT, _RAISE = 47, 2
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION = 0x20080522


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Call a function of the C library; whole numbers are passed as `long`."""
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        raise OSError(f"{name}: this system does not have the call")
    values = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    function.restype = ctypes.c_long if name == "syscall" else ctypes.c_int
    result = int(function(*values))
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call by its number."""
    return call("syscall", number, *arguments)


def prctl(option: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char]) -> int:
    """Set an option of this process; missing arguments are 0."""
    return call("prctl", option, *arguments, *[0] * (4 - len(arguments)))


def raise_loopback() -> None:
    """Start the loopback device of a new network namespace, for connections inside it."""
    request = struct.pack("16sh22x", b"lo", _IFF_UP)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, request)


def keep_capabilities() -> None:
    """Keep the capabilities at the next change of the user."""
    prctl(_PR_SET_KEEPCAPS, 1)


def drop_capabilities(keep_reading: bool) -> None:
    """Drop all capabilities, optionally except that of reading folders without permission."""
    kept = 1 << _CAP_DAC_READ_SEARCH if keep_reading else 0
    header = _CAPABILITY_VERSION.to_bytes(4, "little") + bytes(4)
    data = (kept.to_bytes(4, "little") * 3).ljust(24, b"\0")  # effective, permitted, inheritable
    call("capset", header, data)
    if keep_reading:  # programs that the bot starts need it too
        prctl(_PR_CAP_AMBIENT, _RAISE, _CAP_DAC_READ_SEARCH)
