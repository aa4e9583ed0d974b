"""Matches between bots, one after the other, on the arena's workers.

Played hands are in the ledger, so a match that was stopped, or whose server was killed, resumes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from riverboat.arena import Ledger, Match, MatchSettings, play_matches, unit_of
from riverboat.game import catalogue
from riverboat.runs import Job, Jobs, JobState, num_cores

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.web._shelf import Shelf

_MOST: Final = 100
_EVERY: Final = 0.5  # seconds between two points of the curve
_LEAST: Final = 50  # hands before the first point


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
    seconds_left: float | None = None


class MatchState(msgspec.Struct, frozen=True):
    """The state of a match."""

    id: str
    state: JobState
    asked: NewMatch
    done: int
    """Deals played."""
    deals: int
    result: dict[str, Any] | None
    """Summary and `verdict`."""
    problem: str
    seconds_left: float | None = None
    unit: str = ""
    """Unit of `curve`."""
    curve: list[tuple[float, ...]] = []
    """(hands, mean, low, high) of the first bot, with a 95 % confidence interval."""


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
            record.result, record.problem, report.seconds_left,
            f"{unit_of(catalogue(record.asked.game, len(record.asked.bots)))[1]} / 100 hands",
            record.points,
        )  # fmt: skip

    def _play(self, job: Job[NewMatch, Played]) -> dict[str, Any] | None:
        """Play on all cores but one, which is left for the pages."""
        settings = job.asked.settings(self._shelf)
        match = Match(settings, ledger=Ledger(), resume=job.again)
        job.tell(Played(match.done, settings.num_deals))
        stopped, begun, before, told = job.stopping.is_set, time.monotonic(), match.done, 0.0
        for step in play_matches([match], max(1, num_cores() - 1), stopped=stopped):
            now = time.monotonic()
            left = (step.total - step.done) * (now - begun) / max(1, step.done - before)
            draws = now > told + _EVERY and match.result().hands >= _LEAST
            told = now if draws else told
            job.tell(Played(step.done, step.total, left), _point(match) if draws else None)
        if not match.over:
            return None
        result = match.finish()
        job.tell(Played(match.done, settings.num_deals), _point(match))
        verdict = result.verdict()
        judged = None if verdict is None else verdict.as_values()
        return result.summary() | {"verdict": judged}


def _point(match: Match) -> tuple[float, ...]:
    """Return hands, and the first bot's mean and interval in big blinds per 100 hands."""
    result = match.result()
    won = result.corrected_per_hand().scaled(100 / unit_of(match.settings.spec)[0])
    return (result.hands, won.mean, *(won.interval if won.known else (won.mean, won.mean)))
