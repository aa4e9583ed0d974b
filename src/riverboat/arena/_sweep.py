"""A sweep: a grid over a bot's parameters; each point is a match against the same opponent.

All points have the same seed, so that they differ by the parameters and not by the cards. Only
against a bot from a file each point has its own cards, because that bot could remember them. The
best point of a sweep is partly lucky: measure it again with another seed.
"""

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from riverboat.arena._ledger import Ledger
from riverboat.arena._match import Match
from riverboat.arena._result import unit_of
from riverboat.arena._settings import POINTS, BotMaker, MatchSettings, seeds_of
from riverboat.bots import BotRef
from riverboat.errors import ArenaError, RiverboatError
from riverboat.files import bounded
from riverboat.report import Columns, Framed
from riverboat.settings import shown
from riverboat.statistics import Estimate, as_good_as_best, estimate_columns

Score = Literal["mbb", "games"]

_MOST_VALUES = 1_000
_LONGEST = 4_000  # characters
_GRID = re.compile(r"(\w+)=([^:]+):([^:]+):([^:]+)")


def parse_grid(text: str) -> tuple[str, tuple[float, ...]]:
    """Read `name=first:last:step` (with both ends) or `name=a,b,c`.

    Examples
    --------
    >>> parse_grid("low=0:0.3:0.1"), parse_grid("high=0.5,0.9")
    (('low', (0.0, 0.1, 0.2, 0.3)), ('high', (0.5, 0.9)))
    """
    bounded(text, "a grid", ArenaError, _LONGEST)
    complaint = f"{shown(text)} is not a grid: write name=first:last:step or name=a,b,c"
    name, _, rest = text.partition("=")
    try:
        if match := _GRID.fullmatch(text):
            first, last, step = (float(word) for word in match.groups()[1:])
            count = math.floor((last - first) / step + 1e-9) + 1
            if not 0 < count <= _MOST_VALUES:
                raise ArenaError(
                    f"{shown(text)} has {count} values: a grid must have 1 to {_MOST_VALUES}"
                )
            return match[1], tuple(round(first + i * step, 10) for i in range(count))
        values = tuple(float(word) for word in rest.split(","))
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        if isinstance(error, ArenaError):
            raise
        raise ArenaError(complaint) from error
    if not name.isidentifier() or not all(math.isfinite(value) for value in values):
        raise ArenaError(complaint)
    return name, values


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the grid."""

    parameters: dict[str, float]
    score: Estimate | None
    """None if the bot refuses these parameters; `refused` has the reason."""
    refused: str = ""

    def as_values(self) -> dict[str, Any]:
        """Return the point for JSON."""
        score = None if self.score is None else self.score.as_values()
        return {"parameters": self.parameters, "score": score}


class SweepPoints(list[Point], Framed):
    """The points of a sweep, in the order of its grid.

    Examples
    --------
    >>> scores = {0.1: Estimate(3.0, 1.0, 50), 0.2: Estimate(5.0, 1.0, 50), 0.3: None}
    >>> points = SweepPoints(Point({"low": low}, score) for low, score in scores.items())
    >>> points.best.parameters
    {'low': 0.2}
    >>> [point.parameters["low"] for point in points.as_good_as_best]
    [0.1, 0.2]
    """

    @property
    def best(self) -> Point:
        """The point with the greatest score."""
        scored = [(point.score.mean, point) for point in self if point.score is not None]
        if not scored:
            raise ArenaError("the sweep has no best point: no point could be played")
        return max(scored, key=lambda pair: pair[0])[1]

    @property
    def as_good_as_best(self) -> list[Point]:
        """The points that are not significantly worse than the best one."""
        scored = [(point, point.score) for point in self if point.score is not None]
        return [scored[place][0] for place in as_good_as_best([score for _, score in scored])]

    def frame_columns(self) -> Columns:
        """Return a row for each point: its parameters, and the score with its 95 % interval."""
        names = list(self[0].parameters) if self else []
        return {
            **{name: [point.parameters[name] for point in self] for name in names},
            **estimate_columns("score", [point.score for point in self]),
            "refused": [point.refused for point in self],
        }


@dataclass(frozen=True)
class Sweep:
    """A grid over a bot's parameters.

    Parameters
    ----------
    bot
        Text of the bot, to which parameters are added; or a function from parameters to a bot
        factory.
    parameters
        Values of each parameter, such as `{"low": (0.1, 0.2)}`.
    settings
        Settings of each match; the first bot is replaced, the others are the opponents.
    score
        `mbb`: mbb/hand; `games`: share of freeze-outs won.
    """

    bot: str | Callable[[Mapping[str, float]], BotMaker]
    parameters: Mapping[str, Sequence[float]]
    settings: MatchSettings
    score: Score = "mbb"

    def __post_init__(self) -> None:
        """Check that the score fits the kind of match."""
        if (self.score == "games") != self.settings.carried:
            raise ArenaError(
                f"score={self.score!r}: use 'games' for freeze-outs, and 'mbb' for reset stacks"
            )

    def grid(self) -> list[dict[str, float]]:
        """Return the parameters of every point; the last parameter changes fastest."""
        names = list(self.parameters)
        return [
            dict(zip(names, values, strict=True))
            for values in itertools.product(*self.parameters.values())
        ]

    def matches(self, ledger: Ledger | None = None, resume: bool = False) -> list[Match | str]:
        """Return the match of every point, or the reason why the bot refuses its parameters.

        Parameters
        ----------
        ledger
            The ledger that matches are entered in; None = none.
        resume
            Whether to resume stopped matches of the same settings.
        """
        given, grid = self.settings.with_deal_seed(), self.grid()
        seeds = [given.seed] * len(grid)
        if given.deal_seed is not None:
            seeds = seeds_of(len(grid), given.seed, POINTS)
        points = [replace(given, seed=seed) for seed in seeds]
        pairs = zip(points, grid, strict=True)
        return [self._match(point, values, ledger, resume) for point, values in pairs]

    def _match(
        self,
        point: MatchSettings,
        parameters: dict[str, float],
        ledger: Ledger | None,
        resume: bool,
    ) -> Match | str:
        try:
            bot = self._bot(parameters)
        except RiverboatError as error:
            return str(error)
        settings = replace(point, bots=(bot, *point.bots[1:]))
        return Match(settings, ledger=ledger, resume=resume)

    def _bot(self, parameters: dict[str, float]) -> BotMaker:
        if not isinstance(self.bot, str):
            return self.bot(parameters)
        ref = BotRef.parse(self.bot)
        if ref.untrusted:  # it must not run in this process
            raise ArenaError(
                f"{shown(self.bot)} is a Python file, which has no parameters: sweep a built-in "
                "or installed bot, or use a function that creates bots in Python"
            )
        ref = ref.with_settings(parameters)
        ref.make(0)  # reports wrong parameters before any hand is played
        return ref.text

    def points(self, matches: Sequence[Match | str]) -> SweepPoints:
        """Return the score of every point; raise `ArenaError` if the bot refuses all of them."""
        points = SweepPoints(
            Point(parameters, None, match)
            if isinstance(match, str)
            else Point(parameters, self._score(match) if match.sessions else None)
            for parameters, match in zip(self.grid(), matches, strict=True)
        )
        if all(point.refused for point in points):
            raise ArenaError(points[0].refused)
        return points

    def _score(self, match: Match) -> Estimate:
        result = match.result()
        if self.score == "games":
            return result.games_won(0)
        return result.best_estimate(0).scaled(1000 / unit_of(self.settings.spec)[0])
