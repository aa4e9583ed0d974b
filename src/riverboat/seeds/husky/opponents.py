"""Angry Fish against several Fish: how its best threshold falls with their number."""

import msgspec

from riverboat.arena import fit_power_law
from riverboat.errors import ArenaError
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.data import husky
from riverboat.seeds.husky.points import Scored, best, grid_points
from riverboat.seeds.husky.sweeps import Batch, play_batches

__all__ = ["Law", "Many", "fit_law", "play_opponents"]


class Many(msgspec.Struct, frozen=True):
    """The sweep against some number of opponents."""

    opponents: int
    games: list[Scored]
    chips: list[Scored]


class Law(msgspec.Struct, frozen=True):
    """Optimum = factor * opponents ^ exponent, with the 95 % interval of the exponent."""

    factor: float
    exponent: float
    low: float
    high: float

    def at(self, opponents: int) -> float:
        """Return the threshold against some number of opponents."""
        return float(self.factor * opponents**self.exponent)


def play_opponents(run: Reproduction) -> list[Many]:
    """Play the sweeps against all numbers of opponents."""
    return run.step("opponents", list[Many], lambda: _play(run))


def _play(run: Reproduction) -> list[Many]:
    plan = husky().opponents
    counts = plan.counts.of(run)
    grid = grid_points({"high": plan.grids.of(run)})
    batches = [
        Batch((plan.bot, *[plan.against] * count), grid, plan.games.of(run), plan.hands.of(run))
        for count in counts
    ]
    played = play_batches(run, batches, run.seed)
    return [Many(count, pair.games, pair.chips) for count, pair in zip(counts, played, strict=True)]


def fit_law(sweeps: list[tuple[int, list[Scored]]]) -> Law | None:
    """Fit the power law to the best thresholds; None where there is none to fit.

    Parameters
    ----------
    sweeps
        Numbers of opponents, and the points against them.

    Examples
    --------
    >>> def point(high):
    ...     return [Scored({"high": high}, 1.0, 0.1)]
    >>> law = fit_law([(1, point(0.8)), (16, point(0.4)), (81, point(0.8 / 3))])
    >>> round(law.factor, 6), round(law.exponent, 6)
    (0.8, -0.25)
    """
    optima = [best(points).parameters["high"] for _, points in sweeps]
    try:
        found = fit_power_law([count for count, _ in sweeps], optima)
    except ArenaError:
        return None
    return Law(found.factor, found.exponent, *found.exponent_interval)
