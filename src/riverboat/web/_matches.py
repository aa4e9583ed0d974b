"""Matches between bots, for pages and programs: one after the other, on the arena's workers.

What was played is in the ledger, so a match that is stopped, or whose server was killed, goes on
where it was.
"""

from __future__ import annotations

import asyncio
import secrets
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from anyio import to_thread

from riverboat.arena import Ledger, Match, MatchSettings, play_matches
from riverboat.errors import GameError, RiverboatError, in_words
from riverboat.files import atomic_path
from riverboat.game import catalogue
from riverboat.runs import num_cores
from riverboat.web._sockets import Watchers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from riverboat.web._shelf import Shelf

__all__ = ["MatchState", "Matches", "NewMatch"]

_MOST: Final = 100
_SUFFIX: Final = ".match.json"


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
    state: Literal["waiting", "running", "finished", "stopped", "failed"]
    asked: NewMatch
    done: int
    """Deals."""
    deals: int
    result: dict[str, Any] | None
    problem: str


class Playing(Watchers):
    """One match that was asked for; what changes is told to its watchers and kept in its file."""

    def __init__(self, state: MatchState, folder: Path) -> None:
        super().__init__()
        self._state, self._folder = state, folder
        self.stopping = Event()
        self.task: asyncio.Task[None] | None = None

    def state(self) -> MatchState:
        """Return how it stands."""
        return self._state

    def set(self, **changes: Any) -> None:
        """Note what has changed; a new state is written down, too."""
        before, self._state = self._state, msgspec.structs.replace(self._state, **changes)
        if before.state != self._state.state:
            self.keep()
        self.changed()

    def keep(self) -> None:
        """Write down how it stands."""
        with atomic_path(self._path) as temporary:
            temporary.write_bytes(msgspec.json.encode(self._state))

    def forget(self) -> None:
        """Delete what was written down; the ledger keeps what was played."""
        self._path.unlink(missing_ok=True)
        self.gone = "this match was deleted"
        self.changed()

    @property
    def _path(self) -> Path:
        return self._folder / f"{self._state.id}{_SUFFIX}"


class Matches:
    """Plays one match after the other.

    Parameters
    ----------
    folder
        Where it is written down which matches there are.
    shelf
        The strategies that bots may play from.
    """

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        self._folder, self._shelf = folder, shelf
        self._matches: dict[str, Playing] = {}
        self._turn = asyncio.Lock()

    def all(self) -> list[MatchState]:
        """Return all matches."""
        return [match.state() for match in self._matches.values()]

    def __getitem__(self, number: str) -> Playing:
        """Return a match."""
        return self._matches[number]

    def restore(self) -> None:
        """Take in the matches of a server that ended; those that were cut off go on."""
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            try:
                state = msgspec.json.decode(path.read_bytes(), type=MatchState)
            except msgspec.MsgspecError:
                continue
            self._matches[state.id] = Playing(state, self._folder)
            if state.state in {"waiting", "running"}:
                self._begin(self._matches[state.id], resume=True)

    def new(self, asked: NewMatch) -> MatchState:
        """Begin a match, or have it wait."""
        if len(self._matches) >= _MOST:
            raise GameError(f"{_MOST} matches are kept: delete one first")
        catalogue(asked.game, len(asked.bots))  # a game of no file
        for bot in asked.bots:
            self._shelf.bot(bot)
        match = Playing(
            MatchState(secrets.token_hex(6), "waiting", asked, 0, 0, None, ""), self._folder
        )
        match.keep()
        self._matches[match.state().id] = match
        self._begin(match, resume=False)
        return match.state()

    async def stop(self, number: str) -> MatchState:
        """Stop a match; it can be resumed."""
        match = self._matches[number]
        await _stopped(match)
        return match.state()

    def resume(self, number: str) -> MatchState:
        """Go on with a match that was stopped or failed."""
        match = self._matches[number]
        if match.state().state not in {"stopped", "failed"}:
            raise GameError(f"the match {number} is {match.state().state}")
        self._begin(match, resume=True)
        return match.state()

    def forget(self, number: str) -> None:
        """Delete a match; the ledger keeps what was played."""
        match = self._matches[number]
        if match.state().state in {"waiting", "running"}:
            raise GameError(f"the match {number} is {match.state().state}: stop it first")
        match.forget()
        del self._matches[number]

    async def end(self) -> None:
        """Stop all that is played."""
        for match in reversed(self._matches.values()):  # else those that wait would begin
            await _stopped(match)

    def _begin(self, match: Playing, *, resume: bool) -> None:
        match.stopping.clear()
        match.set(state="waiting", problem="")
        match.task = asyncio.create_task(self._play(match, resume))

    async def _play(self, match: Playing, resume: bool) -> None:
        loop = asyncio.get_running_loop()

        def tell(done: int, deals: int) -> None:
            loop.call_soon_threadsafe(lambda: match.set(done=done, deals=deals))

        try:
            async with self._turn:
                match.set(state="running")
                asked = match.state().asked
                bots = tuple(self._shelf.bot(bot) for bot in asked.bots)
                result = await to_thread.run_sync(
                    _played, asked, bots, match.stopping.is_set, tell, resume
                )
        except RiverboatError as error:
            match.set(state="failed", problem=str(error))
        except Exception as error:
            match.set(state="failed", problem=in_words(error))
        else:
            match.set(state="stopped" if result is None else "finished", result=result)


async def _stopped(match: Playing) -> None:
    """Have a match stop, and wait until it has."""
    match.stopping.set()
    if match.task is None or match.task.done():
        return
    if match.state().state == "waiting":
        match.task.cancel()
        match.set(state="stopped")
    await asyncio.wait([match.task])


def _played(
    asked: NewMatch,
    bots: tuple[str, ...],
    stopped: Callable[[], bool],
    tell: Callable[[int, int], None],
    resume: bool,
) -> dict[str, Any] | None:
    """Play a match on all cores but one, which is left to the pages; None where it was stopped."""
    settings = MatchSettings(bots=bots, game=asked.game, hands=asked.hands, seed=asked.seed)
    match = Match(settings, ledger=Ledger(), resume=resume)
    tell(match.done, settings.num_deals)
    for step in play_matches([match], max(1, num_cores() - 1), stopped=stopped):
        tell(step.done, step.total)
    return match.finish().summary() if match.over else None
