"""Sockets: a page hears of every change, and what it sends is heeded."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from fastapi import WebSocketDisconnect

from riverboat.errors import RiverboatError
from riverboat.web._answers import Problem, encoded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fastapi import WebSocket

__all__ = ["Watched", "Watchers", "follow"]

_PER_SECOND: Final = 20  # messages of one page
_BURST: Final = 60


class Watched(Protocol):
    """Something that changes."""

    gone: str
    """Why it is there no more; empty while it is."""

    def state(self) -> msgspec.Struct:
        """Return how it stands."""
        ...

    def watch(self) -> asyncio.Event:
        """Return an event that is set at every change."""
        ...

    def unwatch(self, event: asyncio.Event) -> None:
        """Tell an event nothing more."""
        ...


class Watchers:
    """Those who want to hear when a thing changes."""

    def __init__(self) -> None:
        #: Why the thing is there no more.
        self.gone = ""
        self._watchers: set[asyncio.Event] = set()

    def watch(self) -> asyncio.Event:
        """Return an event that is set at every change."""
        event = asyncio.Event()
        self._watchers.add(event)
        return event

    def unwatch(self, event: asyncio.Event) -> None:
        """Tell an event nothing more."""
        self._watchers.discard(event)

    @property
    def watched(self) -> bool:
        """Whether a page looks at it."""
        return bool(self._watchers)

    def changed(self) -> None:
        """Tell all of a change."""
        for event in self._watchers:
            event.set()


async def follow(
    socket: WebSocket, thing: Watched, heed: Callable[[str], Awaitable[None]] | None = None
) -> None:
    """Send a thing's state at once and after every change, until the page is gone.

    Parameters
    ----------
    socket
        Accepted.
    thing
        What is watched.
    heed
        Does what the page sends; what is not possible is told to that page alone.
    """
    event = thing.watch()
    listener = asyncio.create_task(_listen(socket, heed))
    try:
        while not listener.done():
            event.clear()
            if thing.gone:
                await socket.close(1008, thing.gone)
                return
            await _send(socket, thing.state())
            waiter = asyncio.create_task(event.wait())
            await asyncio.wait({waiter, listener}, return_when=asyncio.FIRST_COMPLETED)
            waiter.cancel()
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page was closed while it was told
    finally:
        listener.cancel()
        thing.unwatch(event)


async def _send(socket: WebSocket, value: Any) -> None:
    await socket.send_text(encoded(value).decode())


async def _listen(socket: WebSocket, heed: Callable[[str], Awaitable[None]] | None) -> None:
    """Heed what a page sends, not more often than a person could mean it."""
    left, at = float(_BURST), time.monotonic()
    with suppress(WebSocketDisconnect):
        while True:
            text = await _text(socket)
            now = time.monotonic()
            left, at = min(_BURST, left + (now - at) * _PER_SECOND) - 1, now
            if left < 0:
                await socket.close(1008, f"at most {_PER_SECOND} messages a second")
                return
            if heed is None:
                continue
            try:
                await heed(text)
            except (RiverboatError, msgspec.MsgspecError) as error:
                await _send(socket, Problem(str(error)))
            except RecursionError:
                await _send(socket, Problem("the message is nested too deeply"))


async def _text(socket: WebSocket) -> str:
    """What a page sends, as text; bytes are what no page sends."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return str(message.get("text") or "")
