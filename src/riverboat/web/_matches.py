"""Matches between bots, one after the other, on the arena's workers.

Played hands are in the ledger, so a match that was stopped, or whose server was killed, resumes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from riverboat.arena import Ledger, Match, MatchSettings, play_matches
from riverboat.game import catalogue
from riverboat.runs import Job, Jobs, JobState, num_cores

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.web._shelf import Shelf

_MOST: Final = 100


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be played."""

    bots: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=200)]], msgspec.Meta(min_length=2, max_length=9)
    ]
    game: Annotated[str, msgspec.Meta(max_length=80)] = "nolimit-100bb"
    hands: Annotated[int, msgspec.Meta(ge=2, le=1_000_000)] = 2000
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 0

    def settings(self, shelf: Shelf) -> MatchSettings:
        """Return the settings of the match; files that the server does not serve are refused."""
        catalogue(self.game, len(self.bots))
        bots = tuple(shelf.bot(bot) for bot in self.bots)
        return MatchSettings(bots=bots, game=self.game, hands=self.hands, seed=self.seed)


class Played(msgspec.Struct, frozen=True):
    """The progress of a match."""

    done: int
    """Deals played."""
    deals: int


class MatchState(msgspec.Struct, frozen=True):
    """The state of a match."""

    id: str
    state: JobState
    asked: NewMatch
    done: int
    """Deals played."""
    deals: int
    result: dict[str, Any] | None
    problem: str


class Matches(Jobs[NewMatch, Played]):
    """The matches of a folder, played one after the other."""

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        kinds = NewMatch, Played
        super().__init__("match", folder, kinds, self._play, most=_MOST, shown=self.state)
        self._shelf = shelf

    def begin(self, asked: NewMatch) -> Job[NewMatch, Played]:
        """Start or queue a match; unknown bots and games are refused."""
        asked.settings(self._shelf)
        return self.new(asked)

    @staticmethod
    def state(job: Job[NewMatch, Played]) -> MatchState:
        """Return the state of a match."""
        record = job.record
        report = record.report or Played(0, 0)
        return MatchState(
            record.id, record.state, record.asked, report.done, report.deals,
            record.result, record.problem,
        )  # fmt: skip

    def _play(self, job: Job[NewMatch, Played]) -> dict[str, Any] | None:
        """Play on all cores but one, which is left for the pages."""
        settings = job.asked.settings(self._shelf)
        match = Match(settings, ledger=Ledger(), resume=job.again)
        job.tell(Played(match.done, settings.num_deals))
        stopped = job.stopping.is_set
        for step in play_matches([match], max(1, num_cores() - 1), stopped=stopped):
            job.tell(Played(step.done, step.total))
        return match.finish().summary() if match.over else None
