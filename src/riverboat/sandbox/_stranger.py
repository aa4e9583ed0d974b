"""The parent's side of a sandbox: start the untrusted process, communicate, end it.

`protections` starts a sandbox to find out which protections this system has.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from weakref import finalize

import msgspec

from riverboat.errors import SandboxError
from riverboat.sandbox._channel import Channel
from riverboat.sandbox._keeping import remove
from riverboat.sandbox._policy import Policy, Protection

_RUN = "riverboat.sandbox._run"
# Environment variables to hide from untrusted programs.
_PRIVATE = re.compile("TOKEN|SECRET|PASSW|CREDENTIAL|_KEY|AUTH", re.IGNORECASE)


class Stranger:
    """A process that runs `main(channel, protections)` of a module, confined.

    Parameters
    ----------
    module
        A module of Riverboat, which then loads the untrusted code.
    policy
        What the process may do.
    """

    def __init__(self, module: str, policy: Policy) -> None:
        self._scratch = "" if policy.mode == "off" else tempfile.mkdtemp(prefix="riverboat-bot-")
        ours, theirs = socket.socketpair()
        self.channel = Channel(ours)
        descriptors = (*policy.descriptors, theirs.fileno())
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-P", "-m", _RUN, module, str(theirs.fileno())],
                pass_fds=descriptors,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=None if policy.mode == "off" else _environment(),
                start_new_session=True,  # Ctrl-C must only reach the parent
                bufsize=0,
            )
        here = os.getcwd()  # `python -m` adds this folder, which stays hidden
        path = tuple(each for each in sys.path if each not in ("", here))
        chosen = replace(policy, path=path, descriptors=descriptors, scratch=self._scratch)
        self._end = finalize(self, _end, self._process, self.channel, self._scratch)
        self._write(msgspec.json.encode(chosen) + b"\n")

    def exit_code(self, within: float = 1.0) -> int | None:
        """Return the exit code, 128 + the signal if one ended it; None if it still runs."""
        end = time.monotonic() + within
        while (code := _code(self._process)) is None and time.monotonic() < end:
            time.sleep(0.01)
        return code if code is None or code >= 0 else 128 - code

    def end(self) -> None:
        """End the process and all that it started, and remove its scratch folder."""
        self._end()

    def _write(self, line: bytes) -> None:
        with suppress(BrokenPipeError):  # noticed at the next message
            if self._process.stdin is not None:
                self._process.stdin.write(line)


def _code(process: subprocess.Popen[bytes]) -> int | None:
    """Return the exit code of a process without reaping it, if the system can.

    The number of an unreaped process is not reused, so its process group can still be ended.
    """
    if process.returncode is not None or not hasattr(os, "waitid"):
        return process.poll()
    state = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    if state is None:
        return None
    return state.si_status if state.si_code == os.CLD_EXITED else -state.si_status


def _end(process: subprocess.Popen[bytes], channel: Channel, scratch: str) -> None:
    channel.close()
    if process.stdin is not None:
        process.stdin.close()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # also processes that it started
    process.wait()
    if scratch:
        with suppress(OSError):
            remove(scratch)


def _environment() -> dict[str, str]:
    """Return the environment without variables that may be secret."""
    return {name: value for name, value in os.environ.items() if not _PRIVATE.search(name)}


_START_SECONDS = 60.0


def protections(policy: Policy | None = None) -> list[Protection]:
    """Start a sandbox and return its protections, with reasons for inactive ones.

    Parameters
    ----------
    policy
        Policy of the sandbox; None = the default one.

    Raises
    ------
    SandboxError
        If the sandbox does not start.

    Examples
    --------
    >>> from riverboat.sandbox import Policy
    >>> {protection.on for protection in protections(Policy(mode="off"))}
    {False}
    """
    trial = Stranger(__name__, policy or Policy())
    try:
        found = msgspec.json.decode(trial.channel.receive(_START_SECONDS), type=list[Protection])
    except (OSError, EOFError, ValueError) as error:
        code = trial.exit_code()
        raise SandboxError(f"the sandbox did not start (exit code {code})") from error
    finally:
        trial.end()
    return found


def missing(found: Iterable[Protection]) -> str:
    """Return the inactive protections and their reasons as text; empty if all are active.

    Examples
    --------
    >>> missing([Protection("network", "", "unshare: not permitted"), Protection("files", "x")])
    'network (unshare: not permitted)'
    """
    return ", ".join(f"{each.name} ({each.reason})" for each in found if not each.on)


def main(channel: Channel, found: list[Protection]) -> None:
    """Send the protections from inside the sandbox."""
    channel.send(msgspec.json.encode(found))
