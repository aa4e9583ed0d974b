"""A bot that searches at a table goes first: a running solve stands still meanwhile."""

from __future__ import annotations

import asyncio
import multiprocessing
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING

from riverboat.bots import BotRef

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from multiprocessing.synchronize import Event


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
