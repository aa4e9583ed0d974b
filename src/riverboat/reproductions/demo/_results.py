"""What a demo finds."""

import msgspec

from riverboat.reproductions._work import Trained
from riverboat.statistics import Estimate

#: What the trained bot is called in tables.
OUR_BOT = "our bot"


class Cards(msgspec.Struct, frozen=True):
    """What preparing the cards took."""

    seconds: float
    buckets: tuple[int, ...]
    """Of each street."""
    decisions: int
    """Of the betting tree."""


class Line(msgspec.Struct, frozen=True):
    """A line of the leaderboard, thousandths of a big blind a hand."""

    bot: str
    mean: Estimate
    """Over its opponents."""
    rating: Estimate
    """Elo."""
    lost: Estimate | None
    """What the trained bot won from it; None of the trained bot itself."""


class Matches(msgspec.Struct, frozen=True):
    """The round robin, the best bot first."""

    seconds: float
    lines: tuple[Line, ...]
    slowest: float
    """99th percentile of the trained bot's decisions, seconds, in its slowest match."""


class Found(msgspec.Struct, frozen=True):
    """All that a demo found."""

    cards: Cards
    training: Trained
    matches: Matches
    big_blind: int
    shipped_iterations: int
    """Of the strategy that comes with Riverboat."""

    @property
    def won(self) -> dict[str, Estimate]:
        """What the trained bot won from each other, the best of them first."""
        return {line.bot: line.lost for line in self.matches.lines if line.lost is not None}
