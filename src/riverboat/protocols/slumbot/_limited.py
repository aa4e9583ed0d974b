"""HTTP with a time limit for the whole answer: urllib's is one for each of its pieces."""

import socket
import urllib.request
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import Any, Final

_CONNECT_SECONDS: Final = 2.0


class UnreachableError(OSError):
    """No connection within two seconds."""


class _Limited(HTTPConnection):
    """A connection that is cut after some seconds."""

    limit: float
    _timer: Timer | None = None

    def connect(self) -> None:
        """Connect within two seconds; then the time of the answer begins."""
        self.timeout = min(_CONNECT_SECONDS, self.limit)
        try:
            super().connect()
        except TimeoutError as error:
            raise UnreachableError(f"no connection within {self.timeout:g} s") from error
        self.sock.settimeout(self.limit)
        self._timer = Timer(self.limit, _cut, (self.sock,))
        self._timer.daemon = True
        self._timer.start()


class _LimitedTls(_Limited, HTTPSConnection):
    """The same with TLS."""


def _cut(connected: socket.socket) -> None:
    """End all reading from a socket."""
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:  # it is closed
        return


def _make(kind: type[_Limited], limit: float, host: str, **options: Any) -> _Limited:
    made = kind(host, **options)
    made.limit = limit
    return made


class _Http(urllib.request.HTTPHandler):
    def __init__(self, limit: float) -> None:
        super().__init__()
        self._limit = limit

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_make, _Limited, self._limit), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, limit: float) -> None:
        super().__init__()
        self._limit = limit

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_make, _LimitedTls, self._limit), req)


def opener(seconds: float) -> urllib.request.OpenerDirector:
    """Return an opener of addresses whose whole answers have a time limit."""
    return urllib.request.build_opener(_Http(seconds), _Https(seconds))
