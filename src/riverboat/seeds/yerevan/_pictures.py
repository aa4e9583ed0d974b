"""Pictures of trainings over time, and of matches."""

from riverboat.report import Curve, draw_curves, draw_estimates
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan._recipe import DATA
from riverboat.seeds.yerevan._results import Found, Runs


def draw(run: Reproduction, found: Found) -> None:
    """Draw all pictures of the report."""
    points = found.training.trial.points
    seconds, measured = [p.seconds for p in points], [p.exploitability for p in points]
    words = DATA.pictures
    pure = words["pure"].filled(threads=found.training.threads)
    draw_curves(run.path("pure.png"), [Curve.of("", seconds, measured)], pure)
    algorithms = [_curve(each) for each in found.exact.algorithms]
    draw_curves(run.path("algorithms.png"), algorithms, words["algorithms"])
    ways = [_curve(each) for each in found.cards.named]
    deck = words["isomorphism"].filled(cards=found.cards.cards)
    draw_curves(run.path("isomorphism.png"), ways, deck)
    draw_estimates(run.path("matches.png"), found.played.won, words["matches"])


def _curve(runs: Runs) -> Curve:
    """Draw the mean over seeds, with a band from the least to the greatest."""
    values = [[point.exploitability.mean for point in column] for column in runs.columns]
    return Curve(
        runs.label,
        [sum(point.seconds for point in column) / len(column) for column in runs.columns],
        [sum(each) / len(each) for each in values],
        [min(each) for each in values],
        [max(each) for each in values],
    )
