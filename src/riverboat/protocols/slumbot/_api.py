"""Requests to the API: in their turn, not too many, and again where one fails."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import urlsplit

from riverboat.errors import ProtocolError, one_line

__all__ = ["Api"]

_TIMEOUT: Final = 30.0
_MOST_BYTES: Final = 1 << 20
_LONGEST_PAUSE: Final = 60.0
#: Answers that say: not now.
_LATER: Final = (408, 425, 429, 500, 502, 503, 504)


class Api:
    """One session with a server.

    Parameters
    ----------
    address
        Of the API, without the name of a request.
    interval
        Least seconds between two requests.
    tries
        How often a request is sent before it is given up; each waits twice as long as the one
        before, beginning with half a second.
    sleep
        Waits.

    Attributes
    ----------
    token
        Of the session; the newest one that was told.
    requests, again
        How many were answered, and how many had to be sent again.
    """

    def __init__(
        self,
        address: str,
        interval: float = 0.0,
        tries: int = 8,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if urlsplit(address).scheme not in ("http", "https"):
            raise ProtocolError(f"{address[:80]!r} is no address: it begins with https://")
        self._address = address.rstrip("/")
        self._interval, self._tries, self._sleep = interval, tries, sleep
        self._last = -interval
        self.token: str | None = None
        self.requests = 0
        self.again = 0

    def log_in(self, name: str, password: str) -> None:
        """Log in, so that the site keeps statistics; nobody needs to."""
        self.post("login", {"username": name, "password": password})

    def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Send a request, with the token if there is one, and return the answer.

        Raises
        ------
        ProtocolError
            With the server's own sentence, or after the last try.
        """
        if self.token is not None:
            fields = {**fields, "token": self.token}
        pause, reason = 0.5, ""
        for number in range(self._tries):
            if number:
                self.again += 1
                self._sleep(min(pause, _LONGEST_PAUSE))
                pause *= 2
            answer, reason = self._once(request, fields)
            if answer is not None:
                return self._checked(request, answer)
        raise ProtocolError(f"{request} failed {self._tries} times, the last: {one_line(reason)}")

    def _once(self, request: str, fields: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
        """Send it once; return the answer, or nothing and why it may be tried again."""
        self._wait()
        sent = urllib.request.Request(  # noqa: S310 - http or https, as was checked
            f"{self._address}/{request}",
            json.dumps(fields).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(sent, timeout=_TIMEOUT) as reply:  # noqa: S310 - as above
                return _object(reply.read(_MOST_BYTES))
        except urllib.error.HTTPError as error:
            with error:
                found, _ = _object(error.read(_MOST_BYTES))
            if found and "error_msg" in found and error.code not in _LATER:
                return found, ""
            if error.code in _LATER:
                return None, f"HTTP {error.code}"
            raise ProtocolError(f"{request} was refused: HTTP {error.code}") from error
        except (OSError, HTTPException) as error:
            return None, str(error)

    def _wait(self) -> None:
        """Keep to the interval."""
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


def _object(data: bytes) -> tuple[dict[str, Any] | None, str]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None, f"no JSON came: {data[:80]!r}"
    return (found, "") if isinstance(found, dict) else (None, "no JSON object came")
