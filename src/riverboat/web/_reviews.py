"""Reviews that pages asked for: each is a process and a folder."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import sys
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from anyio import to_thread

from riverboat.errors import ReviewError
from riverboat.files import atomic_path
from riverboat.review import known_bot
from riverboat.web._review_job import ReviewAsked, ReviewState

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from pathlib import Path

    from riverboat.web._shelf import Shelf

__all__ = ["MOST_UPLOAD", "NewReview", "Reviews"]

#: Letters of a file of hands: more than 50,000 of them.
MOST_UPLOAD: Final = 96_000_000
_MOST_KEPT: Final = 20
_JOB: Final = "from riverboat.web._review_job import main; main()"


class NewReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of hands to be reviewed."""

    text: Annotated[str, msgspec.Meta(max_length=MOST_UPLOAD)]
    """The file itself."""
    name: Annotated[str, msgspec.Meta(max_length=200)] = "hands"
    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"
    player: Annotated[str, msgspec.Meta(max_length=100)] = ""
    solve: bool = False
    against: Annotated[
        str,
        msgspec.Meta(max_length=200, description="the bot that the other was: luck by AIVAT"),
    ] = ""


class Reviews:
    """All reviews of a server.

    Parameters
    ----------
    folder
        Where they are kept.
    shelf
        Strategies that may be asked for.
    """

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        self._folder, self._shelf = folder, shelf
        self._running: dict[str, Process] = {}

    async def new(self, asked: NewReview) -> ReviewState:
        """Begin a review in a process of its own; the oldest beyond twenty are forgotten."""
        file = self._shelf.blueprint(asked.strategy).path
        against = self._shelf.bot(asked.against) if asked.against else ""
        if against:
            await to_thread.run_sync(known_bot, against)
        if any(process.returncode is None for process in self._running.values()):
            raise ReviewError("another review runs: wait for it, or delete it")
        for old in self._folders()[: -(_MOST_KEPT - 1)]:
            await self.forget(old.name)
        number = secrets.token_hex(8)
        room = self._folder / number
        room.mkdir()
        told = ReviewAsked(
            asked.name, asked.strategy, str(file), asked.player, asked.solve, against
        )
        with atomic_path(room / "hands") as temporary:
            temporary.write_text(asked.text, encoding="utf-8", newline="")
        with atomic_path(room / "asked.json") as temporary:
            temporary.write_bytes(msgspec.json.encode(told))
        command = sys.executable, "-c", _JOB, str(room)
        self._running[number] = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL
        )
        return self.state(number)

    def state(self, number: str) -> ReviewState:
        """Return how a review stands."""
        room = self.room(number)
        asked = msgspec.json.decode((room / "asked.json").read_bytes(), type=ReviewAsked)
        process = self._running.get(number)
        # Asked before the file is read: what it has written by its end is there then.
        ended = process is None or process.returncode is not None
        known = ReviewState(number, asked.name, asked.strategy, "running")
        if (room / "state.json").is_file():
            known = msgspec.json.decode((room / "state.json").read_bytes(), type=ReviewState)
        if ended and known.state in ("running", "solving"):
            error = "it was ended: ask again, and it goes on with what is solved"
            return msgspec.structs.replace(known, state="failed", error=error)
        return known

    def all(self) -> list[ReviewState]:
        """Return all reviews, without their decisions, the newest first."""
        return [
            msgspec.structs.replace(self.state(each.name), decisions=[], apart=[])
            for each in reversed(self._folders())
        ]

    def room(self, number: str) -> Path:
        """Return the folder of a review."""
        room = self._folder / number
        if not number.isalnum() or not (room / "asked.json").is_file():
            raise ReviewError(f"there is no review {number[:40]!r}")
        return room

    async def forget(self, number: str) -> None:
        """End a review and delete all of it."""
        room = self.room(number)
        process = self._running.pop(number, None)
        if process is not None and process.returncode is None:
            process.terminate()
            await process.wait()
        shutil.rmtree(room)

    async def end(self) -> None:
        """End what runs: the server goes."""
        for process in self._running.values():
            if process.returncode is None:
                process.terminate()
                await process.wait()

    def _folders(self) -> list[Path]:
        found = [each for each in self._folder.iterdir() if (each / "asked.json").is_file()]
        return sorted(found, key=lambda each: (each / "asked.json").stat().st_mtime_ns)
