"""Sockets: a page hears of every change, and what it sends is heeded."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from fastapi import WebSocketDisconnect

from riverboat.errors import RiverboatError
from riverboat.web._answers import Problem, encoded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fastapi import WebSocket

    from riverboat.runs import Observed

_PER_SECOND: Final = 20  # messages of one page
_BURST: Final = 60


async def follow(
    socket: WebSocket,
    thing: Observed,
    state: Callable[[], msgspec.Struct],
    heed: Callable[[str], Awaitable[None]] | None = None,
) -> None:
    """Send a thing's state at once and after every change, until the page is gone.

    Parameters
    ----------
    socket
        Accepted.
    thing
        What is watched.
    state
        Returns how it stands.
    heed
        Does what the page sends; what is not possible is told to that page alone.
    """
    event, loop = asyncio.Event(), asyncio.get_running_loop()

    def changed() -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(event.set)

    thing.observe(changed)
    listener = asyncio.create_task(_listen(socket, heed))
    try:
        while not listener.done():
            event.clear()
            if thing.gone:
                await socket.close(1008, thing.gone)
                return
            await _send(socket, state())
            waiter = asyncio.create_task(event.wait())
            await asyncio.wait({waiter, listener}, return_when=asyncio.FIRST_COMPLETED)
            waiter.cancel()
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page was closed while it was told
    finally:
        listener.cancel()
        thing.unobserve(changed)


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
