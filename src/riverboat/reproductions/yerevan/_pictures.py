"""Pictures of trainings over time, and of matches."""

from statistics import fmean

from riverboat.report import Curve, draw_curves, draw_estimates
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.yerevan._recipe import DATA
from riverboat.reproductions.yerevan._results import Found, Runs


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw all pictures of the report."""
    points = found.training.trial.points
    seconds, measured = [p.seconds for p in points], [p.exploitability for p in points]
    facts = {"threads": found.training.threads, "cards": found.cards.cards}
    for name, curves in {
        "pure": [Curve.of("", seconds, measured)],
        "algorithms": list(map(_curve, found.exact.algorithms)),
        "isomorphism": list(map(_curve, found.cards.named)),
    }.items():
        draw_curves(run.path(f"{name}.png"), curves, DATA.pictures[name].filled(**facts))
    draw_estimates(run.path("matches.png"), found.played.won, DATA.pictures["matches"])


def _curve(runs: Runs) -> Curve:
    """Draw the mean over seeds, with a band from the least to the greatest."""
    values = [[point.exploitability.mean for point in column] for column in runs.columns]
    seconds = [fmean(point.seconds for point in column) for column in runs.columns]
    lows, highs = list(map(min, values)), list(map(max, values))
    return Curve(runs.label, seconds, list(map(fmean, values)), lows, highs)
