"""Pictures of the report."""

from collections.abc import Sequence

from riverboat.report import Curve, draw_curves, draw_estimates, duration, number
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.pineapple._recipe import DATA
from riverboat.reproductions.pineapple._results import Found, Training


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw all pictures."""
    samplings, seconds = found.samplings, DATA.amounts(run).sampling_seconds
    names = [row.name for row in samplings.rows]
    draw_estimates(
        run.path("samplings.png"),
        dict(zip(names, samplings.against_backup, strict=True)),
        DATA.pictures["samplings"].filled(time=duration(seconds)),
    )
    exact = [Curve(row.name, row.seconds, row.exploitability) for row in found.exact.rows]
    for name, curves in {
        "reached": _reached(found.training),
        "backup": _backup(found),
        "all-in": _all_in(found.training),
        "exact": exact,
    }.items():
        draw_curves(run.path(f"{name}.png"), curves, DATA.pictures[name])


def _reached(training: Training) -> list[Curve]:
    points, published = training.points, DATA.published["reached"].value
    x = [point.iterations for point in points]
    return [
        Curve("infosets reached", x, [point.visited for point in points]),
        Curve("of those with a strategy", x, [point.averaged for point in points]),
        _level(f"published: {number(published)}", x, published),
        _level("all infosets", x, training.infosets),
    ]


def _backup(found: Found) -> list[Curve]:
    way = (*found.matches.on_the_way, (found.training.last.iterations, found.matches.main))
    x, won = [count for count, _ in way], [each for _, each in way]
    return [Curve.of("CFR bot", x, won), _level("zero", x, 0.0)]


def _all_in(training: Training) -> list[Curve]:
    rows = [row for row in training.all_in if row.infosets]
    x = [row.tenths for row in rows]
    return [
        Curve("average strategy", x, [100 * row.probability for row in rows]),
        Curve("uniform play", x, [100 * row.uniform for row in rows], dashed=True),
    ]


def _level(label: str, x: Sequence[float], value: float) -> Curve:
    return Curve(label, [x[0], x[-1]], [value, value], dashed=True)
