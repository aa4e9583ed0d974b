"""Drop the rights of a process before it runs untrusted code.

With namespaces there are three processes: a *keeper*, which ends everything when the parent closes
the connection; the first process of the new process namespace (when it ends, the kernel ends all
others in it); and the untrusted process. Without namespaces there are the keeper and the untrusted
process, and only Landlock and seccomp protect.
"""

import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from riverboat.sandbox import _linux
from riverboat.sandbox._files import SCRATCH, bound_files, change_root
from riverboat.sandbox._keeping import end_group, holds_too_much, remove
from riverboat.sandbox._policy import Policy, Protection, readable
from riverboat.sandbox._seccomp import refuse_calls

#: Names of the protections, in the order of reports.
PROTECTIONS = ("processes", "network", "files", "system calls", "limits", "ending")

_NOBODY = 65534
_LOOK_SECONDS = 0.25
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4
_NAMESPACES = (
    _linux.CLONE_NEWUSER
    | _linux.CLONE_NEWPID
    | _linux.CLONE_NEWNS
    | _linux.CLONE_NEWNET
    | _linux.CLONE_NEWIPC
)


def confine(policy: Policy, lifeline: int) -> list[Protection]:
    """Confine this process as well as the system allows; only the untrusted process returns.

    Parameters
    ----------
    policy
        What the process may do.
    lifeline
        Descriptor of the parent; at its end of file all processes end.

    Returns
    -------
    list of Protection
        All protections, with reasons for inactive ones.
    """
    if policy.mode == "off":
        return [Protection(name, "", "switched off") for name in PROTECTIONS]
    if sys.platform != "linux":
        return [Protection(name, "", f"not on {sys.platform}") for name in PROTECTIONS]
    places = readable(policy)
    no_namespaces = _reason(_unshare)
    if policy.loopback and not no_namespaces:
        _linux.raise_loopback()
    _fork_or(lambda child: _keep(child, lifeline, policy, not no_namespaces))
    no_root = no_namespaces
    if not no_namespaces:
        _linux.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        room = policy.file_bytes
        no_root = _reason(lambda: change_root(policy.scratch, places, policy.hide, room))
        _fork_or(lambda child: _reap(child, policy))
    return _confine_self(policy, places, no_namespaces, no_root)


def _confine_self(
    policy: Policy, places: list[str], no_namespaces: str, no_root: str
) -> list[Protection]:
    """Drop the remaining rights in the untrusted process; the reasons are of refused steps."""
    os.environ["TMPDIR"] = policy.scratch if no_root else SCRATCH
    # In a user namespace only its own processes count, else all that this user has.
    _bound_resources(policy, _tasks(os.getuid()) if no_namespaces else 0)
    if not no_namespaces:
        _become_nobody()
    write = [policy.scratch, *(f"/dev/{name}" for name in ("null", "zero", "full"))]
    read = [*places, "/dev/random", "/dev/urandom", "/proc/self"]
    no_landlock = _reason(lambda: bound_files(read, write, list(policy.hide))) if no_root else ""
    no_seccomp = _reason(
        lambda: refuse_calls(not no_namespaces, not no_root, sockets=policy.loopback)
    )
    return _report(no_namespaces, no_root, no_landlock, no_seccomp, policy.loopback)


def _report(
    no_namespaces: str, no_root: str, no_landlock: str, no_seccomp: str, sockets: bool = False
) -> list[Protection]:
    """Return the protections, from the reasons of refused steps."""
    open_sockets = no_seccomp or ("the policy allows sockets" if sockets else "")

    def best(name: str, *ways: tuple[str, str]) -> Protection:
        reason = "; ".join(refusal for _, refusal in ways if refusal)
        return Protection(name, next((by for by, refusal in ways if not refusal), ""), reason)

    both = "; ".join(each for each in (no_landlock, no_seccomp) if each)
    unlimited = "root's processes are not counted" if no_namespaces and not os.getuid() else ""
    return [
        best("processes", ("a process namespace", no_namespaces), ("Landlock and seccomp", both)),
        best("network", ("a network namespace", no_namespaces), ("seccomp", open_sockets)),
        best("files", ("a mount namespace", no_root), ("Landlock", no_landlock)),
        best("system calls", ("seccomp", no_seccomp)),
        best("limits", ("resource limits", unlimited)),
        best("ending", ("a process namespace", no_namespaces), ("seccomp", no_seccomp)),
    ]


def _reason(step: Callable[[], object]) -> str:
    """Run a step; return the reason if the system refused it, else an empty text."""
    try:
        step()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _unshare() -> None:
    """Enter new namespaces; a helper process outside maps their users."""
    user, group, owner = os.getuid(), os.getgid(), os.getpid()
    ready, go = os.pipe()
    helper = os.fork()
    if not helper:
        os.close(go)
        if os.read(ready, 1):
            os._exit(_reason(lambda: _write_maps(owner, user, group)) != "")
        os._exit(0)
    os.close(ready)
    try:
        _linux.call("unshare", _NAMESPACES)
        os.write(go, b"!")
    finally:
        os.close(go)
        failed = os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])
    if failed:
        raise OSError("the users of a new namespace cannot be mapped")


def _write_maps(process: int, user: int, group: int) -> None:
    """Map the user to the same number; root is also mapped to nobody, which the program becomes."""
    more = f"{_NOBODY} {_NOBODY} 1\n" if user == 0 else ""
    if user:
        _write(process, "setgroups", "deny")
    _write(process, "uid_map", f"{user} {user} 1\n{more}")
    _write(process, "gid_map", f"{group} {group} 1\n{more}")


def _write(process: int, name: str, text: str) -> None:
    with open(f"/proc/{process}/{name}", "wb", buffering=0) as file:
        file.write(text.encode())


def _fork_or(watch: Callable[[int], NoReturn]) -> None:
    """Continue in a new process; the old one watches it."""
    if child := os.fork():
        watch(child)


def _keep(child: int, lifeline: int, policy: Policy, alone: bool) -> NoReturn:
    """End the child when the parent closes the connection or the disk is full; end with the child.

    If it is alone, in namespaces, the kernel limits its scratch folder and ends its processes.
    """
    _close(policy.descriptors)
    handle = os.pidfd_open(child)
    ready: list[int] = []
    while handle not in ready:
        ready = select.select([lifeline, handle], [], [], None if alone else _LOOK_SECONDS)[0]
        full = not alone and holds_too_much(policy.scratch, policy.file_bytes)
        if lifeline in ready or full:
            os.kill(child, signal.SIGKILL)
            break
    end_group()
    if lifeline in ready and not alone:  # the parent is gone
        with suppress(OSError):
            remove(policy.scratch)
    os._exit(_code(os.waitpid(child, 0)[1]))


def _reap(child: int, policy: Policy) -> NoReturn:
    """Reap orphans as the first process of the namespace, and end with the child."""
    _linux.prctl(_PR_SET_DUMPABLE, 0)  # the child must not inspect this process
    _close((0, *policy.descriptors))
    while True:
        done, status = os.wait()
        if done == child:
            os._exit(_code(status))


def _code(status: int) -> int:
    """Return the exit code as in a shell."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _close(descriptors: tuple[int, ...]) -> None:
    for each in descriptors:
        with suppress(OSError):
            os.close(each)


def _tasks(user: int) -> int:
    """Count the processes and threads of a user."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


def _bound_resources(policy: Policy, others: int) -> None:
    """Set limits that the process cannot raise; `others` processes of the user count, too."""
    for kind, most in (
        (resource.RLIMIT_CPU, policy.processor_seconds),
        (resource.RLIMIT_NPROC, policy.processes + others),
        (resource.RLIMIT_NOFILE, policy.open_files),
        (resource.RLIMIT_FSIZE, policy.file_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))


def _become_nobody() -> None:
    """Drop all capabilities of the namespace; root also becomes nobody there."""
    root = os.getuid() == 0
    if root:
        _linux.keep_capabilities()
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    _linux.drop_capabilities(keep_reading=root)
    _linux.prctl(_PR_SET_DUMPABLE, 1)  # makes /proc/self accessible again
