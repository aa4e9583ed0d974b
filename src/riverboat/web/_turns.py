"""Scheduling of bots: searches take turns and have priority over solves; bots act on own threads.

Starting work on a thread costs 0.4 ms of CPU time with anyio and 0.1 ms with an executor, about as
much as a move of the blueprint itself.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Final, TypeVar

from riverboat.bots import BotRef
from riverboat.errors import GameError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from concurrent.futures import Executor
    from contextlib import AbstractAsyncContextManager
    from multiprocessing.synchronize import Event

T = TypeVar("T")
_MOST: Final = 40
_PER_SECOND: Final = 80  # iterations of search: two cores do 157 on a turn in 2 s
_POOL: Final = ThreadPoolExecutor(_MOST, "table")


class Searches:
    """Runs searches one after the other, and pauses solves meanwhile."""

    def __init__(self) -> None:
        #: Set while a bot searches; the processes of solves check it.
        self.paused: Event = multiprocessing.get_context("spawn").Event()
        self._turn = asyncio.Lock()
        self._searching = 0

    @asynccontextmanager
    async def search(self, waits: Callable[[str], None]) -> AsyncIterator[None]:
        """Wait for earlier searches; `waits` receives the reason for the page."""
        if self._searching:
            waits(f"waiting for the solver ({self._searching} ahead in the queue)")
        self._searching += 1
        self.paused.set()
        try:
            async with self._turn:
                waits("")
                yield
        finally:
            self._searching -= 1
            if not self._searching:
                self.paused.clear()

    def turn(self, bot: str) -> AbstractAsyncContextManager[None]:
        """Wait for earlier searches if the bot searches; other bots do not wait."""
        return self.search(lambda _: None) if searches(bot) else nullcontext()


def searches(bot: str) -> bool:
    """Return whether a bot needs the solver."""
    return BotRef.parse(bot).kind.name == "search"


def check_quick(bot: str, seconds: float) -> None:
    """Refuse a bot that searches for longer than a time, because nothing ends a search.

    Raises
    ------
    GameError
        With the setting that is too large.
    """
    if not searches(bot):
        return
    settings = BotRef.parse(bot).read_settings()
    most = {"seconds": seconds, "flop_seconds": seconds, "iterations": seconds * _PER_SECOND}
    for name, limit in most.items():
        if getattr(settings, name) > limit:
            raise GameError(f"{name}={getattr(settings, name):g} takes too long: {limit:g} at most")


async def on_thread(
    work: Callable[[], T], pool: Executor = _POOL, stop: Callable[[], object] = lambda: None
) -> T:
    """Run work on a thread; if cancelled, call `stop` and wait until the work has ended."""
    future = asyncio.get_running_loop().run_in_executor(pool, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        stop()
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([future])
        raise
