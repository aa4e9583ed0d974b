"""Figures that the report derives from the results, and its plots."""

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from riverboat.report import (
    Curve,
    draw_curves,
    draw_estimates,
    new_panels,
    plot_curves,
    save_figure,
)
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions.yerevan._training import DATA
from riverboat.runs import Timing, speed_up
from riverboat.statistics import Estimate, mean_estimate

_MOST_LOG = 700.0  # its exponential still fits into a float


class Ratio(Estimate, frozen=True):
    """A ratio, kept as an estimate of its logarithm: significant if the interval excludes 1."""

    def text(self, sign: str = "") -> str:
        """Return the ratio with its interval as text.

        Examples
        --------
        >>> Ratio(0.0, 0.0, 3).text(), Ratio(0.0, None, 1).text()
        ('1.00 (1.00 to 1.00)', '1.00 (not sure)')
        """
        times, low, high = (math.exp(min(_MOST_LOG, x)) for x in (self.mean, *self.interval))
        interval = f"{low:,.2f} to {high:,.2f}" if self.known else "not sure"
        return f"{times:{sign},.2f} ({interval})"


def ratio(ours: Sequence[float], other: Sequence[float]) -> Ratio:
    """Return the ratio of the other figure to ours, by mean logarithms over random seeds.

    A single run counts as exact, because vanilla CFR does not sample.

    Examples
    --------
    >>> ratio([100, 110, 90], [200, 210, 190]).sign, ratio([100, 110, 90], [100, 110, 90]).sign
    (1, 0)
    """
    logs = [np.log(np.maximum(values, 1e-9)) for values in (ours, other)]
    means = [mean_estimate(each) for each in logs]
    errors = [each.error or 0.0 for each in means]
    # Welch's test with the smaller number of degrees of freedom, which is conservative.
    units = min((each.units for each in means if each.units > 1), default=1)
    return Ratio(means[1].mean - means[0].mean, math.hypot(*errors), units)


def speed_of(trial: Found) -> float:
    """Return the iterations per CPU second of a training."""
    last = trial.points[-1]
    return float(last.iterations / max(last.seconds, 1e-9))


def threads_gain(speed: Found) -> float | None:
    """Return the speed-up of all threads over one; None if the machine was busy."""
    pairs = (1, speed.one_thread), (speed.threads, speed.all_threads)
    one, many = (
        Timing(threads, pace.clock, 1.0, pace.clock / max(pace.processor, 1e-9))
        for threads, pace in pairs
    )
    return speed_up(one, many)


def mean_seconds(runs: Found) -> float:
    """Return the CPU time of one training, mean over random seeds."""
    return fmean(trial.points[-1].seconds for trial in runs.trials)


def mean_speed(runs: Found) -> float:
    """Return the iterations per CPU second over all random seeds."""
    done = sum(trial.points[-1].iterations for trial in runs.trials)
    return float(done / max(mean_seconds(runs) * len(runs.trials), 1e-9))


def exploitability_at(runs: Found, place: int) -> list[float]:
    """Return the exploitability at a measurement by random seed."""
    return [trial.points[place].exploitability.mean for trial in runs.trials]


def final_exploitability(runs: Found) -> Estimate | float:
    """Return the final exploitability over random seeds; without an interval for one training."""
    ends = np.array(exploitability_at(runs, -1))
    return mean_estimate(ends) if len(ends) > 1 else float(ends[0])


def times_pure(exact: Found) -> dict[str, Ratio]:
    """Return the other algorithms' exploitability as a multiple of Pure's."""
    ours, *others = exact.algorithms
    ends = exploitability_at(ours, -1)
    return {each.label: ratio(ends, exploitability_at(each, -1)) for each in others}


def over_average(exact: Found) -> Ratio:
    """Return the exploitability of Pure's current strategy as a multiple of its average's."""
    return ratio(exploitability_at(exact.algorithms[0], -1), exact.current)


def written_titles() -> dict[str, str]:
    """Return the titles of the games on which section 3.4.1 is tried."""
    return {"limit": "Limit hold'em", "leduc": "Leduc hold'em"}


def written_ways() -> dict[str, str]:
    """Return the names of the readings of section 3.4.1."""
    return dict(DATA.written_ways)


def _ends(game: Found, way: str, strategy: str, place: int = -1) -> list[float]:
    return [trial[strategy][place] for trial in game.ways[way]]


def written_end(game: Found, way: str, strategy: str) -> Estimate:
    """Return the final exploitability of a reading of section 3.4.1 over random seeds."""
    return mean_estimate(np.array(_ends(game, way, strategy)))


def written_ratio(game: Found, way: str, strategy: str) -> Ratio:
    """Return the final exploitability of a reading as a multiple of that of Pure's average."""
    return ratio(_ends(game, "pure", "average"), _ends(game, way, strategy))


def written_change(game: Found) -> Ratio:
    """Return the last exploitability of section 3.4.1 as a multiple of the first one."""
    ends = [_ends(game, "written", "current", place) for place in (0, -1)]
    return ratio(*ends)


def counts_agree(checks: Found) -> bool:
    """Whether formula and enumeration count the same information sets."""
    return all(way.formula == way.enumerated for way in checks.ways.values())


def big(count: int) -> str:
    """Write a large count with three significant digits.

    Examples
    --------
    >>> big(319_365_922_522_608), big(1_275_352)
    ('3.19 x 10^14', '1,275,352')
    """
    if count < 1e9:
        return f"{count:,}"
    power = len(str(count)) - 1
    return f"{count / 10**power:.2f} x 10^{power}"


def faster_text(cards: Found) -> str:
    """Return the speeds of all card abstractions as text."""
    return "; ".join(f"{label} {each.text()}" for label, each in faster(cards).items())


def duel_won(same: Found, one: str, other: str) -> Estimate | None:
    """Return the winnings of one algorithm against another; None against itself."""
    won: Estimate | None = same.duels.get(one, {}).get(other)
    if won is None and one != other:
        won = same.duels[other][one].scaled(-1)
    return won


def over_pure(three: Found) -> dict[str, Estimate]:
    """Return each algorithm's winnings against two Pure bots, minus Pure's against two of it."""
    pure, *others = three.trials
    return {each: three.won[each][pure].minus(three.won[pure][each]) for each in others}


def faster(cards: Found) -> dict[str, Ratio]:
    """Return the speed of iterations as a multiple of that without isomorphism."""
    every, *others = [(each.label, list(map(speed_of, each.trials))) for each in cards.named]
    return {label: ratio(every[1], speeds) for label, speeds in others}


def without_isomorphism(cards: Found) -> Ratio:
    """Return the exploitability without isomorphism as a multiple of that with it."""
    every, classes, *_ = cards.named
    return ratio(exploitability_at(classes, -1), exploitability_at(every, -1))


def without_buckets(cards: Found) -> dict[int, tuple[Ratio, Ratio]]:
    """Return exploitability without buckets over that with N, at the first and last measurement."""
    _, classes, *buckets = cards.named

    def compared(each: Found, place: int) -> Ratio:
        return ratio(exploitability_at(each, place), exploitability_at(classes, place))

    return {each.hands: (compared(each, 0), compared(each, -1)) for each in buckets}


def alike(cards: Found) -> dict[tuple[int, int], list[int]]:
    """Group numbers of buckets by their signs at the first and last measurement."""
    found: dict[tuple[int, int], list[int]] = {}
    for hands, (first, last) in without_buckets(cards).items():
        found.setdefault((first.sign, last.sign), []).append(hands)
    return found


def best_first(won: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Sort winnings from the greatest win to the greatest loss."""
    return dict(sorted(won.items(), key=lambda each: -each[1].mean))


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw all plots of the report: trainings over time, and matches."""
    points = found.training.trial.points
    seconds, measured = [p.seconds for p in points], [p.exploitability for p in points]
    facts = {"threads": found.training.threads, "cards": found.isomorphism.cards}
    for name, curves in {
        "pure": [Curve.of("", seconds, measured)],
        "algorithms": list(map(_curve, found["equal time"].algorithms)),
        "isomorphism": list(map(_curve, found.isomorphism.named)),
    }.items():
        draw_curves(run.path(f"{name}.png"), curves, DATA.pictures[name].filled(**facts))
    _draw_written(run, found["as written"])
    won = best_first(found.matches.won)
    draw_estimates(run.path("matches.png"), won, DATA.pictures["matches"])


def _curve(runs: Found) -> Curve:
    """Return the mean over random seeds, with a band from the minimum to the maximum."""
    count = min(len(trial.points) for trial in runs.trials)
    columns = [[trial.points[place] for trial in runs.trials] for place in range(count)]
    values = [[point.exploitability.mean for point in column] for column in columns]
    seconds = [fmean(point.seconds for point in column) for column in columns]
    return Curve(runs.label, seconds, *_band(values))


def _draw_written(run: ReproductionRun, written: Found) -> None:
    """Draw the readings of section 3.4.1, one panel per game."""
    figure, panels = new_panels(1, 2, (10.0, 4.2), shared=False)
    for axes, (name, title) in zip(panels, written_titles().items(), strict=True):
        game = written.games[name]
        nodes = [stop * game.decisions for stop in game.iterations]
        plot_curves(axes, list(_written_curves(game, nodes)))
        DATA.pictures["as-written"].filled(game=title).write(axes)
        axes.legend(fontsize="x-small")
    save_figure(figure, run.path("as-written.png"))


def _written_curves(game: Found, nodes: Sequence[float]) -> Iterator[Curve]:
    shown = {
        ("written", "current"): "section 3.4.1, current",
        ("chance", "average"): "all regrets, average",
    }
    shown |= {("pure", "average"): "Pure, average"}
    for (way, strategy), label in shown.items():
        values = [_ends(game, way, strategy, place) for place in range(len(nodes))]
        yield Curve(label, nodes, *_band(values))


def _band(values: Sequence[Sequence[float]]) -> tuple[list[float], list[float], list[float]]:
    """Return mean, minimum and maximum at each point."""
    return list(map(fmean, values)), list(map(min, values)), list(map(max, values))
