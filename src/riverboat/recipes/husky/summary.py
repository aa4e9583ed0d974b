"""The first two sections: what was run, and the author's figures beside ours."""

import math

from riverboat.recipes.husky.data import SweepPlan, husky
from riverboat.recipes.husky.killer import LEARNT, Learnt
from riverboat.recipes.husky.opponents import Law, Many
from riverboat.recipes.husky.opponents_report import laws_of
from riverboat.recipes.husky.points import Scored, as_good, best
from riverboat.recipes.husky.speed import Speeds
from riverboat.recipes.husky.sweeps import Swept
from riverboat.recipes.report import Compared, Comparison, Section, Table, Text

__all__ = ["setting_section", "summary_section"]


def setting_section() -> Section:
    """Say what the authors ran, and what we run."""
    rows = tuple((each.what, each.theirs, each.ours) for each in husky().setting)
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
        *(_killer_row(each) for each in learnt),
    )
    return Section(
        "Published and ours",
        (
            Comparison(
                "Husky's figures beside ours; of thresholds and exponents the ratio tells only "
                "how far apart they are",
                rows,
            ),
        ),
    )


def _speed_rows(speeds: Speeds) -> list[Compared]:
    published = husky().published
    cards = max(speeds.batch)
    rows = [
        Compared(
            f"evaluations of {cards} cards a second",
            published["evaluations_per_second"].value,
            speeds.one_by_one[cards],
            better="higher",
            note="one call each, from Python",
        ),
        Compared(
            f"evaluations of {cards} cards a second",
            published["evaluations_per_second"].value,
            speeds.batch[cards],
            better="higher",
            note="many in one call",
        ),
    ]
    for seats, figure in (
        (2, published["heads_up_hands_per_second"]),
        (6, published["six_seat_hands_per_second"]),
    ):
        found = speeds.table(seats)
        what = f"hands a second, {seats} call bots"
        ours = None if found is None else found.bots
        rows.append(Compared(what, figure.value, ours, better="higher", note="in a whole match"))
    return rows


def _sweep(plan: SweepPlan, swept: Swept) -> list[Compared]:
    """Compare each threshold of a sweep, by games; what chips say stands in the note."""
    games, chips = best(swept.games).parameters, best(swept.chips).parameters
    words = {"low": "fold up to", "high": "raise above"}
    return [
        Compared(
            f"{plan.title}: {words.get(name, name)}",
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
                None if law is None else law.exponent,
                margin=_half(law),
                note="" if law is None else f"threshold {law.factor:.2f} for one opponent",
            )
        )
    return rows


def _half(law: Law | None) -> float | None:
    if law is None or not math.isfinite(law.high):
        return None
    return (law.high - law.low) / 2


def _killer_row(learnt: Learnt) -> Compared:
    published = husky().published
    name = learnt.opponent.partition(":")[0].capitalize()
    fewest = published["fewest_hands_to_learn"].value
    most = published["most_hands_to_learn"].value
    note = (
        f"they say {fewest:,.0f} to {most:,.0f}; ours is the end "
        f"of the first block from which every block has at least {LEARNT:.0%} of the last third's "
        "chips a hand, without an interval"
    )
    if not learnt.wins:
        note += "; here it does not surely win in the last third"
    elif learnt.learnt_at is None:
        note += "; here the last block falls below that"
    return Compared(
        f"hands until Killer has learnt {name}",
        most,
        None if learnt.learnt_at is None else float(learnt.learnt_at),
        better="lower",
        note=note,
    )
