"""Lines over a socket, and programs that communicate over a socket or standard input and output.

Lines have a deadline and a maximum length. A program runs inside the process of an outside bot
(`riverboat.arena`), which limits its time and memory and ends it with all its children.
"""

import math
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from riverboat.errors import GameError, ProtocolError

#: Letters of a line; the longest of any protocol here has a few hundred.
LONGEST_LINE = 1 << 16
_AGAIN_SECONDS = 0.2
_TRY_SECONDS = 2.0  # a network may swallow what it cannot deliver
_PART = 1 << 16


class Link(Protocol):
    """A connection that sends and receives lines."""

    def send(self, line: str) -> None:
        """Send a line; the link adds the line end."""
        ...

    def receive(self, seconds: float = math.inf) -> str:
        """Return the next line without its end; raise TimeoutError or EOFError if there is none."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class LineLink:
    r"""Lines over a connected socket.

    Parameters
    ----------
    connected
        The socket; it belongs to the link.
    end
        What ends a line that is sent; a line that comes may end with or without `\r`.

    Examples
    --------
    >>> ours, theirs = map(LineLink, socket.socketpair())
    >>> ours.send("hello")
    >>> theirs.receive(1)
    'hello'
    >>> ours.close(); theirs.close()
    """

    def __init__(self, connected: socket.socket, end: str = "\n") -> None:
        self._socket = connected
        self._end = end
        self._data = bytearray()
        connected.setblocking(False)
        with suppress(OSError):  # not every kind of socket has it
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._readable = select.poll()
        self._readable.register(connected, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(connected, select.POLLOUT)

    def send(self, line: str, seconds: float = 60.0) -> None:
        """Send a line; raise TimeoutError if the other side does not receive it."""
        rest = memoryview(f"{line}{self._end}".encode("utf-8", "replace"))
        deadline = time.monotonic() + seconds
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                _wait(self._writable, deadline)

    def receive(self, seconds: float = math.inf) -> str:
        """Return the next whole line; an incomplete line at the end is dropped."""
        deadline = time.monotonic() + seconds
        while (end := self._data.find(b"\n")) < 0:
            if len(self._data) > LONGEST_LINE:
                raise ProtocolError(f"received a line of more than {LONGEST_LINE:,} characters")
            _wait(self._readable, deadline)
            self._take()
        line = self._data[:end].rstrip(b"\r").decode("utf-8", "replace")
        del self._data[: end + 1]
        return line

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _take(self) -> None:
        with suppress(BlockingIOError):
            part = self._socket.recv(_PART)
            if not part:
                raise EOFError("the other side has hung up")
            self._data += part


def _wait(poll: select.poll, deadline: float) -> None:
    left = deadline - time.monotonic()
    if not poll.poll(None if left == math.inf else max(0, math.ceil(1000 * left))):
        raise TimeoutError("nothing came in time")


def connect(
    host: str,
    port: int,
    seconds: float = 10.0,
    end: str = "\n",
    tell: Callable[[str], object] = lambda _: None,
) -> LineLink:
    """Connect to a server that may still be starting.

    Parameters
    ----------
    host, port
        Its address.
    seconds
        How long to try.
    end
        What ends a line that is sent.
    tell
        Prints a message when the first try has failed, after two seconds at most.

    Raises
    ------
    ProtocolError
        If it cannot be reached within this number of seconds.

    Examples
    --------
    >>> with listen() as server:
    ...     ours = connect("127.0.0.1", server.getsockname()[1])
    ...     theirs = accept(server, 1.0)
    >>> ours.send("hello")
    >>> theirs.receive(1)
    'hello'
    >>> ours.close(); theirs.close()
    """
    deadline, told = time.monotonic() + seconds, False
    while True:
        left = deadline - time.monotonic()
        try:
            wait = min(max(left, 0.1), _TRY_SECONDS)
            return LineLink(socket.create_connection((host, port), wait), end)
        except OSError as error:
            if left < _AGAIN_SECONDS:
                raise ProtocolError(
                    f"{host}:{port} cannot be reached within {seconds:g} s: {error}"
                ) from error
            if not told:
                tell(f"{host}:{port} cannot be reached ({error}); trying for {seconds:g} s")
                told = True
        time.sleep(_AGAIN_SECONDS)


def listen(host: str = "127.0.0.1", port: int = 0) -> socket.socket:
    """Listen on a port; 0 chooses a free one."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise ProtocolError(f"cannot listen on {host}:{port}: {error}") from error


def accept(server: socket.socket, seconds: float, end: str = "\n") -> LineLink:
    """Wait for a connection; raise TimeoutError if there is none."""
    server.settimeout(seconds)
    connected, _ = server.accept()
    return LineLink(connected, end)


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
