"""Pictures of trainings over time, and of matches."""

from riverboat.report import Curve, draw_curves, draw_estimates
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan._results import Found, Runs


def draw(run: Reproduction, found: Found) -> None:
    """Draw all pictures of the report."""
    points = found.training.trial.points
    seconds, measured = [p.seconds for p in points], [p.exploitability for p in points]
    draw_curves(
        run.path("pure.png"),
        [Curve.of("", seconds, measured)],
        title="Pure CFR on limit hold'em: exploitability in the abstraction",
        x_label=f"processor seconds of {found.training.threads} threads together",
        y_label="at least, mbb a hand",
        x_log=True,
    )
    draw_curves(
        run.path("algorithms.png"),
        [_curve(each) for each in found.exact.algorithms],
        title="Limit hold'em with few buckets: exact exploitability at equal cost",
        x_label="processor seconds, one thread",
        y_label="exploitability, mbb a hand",
        x_log=True,
        y_log=True,
    )
    draw_curves(
        run.path("isomorphism.png"),
        [_curve(each) for each in found.cards.named],
        title=f"Pure CFR with a deck of {found.cards.cards} cards: exact exploitability",
        x_label="processor seconds, one thread",
        y_label="exploitability in the real game, mbb a hand",
        x_log=True,
        y_log=True,
    )
    draw_estimates(
        run.path("matches.png"),
        found.played.won,
        title="What the Pure CFR bot wins at the limit table",
        x_label="mbb a hand, with 95 % intervals",
    )


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
