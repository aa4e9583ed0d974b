"""Work for requests: limited in number and time, on threads that serve no page.

A request may cost far more than it weighs: seventy bytes ask for the equity of eight players whose
ranges share almost all cards. Its work ends when its time is over, its client hangs up, or the
server ends.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, nullcontext
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starlette.exceptions import HTTPException

from riverboat.runs import Stop
from riverboat.web._turns import on_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractAsyncContextManager

    from starlette.requests import Request

T = TypeVar("T")

_AT_ONCE: Final = 2
_MOST: Final = 16
_SECONDS: Final = 10.0


class RequestWork:
    """Does the work of requests.

    Parameters
    ----------
    at_once
        Maximum number of requests that are worked on at the same time.
    most
        Maximum number of requests, with those that wait.
    seconds
        Time limit of a request, from its arrival.
    """

    def __init__(
        self, at_once: int = _AT_ONCE, most: int = _MOST, seconds: float = _SECONDS
    ) -> None:
        self._most, self._seconds = most, seconds
        self._pool = ThreadPoolExecutor(at_once, "request")
        self._turn = asyncio.Semaphore(at_once)
        self._stops: set[Stop] = set()
        self._ended = False

    def end(self) -> None:
        """Stop all work, and refuse more: the server ends. Signal handlers may call it."""
        self._ended = True
        for stop in tuple(self._stops):
            stop.ask()

    async def do(
        self,
        request: Request,
        work: Callable[[Stop], T],
        queue: AbstractAsyncContextManager[None] | None = None,
    ) -> T:
        """Call a function on a thread; it must end soon when its `Stop` is asked.

        Parameters
        ----------
        request
            The request that is answered.
        work
            The function.
        queue
            Where the work waits before it begins; the time limit includes this.

        Raises
        ------
        HTTPException
            If too many requests wait, if the work took too long, or if nobody waits for it.
        """
        if self._ended or len(self._stops) >= self._most:
            raise HTTPException(
                429, f"{len(self._stops)} requests are being worked on: try again later"
            )
        stop = Stop()
        self._stops.add(stop)
        end = asyncio.create_task(self._end_early(request, stop))
        try:
            async with AsyncExitStack() as turns:
                for turn in (queue or nullcontext(), self._turn):
                    await _wait(turns.enter_async_context(turn), stop)
                self._check(stop, end)
                result = await on_thread(lambda: work(stop), self._pool, stop.ask)
        except Exception:
            self._check(stop, end)  # a stopped function may fail with another message
            raise
        finally:
            self._stops.discard(stop)
            end.cancel()
        self._check(stop, end)
        return result

    async def _end_early(self, request: Request, stop: Stop) -> int:
        """Ask the work to stop at its time limit, or if the client hangs up; return a status."""
        try:
            async with asyncio.timeout(self._seconds):
                await _hung_up(request)
            status = 499  # nobody reads the answer
        except TimeoutError:
            status = 408
        stop.ask()
        return status

    def _check(self, stop: Stop, end: asyncio.Task[int]) -> None:
        if not stop.asked:
            return
        if not end.done():
            raise HTTPException(503, "the server ends: ask again when it is back")
        if end.result() == 408:
            raise HTTPException(
                408,
                f"the answer takes more than {self._seconds:g} seconds: ask for less, "
                "or use the command on your own machine",
            )
        raise HTTPException(499, "the client hung up")


async def _wait(turn: Coroutine[Any, Any, object], stop: Stop) -> None:
    """Wait for a turn, or until the work is asked to stop."""
    waiting, loop = asyncio.ensure_future(turn), asyncio.get_running_loop()
    stop.then(lambda: loop.call_soon_threadsafe(waiting.cancel))
    try:
        await waiting
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if not stop.asked or task is None or task.cancelling():
            raise


async def _hung_up(request: Request) -> None:
    """Wait until the client hangs up."""
    while True:
        message: Any = await request.receive()
        if message["type"] == "http.disconnect":
            return
