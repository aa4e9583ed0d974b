"""The first two sections: what was run, and the authors' figures beside ours."""

import math

from riverboat.report import Compared, Comparison, Section, Table, Text, listed, short
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.data import SweepPlan, husky
from riverboat.seeds.husky.killer import Learnt
from riverboat.seeds.husky.killer_report import learning_table
from riverboat.seeds.husky.opponents import Law, Many
from riverboat.seeds.husky.opponents_report import laws_of
from riverboat.seeds.husky.points import THRESHOLDS, Scored, as_good, best
from riverboat.seeds.husky.speed import Rate, Speeds
from riverboat.seeds.husky.sweeps import Swept
from riverboat.seeds.husky.words import grid_text, rounded

__all__ = ["setting_section", "summary_section"]


def setting_section(run: Reproduction) -> Section:
    """Say what the authors ran, and what this run does."""
    amounts = _amounts(run)
    rows = tuple((row.what, row.theirs, row.ours.format(**amounts)) for row in husky().setting)
    return Section(
        "The setting",
        (
            Text(
                "Four members of the Computational Physics Journal Club at the University of "
                "Washington wrote this system for a competition in 2024: a poker engine in C++, "
                "heuristic bots with swept thresholds, a CFR bot, and Killer, which learns while "
                "it plays. No seeds, intervals or hands are given for most of their figures."
            ),
            Table("What was run", ("", "the authors", "this run"), rows),
        ),
    )


def _amounts(run: Reproduction) -> dict[str, str]:
    """Write what depends on the effort."""
    plan = husky()
    several, seats = plan.opponents, plan.seats.counts.of(run)
    sweeps = [_grid(each.title, each.games.of(run), each.grids.of(run)) for each in plan.sweeps]
    grid = {"high": several.grids.of(run)}
    sweeps.append(_grid("Angry Fish against several Fish", several.games.of(run), grid))
    return {
        "sweeps": "; ".join(sweeps),
        "speeds": f"{min(seats)} to {max(seats)}",
        "opponents": listed(several.counts.of(run)),
        "tables": listed([len(names) for names in plan.seats.tables.of(run)]),
    }


def _grid(title: str, games: int, grids: dict[str, str]) -> str:
    """Write the games a point and the grid of each threshold."""
    ranges = [f"{THRESHOLDS.get(name, name)} {grid_text(grid)}" for name, grid in grids.items()]
    return f"{title} {games:,} games, {', '.join(ranges)}"


def summary_section(
    speeds: Speeds, swept: list[Swept], many: list[Many], learnt: list[Learnt]
) -> Section:
    """Put every published figure beside ours."""
    rows = (
        *_speed_rows(speeds),
        *(
            row
            for plan, each in zip(husky().sweeps, swept, strict=True)
            for row in _sweep(plan, each)
        ),
        *_law_rows(many),
    )
    return Section(
        "Published and ours",
        (Comparison("Husky's figures beside ours", rows), learning_table(learnt)),
    )


def _speed_rows(speeds: Speeds) -> list[Compared]:
    published = husky().published
    cards = max(speeds.batch)
    rows = [
        Compared(
            f"evaluations of {cards} cards a second",
            published["evaluations_per_second"].value / 1e6,
            rounded(rate.median / 1e6),
            unit="M",
            better="higher",
            note=f"{how}; {_rounds(rate)}",
        )
        for how, rate in (
            ("one call each, from Python", speeds.one_by_one[cards]),
            ("many in one call", speeds.batch[cards]),
        )
    ]
    for seats, figure in (
        (2, published["heads_up_hands_per_second"]),
        (6, published["six_seat_hands_per_second"]),
    ):
        found = speeds.table(seats)
        what = f"hands a second, {seats} call bots"
        ours, note = None, "in a whole match"
        if found is not None:
            ours, note = rounded(found.bots.median), f"{note}; {_rounds(found.bots)}"
        rows.append(Compared(what, figure.value, ours, better="higher", note=note))
    return rows


def _rounds(rate: Rate) -> str:
    return f"median of {rate.rounds} rounds from {short(rate.low)} to {short(rate.high)}"


def _sweep(plan: SweepPlan, swept: Swept) -> list[Compared]:
    """Compare each threshold of a sweep, by games; what chips say stands in the note."""
    games, chips = best(swept.games).parameters, best(swept.chips).parameters
    return [
        Compared(
            f"{plan.title}: {THRESHOLDS.get(name, name)}",
            value,
            games[name],
            note=f"{_range(swept.games, name)} may be as good; by chips {chips[name]:g}, "
            f"{_range(swept.chips, name)}",
        )
        for name, value in plan.optimum.items()
    ]


def _range(points: list[Scored], name: str) -> str:
    """Write the range of a threshold in which points may be the best."""
    values = [point.parameters[name] for point in as_good(points)]
    return f"{min(values):g} to {max(values):g}"


def _law_rows(many: list[Many]) -> list[Compared]:
    exponent = husky().published["opponents_exponent"].value
    rows = []
    for how, law in zip(("by games", "by chips a hand"), laws_of(many), strict=True):
        rows.append(
            Compared(
                f"exponent of the number of opponents, {how}",
                exponent,
                None if law is None else rounded(law.exponent, 2),
                margin=_half(law),
                note="" if law is None else f"threshold {law.factor:.2f} for one opponent",
            )
        )
    return rows


def _half(law: Law | None) -> float | None:
    if law is None or not math.isfinite(law.high):
        return None
    return rounded((law.high - law.low) / 2, 2)
