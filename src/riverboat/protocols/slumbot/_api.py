"""Requests to the API: one at a time, with a minimum interval, and repeated after failures."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from socket import gaierror
from typing import Any, Final
from urllib.parse import urlsplit

from riverboat.errors import ProtocolError, one_line
from riverboat.protocols.slumbot._limited import UnreachableError, opener

_TIMEOUT: Final = 30.0
_MOST_BYTES: Final = 1 << 20
_LONGEST_PAUSE: Final = 60.0
#: HTTP statuses for a later retry. With the second kind the server may have processed the request.
_NOT_YET: Final = (408, 425, 429, 503)
_LATER: Final = (*_NOT_YET, 500, 502, 504)
_UNSENT: Final = (ConnectionRefusedError, gaierror, UnreachableError)
#: Requests that must not be processed twice.
_ONCE: Final = ("act",)


class LostAnswerError(ProtocolError):
    """The answer to a move was lost; the server may or may not have processed the move."""


class _FailedError(Exception):
    """A request failed and may be sent again; `done`: the server may have processed it."""

    def __init__(self, reason: str, *, done: bool = True) -> None:
        super().__init__(reason)
        self.done = done


class Api:
    """One session with a server.

    Parameters
    ----------
    address
        URL of the API, without the name of a request.
    interval
        Minimum seconds between two requests.
    tries
        Maximum number of tries per request. The wait before each retry doubles, starting with
        half a second.
    sleep
        Function that waits some seconds.
    tell
        Prints a message when the site cannot be reached, or gives no answer.
    seconds
        Time limit of a whole answer; connecting may take two seconds.

    Attributes
    ----------
    token
        The newest token of the session.
    requests, again, lost
        Number of answered requests, of repeated requests, and of hands that were given up because
        the answer to a move was lost.
    """

    def __init__(  # noqa: PLR0913 - options by keyword
        self,
        address: str,
        interval: float = 0.0,
        tries: int = 8,
        sleep: Callable[[float], None] = time.sleep,
        *,
        tell: Callable[[str], object] = lambda _: None,
        seconds: float = _TIMEOUT,
    ) -> None:
        if urlsplit(address).scheme not in ("http", "https"):
            raise ProtocolError(f"{address[:80]!r} is not an address: it must begin with https://")
        self._address, self._host = address.rstrip("/"), urlsplit(address).netloc[:80]
        self._interval, self._tries, self._sleep = interval, tries, sleep
        self._tell, self._opener = tell, opener(seconds)
        self._last = -interval
        self.token: str | None = None
        self.requests = 0
        self.again = 0
        self.lost = 0

    def log_in(self, name: str, password: str) -> None:
        """Log in, so that the site keeps statistics (optional)."""
        self.post("login", {"username": name, "password": password})

    def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Send a request, with the token if there is one, and return the answer.

        Raises
        ------
        ProtocolError
            If the server refuses the request, with its message, or after the last try.
        LostAnswerError
            If a move may have been processed: it is not sent again.
        """
        if self.token is not None:
            fields = {**fields, "token": self.token}
        pause, reason = 0.5, ""
        for number in range(self._tries):
            if number:
                self.again += 1
                self._sleep(min(pause, _LONGEST_PAUSE))
                pause *= 2
            try:
                return self._checked(request, self._once(request, fields))
            except _FailedError as failed:
                reason = one_line(str(failed))
                if not number and self._tries > 1:
                    self._tell(f"{self._host} did not answer {request} ({reason}): trying again")
                if failed.done and request in _ONCE:
                    raise LostAnswerError(f"the answer to {request} is lost: {reason}") from failed
        raise ProtocolError(f"{request} failed {self._tries} times, the last: {reason}")

    def _once(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Send a request once."""
        self._wait()
        sent = urllib.request.Request(  # noqa: S310 - http or https, as was checked
            f"{self._address}/{request}",
            json.dumps(fields).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with self._opener.open(sent) as reply:
                return _object(reply.read(_MOST_BYTES))
        except urllib.error.HTTPError as error:
            return _refusal(request, error)
        except (OSError, HTTPException, ValueError) as error:  # the last from a cut TLS connection
            unsent = isinstance(getattr(error, "reason", None), _UNSENT)
            raise _FailedError(str(error), done=not unsent) from error

    def _wait(self) -> None:
        """Wait for the minimum interval between requests."""
        left = self._last + self._interval - time.monotonic()
        if left > 0:
            self._sleep(left)
        self._last = time.monotonic()

    def _checked(self, request: str, answer: dict[str, Any]) -> dict[str, Any]:
        self.requests += 1
        if "error_msg" in answer:
            raise ProtocolError(f"{request} was refused: {one_line(str(answer['error_msg']))}")
        if isinstance(answer.get("token"), str):
            self.token = answer["token"]
        return answer


def _refusal(request: str, error: urllib.error.HTTPError) -> dict[str, Any]:
    """Return the server's error message, if it has one."""
    if error.code in _LATER:
        error.close()
        raise _FailedError(f"HTTP {error.code}", done=error.code not in _NOT_YET) from error
    with error, suppress(_FailedError):
        found = _object(error.read(_MOST_BYTES))
        if "error_msg" in found:
            return found
    raise ProtocolError(f"{request} was refused: HTTP {error.code}") from error


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise _FailedError(f"the answer is not JSON: {data[:80]!r}") from None
    if not isinstance(found, dict):
        raise _FailedError("the answer is not a JSON object")
    return found
