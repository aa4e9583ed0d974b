"""Messages over a socket, with a deadline and a maximum size.

A message is its length in four bytes (big endian), and then its bytes.
"""

import math
import select
import socket
import time
from contextlib import suppress

#: Maximum bytes of a message.
MOST_BYTES = 1 << 16


class Channel:
    """One end of a socket pair.

    Parameters
    ----------
    end
        The socket; the channel closes it.
    most
        Maximum bytes of a received message.

    Examples
    --------
    >>> ours, theirs = (Channel(end) for end in socket.socketpair())
    >>> ours.send(b"your move", within=1.0)
    >>> theirs.receive(within=1.0)
    b'your move'
    >>> ours.receive(within=0.01)
    Traceback (most recent call last):
    TimeoutError
    >>> ours.close(), theirs.close()
    (None, None)
    """

    def __init__(self, end: socket.socket, most: int = MOST_BYTES) -> None:
        end.setblocking(False)
        self._socket = end
        self._most = most
        self._data = bytearray()
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(end, select.POLLIN)
        self._writable.register(end, select.POLLOUT)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def send(self, message: bytes, within: float = math.inf) -> None:
        """Send a message.

        Raises
        ------
        TimeoutError
            If the other end does not receive all of it within this number of seconds.
        OSError
            If the other end has closed the connection.
        """
        data = memoryview(len(message).to_bytes(4, "big") + message)
        deadline = time.monotonic() + within
        while True:
            with suppress(BlockingIOError):
                data = data[self._socket.send(data) :]
            if not data:
                return
            _wait(self._writable, deadline)

    def receive(self, within: float = math.inf) -> bytes:
        """Return the next message.

        Raises
        ------
        TimeoutError
            If no whole message arrives within this number of seconds.
        EOFError, OSError
            If the other end has closed the connection.
        ValueError
            If the message is too long.
        """
        deadline = time.monotonic() + within
        while len(self._data) < (end := self._end_of_first()):
            _wait(self._readable, deadline)
            self._data += self._take()
        message = bytes(self._data[4:end])
        del self._data[:end]
        return message

    @property
    def pending(self) -> bool:
        """Whether there is data after the last received message."""
        return bool(self._data)

    def _end_of_first(self) -> int:
        """Return the number of bytes of the first message with its length."""
        if len(self._data) < 4:
            return 4
        length = int.from_bytes(self._data[:4], "big")
        if length > self._most:
            raise ValueError(f"a message of {length:,} bytes; the maximum is {self._most:,}")
        return 4 + length

    def _take(self) -> bytes:
        try:
            part = self._socket.recv(self._most + 4)
        except BlockingIOError:  # another reader of the socket was faster
            return b""
        if not part:
            raise EOFError
        return part


def _wait(poll: select.poll, deadline: float) -> None:
    """Wait until the socket can be read or written."""
    left = deadline - time.monotonic()
    if not poll.poll(None if left == math.inf else max(0, math.ceil(1000 * left))):
        raise TimeoutError
