"""A filter that refuses system calls which no poker bot needs (seccomp-BPF).

A refused call fails with "operation not permitted". Without namespaces the filter also keeps the
bot in its process group, so that all its processes can be ended, and lets it send signals only to
itself.
"""

import ctypes
import os
import platform
from typing import Final

from riverboat.sandbox._linux import prctl

# Audit numbers of the two architectures, and the numbers of calls on each (x86-64, AArch64).
_MACHINES: Final = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_ALWAYS: Final = {
    "socket": (41, 198),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # Memory outside the address space, which the limit does not cover.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
}
#: Rights, owners and times of files, which Landlock does not guard.
_ATTRIBUTES: Final = {
    "chmod": (90, 53),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, 54),
    "fchown": (93, 55),
    "lchown": (94, 54),
    "fchownat": (260, 54),
    "utime": (132, 88),
    "utimes": (235, 88),
    "futimesat": (261, 88),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
}
_GROUP: Final = {"setsid": (112, 157), "setpgid": (109, 154)}
#: Shared objects that outlive a process, and that Landlock does not guard.
_MEETING: Final = {
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
}
#: Calls that slow down other processes of the user, such as an opponent's bot.
_SLOWING: Final = {
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
#: Calls that may change limits and scheduling of this process (0), but of no other.
_OWN: Final = {
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
}
#: Calls that make the kernel signal another process of the user when data arrives.
_OWNERS: Final = {
    "fcntl": ((72, 25), (8, 10, 15)),  # F_SETOWN, F_SETSIG, F_SETOWN_EX
    "ioctl": ((16, 29), (0x8901, 0x8902)),  # FIOSETOWN, SIOCSPGRP
}
_SIGNALS: Final = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
}
_CLONE: Final = (56, 220)
_CLONE3: Final = 435
_NEW_NAMESPACES: Final = 0x7E020000
_X32: Final = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_NUMBER_AT, _MACHINE_AT, _FIRST_AT, _SECOND_AT = 0, 4, 16, 24
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2

Instruction = tuple[int, int, int, int]


def refuse_calls(alone: bool, own_files: bool, *, sockets: bool = False) -> None:
    """Install the filter for this process and all that it starts; it cannot be undone.

    Parameters
    ----------
    alone
        Whether the process is in its own namespaces. If not, it may not leave its process group,
        signal or slow down other processes, nor use shared semaphores and message queues.
    own_files
        Whether it has its own file system. If not, it may not change permissions of files.
    sockets
        Whether it may open sockets.

    Raises
    ------
    OSError
        If the kernel or the processor does not support the filter.
    """
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    machine = platform.machine()
    if machine not in _MACHINES:
        raise OSError(f"seccomp: no table of system calls for the processor {machine!r}")
    shared = {} if alone else _GROUP | _MEETING | _SLOWING
    refused = _ALWAYS | shared | ({} if own_files else _ATTRIBUTES)
    if sockets:
        refused.pop("socket")
    audit, column = _MACHINES[machine]
    numbers = sorted({each[column] for each in refused.values()})
    _install(_program(audit, column, numbers, None if alone else os.getpid()))


def _program(audit: int, column: int, refused: list[int], own: int | None) -> list[Instruction]:
    """Write the filter; `own` is the process that signals may go to, None for any."""
    lines: list[Instruction] = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL),  # a program of another architecture has other numbers
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _X32 if column == 0 else 0xFFFFFFFF),
        (_RETURN, 0, 0, _KILL),
    ]
    for number in refused:
        lines += _if_call(number, [(_RETURN, 0, 0, _REFUSE | _EPERM)])
    # Its flags lie in memory that a filter cannot read; programs then take `clone`.
    lines += _if_call(_CLONE3, [(_RETURN, 0, 0, _REFUSE | _ENOSYS)])
    lines += _if_call(_CLONE[column], _allowed_where((_ANY_BIT, 1, 0, _NEW_NAMESPACES)))
    if own is not None:
        for numbers in _OWN.values():
            lines += _if_call(numbers[column], _allowed_where((_EQUAL, 0, 1, 0)))
        for numbers in _SIGNALS.values():
            lines += _if_call(numbers[column], _allowed_where((_EQUAL, 0, 1, own)))
        for numbers, commands in _OWNERS.values():
            lines += _if_call(numbers[column], _refused_commands(commands))
    return [*lines, (_RETURN, 0, 0, _ALLOW)]


def _if_call(number: int, then: list[Instruction]) -> list[Instruction]:
    return [(_EQUAL, 0, len(then), number), *then]


def _allowed_where(test: Instruction) -> list[Instruction]:
    """Test the first argument: a test that jumps by 0 allows the call, by 1 refuses it."""
    allow, refuse = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE | _EPERM)
    return [(_LOAD, 0, 0, _FIRST_AT), test, allow, refuse]


def _refused_commands(commands: tuple[int, ...]) -> list[Instruction]:
    """Test the second argument: refuse these values, allow all others."""
    refuse = (_RETURN, 0, 0, _REFUSE | _EPERM)
    tests = [line for each in commands for line in _if_call(each, [refuse])]
    return [(_LOAD, 0, 0, _SECOND_AT), *tests, (_RETURN, 0, 0, _ALLOW)]


def _install(program: list[Instruction]) -> None:
    class Header(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    code = b"".join(
        op.to_bytes(2, "little") + bytes((yes, no)) + value.to_bytes(4, "little")
        for op, yes, no, value in program
    )
    lines = ctypes.create_string_buffer(code, len(code))
    header = Header(len(program), ctypes.addressof(lines))
    prctl(_PR_SET_SECCOMP, _FILTER, ctypes.addressof(header))
