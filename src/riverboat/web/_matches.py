"""Matches between bots that programs ask for: played in a process of their own."""

from __future__ import annotations

import asyncio
import multiprocessing
import secrets
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from anyio import to_thread

from riverboat.arena import Ledger, play_match
from riverboat.errors import GameError, RiverboatError, in_words
from riverboat.game import catalogue

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from riverboat.web._shelf import Shelf

__all__ = ["MatchState", "Matches", "NewMatch"]

_SPAWN: Final = multiprocessing.get_context("spawn")
_MOST: Final = 100


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays whom."""

    bots: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=200)]],
        msgspec.Meta(min_length=2, max_length=9),
    ]
    game: Annotated[str, msgspec.Meta(max_length=80)] = "nolimit-100bb"
    hands: Annotated[int, msgspec.Meta(ge=2, le=1_000_000)] = 2000
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 0


class MatchState(msgspec.Struct, frozen=True):
    """How a match stands."""

    id: str
    state: Literal["waiting", "running", "finished", "failed"]
    asked: NewMatch
    done: int
    """Deals."""
    deals: int
    result: dict[str, Any] | None
    problem: str


class _Match:
    def __init__(self, asked: NewMatch) -> None:
        self.id, self.asked = secrets.token_hex(6), asked
        self.stands: Literal["waiting", "running", "finished", "failed"] = "waiting"
        self.done = self.deals = 0
        self.result: dict[str, Any] | None = None
        self.problem = ""

    def state(self) -> MatchState:
        return MatchState(
            self.id, self.stands, self.asked, self.done, self.deals, self.result, self.problem
        )


class Matches:
    """Plays one match after the other; the results are in the ledger, too."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._matches: dict[str, _Match] = {}
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def all(self) -> list[MatchState]:
        """Return all matches."""
        return [match.state() for match in self._matches.values()]

    def __getitem__(self, number: str) -> MatchState:
        """Return how a match stands."""
        return self._matches[number].state()

    def new(self, asked: NewMatch) -> MatchState:
        """Begin a match, or have it wait."""
        if len(self._matches) >= _MOST:
            raise GameError(f"{_MOST} matches were asked for: start the server again")
        catalogue(asked.game, len(asked.bots))  # a game of no file
        bots = [self._shelf.bot(bot) for bot in asked.bots]
        match = _Match(asked)
        self._matches[match.id] = match
        task = asyncio.create_task(self._play(match, bots))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return match.state()

    def end(self) -> None:
        """Break off what is played."""
        for task in self._tasks:
            task.cancel()

    async def _play(self, match: _Match, bots: list[str]) -> None:
        async with self._turn:
            match.stands = "running"
            ours, theirs = _SPAWN.Pipe(duplex=False)
            asked = msgspec.json.encode(msgspec.structs.replace(match.asked, bots=bots))
            process = _SPAWN.Process(target=_child, args=(theirs, asked), daemon=True)
            process.start()
            theirs.close()
            try:
                await to_thread.run_sync(_follow, match, ours, abandon_on_cancel=True)
            finally:
                process.kill()
                ours.close()


def _follow(match: _Match, ours: Connection) -> None:
    """Take in what the process tells, until it ends."""
    try:
        while True:
            kind, value = ours.recv()
            if kind == "done":
                match.done, match.deals = value
                continue
            match.stands = "finished" if kind == "result" else "failed"
            if kind == "result":
                match.result = value
            else:
                match.problem = value
            return
    except (EOFError, OSError):
        match.stands, match.problem = "failed", "the process of the match ended by itself"


def _child(pipe: Connection, text: bytes) -> None:
    asked = msgspec.json.decode(text, type=NewMatch)
    try:
        result = play_match(
            asked.bots,
            asked.game,
            hands=asked.hands,
            seed=asked.seed,
            ledger=Ledger(),
            progress=lambda step: pipe.send(("done", (step.done, step.total))),
        )
        pipe.send(("result", result.summary()))
    except RiverboatError as error:
        pipe.send(("failed", str(error)))
    except Exception as error:
        pipe.send(("failed", in_words(error)))
