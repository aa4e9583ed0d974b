"""Lines over a socket: whole ones only, in time, and none that is endless."""

import math
import select
import socket
import time
from contextlib import suppress
from typing import Protocol

from riverboat.errors import ProtocolError

#: Letters of a line; the longest of any protocol here has a few hundred.
LONGEST_LINE = 1 << 16
_AGAIN_SECONDS = 0.2
_PART = 1 << 16


class Link(Protocol):
    """A way for lines."""

    def send(self, line: str) -> None:
        """Send a line; its end is the link's."""
        ...

    def receive(self, seconds: float = math.inf) -> str:
        """Return the next line without its end; TimeoutError or EOFError where none comes."""
        ...

    def close(self) -> None:
        """Hang up."""
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
        """Send a line; TimeoutError where the other side does not take it."""
        rest = memoryview(f"{line}{self._end}".encode("utf-8", "replace"))
        deadline = time.monotonic() + seconds
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                _wait(self._writable, deadline)

    def receive(self, seconds: float = math.inf) -> str:
        """Return the next whole line; half a line before the end of the connection is dropped."""
        deadline = time.monotonic() + seconds
        while (end := self._data.find(b"\n")) < 0:
            if len(self._data) > LONGEST_LINE:
                raise ProtocolError(f"a line of more than {LONGEST_LINE:,} letters came")
            _wait(self._readable, deadline)
            self._take()
        line = self._data[:end].rstrip(b"\r").decode("utf-8", "replace")
        del self._data[: end + 1]
        return line

    def close(self) -> None:
        """Hang up."""
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


def connect(host: str, port: int, seconds: float = 10.0, end: str = "\n") -> LineLink:
    """Connect to a server that may still be starting.

    Raises
    ------
    ProtocolError
        If it cannot be reached within so many seconds.

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
    deadline = time.monotonic() + seconds
    while True:
        left = deadline - time.monotonic()
        try:
            return LineLink(socket.create_connection((host, port), max(left, 0.1)), end)
        except OSError as error:
            if left < _AGAIN_SECONDS:
                raise ProtocolError(
                    f"{host}:{port} cannot be reached within {seconds:g} s: {error}"
                ) from error
        time.sleep(_AGAIN_SECONDS)


def listen(host: str = "127.0.0.1", port: int = 0) -> socket.socket:
    """Listen on a port; 0 takes a free one."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise ProtocolError(f"{host}:{port} cannot be listened on: {error}") from error


def accept(server: socket.socket, seconds: float, end: str = "\n") -> LineLink:
    """Wait for somebody to connect; TimeoutError where nobody does."""
    server.settimeout(seconds)
    connected, _ = server.accept()
    return LineLink(connected, end)
