"""Figures that the report derives from the results, and its plots."""

from collections.abc import Sequence
from typing import NamedTuple

from riverboat.report import Curve, draw_curves, draw_estimates, duration, number
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions.pineapple._backup_map import cells_of, draw_map, gained
from riverboat.reproductions.pineapple._training import DATA
from riverboat.statistics import Estimate, share_estimate


def untrained_share(watched: Found) -> Estimate:
    """Share of untrained infosets among the betting decisions that are in the tree."""
    return share_estimate(watched.untrained, max(1, watched.trained + watched.untrained))


def swap_share(watched: Found) -> Estimate:
    """Share of the swap decisions in which the bot swapped."""
    return share_estimate(watched.swaps, max(1, watched.swap_decisions))


def exact_text(exact: Found, place: int) -> str:
    """Return the final exploitability of a scheme on the smaller tree, chips per hand."""
    return number(round(float(exact.rows[place].exploitability[-1]), 2))


def read_as_all_in(reading: Found) -> Estimate:
    """Share of the bets short of all-in that are read as all-in."""
    return share_estimate(reading.taken_for_all_in, reading.short)


def against_first(samplings: Found) -> dict[str, Estimate]:
    """Return the winnings of the first scheme, the authors', against each other scheme."""
    pairs = zip(samplings.rows, samplings.table[0], strict=True)
    return {row.name: won for row, won in pairs if won is not None}


def more_exploitable(samplings: Found, row: Found) -> list[str]:
    """Return the schemes against which the responses win significantly more than against this."""
    return [each.name for each in samplings.rows if each.bound.minus(row.bound).sign > 0]


def lowest_first(rows: Sequence[Found]) -> list[Found]:
    """Sort schemes by their final exploitability."""
    return sorted(rows, key=lambda row: float(row.exploitability[-1]))


class Held(NamedTuple):
    """Means over infosets with all-in on the menu."""

    infosets: int
    all_in: Estimate
    uniform: float
    near_uniform: Estimate

    def more_all_in(self, other: "Held") -> Estimate:
        """Return the excess of all-in over uniform play, minus that in other infosets."""
        return self.all_in.minus(other.all_in, self.uniform - other.uniform)


class Chosen(NamedTuple):
    """Decisions in play with all-in on the menu."""

    decisions: int
    all_in: Estimate
    """Return the share of all-in choices, assuming independent decisions."""
    uniform: float

    @property
    def beside_uniform(self) -> int:
        """1 or -1 if the interval lies above or below uniform play, else 0."""
        low, high = self.all_in.interval
        return (low > self.uniform) - (high < self.uniform)

    @property
    def digits(self) -> int:
        """Return the digits, in per cent, at which uniform play stays outside the interval."""
        for digits in range(4 if self.beside_uniform else 0):
            values = (*self.all_in.interval, self.uniform)
            low, high, beside = (round(100 * each, digits) for each in values)
            if not low <= beside <= high:
                return digits
        return 4 if self.beside_uniform else 0


def held(training: Found, low: int, high: int) -> Held:
    """Pool the infosets by the number of tenths of the training that reached them."""
    inside = [row for row in training.all_in if low <= row.tenths <= high]
    total = sum(row.infosets for row in inside)
    uniform = sum(row.infosets * row.uniform for row in inside) / max(1, total)
    all_in = share_estimate(sum(row.infosets * row.probability for row in inside), total)
    near = share_estimate(sum(row.infosets * row.near_uniform for row in inside), total)
    return Held(total, all_in, uniform, near)


def chosen(watched: Found, low: int, high: int) -> Chosen:
    """Pool decisions in play by the number of tenths of the training that reached them."""
    inside = [row for row in watched.offers if low <= row.tenths <= high]
    total, all_ins = sum(row.decisions for row in inside), sum(row.chosen for row in inside)
    uniform = sum(row.decisions * row.uniform for row in inside) / max(1, total)
    return Chosen(total, share_estimate(all_ins, total), uniform)


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw all plots of the report."""
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

    draw_map(run.path("map.png"), found["map"])


def map_cells(found: Found, bot: str) -> dict[str, Estimate]:
    """Return a bot's winnings on the map, by the two numbers; `gain` = better minus document."""
    cells = gained(found) if bot == "gain" else cells_of(found[bot])
    names = [f"{share:g}/{score:g}" for score in found.scores for share in found.shares]
    return dict(zip(names, cells, strict=True))


def limits_of(names: Sequence[str]) -> list[str]:
    """Return the limits before the flop among cells of the map, each once, ascending."""
    return sorted({name.partition("/")[0] for name in names}, key=float)


def _reached(training: Found) -> list[Curve]:
    points, published = training.points, DATA.published["reached"].value
    x = [point.iterations for point in points]
    return [
        Curve("infosets reached", x, [point.visited for point in points]),
        Curve("of those with a strategy", x, [point.averaged for point in points]),
        _level(f"published: {number(published)}", x, published),
        _level("all infosets", x, training.infosets),
    ]


def _backup(found: Found) -> list[Curve]:
    end = found.training.points[-1].iterations
    way = {**found.matches.on_the_way, end: found.matches.main}
    return [Curve.of("CFR bot", list(way), list(way.values())), _level("zero", list(way), 0.0)]


def _all_in(training: Found) -> list[Curve]:
    rows = [row for row in training.all_in if row.infosets]
    x = [row.tenths for row in rows]
    return [
        Curve("average strategy", x, [100 * row.probability for row in rows]),
        Curve("uniform play", x, [100 * row.uniform for row in rows], dashed=True),
    ]


def _level(label: str, x: Sequence[float], value: float) -> Curve:
    return Curve(label, [x[0], x[-1]], [value, value], dashed=True)
