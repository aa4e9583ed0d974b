"""Access control: hosts, origins, tokens, sizes and rates. Every request passes here first."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Scripts, styles, fonts and images only from this server; no embedding in frames.
HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
        b"form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
COOKIE: Final = "riverboat"
_MOST_CLIENTS: Final = 10_000
_MOST_DIGITS: Final = 20  # of a length
_MOST_UPLOADS: Final = 2
_UPLOAD: Final = "/api/v1/reviews"
#: Key of a request's scope that says why its body was cut.
CUT: Final = "riverboat.cut"
#: Headers of which a second one would be read by others than the first.
_SINGLE: Final = (b"host", b"origin", b"content-type", b"content-length", b"authorization")
_SAFE: Final = frozenset(("GET", "HEAD"))


def hashed(token: str) -> str:
    """Return the SHA-256 of a token; only this is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Access:
    """Which requests are accepted.

    Attributes
    ----------
    hosts
        Allowed values of the `Host` header, each with a port.
    token_hash
        `hashed` of the required token; empty if the server listens on loopback only.
    most_bytes, most_upload
        Size limits in bytes, of a request and of an upload of hands.
    per_second, burst
        Rate limit of one client address.
    grace, least_rate
        A body that arrives for more than `grace` seconds must have this many bytes per second.
    """

    hosts: frozenset[str]
    token_hash: str = ""
    most_bytes: int = 1 << 20
    most_upload: int = 100_000_000
    per_second: float = 200.0
    burst: float = 400.0
    grace: float = 10.0
    least_rate: float = 50_000.0

    def is_token(self, token: str) -> bool:
        """Return whether this is the token of the server; invitations are not."""
        return bool(token and self.token_hash) and hmac.compare_digest(
            hashed(token), self.token_hash
        )

    def address_for_others(self, host: str) -> str:
        """Return the host and port with which other machines reach the server.

        Parameters
        ----------
        host
            The host and port of the request. They are returned if the server has no better ones.

        Examples
        --------
        >>> access = Access(frozenset({"127.0.0.1:80", "localhost:80", "me:80", "10.0.0.7:80"}))
        >>> access.address_for_others("localhost:80"), access.address_for_others("me:80")
        ('10.0.0.7:80', 'me:80')
        """
        ranks = {each: rank for each in self.hosts if (rank := _rank(each))}
        best = min(ranks, key=lambda each: (ranks[each], each), default=host)
        return host if host in ranks else best


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _rank(place: str) -> int:
    """Return how well other machines reach a place, 1 best: IPv4, IPv6, a name; 0 for not."""
    try:
        address = ip_address(place.rpartition(":")[0].strip("[]"))
    except ValueError:
        return 0 if place.startswith("localhost:") else 3
    if address.is_loopback or address.is_unspecified or address.is_link_local:
        return 0
    return 1 if address.version == 4 else 2


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


@dataclass(slots=True)
class _Rates:
    """A token bucket per client address; the least recently seen addresses are dropped."""

    access: Access
    buckets: OrderedDict[str, _Bucket] = field(default_factory=OrderedDict)

    def admits(self, client: str, now: float) -> bool:
        bucket = self.buckets.pop(client, None) or _Bucket(self.access.burst, now)
        grown = bucket.left + (now - bucket.at) * self.access.per_second
        bucket.left, bucket.at = min(self.access.burst, grown), now
        self.buckets[client] = bucket
        while len(self.buckets) > _MOST_CLIENTS:
            self.buckets.popitem(last=False)
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True


class Guard:
    """Refuses forbidden requests, and adds security headers to responses.

    A page of another site can make a browser send requests here (DNS rebinding, forms, sockets).
    So the host must be one of `Access.hosts`, and a request that names its origin must come from
    the pages of this server.

    Parameters
    ----------
    app
        The server.
    access
        Which requests are accepted.
    invited
        Whether a hashed token belongs to an invitation to a table, which counts as the token.
    """

    def __init__(
        self, app: ASGIApp, access: Access, invited: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._app, self._access, self._invited = app, access, invited
        self._rates = _Rates(access)
        self._uploads = 0  # in progress; each is held in memory as a whole

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = {key: value.decode("latin-1") for key, value in scope["headers"]}
        names = [name for name, _ in scope["headers"]]
        twice = next((name for name in _SINGLE if names.count(name) > 1), None)
        found = self._refusal(scope, headers)
        if twice is not None:
            found = 400, f"the header {twice.decode()} is there twice"
        if found is not None:
            await _refuse(scope, send, *found)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        limited = _Limited(receive, self._most(scope), self._access, scope)
        token = _query_token(scope)
        # Never a token that a link invented, and no invitation in place of the token.
        known = self._access.is_token(_cookie(headers.get(b"cookie", "")))
        cookie = token if self._is_ours(token) and not known else ""
        upload = _is_upload(scope)
        self._uploads += upload
        try:
            await self._app(scope, limited, _Sender(send, cookie))
        finally:
            self._uploads -= upload

    def _most(self, scope: Scope) -> int:
        """Return the size limit of a request, in bytes."""
        most, uploaded = self._access.most_bytes, self._access.most_upload
        return max(most, uploaded) if _is_upload(scope) else most

    def _refusal(self, scope: Scope, headers: dict[bytes, str]) -> tuple[int, str] | None:
        """Return status and message if a request is refused."""
        host = headers.get(b"host", "")
        if host not in self._access.hosts:
            return 421, f"the host {host[:80]!r} is not served here"
        origin = headers.get(b"origin")
        if origin is not None and _place_of(origin) != host:
            return 403, f"requests from pages of {origin[:80]!r} are not answered"
        elsewhere = headers.get(b"sec-fetch-site", "none") not in {"same-origin", "none"}
        if elsewhere and not _is_page(scope, headers):
            return 403, "requests from pages of other sites are not answered"
        return self._other_refusal(scope, headers)

    def _other_refusal(self, scope: Scope, headers: dict[bytes, str]) -> tuple[int, str] | None:
        if self._access.token_hash and not self._known(scope, headers):
            return 401, "a token is needed: open the address that the server printed"
        if scope["type"] == "http" and scope["method"] == "POST":  # forms cannot send JSON
            kind = headers.get(b"content-type", "").partition(";")[0].strip()
            if kind != "application/json":
                return 415, "requests must be JSON (content-type: application/json)"
        length = headers.get(b"content-length", "0")
        if not length.isdecimal() or len(length) > _MOST_DIGITS or int(length) > self._most(scope):
            return 413, f"a request may have at most {self._most(scope):,} bytes"
        if _is_upload(scope) and self._uploads >= _MOST_UPLOADS:
            return 429, f"{_MOST_UPLOADS} files are being uploaded: try again later"
        client = scope.get("client") or ("", 0)
        if not self._rates.admits(client[0], time.monotonic()):
            most = f"{self._access.per_second:.0f} requests per second"
            return 429, f"at most {most} are allowed: try again later"
        return None

    def _known(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        """Return whether a header, the cookie or the address of a page has the token."""
        bearer = headers.get(b"authorization", "").removeprefix("Bearer ")
        for token in (bearer, _cookie(headers.get(b"cookie", "")), _query_token(scope)):
            if self._is_ours(token):
                return True
        return False

    def _is_ours(self, token: str) -> bool:
        if not token or not self._access.token_hash:
            return False
        return self._access.is_token(token) or self._invited(hashed(token))


def _place_of(origin: str) -> str:
    """Return host and port of an origin; empty if it is invalid."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _is_page(scope: Scope, headers: dict[bytes, str]) -> bool:
    """Return whether a user followed a link to a page, which reveals nothing to the other site."""
    if scope["type"] != "http" or scope["path"].startswith("/api/"):
        return False
    return scope["method"] in _SAFE and headers.get(b"sec-fetch-mode") == "navigate"


def _is_upload(scope: Scope) -> bool:
    return scope.get("method") == "POST" and scope["path"] == _UPLOAD


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _query_token(scope: Scope) -> str:
    """Return the token in the address of a page; the API accepts it in a header only."""
    if scope["type"] != "http" or scope["path"].startswith("/api/"):
        return ""
    query: bytes = scope["query_string"]
    return parse_qs(query.decode("latin-1")).get("token", [""])[0]


async def _refuse(scope: Scope, send: Send, code: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence})
        return
    body = msgspec.json.encode({"error": sentence})
    headers = [(b"content-type", b"application/json"), *HEADERS]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": code, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Limited:
    """Limits the size of a body that has no length, and cuts one that arrives too slowly."""

    def __init__(self, receive: Receive, most: int, access: Access, scope: Scope) -> None:
        self._receive, self._most, self._access, self._scope = receive, most, access, scope
        self._began, self._bytes, self._whole = time.monotonic(), 0, False

    async def __call__(self) -> Message:
        if self._whole:  # what comes now is the end of the connection
            return await self._receive()
        allowed = self._access.grace + self._bytes / self._access.least_rate
        try:
            async with asyncio.timeout(self._began + allowed - time.monotonic()):
                message = await self._receive()
        except TimeoutError:
            self._scope[CUT] = (
                f"the request is too slow: after {self._access.grace:g} seconds it must have "
                f"{self._access.least_rate:,.0f} bytes per second"
            )
            return {"type": "http.disconnect"}
        self._bytes += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._bytes > self._most:
            return {"type": "http.disconnect"}
        return message


class _Sender:
    """Adds the security headers to a response, and the cookie if the address had the token."""

    def __init__(self, send: Send, token: str) -> None:
        self._send, self._token = send, token

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), *HEADERS]
            if self._token:
                cookie = f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict"
                headers.append((b"set-cookie", cookie.encode("latin-1")))
            message = {**message, "headers": headers}
        await self._send(message)
