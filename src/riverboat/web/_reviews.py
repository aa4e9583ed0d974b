"""Reviews that pages asked for: each is a process and a folder."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from anyio import to_thread

from riverboat.errors import ReviewError, RiverboatError
from riverboat.files import atomic_path
from riverboat.learn import known_bot
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
_WORKING: Final = ("running", "solving")
_ENDED: Final = "ended"  # a file: without it, the server was killed meanwhile


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


@dataclass(frozen=True, slots=True)
class _Run:
    """A process that reviews, and what waits for its end."""

    process: Process
    noted: asyncio.Task[None]

    @property
    def over(self) -> bool:
        return self.process.returncode is not None

    async def end(self) -> None:
        """End it, whatever it has found."""
        if not self.over:
            with suppress(ProcessLookupError):  # it has just ended by itself
                self.process.terminate()
        await asyncio.wait([self.noted])


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
        self._runs: dict[str, _Run] = {}
        self._one = asyncio.Lock()

    async def restore(self) -> None:
        """Begin again what a server that was killed had not finished."""
        for room in self._folders():
            with suppress(msgspec.MsgspecError):  # a damaged one stays as it is
                if not (room / _ENDED).exists() and _told(room).state in _WORKING:
                    try:
                        await self._start(room)
                    except RiverboatError as error:
                        told = msgspec.structs.replace(_told(room), state="failed")
                        _write(room / "state.json", msgspec.structs.replace(told, error=str(error)))

    async def new(self, asked: NewReview) -> ReviewState:
        """Begin a review in a process of its own; the oldest beyond twenty are forgotten."""
        file = self._shelf.blueprint(asked.strategy).path
        against = self._shelf.bot(asked.against) if asked.against else ""
        if against:
            await to_thread.run_sync(known_bot, against)
        told = ReviewAsked(
            asked.name, asked.strategy, str(file), asked.player, asked.solve, against
        )
        async with self._one:  # who asks at the same time is told of the other
            if any(self._works(number) for number in self._runs):
                raise ReviewError("another review runs: wait for it, or delete it")
            for old in self._folders()[: -(_MOST_KEPT - 1)]:
                await self.forget(old.name)
            room = self._folder / secrets.token_hex(8)
            await to_thread.run_sync(_keep, room, asked.text, told)
            await self._start(room)
        return self.state(room.name)

    def _works(self, number: str) -> bool:
        """Whether a process still has something to do; one that has told all may be ending."""
        return not self._runs[number].over and _told(self._folder / number).state in _WORKING

    async def _start(self, room: Path) -> None:
        """Begin the process of a review: it ends with the server, which holds its input open.

        Strategy and bot are looked up again: what a file names may not be opened unseen.
        """
        asked = msgspec.json.decode((room / "asked.json").read_bytes(), type=ReviewAsked)
        file = self._shelf.blueprint(asked.strategy).path
        against = self._shelf.bot(asked.against) if asked.against else ""
        asked = msgspec.structs.replace(asked, file=str(file), against=against)
        (room / _ENDED).unlink(missing_ok=True)
        pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        command = sys.executable, "-c", _JOB, str(room), msgspec.json.encode(asked)
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=nowhere)
        self._runs[room.name] = _Run(process, asyncio.create_task(_noted(process, room)))

    def state(self, number: str) -> ReviewState:
        """Return how a review stands."""
        room, run = self.room(number), self._runs.get(number)
        # Asked before the file is read: what it has written by its end is there then.
        ended = run is None or run.over
        known = _told(room)
        if ended and known.state in _WORKING:
            error = "it was ended: ask again, and it goes on with what is solved"
            return msgspec.structs.replace(known, state="failed", error=error)
        return known

    def all(self) -> list[ReviewState]:
        """Return all reviews, without their decisions, the newest first."""
        found = []
        for each in reversed(self._folders()):
            with suppress(ReviewError, OSError, msgspec.MsgspecError):  # damaged, or just deleted
                state = self.state(each.name)
                found.append(msgspec.structs.replace(state, decisions=[], apart=[]))
        return found

    def room(self, number: str) -> Path:
        """Return the folder of a review."""
        room = self._folder / number
        if not number.isalnum() or not (room / "asked.json").is_file():
            raise ReviewError(f"there is no review {number[:40]!r}")
        return room

    async def forget(self, number: str) -> None:
        """End a review and delete all of it."""
        room = self.room(number)
        run = self._runs.pop(number, None)
        if run is not None:
            await run.end()
        await to_thread.run_sync(lambda: shutil.rmtree(room, ignore_errors=True))

    async def end(self) -> None:
        """End what runs: the server goes."""
        for run in self._runs.values():
            await run.end()

    def _folders(self) -> list[Path]:
        """Those of reviews, the oldest first."""
        found = []
        for each in self._folder.iterdir():
            with suppress(OSError):  # no review, or one that is being deleted
                found.append(((each / "asked.json").stat().st_mtime_ns, each))
        return [each for _, each in sorted(found)]


def _told(room: Path) -> ReviewState:
    """What a review has written of how it stands."""
    if (room / "state.json").is_file():
        return msgspec.json.decode((room / "state.json").read_bytes(), type=ReviewState)
    asked = msgspec.json.decode((room / "asked.json").read_bytes(), type=ReviewAsked)
    return ReviewState(room.name, asked.name, asked.strategy, "running")


def _keep(room: Path, text: str, told: ReviewAsked) -> None:
    """Write down what is to be reviewed; with `asked.json` it is a review."""
    room.mkdir()
    with atomic_path(room / "hands") as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")
    _write(room / "asked.json", told)


def _write(path: Path, value: msgspec.Struct) -> None:
    with atomic_path(path) as temporary:
        temporary.write_bytes(msgspec.json.encode(value))


async def _noted(process: Process, room: Path) -> None:
    """Note that a process has ended by itself or by us."""
    await process.wait()
    with suppress(OSError):  # the review was deleted
        (room / _ENDED).touch()
