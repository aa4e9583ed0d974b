"""Pictures of the report."""

from collections.abc import Sequence

from riverboat.report import Curve, draw_curves, draw_estimates, duration, number
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple._recipe import DATA
from riverboat.seeds.pineapple._results import Found


def draw(run: Reproduction, found: Found) -> None:
    """Draw all pictures."""
    _draw_reached(run, found)
    _draw_backup(run, found)
    _draw_all_in(run, found)
    won, names = found.samplings.against_backup, [row.name for row in found.samplings.rows]
    draw_estimates(
        run.path("samplings.png"),
        dict(zip(names, won, strict=True)),
        title="Against the backup bot after "
        f"{duration(DATA.amounts(run).sampling_seconds)} of training",
        x_label="mbb/h, with 95 % interval",
    )
    draw_curves(
        run.path("exact.png"),
        [Curve(row.name, row.seconds, row.exploitability) for row in found.exact.rows],
        title="Exploitability over time, smaller tree, exact",
        x_label="seconds of processor time, one thread",
        y_label="exploitability, chips a hand",
        y_log=True,
    )


def _draw_reached(run: Reproduction, found: Found) -> None:
    points, published = found.training.points, DATA.published["reached"].value
    x = [point.iterations for point in points]
    draw_curves(
        run.path("reached.png"),
        [
            Curve("infosets reached", x, [point.visited for point in points]),
            Curve("of those with a strategy", x, [point.averaged for point in points]),
            _level(f"published: {number(published)}", x, published),
            _level("all infosets", x, found.training.infosets),
        ],
        title="Infosets that the training reached",
        x_label="samples",
        y_label="infosets",
        x_log=True,
        y_log=True,
    )


def _draw_backup(run: Reproduction, found: Found) -> None:
    way = (*found.matches.on_the_way, (found.training.last.iterations, found.matches.main))
    x, won = [count for count, _ in way], [each for _, each in way]
    draw_curves(
        run.path("backup.png"),
        [Curve.of("CFR bot", x, won), _level("zero", x, 0.0)],
        title="The CFR bot against the backup bot",
        x_label="samples of the training",
        y_label="mbb/h, with 95 % interval",
        x_log=True,
    )


def _draw_all_in(run: Reproduction, found: Found) -> None:
    rows = [row for row in found.training.all_in if row.infosets]
    x = [row.tenths for row in rows]
    draw_curves(
        run.path("all-in.png"),
        [
            Curve("average strategy", x, [100 * row.probability for row in rows]),
            Curve("uniform play", x, [100 * row.uniform for row in rows], dashed=True),
        ],
        title="All-in by how well an infoset was trained",
        x_label="tenths of the training that reached it",
        y_label="mean probability of all-in, %",
    )


def _level(label: str, x: Sequence[float], value: float) -> Curve:
    return Curve(label, [x[0], x[-1]], [value, value], dashed=True)
