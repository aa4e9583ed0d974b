"""How bots get the machine: a search at a table goes first, and every bot acts on a thread of ours.

A hand-over by anyio costs 0.4 ms of the processor, by an executor 0.1 ms; a move of the blueprint
itself takes as long.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Final, TypeVar

from riverboat.bots import BotRef

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from multiprocessing.synchronize import Event

T = TypeVar("T")
_MOST: Final = 40
_POOL: Final = ThreadPoolExecutor(_MOST, "table")


class Searches:
    """Lets one search after the other have the machine."""

    def __init__(self) -> None:
        #: Set while a bot searches: processes of solves look at it.
        self.paused: Event = multiprocessing.get_context("spawn").Event()
        self._turn = asyncio.Lock()
        self._searching = 0

    @asynccontextmanager
    async def search(self, waits: Callable[[str], None]) -> AsyncIterator[None]:
        """Have the machine for a search at a table."""
        if self._searching:
            waits(f"waiting for the solver, {self._searching} before you")
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
        """Have the machine if a bot searches; other bots wait for nobody."""
        return self.search(lambda _: None) if searches(bot) else nullcontext()


def searches(bot: str) -> bool:
    """Return whether a bot needs the solver."""
    return BotRef.parse(bot).kind.name == "search"


async def on_thread(work: Callable[[], T]) -> T:
    """Do something on a thread; who is cancelled meanwhile waits for its end first."""
    future = asyncio.get_running_loop().run_in_executor(_POOL, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([future])
        raise
