"""Somebody else's player: a program that talks over a socket of ours, or by its input and output.

It is run inside the process of an outside bot (`riverboat.arena`), which bounds its time and
memory and ends it with all that it started.
"""

import socket
import subprocess
import sys
import time
from pathlib import Path

from riverboat.errors import GameError
from riverboat.protocols.client._link import LineLink, accept, listen

_LOOK_SECONDS = 0.05


class Program:
    """A program that was started to play.

    Parameters
    ----------
    command
        Its words; the first is a path, or a program of the system.
    folder
        Where it runs.

    Examples
    --------
    >>> program = Program(["cat"], Path("."))
    >>> link = program.by_pipes()
    >>> link.send("hello")
    >>> link.receive(5)
    'hello'
    >>> link.close(); program.end()
    """

    def __init__(self, command: list[str], folder: Path) -> None:
        self._command, self._folder = command, folder
        self._process: subprocess.Popen[bytes] | None = None

    def by_pipes(self) -> LineLink:
        """Start it; its input and output are the link."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._start([], stdin=theirs.fileno(), stdout=theirs.fileno())
        return LineLink(ours)

    def by_port(self, before: tuple[str, ...], seconds: float, end: str = "\n") -> LineLink:
        """Start it with a port as its last word, after others; wait until it connects there."""
        with listen() as server:
            words = [*before, str(server.getsockname()[1])]
            self._start(words, stdin=subprocess.DEVNULL, stdout=_prints())
            deadline = time.monotonic() + seconds
            while True:
                try:
                    return accept(server, _LOOK_SECONDS, end)
                except TimeoutError:
                    self._refuse_ended()
                    if time.monotonic() > deadline:
                        raise GameError(
                            f"{self._command[0]} has not connected within {seconds:g} s"
                        ) from None

    def end(self) -> None:
        """Kill it, if it still runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _start(self, more: list[str], stdin: int, stdout: int) -> None:
        self.end()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - what the user asked for
                [*self._command, *more],
                cwd=self._folder,
                stdin=stdin,
                stdout=stdout,
                stderr=_prints(),
            )
        except OSError as error:
            raise GameError(f"{self._command[0]} cannot be started: {error.strerror}") from error

    def _refuse_ended(self) -> None:
        code = None if self._process is None else self._process.poll()
        if code is not None:
            raise GameError(f"{self._command[0]} ended before it connected (exit code {code})")


def _prints() -> int:
    """Where its prints go: to those of the bot, if they are kept."""
    try:
        return sys.stdout.fileno() if sys.stdout is not sys.__stdout__ else subprocess.DEVNULL
    except (OSError, ValueError, AttributeError):
        return subprocess.DEVNULL


def program_file(path: str) -> Path:
    """Return the file of a program, which must be one that can be run."""
    file = Path(path).absolute()
    if not file.is_file():
        raise GameError(f"there is no file {path!r}")
    if not file.stat().st_mode & 0o111:
        raise GameError(f"{path} may not be run: chmod +x makes it a program")
    return file
